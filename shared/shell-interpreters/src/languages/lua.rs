//! Lua's library, `lfs` and neovim's `vim`.

use super::Effect;

/// What a function does.
pub(crate) fn function(path: &str) -> Option<Effect> {
    Some(match path {
        "os.execute" | "io.popen" | "vim.fn.system" | "vim.fn.systemlist" | "vim.system"
        | "vim.fn.jobstart" | "posix.system" | "ffi.C.system" | "C.system" => Effect::Shell,
        "posix.exec" | "posix.spawn" | "vim.uv.spawn" | "vim.loop.spawn" => Effect::Program,
        "os.remove" | "lfs.rmdir" | "posix.unlink" | "vim.uv.fs_unlink" | "vim.loop.fs_unlink"
        | "posix.rmdir" => Effect::Delete(false),
        "vim.fn.delete" => Effect::DeleteIfAsked,
        "vim.fs.rm" => Effect::DeleteIfAsked,
        "os.rename" => Effect::Move,
        "lfs.link" => Effect::Link,
        "io.open" | "io.output" => Effect::Open,
        "io.lines" => Effect::Read,
        "load" | "loadstring" | "dostring" => Effect::Code,
        "dofile" | "loadfile" => Effect::Include,
        "socket.connect" | "socket.tcp" => Effect::Connect,
        "socket.http.request" | "http.request" | "ssl.https.request" => Effect::Send,
        "print" => Effect::Print(true),
        "io.write" => Effect::Print(false),
        "io.read" | "io.stdin.read" => Effect::Input,
        "string.char" => Effect::Characters,
        "string.byte" => Effect::Codes,
        "string.reverse" => Effect::Reverse,
        "string.format" => Effect::Format,
        "table.concat" => Effect::Join,
        "string.lower" => Effect::Method("lower"),
        "string.upper" => Effect::Method("upper"),
        "string.rep" => Effect::Method("rep"),
        "string.gsub" => Effect::Method("gsub"),
        "string.sub" => Effect::Method("sub"),
        "tonumber" => Effect::Number,
        "setmetatable" | "rawget" | "tostring" | "assert" | "ipairs" | "pairs" | "table.unpack"
        | "unpack" | "vim.fn.expand" => Effect::First,
        "pcall" | "xpcall" => Effect::Apply,
        "require" => Effect::Module,
        "os.getenv" => Effect::Environment,
        "os.tmpname" => Effect::Temporary,
        "lfs.dir" => Effect::Names,
        "lfs.currentdir" | "vim.fn.getcwd" => Effect::Here,
        "vim.fn.glob" => Effect::Pattern,
        path if path.starts_with("luasql.") => Effect::Database,
        "luasql.sqlite3" | "sqlite3.open" | "lsqlite3.open" => Effect::Database,
        "os.exit" | "os.time" | "os.date" | "type" | "string.len" => Effect::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(crate) fn method(name: &str, _: usize) -> Option<Effect> {
    Some(match name {
        "read" | "lines" | "receive" => Effect::Receiver,
        "reverse" => Effect::Reverse,
        "char" => Effect::Characters,
        "format" => Effect::Format,
        "close" | "sub" => Effect::Plain,
        "connect" => Effect::Connect,
        _ => return None,
    })
}
