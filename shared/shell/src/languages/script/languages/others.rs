//! Julia, Elixir, Go, and languages that are close enough to be read with them: Swift, Rust, C and C#.

use super::Deed;

/// What a function of Julia does.
pub(in crate::languages::script) fn julia(path: &str) -> Option<Deed> {
    let path = path.strip_prefix("Base.").or_else(|| path.strip_prefix("Filesystem.")).unwrap_or(path);
    Some(match path {
        "rm" => Deed::DeleteIfTold,
        "run" | "read" | "readchomp" | "pipeline" | "success" => Deed::Shell,
        "write" => Deed::Write,
        "open" => Deed::Open,
        "mv" => Deed::Move,
        "cp" => Deed::Copy,
        "symlink" => Deed::Link,
        "chmod" => Deed::Mode(false),
        "eval" | "Meta.parse" | "include_string" | "Core.eval" => Deed::Code,
        "download" | "Downloads.download" | "HTTP.get" | "HTTP.post" | "HTTP.request" => Deed::Send,
        "println" => Deed::Print(true),
        "print" => Deed::Print(false),
        "base64decode" | "Base64.base64decode" => Deed::Base64,
        "hex2bytes" => Deed::Hex,
        "Char" => Deed::Characters,
        "join" => Deed::Join,
        "joinpath" => Deed::Path,
        "homedir" => Deed::Home,
        "pwd" => Deed::Here,
        "tempdir" | "mktempdir" | "tempname" => Deed::Temporary,
        "readdir" => Deed::Names,
        "walkdir" => Deed::Walk,
        "cd" => Deed::Folder,
        "expanduser" | "abspath" | "String" | "string" | "Cmd" | "realpath" | "collect" => Deed::First,
        "foreach" | "map" => Deed::Each,
        "reverse" => Deed::Reverse,
        _ => return None,
    })
}

/// What a function of Elixir or Erlang does.
pub(in crate::languages::script) fn elixir(path: &str) -> Option<Deed> {
    Some(match path {
        "System.shell" | "os.cmd" | "System.os_cmd" => Deed::Shell,
        "System.cmd" | "Port.open" => Deed::Program,
        "File.rm_rf" | "File.rm_rf!" => Deed::Delete(true),
        "File.rm" | "File.rm!" | "File.rmdir" | "File.rmdir!" => Deed::Delete(false),
        "File.write" | "File.write!" => Deed::Write,
        "File.open" | "File.open!" => Deed::Open,
        "File.rename" | "File.rename!" => Deed::Move,
        "File.cp" | "File.cp!" | "File.cp_r" | "File.cp_r!" => Deed::Copy,
        "File.ln_s" | "File.ln_s!" => Deed::Link,
        "File.chmod" | "File.chmod!" => Deed::Mode(false),
        "Code.eval_string" | "Code.compile_string" => Deed::Code,
        "IO.puts" | "IO.inspect" => Deed::Print(true),
        "IO.write" => Deed::Print(false),
        "Base.decode64" | "Base.decode64!" => Deed::Base64,
        "Base.decode16" | "Base.decode16!" => Deed::Hex,
        "Path.join" => Deed::Path,
        "Path.expand" | "to_charlist" | "to_string" => Deed::First,
        "Path.wildcard" => Deed::Pattern,
        "System.user_home" | "System.user_home!" => Deed::Home,
        "File.cwd" | "File.cwd!" => Deed::Here,
        "File.ls" | "File.ls!" => Deed::Names,
        "File.read" | "File.read!" => Deed::Read,
        "System.get_env" => Deed::Environment,
        "System.tmp_dir" | "System.tmp_dir!" => Deed::Temporary,
        "Enum.each" | "Enum.map" => Deed::Each,
        "Enum.join" => Deed::Join,
        "HTTPoison.get!" | "Req.get!" | "Req.post!" | "HTTPoison.post!" => Deed::Send,
        _ => return None,
    })
}

