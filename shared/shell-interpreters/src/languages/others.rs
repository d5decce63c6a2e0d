//! Julia, Elixir, Go, and languages that are close enough to be read with them: Swift, Rust, C, C#, Nim and Zig.

use super::Effect;

/// What a function of Julia does.
pub(crate) fn julia(path: &str) -> Option<Effect> {
    let path = path.strip_prefix("Base.").or_else(|| path.strip_prefix("Filesystem.")).unwrap_or(path);
    Some(match path {
        "rm" => Effect::DeleteIfAsked,
        "run" | "read" | "readchomp" | "pipeline" | "success" => Effect::Shell,
        "write" => Effect::Write,
        "open" => Effect::Open,
        "mv" => Effect::Move,
        "cp" => Effect::Copy,
        "symlink" => Effect::Link,
        "chmod" => Effect::Mode(false),
        "eval" | "Meta.parse" | "include_string" | "Core.eval" => Effect::Code,
        "download" | "Downloads.download" | "HTTP.get" | "HTTP.post" | "HTTP.request" => Effect::Send,
        "println" => Effect::Print(true),
        "print" => Effect::Print(false),
        "base64decode" | "Base64.base64decode" => Effect::Base64,
        "hex2bytes" => Effect::Hex,
        "Char" => Effect::Characters,
        "join" => Effect::Join,
        "joinpath" => Effect::Path,
        "homedir" => Effect::Home,
        "pwd" => Effect::Here,
        "tempdir" | "mktempdir" | "tempname" => Effect::Temporary,
        "readdir" => Effect::Names,
        "walkdir" => Effect::Walk,
        "cd" => Effect::Folder,
        "expanduser" | "abspath" | "String" | "string" | "Cmd" | "realpath" | "collect" => Effect::First,
        "foreach" | "map" => Effect::Each,
        "reverse" => Effect::Reverse,
        "Dict" => Effect::Mapping,
        "get" => Effect::Lookup,
        _ => return None,
    })
}

/// What a function of Elixir or Erlang does.
pub(crate) fn elixir(path: &str) -> Option<Effect> {
    Some(match path {
        "System.shell" | "os.cmd" | "System.os_cmd" => Effect::Shell,
        "System.cmd" | "Port.open" => Effect::Program,
        "File.rm_rf" | "File.rm_rf!" | "file.del_dir_r" => Effect::Delete(true),
        "File.rm" | "File.rm!" | "File.rmdir" | "File.rmdir!" | "file.delete" | "file.del_dir" => {
            Effect::Delete(false)
        }
        "File.write" | "File.write!" => Effect::Write,
        "File.open" | "File.open!" => Effect::Open,
        "File.rename" | "File.rename!" => Effect::Move,
        "File.cp" | "File.cp!" | "File.cp_r" | "File.cp_r!" => Effect::Copy,
        "File.ln_s" | "File.ln_s!" => Effect::Link,
        "File.chmod" | "File.chmod!" => Effect::Mode(false),
        "Code.eval_string" | "Code.compile_string" => Effect::Code,
        "IO.puts" | "IO.inspect" => Effect::Print(true),
        "IO.write" => Effect::Print(false),
        "Base.decode64" | "Base.decode64!" => Effect::Base64,
        "Base.decode16" | "Base.decode16!" => Effect::Hex,
        "Path.join" => Effect::Path,
        "Path.expand" | "to_charlist" | "to_string" => Effect::First,
        "Path.wildcard" => Effect::Pattern,
        "System.user_home" | "System.user_home!" => Effect::Home,
        "File.cwd" | "File.cwd!" => Effect::Here,
        "File.ls" | "File.ls!" => Effect::Names,
        "File.read" | "File.read!" => Effect::Read,
        "System.get_env" => Effect::Environment,
        "System.tmp_dir" | "System.tmp_dir!" => Effect::Temporary,
        "Enum.each" | "Enum.map" => Effect::Each,
        "Enum.join" => Effect::Join,
        "HTTPoison.get!" | "Req.get!" | "Req.post!" | "HTTPoison.post!" => Effect::Send,
        _ => return None,
    })
}

