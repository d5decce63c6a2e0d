//! Lua's library, `lfs` and neovim's `vim`.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "os.execute" | "io.popen" | "vim.fn.system" | "vim.fn.systemlist" | "vim.system"
        | "vim.fn.jobstart" | "posix.system" | "ffi.C.system" | "C.system" => Deed::Shell,
        "posix.exec" | "posix.spawn" | "vim.uv.spawn" | "vim.loop.spawn" => Deed::Program,
        "os.remove" | "lfs.rmdir" | "posix.unlink" | "vim.uv.fs_unlink" | "vim.loop.fs_unlink"
        | "posix.rmdir" => Deed::Delete(false),
        "vim.fn.delete" => Deed::DeleteIfTold,
        "vim.fs.rm" => Deed::DeleteIfTold,
        "os.rename" => Deed::Move,
        "lfs.link" => Deed::Link,
        "io.open" | "io.output" => Deed::Open,
        "io.lines" => Deed::Read,
        "load" | "loadstring" | "dostring" => Deed::Code,
        "socket.connect" | "socket.tcp" => Deed::Connect,
        "socket.http.request" | "http.request" | "ssl.https.request" => Deed::Send,
        "print" => Deed::Print(true),
        "io.write" => Deed::Print(false),
        "io.read" | "io.stdin.read" => Deed::Input,
        "string.char" => Deed::Characters,
        "string.byte" => Deed::Codes,
        "string.reverse" => Deed::Reverse,
        "string.format" => Deed::Format,
        "table.concat" => Deed::Join,
        "string.lower" => Deed::Method("lower"),
        "string.upper" => Deed::Method("upper"),
        "string.rep" => Deed::Method("rep"),
        "string.gsub" => Deed::Method("gsub"),
        "string.sub" => Deed::Method("sub"),
        "tonumber" => Deed::Number,
        "tostring" | "assert" | "ipairs" | "pairs" | "table.unpack" | "unpack" | "vim.fn.expand" => {
            Deed::First
        }
        "pcall" | "xpcall" => Deed::Apply,
        "require" => Deed::Module,
        "os.getenv" => Deed::Environment,
        "os.tmpname" => Deed::Temporary,
        "lfs.dir" => Deed::Names,
        "lfs.currentdir" | "vim.fn.getcwd" => Deed::Here,
        "vim.fn.glob" => Deed::Pattern,
        path if path.starts_with("luasql.") => Deed::Database,
        "luasql.sqlite3" | "sqlite3.open" | "lsqlite3.open" => Deed::Database,
        "os.exit" | "os.time" | "os.date" | "type" | "string.len" => Deed::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, _: usize) -> Option<Deed> {
    Some(match name {
        "read" | "lines" | "receive" => Deed::Receiver,
        "reverse" => Deed::Reverse,
        "char" => Deed::Characters,
        "format" => Deed::Format,
        "close" | "sub" => Deed::Plain,
        "connect" => Deed::Connect,
        _ => return None,
    })
}