/// What a function of Go does.
pub(in crate::languages::script) fn go(path: &str) -> Option<Deed> {
    Some(match path {
        "exec.Command" | "syscall.Exec" | "os.StartProcess" => Deed::Program,
        "exec.CommandContext" => Deed::Replace,
        "os.RemoveAll" => Deed::Delete(true),
        "os.Remove" | "syscall.Unlink" | "syscall.Rmdir" => Deed::Delete(false),
        "os.WriteFile" | "ioutil.WriteFile" | "os.Create" => Deed::Write,
        "os.Truncate" => Deed::Truncate,
        "os.Rename" => Deed::Move,
        "os.Symlink" | "os.Link" => Deed::Link,
        "os.Chmod" => Deed::Mode(false),
        "os.Chown" => Deed::Own,
        "syscall.Kill" => Deed::Kill(false),
        "net.Dial" => Deed::Connect,
        "http.Get" | "http.Post" | "http.PostForm" => Deed::Send,
        "sql.Open" => Deed::Database,
        "fmt.Println" => Deed::Print(true),
        "fmt.Print" | "fmt.Printf" => Deed::Print(false),
        "fmt.Sprintf" => Deed::Format,
        "filepath.Join" | "path.Join" => Deed::Path,
        "strings.Join" => Deed::Join,
        "os.UserHomeDir" => Deed::Home,
        "os.Getwd" => Deed::Here,
        "os.MkdirTemp" | "os.TempDir" | "ioutil.TempDir" | "os.CreateTemp" => Deed::Temporary,
        "filepath.Glob" => Deed::Pattern,
        "os.ReadDir" | "ioutil.ReadDir" => Deed::Names,
        "os.ReadFile" | "ioutil.ReadFile" | "os.Open" => Deed::Read,
        "os.Getenv" | "os.LookupEnv" => Deed::Environment,
        "os.Chdir" => Deed::Folder,
        "filepath.Walk" | "filepath.WalkDir" => Deed::Below,
        _ => return None,
    })
}

/// What a function of Swift, Rust, C or C# does, by the end of its path.
pub(in crate::languages::script) fn other(path: &str) -> Option<Deed> {
    let mut parts = path.rsplitn(3, '.');
    let name = parts.next().unwrap_or("");
    let class = parts.next().unwrap_or("");
    Some(match (class, name) {
        ("fs" | "", "remove_dir_all") => Deed::Delete(true),
        ("fs", "remove_file" | "remove_dir") | ("", "remove_file" | "unlink" | "rmdir" | "remove") => {
            Deed::Delete(false)
        }
        ("Command", "new") => Deed::Program,
        ("fs", "write") | ("File", "create" | "WriteAllText" | "WriteAllBytes" | "Create") => Deed::Write,
        ("fs" | "", "rename") | ("File" | "Directory", "Move") => Deed::Move,
        ("fs", "read_to_string") | ("File", "ReadAllText") => Deed::Read,
        ("", "system" | "popen") => Deed::Shell,
        ("", "execl" | "execlp" | "execv" | "execvp" | "execve") => Deed::Replace,
        ("", "fork") => Deed::Fork,
        ("File", "Delete") => Deed::Delete(false),
        ("Directory", "Delete") => Deed::DeleteIfTold,
        ("Process", "Start") => Deed::Program,
        ("default" | "FileManager", "removeItem") => Deed::Delete(true),
        ("TcpStream", "connect") => Deed::Connect,
        ("", "println" | "puts" | "print") | ("Console", "WriteLine") => Deed::Print(true),
        ("", "printf") | ("Console", "Write") => Deed::Print(false),
        ("", "URL" | "CString" | "String") | ("Path", "new") | ("PathBuf" | "String", "from") => Deed::First,
        ("Path", "Combine") => Deed::Path,
        ("env", "home_dir") | ("", "NSHomeDirectory") => Deed::Home,
        ("env", "current_dir") | ("Directory", "GetCurrentDirectory") => Deed::Here,
        ("env", "temp_dir") | ("Path", "GetTempPath") => Deed::Temporary,
        ("env", "var") | ("Environment", "GetEnvironmentVariable") | ("", "getenv") => Deed::Environment,
        _ => return None,
    })
}

/// What a method of these languages does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str) -> Option<Deed> {
    Some(match name {
        "to_string" | "to_owned" | "unwrap" | "arg" | "args" | "status" | "output" | "spawn" | "expect"
        | "into" | "Run" | "Output" | "CombinedOutput" | "Start" | "as_str" | "ToString" | "clone"
        | "path" | "Wait" => Deed::Receiver,
        "removeItem" => Deed::Delete(true),
        _ => return None,
    })
}