/// What a function of Go does.
pub(crate) fn go(path: &str) -> Option<Effect> {
    Some(match path {
        // The package `sh` is mage's.
        "exec.Command" | "sh.Run" | "sh.RunV" | "sh.Output" => Effect::Program,
        "sh.RunWith"
        | "sh.RunWithV"
        | "exec.CommandContext"
        | "syscall.Exec"
        | "unix.Exec"
        | "os.StartProcess" => Effect::Replace,
        "os.RemoveAll" | "sh.Rm" => Effect::Delete(true),
        "os.Remove" | "syscall.Unlink" | "syscall.Rmdir" => Effect::Delete(false),
        "os.WriteFile" | "ioutil.WriteFile" | "os.Create" => Effect::Write,
        "os.Truncate" => Effect::Truncate,
        "os.Rename" => Effect::Move,
        "os.Symlink" | "os.Link" => Effect::Link,
        "os.Chmod" => Effect::Mode(false),
        "os.Chown" => Effect::Own,
        "syscall.Kill" => Effect::Kill(false),
        "net.Dial" => Effect::Connect,
        "http.Get" | "http.Post" | "http.PostForm" => Effect::Send,
        "sql.Open" => Effect::Database,
        "fmt.Println" => Effect::Print(true),
        "fmt.Print" | "fmt.Printf" => Effect::Print(false),
        "fmt.Sprintf" => Effect::Format,
        "filepath.Join" | "path.Join" => Effect::Path,
        "strings.Join" => Effect::Join,
        "append" => Effect::Method("concat"),
        "string" | "exec.LookPath" => Effect::First,
        "strings.Split" | "strings.SplitN" => Effect::Method("split"),
        "strings.Fields" => Effect::Method("words"),
        "strings.TrimSpace" | "strings.Trim" => Effect::Method("trim"),
        "strings.TrimPrefix" => Effect::Method("removeprefix"),
        "strings.TrimSuffix" => Effect::Method("removesuffix"),
        "strings.ReplaceAll" | "strings.Replace" => Effect::Method("replace"),
        "strings.ToLower" => Effect::Method("lower"),
        "filepath.Clean" | "filepath.Abs" | "filepath.ToSlash" | "os.ExpandEnv" => Effect::First,
        "filepath.Dir" | "path.Dir" => Effect::Parent,
        "flag.String" | "pflag.String" => Effect::Flag,
        "flag.StringVar" | "pflag.StringVar" => Effect::FlagInto,
        "json.Unmarshal" => Effect::DataInto,
        "os.UserHomeDir" => Effect::Home,
        "os.Getwd" => Effect::Here,
        "os.MkdirTemp" | "os.TempDir" | "ioutil.TempDir" | "os.CreateTemp" => Effect::Temporary,
        "filepath.Glob" => Effect::Pattern,
        "os.ReadDir" | "ioutil.ReadDir" => Effect::Names,
        "os.ReadFile" | "ioutil.ReadFile" | "os.Open" => Effect::Read,
        "os.Getenv" | "os.LookupEnv" => Effect::Environment,
        "os.Chdir" => Effect::Folder,
        "filepath.Walk" | "filepath.WalkDir" => Effect::Below,
        _ => return None,
    })
}

/// What a function of Swift, Rust, C, C#, Dart, Nim or Zig does, by the end of its path.
pub(crate) fn other(path: &str) -> Option<Effect> {
    let mut parts = path.rsplitn(3, '.');
    let name = parts.next().unwrap_or("");
    let class = parts.next().unwrap_or("");
    Some(match (class, name) {
        ("fs" | "", "remove_dir_all")
        | ("os" | "", "removeDir")
        | (_, "deleteTree" | "deleteTreeAbsolute") => Effect::Delete(true),
        // Zig's `@import`.
        ("", "import") => Effect::Module,
        ("os" | "", "removeFile") | (_, "deleteFile" | "deleteFileAbsolute") => Effect::Delete(false),
        ("os" | "osproc" | "", "execShellCmd" | "execCmd" | "execCmdEx" | "execProcess") => Effect::Shell,
        ("os" | "", "getHomeDir") => Effect::Home,
        ("fs", "remove_file" | "remove_dir") | ("", "remove_file" | "unlink" | "rmdir" | "remove") => {
            Effect::Delete(false)
        }
        ("Command", "new") => Effect::Program,
        ("fs", "write") | ("File", "create" | "WriteAllText" | "WriteAllBytes" | "Create") => Effect::Write,
        ("fs" | "", "rename") | ("File" | "Directory", "Move") => Effect::Move,
        ("fs", "read_to_string") | ("File", "ReadAllText") => Effect::Read,
        ("", "system" | "popen") => Effect::Shell,
        ("", "execl" | "execlp" | "execv" | "execvp" | "execve") => Effect::Replace,
        ("", "fork") => Effect::Fork,
        ("File", "Delete") => Effect::Delete(false),
        ("Directory", "Delete") => Effect::DeleteIfAsked,
        ("Process", "Start") => Effect::Line,
        ("", "format") | ("string" | "String", "Format") => Effect::Braces,
        ("", "StringBuilder") => Effect::Builder,
        ("", "List" | "HashSet" | "Queue" | "Stack") | ("Vec" | "HashSet", "new") => Effect::List,
        ("", "Dictionary") | ("HashMap" | "BTreeMap", "new") => Effect::Mapping,
        ("", "Some" | "Ok") => Effect::First,
        ("default" | "FileManager", "removeItem") => Effect::Delete(true),
        ("Process", "run" | "runSync") => Effect::Program,
        ("TcpStream", "connect") => Effect::Connect,
        ("", "println" | "puts" | "print") | ("Console", "WriteLine") => Effect::Print(true),
        ("", "printf") | ("Console", "Write") => Effect::Print(false),
        ("", "URL" | "CString" | "String" | "Directory" | "File")
        | ("Path", "new")
        | ("PathBuf" | "String", "from") => Effect::First,
        ("Path", "Combine") => Effect::Path,
        ("env", "home_dir") | ("", "NSHomeDirectory") => Effect::Home,
        ("env", "current_dir") | ("Directory", "GetCurrentDirectory") => Effect::Here,
        ("env", "temp_dir") | ("Path", "GetTempPath") => Effect::Temporary,
        ("env", "var") | ("Environment", "GetEnvironmentVariable") | ("", "getenv") => Effect::Environment,
        _ => return None,
    })
}

/// What a method of these languages does to the value that it belongs to.
pub(crate) fn method(name: &str) -> Option<Effect> {
    Some(match name {
        "iter" | "into_iter" | "as_ref" | "to_vec" | "collect" | "into_boxed_str" | "ToList" | "ToArray"
        | "to_string" | "to_owned" | "unwrap" | "arg" | "args" | "status" | "output" | "spawn" | "expect"
        | "into" | "Run" | "Output" | "CombinedOutput" | "Start" | "as_str" | "ToString" | "clone"
        | "path" | "Wait" => Effect::Receiver,
        "removeItem" | "deleteSync" => Effect::Delete(true),
        _ => return None,
    })
}
