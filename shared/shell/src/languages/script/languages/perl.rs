//! Perl's functions and modules.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    let path = path.strip_prefix("CORE.").unwrap_or(path);
    let path = path.strip_prefix("GLOBAL.").unwrap_or(path);
    super::find(FUNCTIONS, path)
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

/// What each function does, sorted by name.
pub(super) const FUNCTIONS: &[(&str, Deed)] = &[
    ("Compress.Zlib.memGunzip", Deed::Unpack),
    ("Compress.Zlib.uncompress", Deed::Unpack),
    ("Cwd.abs_path", Deed::First),
    ("Cwd.cwd", Deed::Here),
    ("Cwd.getcwd", Deed::Here),
    ("DBI.connect", Deed::Database),
    ("File.Copy.copy", Deed::Copy),
    ("File.Copy.move", Deed::Move),
    ("File.Find.find", Deed::Below),
    ("File.Glob.bsd_glob", Deed::Pattern),
    ("File.Glob.glob", Deed::Pattern),
    ("File.Path.remove_tree", Deed::Delete(true)),
    ("File.Path.rmtree", Deed::Delete(true)),
    ("File.Remove.remove", Deed::Delete(true)),
    ("File.Slurp.append_file", Deed::Append),
    ("File.Slurp.read_file", Deed::Read),
    ("File.Slurp.write_file", Deed::Write),
    ("File.Spec.Functions.catfile", Deed::Path),
    ("File.Spec.catdir", Deed::Path),
    ("File.Spec.catfile", Deed::Path),
    ("File.Temp.tempdir", Deed::Temporary),
    ("File.Temp.tempfile", Deed::Temporary),
    ("HTTP.Tiny.get", Deed::Send),
    ("HTTP.Tiny.post_form", Deed::Send),
    ("IO.File.new", Deed::Open),
    ("IO.Socket.INET", Deed::Connect),
    ("IO.Socket.INET.new", Deed::Connect),
    ("IO.Socket.INET6.new", Deed::Connect),
    ("IO.Socket.IP.new", Deed::Connect),
    ("IO.Socket.SSL.new", Deed::Connect),
    ("IPC.Cmd.run", Deed::Either),
    ("IPC.Open2.open2", Deed::Either),
    ("IPC.Open3.open3", Deed::Either),
    ("IPC.Run.run", Deed::Either),
    ("IPC.System.Simple.system", Deed::Either),
    ("JSON.PP.decode_json", Deed::Plain),
    ("LWP.Simple.get", Deed::Send),
    ("LWP.Simple.getprint", Deed::Send),
    ("LWP.Simple.getstore", Deed::Download),
    ("LWP.Simple.mirror", Deed::Download),
    ("LWP.UserAgent.get", Deed::Send),
    ("List.Util.reduce", Deed::First),
    ("MIME.Base64.decode", Deed::Base64),
    ("MIME.Base64.decode_base64", Deed::Base64),
    ("POSIX.remove", Deed::Delete(false)),
    ("POSIX.rmdir", Deed::Delete(false)),
    ("POSIX.system", Deed::Either),
    ("POSIX.unlink", Deed::Delete(false)),
    ("Path.Tiny.path", Deed::First),
    ("STDIN", Deed::Input),
    ("Text.ParseWords.shellwords", Deed::Words),
    ("URI.Escape.uri_unescape", Deed::Percent),
    ("abs_path", Deed::First),
    ("append_file", Deed::Append),
    ("bless", Deed::Plain),
    ("bsd_glob", Deed::Pattern),
    ("capture", Deed::Either),
    ("capturex", Deed::Either),
    ("catdir", Deed::Path),
    ("catfile", Deed::Path),
    ("chdir", Deed::Folder),
    ("chmod", Deed::Mode(true)),
    ("chomp", Deed::First),
    ("chown", Deed::Own),
    ("chr", Deed::Characters),
    ("close", Deed::Plain),
    ("connect", Deed::Connect),
    ("copy", Deed::Copy),
    ("cp", Deed::Copy),
    ("cwd", Deed::Here),
    ("decode_base64", Deed::Base64),
    ("decode_json", Deed::Plain),
    ("defined", Deed::Plain),
    ("die", Deed::Plain),
    ("dir", Deed::First),
    ("eval", Deed::Code),
    ("exec", Deed::Either),
    ("exists", Deed::Plain),
    ("exit", Deed::Plain),
    ("file", Deed::First),
    ("find", Deed::Below),
    ("finddepth", Deed::Below),
    ("fork", Deed::Fork),
    ("get", Deed::Send),
    ("getcwd", Deed::Here),
    ("getprint", Deed::Send),
    ("getstore", Deed::Download),
    ("glob", Deed::Pattern),
    ("hex_number", Deed::Number),
    ("index", Deed::Plain),
    ("inflate", Deed::Unpack),
    ("int", Deed::Number),
    ("join", Deed::JoinFirst),
    ("keys", Deed::Plain),
    ("kill", Deed::Kill(true)),
    ("lc", Deed::Method("lower")),
    ("lcfirst", Deed::First),
    ("length", Deed::Plain),
    ("link", Deed::Link),
    ("listen", Deed::Listen),
    ("localtime", Deed::Plain),
    ("make_path", Deed::Plain),
    ("mirror", Deed::Download),
    ("mkdir", Deed::Plain),
    ("move", Deed::Move),
    ("mv", Deed::Move),
    ("open", Deed::Open),
    ("open2", Deed::Replace),
    ("open3", Deed::Replace),
    ("opendir", Deed::First),
    ("ord", Deed::Codes),
    ("pack", Deed::Pack),
    ("path", Deed::First),
    ("path.spew", Deed::Write),
    ("pathrm", Deed::Delete(true)),
    ("pathrmdir", Deed::Delete(true)),
    ("pop", Deed::Parameters),
    ("post", Deed::Send),
    ("print", Deed::Print(false)),
    ("printf", Deed::Print(false)),
    ("printflush", Deed::Plain),
    ("quotemeta", Deed::First),
    ("read_file", Deed::Read),
    ("readdir", Deed::Names),
    ("readpipe", Deed::Shell),
    ("realpath", Deed::First),
    ("reduce", Deed::First),
    ("ref", Deed::First),
    ("remove", Deed::Delete(false)),
    ("remove_tree", Deed::Delete(true)),
    ("rename", Deed::Move),
    ("require", Deed::Include),
    ("reverse", Deed::Reverse),
    ("rmdir", Deed::Delete(false)),
    ("rmtree", Deed::Delete(true)),
    ("runx", Deed::Either),
    ("say", Deed::Print(true)),
    ("scalar", Deed::First),
    ("shellwords", Deed::Words),
    ("shift", Deed::Parameters),
    ("sleep", Deed::Plain),
    ("slurp", Deed::Read),
    ("sort", Deed::First),
    ("spew", Deed::Write),
    ("sprintf", Deed::Format),
    ("sqrt", Deed::Plain),
    ("substr", Deed::Method("substr")),
    ("symlink", Deed::Link),
    ("sysopen", Deed::Open),
    ("system", Deed::Either),
    ("systemx", Deed::Either),
    ("tempdir", Deed::Temporary),
    ("tempfile", Deed::Temporary),
    ("time", Deed::Plain),
    ("truncate", Deed::Truncate),
    ("uc", Deed::Method("upper")),
    ("ucfirst", Deed::First),
    ("uncompress", Deed::Unpack),
    ("unlink", Deed::Delete(false)),
    ("unpack", Deed::Pack),
    ("uri_unescape", Deed::Percent),
    ("values", Deed::First),
    ("wantarray", Deed::Plain),
    ("warn", Deed::Plain),
    ("write_file", Deed::Write),
];
