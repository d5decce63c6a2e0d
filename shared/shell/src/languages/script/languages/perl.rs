//! Perl's functions and modules.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    let path = path.strip_prefix("CORE.").unwrap_or(path);
    let path = path.strip_prefix("GLOBAL.").unwrap_or(path);
    Some(match path {
        "system"
        | "exec"
        | "IPC.System.Simple.system"
        | "systemx"
        | "IPC.Run.run"
        | "IPC.Open3.open3"
        | "IPC.Open2.open2"
        | "POSIX.system"
        | "capture"
        | "capturex"
        | "runx"
        | "IPC.Cmd.run" => Deed::Either,
        "open3" => Deed::Replace,
        "open2" => Deed::Replace,
        "readpipe" => Deed::Shell,
        "rmtree"
        | "remove_tree"
        | "File.Path.rmtree"
        | "File.Path.remove_tree"
        | "pathrmdir"
        | "File.Remove.remove"
        | "pathrm" => Deed::Delete(true),
        "unlink" | "rmdir" | "POSIX.unlink" | "POSIX.remove" | "POSIX.rmdir" | "remove" => {
            Deed::Delete(false)
        }
        "truncate" => Deed::Truncate,
        "write_file" | "File.Slurp.write_file" | "path.spew" | "spew" => Deed::Write,
        "append_file" | "File.Slurp.append_file" => Deed::Append,
        "open" | "sysopen" | "IO.File.new" => Deed::Open,
        "rename" | "move" | "File.Copy.move" | "mv" => Deed::Move,
        "copy" | "File.Copy.copy" | "cp" => Deed::Copy,
        "symlink" | "link" => Deed::Link,
        "chmod" => Deed::Mode(true),
        "chown" => Deed::Own,
        "kill" => Deed::Kill(true),
        "eval" => Deed::Code,
        "require" => Deed::Include,
        "fork" => Deed::Fork,
        "connect"
        | "IO.Socket.INET"
        | "IO.Socket.INET.new"
        | "IO.Socket.SSL.new"
        | "IO.Socket.INET6.new"
        | "IO.Socket.IP.new" => Deed::Connect,
        "listen" => Deed::Listen,
        "LWP.Simple.get"
        | "getprint"
        | "LWP.UserAgent.get"
        | "HTTP.Tiny.get"
        | "LWP.Simple.getprint"
        | "HTTP.Tiny.post_form" => Deed::Send,
        "get" | "post" => Deed::Send,
        "getstore" | "mirror" | "LWP.Simple.getstore" | "LWP.Simple.mirror" => Deed::Download,
        "DBI.connect" => Deed::Database,
        "print" | "printf" => Deed::Print(false),
        "say" => Deed::Print(true),
        "decode_base64" | "MIME.Base64.decode_base64" | "MIME.Base64.decode" => Deed::Base64,
        "pack" => Deed::Pack,
        "unpack" => Deed::Pack,
        "uncompress" | "Compress.Zlib.uncompress" | "Compress.Zlib.memGunzip" | "inflate" => Deed::Unpack,
        "chr" => Deed::Characters,
        "ord" => Deed::Codes,
        "join" => Deed::JoinFirst,
        "reverse" => Deed::Reverse,
        "sprintf" => Deed::Format,
        "catfile" | "catdir" | "File.Spec.catfile" | "File.Spec.catdir" | "File.Spec.Functions.catfile" => {
            Deed::Path
        }
        "getcwd" | "cwd" | "Cwd.getcwd" | "Cwd.cwd" => Deed::Here,
        "tempdir" | "tempfile" | "File.Temp.tempdir" | "File.Temp.tempfile" => Deed::Temporary,
        "glob" | "File.Glob.glob" | "bsd_glob" | "File.Glob.bsd_glob" => Deed::Pattern,
        "readdir" => Deed::Names,
        "opendir" => Deed::First,
        "find" | "finddepth" | "File.Find.find" => Deed::Below,
        "slurp" | "read_file" | "File.Slurp.read_file" => Deed::Read,
        "STDIN" => Deed::Input,
        "shift" | "pop" => Deed::Parameters,
        "chdir" => Deed::Folder,
        "lc" => Deed::Method("lower"),
        "uc" => Deed::Method("upper"),
        "substr" => Deed::Method("substr"),
        "int" | "hex_number" => Deed::Number,
        "uri_unescape" | "URI.Escape.uri_unescape" => Deed::Percent,
        "shellwords" | "Text.ParseWords.shellwords" => Deed::Words,
        "decode_json" | "JSON.PP.decode_json" => Deed::Plain,
        "reduce" | "List.Util.reduce" => Deed::First,
        "quotemeta" | "scalar" | "sort" | "abs_path" | "Cwd.abs_path" | "realpath" | "path"
        | "Path.Tiny.path" | "dir" | "file" | "chomp" | "values" | "ref" | "lcfirst" | "ucfirst" => {
            Deed::First
        }
        "defined" | "length" | "exists" | "die" | "warn" | "exit" | "sleep" | "mkdir" | "make_path"
        | "close" | "sqrt" | "time" | "localtime" | "printflush" | "keys" | "wantarray" | "bless"
        | "index" => Deed::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, _: usize) -> Option<Deed> {
    Some(match name {
        "remove_tree" => Deed::Delete(true),
        "remove" => Deed::Delete(false),
        "spew" | "spew_utf8" => Deed::Write,
        "slurp" | "slurp_utf8" => Deed::Read,
        "children" => Deed::Entries,
        "content" | "decoded_content" | "body" | "stringify" | "getline" => Deed::Receiver,
        "child" => Deed::Path,
        _ => return None,
    })
}

/// Functions that take what follows them without brackets only up to the next comma.
pub(in crate::languages::script) fn is_unary(name: &str) -> bool {
    matches!(
        name,
        "shift"
            | "pop"
            | "defined"
            | "ref"
            | "scalar"
            | "lc"
            | "uc"
            | "length"
            | "chr"
            | "ord"
            | "rmdir"
            | "readdir"
            | "quotemeta"
            | "chdir"
            | "glob"
            | "int"
            | "eval"
    )
}
