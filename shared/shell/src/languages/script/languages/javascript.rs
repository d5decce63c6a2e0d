//! JavaScript and TypeScript: node, deno, bun, and packages that everybody uses.

use super::Deed;

/// What a function does. Paths come without `node:`, `promises` and `default`.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "child_process.exec"
        | "child_process.execSync"
        | "shelljs.exec"
        | "execa.execaCommand"
        | "execa.execaCommandSync"
        | "execa.command"
        | "execa.commandSync"
        | "$"
        | "Bun.$"
        | "bun.$"
        | "zx.$"
        | "dax.$"
        | "execSync"
        | "shell.exec"
        | "execaCommand"
        | "execaCommandSync"
        | "sh"
        | "$.sync"
        | "execa.$"
        | "cross-spawn.exec" => Deed::Shell,
        "child_process.spawn"
        | "child_process.spawnSync"
        | "child_process.execFile"
        | "child_process.execFileSync"
        | "execa"
        | "execa.execa"
        | "execa.execaSync"
        | "execa.sync"
        | "cross-spawn"
        | "cross-spawn.sync"
        | "cross-spawn.spawn"
        | "Bun.spawn"
        | "Bun.spawnSync"
        | "Deno.Command"
        | "Deno.run"
        | "spawn"
        | "spawnSync"
        | "execFile"
        | "execFileSync"
        | "execaSync"
        | "tinyexec.exec"
        | "tinyexec.x"
        | "nano-spawn"
        | "tinyspawn"
        | "node-pty.spawn" => Deed::Program,
        "fs.rm" | "fs.rmSync" | "fs.rmdir" | "fs.rmdirSync" | "Deno.remove" | "Deno.removeSync" => {
            Deed::DeleteIfTold
        }
        "rmSync" | "rmdirSync" => Deed::DeleteIfTold,
        "fs-extra.remove"
        | "fs-extra.removeSync"
        | "fs-extra.emptyDir"
        | "fs-extra.emptyDirSync"
        | "rimraf"
        | "rimraf.sync"
        | "rimraf.rimraf"
        | "rimraf.rimrafSync"
        | "del"
        | "del.sync"
        | "del.deleteAsync"
        | "del.deleteSync"
        | "fs.remove"
        | "fs.removeSync"
        | "fs.emptyDir"
        | "fs.emptyDirSync"
        | "rimrafSync"
        | "shelljs.rm"
        | "fs-extra.rmSync"
        | "fs-extra.rm"
        | "shell.rm"
        | "trash" => Deed::Delete(true),
        "fs.unlink"
        | "fs.unlinkSync"
        | "unlinkSync"
        | "Bun.unlink"
        | "fs-extra.unlink"
        | "fs-extra.unlinkSync" => Deed::Delete(false),
        "fs.truncate" | "fs.truncateSync" | "fs.ftruncateSync" | "Deno.truncate" | "Deno.truncateSync"
        | "truncateSync" => Deed::Truncate,
        "fs.writeFile"
        | "fs.writeFileSync"
        | "Deno.writeTextFile"
        | "Deno.writeTextFileSync"
        | "Deno.writeFile"
        | "Deno.writeFileSync"
        | "Bun.write"
        | "fs.outputFile"
        | "fs.outputFileSync"
        | "fs-extra.outputFile"
        | "fs-extra.outputFileSync"
        | "fs-extra.writeFile"
        | "fs-extra.writeFileSync"
        | "writeFileSync"
        | "fs-extra.writeJson"
        | "fs-extra.writeJsonSync"
        | "fs.createWriteStream"
        | "Deno.create"
        | "Deno.createSync" => Deed::Write,
        "fs.appendFile" | "fs.appendFileSync" | "appendFileSync" => Deed::Append,
        "fs.open" | "fs.openSync" | "Deno.open" | "Deno.openSync" => Deed::Open,
        "fs.rename" | "fs.renameSync" | "Deno.rename" | "Deno.renameSync" | "fs-extra.move"
        | "fs-extra.moveSync" | "renameSync" => Deed::Move,
        "fs.copyFile" | "fs.copyFileSync" | "Deno.copyFile" | "Deno.copyFileSync" => Deed::Copy,
        "fs.cp" | "fs.cpSync" | "fs-extra.copy" | "fs-extra.copySync" => Deed::CopyTree,
        "fs.symlink" | "fs.symlinkSync" | "fs.link" | "fs.linkSync" | "Deno.symlink" => Deed::Link,
        "fs.chmod" | "fs.chmodSync" | "Deno.chmod" | "Deno.chmodSync" => Deed::Mode(false),
        "fs.chown" | "fs.chownSync" => Deed::Own,
        "process.kill" | "Deno.kill" => Deed::Kill(false),
        "eval"
        | "Function"
        | "vm.runInThisContext"
        | "vm.runInNewContext"
        | "vm.runInContext"
        | "vm.Script"
        | "setTimeout"
        | "setInterval"
        | "setImmediate"
        | "AsyncFunction"
        | "Function.constructor"
        | "module._compile" => Deed::Code,
        "cluster.fork" | "child_process.fork" => Deed::Fork,
        "Object.values" => Deed::Values,
        "Object.entries" => Deed::Items,
        "net.connect"
        | "net.createConnection"
        | "net.Socket"
        | "tls.connect"
        | "Deno.connect"
        | "Bun.connect" => Deed::Connect,
        "net.createServer" | "Deno.listen" => Deed::Listen,
        "fetch"
        | "axios"
        | "axios.get"
        | "axios.post"
        | "axios.put"
        | "axios.request"
        | "got"
        | "got.post"
        | "got.get"
        | "https.get"
        | "http.get"
        | "https.request"
        | "http.request"
        | "node-fetch"
        | "undici.fetch"
        | "undici.request"
        | "request"
        | "request.post"
        | "request.get"
        | "needle"
        | "needle.post"
        | "superagent.post"
        | "superagent.get"
        | "XMLHttpRequest"
        | "WebSocket"
        | "ws"
        | "navigator.sendBeacon"
        | "ky"
        | "ky.post" => Deed::Send,
        "pg.Client"
        | "pg.Pool"
        | "mysql2.createConnection"
        | "mysql.createConnection"
        | "mysql2.createPool"
        | "mysql.createPool"
        | "better-sqlite3"
        | "sqlite3.Database"
        | "bun:sqlite.Database"
        | "knex"
        | "postgres"
        | "sqlite.DatabaseSync"
        | "Sequelize"
        | "sequelize.Sequelize"
        | "PrismaClient"
        | "@prisma/client.PrismaClient"
        | "@libsql/client.createClient"
        | "duckdb.Database"
        | "mssql.connect"
        | "sqlite.open"
        | "typeorm.createConnection" => Deed::Database,
        "console.log" | "console.info" | "console.error" | "console.warn" => Deed::Print(true),
        "process.stdout.write" | "Deno.stdout.write" => Deed::Print(false),
        "atob" | "btoa.atob" => Deed::Base64,
        "Buffer.from" | "Buffer" => Deed::Decode,
        "zlib.gunzipSync"
        | "zlib.inflateSync"
        | "zlib.brotliDecompressSync"
        | "crypto.createDecipheriv"
        | "zlib.unzipSync"
        | "zlib.inflateRawSync" => Deed::Unpack,
        "String.fromCharCode" | "String.fromCodePoint" => Deed::Characters,
        "path.join" | "path.resolve" | "path.posix.join" | "path.posix.resolve" | "url.fileURLToPath" => {
            Deed::Path
        }
        "path.normalize" | "String" | "URL" | "Promise.all" | "Promise.resolve" | "Array.from"
        | "util.promisify" | "promisify" | "TextDecoder" | "TextEncoder" | "Promise.allSettled"
        | "Object.freeze" | "Array.of" | "String.raw" | "Bun.file" | "encodeURIComponent"
        | "util.inspect" | "JSON.stringify" => Deed::First,
        "path.dirname" => Deed::Parent,
        "decodeURIComponent" | "decodeURI" | "unescape" | "querystring.unescape" => Deed::Percent,
        "JSON.parse" => Deed::Data,
        "Map" | "Object.fromEntries" => Deed::Mapping,
        "Object.assign" => Deed::First,
        "Reflect.apply" => Deed::Apply,
        "parseInt" | "Number" | "Number.parseInt" => Deed::Number,
        "Reflect.get" => Deed::Attribute,
        "os.homedir" => Deed::Home,
        "process.cwd" | "Deno.cwd" => Deed::Here,
        "os.tmpdir" | "fs.mkdtemp" | "fs.mkdtempSync" | "Deno.makeTempDir" | "Deno.makeTempDirSync" => {
            Deed::Temporary
        }
        "glob" | "glob.sync" | "glob.glob" | "glob.globSync" | "fast-glob" | "fast-glob.sync" | "globby"
        | "fs.globSync" | "fs.glob" => Deed::Pattern,
        "fs.readdir" | "fs.readdirSync" | "Deno.readDir" | "Deno.readDirSync" | "readdirSync" => Deed::Names,
        "fs.readFile"
        | "fs.readFileSync"
        | "Deno.readTextFile"
        | "Deno.readTextFileSync"
        | "Deno.readFile"
        | "Deno.readFileSync"
        | "readFileSync"
        | "fs.createReadStream"
        | "fs-extra.readFile"
        | "fs-extra.readFileSync"
        | "fs-extra.readJsonSync" => Deed::Read,
        "Deno.env.get" => Deed::Environment,
        "constructor._load"
        | "Module._load"
        | "module._load"
        | "require"
        | "import"
        | "module.require"
        | "process.mainModule.require"
        | "process.getBuiltinModule"
        | "createRequire"
        | "module.createRequire"
        | "global.require"
        | "process.binding"
        | "require.main.require" => Deed::Module,
        "process.chdir" | "Deno.chdir" | "shelljs.cd" => Deed::Folder,
        "fs.existsSync" | "fs.statSync" | "fs.mkdirSync" | "fs.lstatSync" | "fs.mkdir" | "process.exit" => {
            Deed::Plain
        }
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, arguments: usize) -> Option<Deed> {
    Some(match name {
        // `Bun.file("x").delete()`
        "delete" if arguments == 0 => Deed::Delete(false),
        "toString" | "trim" | "then" | "text" | "json" | "concat_all" | "valueOf" | "flat" | "buffer"
        | "arrayBuffer" | "trimEnd" | "trimStart" | "normalize" | "catch" | "finally" | "quiet"
        | "nothrow" | "bytes" | "toUpperString" | "output" | "spawn" | "outputSync" | "decode" | "encode"
        | "on" | "once" | "promise" | "sort" | "pipe" | "data" | "body" => Deed::Receiver,
        "reverse" => Deed::Reverse,
        "join" => Deed::JoinFirst,
        "constructor" => Deed::Code,
        "charCodeAt" | "codePointAt" => Deed::Codes,
        "startsWith" | "endsWith" | "includes" | "indexOf" | "test" | "isFile" | "isDirectory" => Deed::Plain,
        _ => return None,
    })
}
