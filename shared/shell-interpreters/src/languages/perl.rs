//! Perl's functions and modules.

use super::Effect;

/// What a function does.
pub(crate) fn function(path: &str) -> Option<Effect> {
    let path = path.strip_prefix("CORE.").unwrap_or(path);
    let path = path.strip_prefix("GLOBAL.").unwrap_or(path);
    super::find(FUNCTIONS, path)
}

/// What a method does to the value that it belongs to.
pub(crate) fn method(name: &str, _: usize) -> Option<Effect> {
    Some(match name {
        "remove_tree" => Effect::Delete(true),
        "remove" => Effect::Delete(false),
        "spew" | "spew_utf8" => Effect::Write,
        "slurp" | "slurp_utf8" => Effect::Read,
        "children" => Effect::Entries,
        "content" | "decoded_content" | "body" | "stringify" | "getline" => Effect::Receiver,
        "child" => Effect::Path,
        _ => return None,
    })
}

/// Functions that take what follows them without brackets only up to the next comma.
pub(crate) fn is_unary(name: &str) -> bool {
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
pub(super) const FUNCTIONS: &[(&str, Effect)] = &[
    ("Compress.Zlib.memGunzip", Effect::Unpack),
    ("Compress.Zlib.uncompress", Effect::Unpack),
    ("Cwd.abs_path", Effect::First),
    ("Cwd.cwd", Effect::Here),
    ("Cwd.getcwd", Effect::Here),
    ("DBI.connect", Effect::Database),
    ("File.Copy.copy", Effect::Copy),
    ("File.Copy.move", Effect::Move),
    ("File.Find.find", Effect::Below),
    ("File.Glob.bsd_glob", Effect::Pattern),
    ("File.Glob.glob", Effect::Pattern),
    ("File.Path.remove_tree", Effect::Delete(true)),
    ("File.Path.rmtree", Effect::Delete(true)),
    ("File.Remove.remove", Effect::Delete(true)),
    ("File.Slurp.append_file", Effect::Append),
    ("File.Slurp.read_file", Effect::Read),
    ("File.Slurp.write_file", Effect::Write),
    ("File.Spec.Functions.catfile", Effect::Path),
    ("File.Spec.catdir", Effect::Path),
    ("File.Spec.catfile", Effect::Path),
    ("File.Temp.tempdir", Effect::Temporary),
    ("File.Temp.tempfile", Effect::Temporary),
    ("HTTP.Tiny.get", Effect::Send),
    ("HTTP.Tiny.post_form", Effect::Send),
    ("IO.File.new", Effect::Open),
    ("IO.Socket.INET", Effect::Connect),
    ("IO.Socket.INET.new", Effect::Connect),
    ("IO.Socket.INET6.new", Effect::Connect),
    ("IO.Socket.IP.new", Effect::Connect),
    ("IO.Socket.SSL.new", Effect::Connect),
    ("IPC.Cmd.run", Effect::Either),
    ("IPC.Open2.open2", Effect::Either),
    ("IPC.Open3.open3", Effect::Either),
    ("IPC.Run.run", Effect::Either),
    ("IPC.System.Simple.system", Effect::Either),
    ("JSON.PP.decode_json", Effect::Data),
    ("LWP.Simple.get", Effect::Send),
    ("LWP.Simple.getprint", Effect::Send),
    ("LWP.Simple.getstore", Effect::Download),
    ("LWP.Simple.mirror", Effect::Download),
    ("LWP.UserAgent.get", Effect::Send),
    ("List.Util.reduce", Effect::First),
    ("MIME.Base64.decode", Effect::Base64),
    ("MIME.Base64.decode_base64", Effect::Base64),
    ("POSIX.remove", Effect::Delete(false)),
    ("POSIX.rmdir", Effect::Delete(false)),
    ("POSIX.system", Effect::Either),
    ("POSIX.unlink", Effect::Delete(false)),
    ("Path.Tiny.path", Effect::First),
    ("STDIN", Effect::Input),
    ("Text.ParseWords.shellwords", Effect::Words),
    ("URI.Escape.uri_unescape", Effect::Percent),
    ("abs_path", Effect::First),
    ("append_file", Effect::Append),
    ("bless", Effect::First),
    ("bsd_glob", Effect::Pattern),
    ("capture", Effect::Either),
    ("capturex", Effect::Either),
    ("catdir", Effect::Path),
    ("catfile", Effect::Path),
    ("chdir", Effect::Folder),
    ("chmod", Effect::Mode(true)),
    ("chomp", Effect::Method("chomp")),
    ("chown", Effect::Own),
    ("chr", Effect::Characters),
    ("close", Effect::Plain),
    ("connect", Effect::Connect),
    ("copy", Effect::Copy),
    ("cp", Effect::Copy),
    ("cwd", Effect::Here),
    ("decode_base64", Effect::Base64),
    ("decode_json", Effect::Data),
    ("defined", Effect::Plain),
    ("die", Effect::Plain),
    ("dir", Effect::First),
    ("do", Effect::Include),
    ("each", Effect::Pair),
    ("eval", Effect::Code),
    ("exec", Effect::Either),
    ("exists", Effect::Plain),
    ("exit", Effect::Plain),
    ("file", Effect::First),
    ("find", Effect::Below),
    ("finddepth", Effect::Below),
    ("fork", Effect::Fork),
    ("get", Effect::Send),
    ("getcwd", Effect::Here),
    ("getprint", Effect::Send),
    ("getstore", Effect::Download),
    ("glob", Effect::Pattern),
    ("hex_number", Effect::Number),
    ("index", Effect::Plain),
    ("inflate", Effect::Unpack),
    ("int", Effect::Number),
    ("join", Effect::JoinFirst),
    ("keys", Effect::Plain),
    ("kill", Effect::Kill(true)),
    ("lc", Effect::Method("lower")),
    ("lcfirst", Effect::First),
    ("length", Effect::Plain),
    ("link", Effect::Link),
    ("listen", Effect::Listen),
    ("localtime", Effect::Plain),
    ("make_path", Effect::Plain),
    ("mirror", Effect::Download),
    ("mkdir", Effect::Plain),
    ("move", Effect::Move),
    ("mv", Effect::Move),
    ("open", Effect::Open),
    ("open2", Effect::Replace),
    ("open3", Effect::Replace),
    ("opendir", Effect::First),
    ("ord", Effect::Codes),
    ("pack", Effect::Pack),
    ("path", Effect::First),
    ("path.spew", Effect::Write),
    ("pathrm", Effect::Delete(true)),
    ("pathrmdir", Effect::Delete(true)),
    ("pop", Effect::Parameters),
    ("post", Effect::Send),
    ("print", Effect::Print(false)),
    ("printf", Effect::Print(false)),
    ("printflush", Effect::Plain),
    ("quotemeta", Effect::First),
    ("read_file", Effect::Read),
    ("readdir", Effect::Names),
    ("readpipe", Effect::Shell),
    ("realpath", Effect::First),
    ("reduce", Effect::First),
    ("ref", Effect::First),
    ("remove", Effect::Delete(false)),
    ("remove_tree", Effect::Delete(true)),
    ("rename", Effect::Move),
    ("require", Effect::Include),
    ("reverse", Effect::Reverse),
    ("rmdir", Effect::Delete(false)),
    ("rmtree", Effect::Delete(true)),
    ("run", Effect::Either),
    ("runx", Effect::Either),
    ("say", Effect::Print(true)),
    ("scalar", Effect::First),
    // Raku's.
    ("shell", Effect::Shell),
    ("shellwords", Effect::Words),
    ("shift", Effect::Parameters),
    ("sleep", Effect::Plain),
    ("slurp", Effect::Read),
    ("sort", Effect::First),
    ("spew", Effect::Write),
    ("split", Effect::Parts),
    ("sprintf", Effect::Format),
    ("sqrt", Effect::Plain),
    ("substr", Effect::Method("substr")),
    ("symlink", Effect::Link),
    ("sysopen", Effect::Open),
    ("system", Effect::Either),
    ("systemx", Effect::Either),
    ("tempdir", Effect::Temporary),
    ("tempfile", Effect::Temporary),
    ("time", Effect::Plain),
    ("trim", Effect::Method("trim")),
    ("truncate", Effect::Truncate),
    ("uc", Effect::Method("upper")),
    ("ucfirst", Effect::First),
    ("uncompress", Effect::Unpack),
    ("unlink", Effect::Delete(false)),
    ("unpack", Effect::Pack),
    ("uri_unescape", Effect::Percent),
    ("values", Effect::Values),
    ("wantarray", Effect::Plain),
    ("warn", Effect::Plain),
    ("write_file", Effect::Write),
];
