//! What .NET types, COM objects and WMI classes do, as the cmdlets that would do the same.

use std::rc::Rc;

use shell_engine::text::encoding;
use shell_engine::{Flow, Redirect, mark};

use super::super::value::Value;
use super::Machine;
use super::command::Pipe;
use super::command::resolved_name;
use super::member::is_web_type;
use super::operator::format;

impl Machine<'_> {
    pub(super) fn static_method(&mut self, of: &str, name: &str, arguments: &[Value]) -> Value {
        let text = |at: usize| arguments.get(at).map(Value::string).unwrap_or_default();
        let first = text(0);
        if let Some(value) = self.of_files(of, name, arguments) {
            return value;
        }
        match (of, name) {
            ("diagnostics.process", "start") => {
                if let Some(Value::Map(_)) = arguments.first() {
                    let value = arguments[0].clone();
                    self.start_filled(&value);
                    return Value::Nothing;
                }
                self.start_process(&first, &[text(1)]);
                return Value::Object(Rc::from("diagnostics.process"));
            }
            ("microsoft.visualbasic.interaction", "shell") => self.command_line(&first),
            ("environment", "getfolderpath") => return self.known_folder(&first),
            ("environment", "getenvironmentvariable") => return Value::text(self.environment(&first)),
            ("environment", "setenvironmentvariable") => {
                // Only for this process; the other scopes write to the registry and stay.
                if text(2).is_empty() || text(2).eq_ignore_ascii_case("process") {
                    self.set(&format!("env:{}", first.to_lowercase()), Value::text(text(1)));
                } else {
                    self.cmdlet_atom(
                        "[Environment]::SetEnvironmentVariable",
                        &[("Name", &first), ("Value", &text(1)), ("Scope", &text(2))],
                        &[],
                    );
                }
            }
            ("convert", "frombase64string") => {
                return match encoding::base64(&first).filter(|_| !mark::any(&first)) {
                    Some(bytes) => Value::Bytes(Rc::from(bytes)),
                    // What cannot be decoded here keeps the mark of where it came from.
                    None if first.contains(mark::REMOTE) => Value::mark(mark::REMOTE),
                    None => Value::mark(mark::DECODED),
                };
            }
            ("convert", "tochar" | "tostring" | "toint32" | "tobyte" | "toint16") => {
                return self.converted(name, arguments);
            }
            ("char", "convertfromutf32" | "parse") => {
                return self.cast("char", arguments.first().cloned().unwrap_or(Value::Nothing));
            }
            ("string", "join") => {
                let rest: Vec<Value> = arguments.iter().skip(1).flat_map(Value::elements).collect();
                return Value::text(self.runner.paid(Value::of(rest).joined(&first)));
            }
            ("string", "concat") => {
                let all: Vec<Value> = arguments.iter().flat_map(Value::elements).collect();
                return Value::text(self.runner.paid(Value::of(all).joined("")));
            }
            ("string", "format") => {
                let rest: Vec<Value> = arguments.iter().skip(1).flat_map(Value::elements).collect();
                return Value::text(self.runner.paid(format(&first, &rest)));
            }
            ("string", "new") | ("regex", "escape" | "unescape") | ("uri", "unescapedatastring" | "new") => {
                return Value::text(first);
            }
            ("regex", "replace") => return self.replace(&Value::text(text(0)), &text(1), &text(2)),
            // It works in place; here the variable keeps its order.
            ("array", "reverse") => {}
            ("environment", "getenvironmentvariables") => {
                self.cmdlet_atom("Get-ChildItem", &[("Path", "Env:")], &[]);
                return Value::token();
            }
            ("scriptblock", "create") => return self.script_block(&first),
            ("activator", "createinstance") => {
                return match arguments.first() {
                    Some(Value::Type(name)) => Value::Object(Rc::clone(name)),
                    Some(Value::Object(kind)) => Value::Object(Rc::clone(kind)),
                    _ => Value::token(),
                };
            }
            // The long way to `New-Object -ComObject`.
            ("type", "gettypefromprogid") => {
                return Value::Object(Rc::from(format!("com:{}", first.to_lowercase())));
            }
            ("type", "gettype") => {
                return Value::Type(Rc::from(first.to_lowercase().trim_start_matches("system.")));
            }
            ("powershell" | "management.automation.powershell", "create") => {
                return Value::Object(Rc::from("powershell"));
            }
            ("net.webrequest" | "net.httpwebrequest", "create") => {
                return Value::Object(Rc::from("net.webrequest"));
            }
            // A program in memory: nothing of what it does can be read here.
            ("reflection.assembly", "load" | "loadfrom" | "loadfile" | "unsafeloadfrom") => {
                if first.contains(mark::REMOTE) {
                    self.runner.note(shell_engine::NoteKind::RunsRemote, self.here());
                } else if first.contains(mark::DECODED) || matches!(arguments.first(), Some(Value::Bytes(_)))
                {
                    self.runner.note(shell_engine::NoteKind::RunsDecoded, self.here());
                }
                return Value::token();
            }
            ("management.automation.wildcardpattern", _) => {}
            ("environment", "exit") => {}
            (_, "new") => return self.new_object(of, arguments),
            _ => {
                // Wrong assemblies and calls into Windows itself: named as what they are.
                let name = format!("[{of}]::{name}");
                let values: Vec<String> = arguments.iter().map(Value::string).collect();
                self.plain_atom(&name, &values);
                return Value::token();
            }
        }
        Value::Nothing
    }

    /// A static method that is about files, folders or paths; `None` for others.
    fn of_files(&mut self, of: &str, name: &str, arguments: &[Value]) -> Option<Value> {
        let text = |at: usize| arguments.get(at).map(Value::string).unwrap_or_default();
        let first = text(0);
        match (of, name) {
            ("io.directory" | "directory", "delete") => {
                let deep = arguments.get(1).is_some_and(|value| !value.is_false());
                self.delete(&first, deep);
            }
            ("io.file" | "file", "delete") => self.delete(&first, false),
            ("io.file" | "io.directory", "move") => {
                self.cmdlet_atom("Move-Item", &[("Path", &first), ("Destination", &text(1))], &[]);
            }
            ("io.file", "copy" | "replace") => {
                self.cmdlet_atom("Copy-Item", &[("Path", &first), ("Destination", &text(1))], &[]);
            }
            ("io.compression.zipfile", "extracttodirectory") => {
                self.cmdlet_atom("Expand-Archive", &[("Path", &first), ("DestinationPath", &text(1))], &[]);
            }
            (
                "io.file",
                "writealltext" | "writeallbytes" | "writealllines" | "create" | "createtext" | "openwrite"
                | "open",
            ) => {
                let reads =
                    // `Open` takes a mode; only these two empty the file.
                    name == "open" && !matches!(text(1).to_lowercase().as_str(), "create" | "truncate");
                if !reads {
                    self.cmdlet_atom("Set-Content", &[("Path", &first)], &[]);
                    self.keep_file(&first, &text(1), false);
                }
                if name.starts_with("create") || name.starts_with("open") {
                    return Some(Value::Object(Rc::from("io.stream")));
                }
            }
            ("io.file", "appendalltext" | "appendalllines" | "appendtext") => {
                self.cmdlet_atom("Add-Content", &[("Path", &first)], &[]);
                self.keep_file(&first, &text(1), true);
            }
            (
                "io.file",
                "readalltext" | "readalllines" | "readallbytes" | "readlines" | "openread" | "opentext",
            ) => {
                self.cmdlet_atom("Get-Content", &[("Path", &first)], &[]);
                return Some(self.content(&first));
            }
            (
                "io.directory",
                "getfiles"
                | "getdirectories"
                | "getfilesystementries"
                | "enumeratefiles"
                | "enumeratedirectories"
                | "enumeratefilesystementries",
            ) => {
                return Some(Value::text(crate::system::below(&first, &mark::ENTRY.to_string())));
            }
            ("io.path", "combine" | "join") => {
                let parts: Vec<String> = arguments.iter().flat_map(Value::texts).collect();
                return Some(Value::text(self.runner.paid(parts.join("/"))));
            }
            ("io.path", "gettemppath") => return Some(Value::text("/tmp/")),
            // A new name each time, that nothing else has.
            ("io.path", "gettempfilename") => return Some(Value::text(format!("/tmp/{}", mark::TOKEN))),
            ("io.path", "getfullpath") => return Some(Value::text(first)),
            ("io.path", "getdirectoryname") => {
                let path = crate::system::slashes(&first);
                return Some(Value::text(path.rsplit_once('/').map_or(".", |(folder, _)| folder)));
            }
            ("microsoft.visualbasic.fileio.filesystem", "deletedirectory") => self.delete(&first, true),
            ("microsoft.visualbasic.fileio.filesystem", "deletefile") => self.delete(&first, false),
            _ => return None,
        }
        Some(Value::Nothing)
    }

    fn converted(&mut self, name: &str, arguments: &[Value]) -> Value {
        let first = arguments.first().cloned().unwrap_or(Value::Nothing);
        let base = arguments.get(1).and_then(Value::number).and_then(|base| u32::try_from(base).ok());
        let number = match base.filter(|base| (2..=36).contains(base)) {
            Some(base) => i64::from_str_radix(first.string().trim_start_matches("0x"), base).ok(),
            None => first.number(),
        };
        match (name, number) {
            ("tochar", _) => self.cast("char", first),
            ("tostring", _) => Value::text(first.string()),
            (_, Some(number)) => Value::text(number.to_string()),
            _ => first,
        }
    }

    /// A folder that Windows knows by name.
    fn known_folder(&mut self, name: &str) -> Value {
        let home = self.scope.home.to_string();
        Value::text(match name.to_lowercase().as_str() {
            "userprofile" => home,
            "mydocuments" | "personal" => format!("{home}/Documents"),
            "desktop" | "desktopdirectory" => format!("{home}/Desktop"),
            "windows" => "C:/Windows".to_owned(),
            "system" => "C:/Windows/System32".to_owned(),
            "programfiles" => "C:/Program Files".to_owned(),
            "applicationdata" => format!("{home}/AppData/Roaming"),
            "localapplicationdata" => format!("{home}/AppData/Local"),
            "commonapplicationdata" => "C:/ProgramData".to_owned(),
            "startup" => format!("{home}/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup"),
            _ => mark::UNKNOWN.to_string(),
        })
    }

    pub(super) fn new_object(&mut self, name: &str, arguments: &[Value]) -> Value {
        if let Some(object) = self.made(name, arguments) {
            return object;
        }
        let lower = name.to_lowercase();
        let kind = lower.strip_prefix("system.").unwrap_or(&lower);
        let first = arguments.first().map(Value::string).unwrap_or_default();
        match kind {
            "string" => Value::text(first),
            "io.fileinfo" | "io.directoryinfo" => Value::text(first),
            "diagnostics.processstartinfo" => {
                let mut entries = vec![("#type".to_owned(), Value::text(kind))];
                if !first.is_empty() {
                    entries.push(("FileName".to_owned(), Value::text(first)));
                }
                if let Some(second) = arguments.get(1) {
                    entries.push(("Arguments".to_owned(), second.clone()));
                }
                Value::Map(Rc::new(entries))
            }
            "io.streamreader"
            | "io.memorystream"
            | "io.compression.gzipstream"
            | "io.compression.deflatestream" => match arguments.first() {
                // Streams only pass on what they read: a decompressed download is still a download.
                Some(Value::Text(text)) if text.contains(mark::REMOTE) => Value::mark(mark::REMOTE),
                Some(Value::Bytes(_)) => Value::mark(mark::DECODED),
                Some(value @ Value::Object(_)) => value.clone(),
                Some(Value::Text(text)) if mark::any(text) => Value::text(&**text),
                _ => Value::Object(Rc::from(kind)),
            },
            "io.streamwriter" | "io.filestream" if !first.is_empty() && kind == "io.streamwriter" => {
                self.cmdlet_atom("Set-Content", &[("Path", &first)], &[]);
                Value::Object(Rc::from(kind))
            }
            // Noted as a call, so that rules about reverse shells see it.
            "net.sockets.tcpclient" => {
                let port = arguments.get(1).map(Value::string).unwrap_or_default();
                self.plain_atom("[net.sockets.tcpclient]::new", &[first, port]);
                Value::Object(Rc::from(kind))
            }
            _ => Value::Object(Rc::from(kind)),
        }
    }

    /// A method of a client or a request of the web.
    fn web_method(&mut self, name: &str, arguments: &[Value]) -> Value {
        let text = |at: usize| arguments.get(at).map(Value::string).unwrap_or_default();
        let address = text(0);
        match name {
            "downloadfile" | "downloadfileasync" => {
                let path = text(1);
                self.cmdlet_atom("Invoke-WebRequest", &[("Uri", &address), ("OutFile", &path)], &[]);
                self.keep_file(&path, &mark::REMOTE.to_string(), false);
                Value::Nothing
            }
            // The answer is read later, from a property.
            "open" | "send" | "setrequestheader" | "settimeouts" => Value::Nothing,
            "uploadfile" | "uploadstring" | "uploaddata" | "postasync" | "putasync" | "postasjsonasync" => {
                let body = if name == "uploadfile" { "InFile" } else { "Body" };
                self.cmdlet_atom(
                    "Invoke-WebRequest",
                    &[("Uri", &address), ("Method", "POST"), (body, &text(1))],
                    &[],
                );
                Value::mark(mark::REMOTE)
            }
            "getstream" | "getresponse" | "getresponsestream" => Value::Object(Rc::from("io.stream")),
            _ => Value::mark(mark::REMOTE),
        }
    }

    /// A method of a key of the registry. `None` if it is one that any object may have.
    fn registry_method(&mut self, key: &str, name: &str, first: &str) -> Option<Value> {
        match name {
            "deletesubkeytree" | "deletesubkey" | "deletevalue" => {
                let path = format!("{}\\{first}", hive(key));
                if name == "deletevalue" {
                    self.cmdlet_atom("Remove-ItemProperty", &[("Path", &path), ("Name", first)], &[]);
                } else {
                    self.cmdlet_atom("Remove-Item", &[("Path", &path)], &["Recurse"]);
                }
                Some(Value::Nothing)
            }
            "opensubkey" | "createsubkey" => {
                Some(Value::Object(Rc::from(format!("registry:{key}\\{first}"))))
            }
            _ => None,
        }
    }

    pub(super) fn object_method(&mut self, kind: &str, name: &str, arguments: &[Value]) -> Value {
        let text = |at: usize| arguments.get(at).map(Value::string).unwrap_or_default();
        let first = text(0);
        if let Some(encoding) = kind.strip_prefix("encoding:") {
            return encoding_method(encoding, name, arguments);
        }
        if kind.starts_with("text.") && kind.ends_with("encoding") {
            let encoding = kind.trim_start_matches("text.").trim_end_matches("encoding").to_owned();
            return self.object_method(&format!("encoding:{encoding}"), name, arguments);
        }
        if let Some(class) = kind.strip_prefix("cim:") {
            return self.cim_method(class, name, arguments);
        }
        if is_web_type(kind) {
            return self.web_method(name, arguments);
        }
        if let Some(key) = kind.strip_prefix("registry:")
            && let Some(result) = self.registry_method(key, name, &first)
        {
            return result;
        }
        match (kind, name) {
            ("com:wscript.shell", "run" | "exec") => self.command_line(&first),
            ("com:wscript.shell", "regdelete") => {
                self.plain_atom("reg", &["delete".into(), first, "/f".into()]);
            }
            ("com:wscript.shell", "regwrite") => {
                self.plain_atom("reg", &["add".into(), first, "/d".into(), text(1)]);
            }
            ("com:shell.application", "shellexecute") => self.start_process(&first, &[text(1)]),
            ("com:scripting.filesystemobject", "deletefolder") => self.delete(&first, true),
            ("com:scripting.filesystemobject", "deletefile") => self.delete(&first, false),
            ("com:scripting.filesystemobject", "createtextfile") => {
                self.cmdlet_atom("Set-Content", &[("Path", &first)], &[]);
            }
            ("com:scripting.filesystemobject", "movefolder" | "movefile") => {
                self.cmdlet_atom("Move-Item", &[("Path", &first), ("Destination", &text(1))], &[]);
            }
            ("com:schedule.service", _) => {}
            // A folder of the shell, by which files can be deleted and copied.
            ("com:shell.application", "namespace") => return Value::Object(Rc::from("shell.folder")),
            ("invokecommand", "invokescript" | "newscriptblock") => {
                if name == "newscriptblock" {
                    return self.script_block(&first);
                }
                return self.evaluate(&first);
            }
            ("invokecommand", "expandstring") => return Value::text(first),
            ("invokecommand", "getcommand" | "getcmdlet" | "getcommandname" | "getcmdlets") => {
                return Value::text(resolved_name(&first));
            }
            ("powershell", "addscript") => {
                self.evaluate(&first);
                return Value::Object(Rc::from("powershell"));
            }
            ("powershell", "addcommand") => {
                let words = [first];
                self.named(&words[0].clone(), Vec::new(), Pipe::default());
                return Value::Object(Rc::from("powershell"));
            }
            ("powershell", _) => return Value::Object(Rc::from("powershell")),
            // Every process that there is: `Get-Process` without a name.
            ("all:process", "kill") => self.cmdlet_atom("Stop-Process", &[("InputObject", "*")], &[]),
            (_, "kill") => {
                self.cmdlet_atom("Stop-Process", &[("InputObject", &mark::UNKNOWN.to_string())], &[]);
            }
            ("diagnostics.process", "start") => {}
            (_, "delete" | "remove") => self.plain_atom(&format!("[{kind}].{name}"), &[first]),
            _ => return Value::token(),
        }
        Value::Nothing
    }

    /// Starts what a `ProcessStartInfo`, or a `Process` with one, was filled in with.
    pub(super) fn start_filled(&mut self, base: &Value) {
        let info = base.entry("StartInfo").unwrap_or_else(|| base.clone());
        let file = info.entry("FileName").map(|value| value.string()).unwrap_or_default();
        let list = info.entry("Arguments").or_else(|| info.entry("ArgumentList"));
        let list = list.map(|value| value.texts()).unwrap_or_default();
        self.start_process(&file, &list);
    }

    /// A method of a WMI class or object.
    fn cim_method(&mut self, class: &str, name: &str, arguments: &[Value]) -> Value {
        let first = arguments.first().map(Value::string).unwrap_or_default();
        match (class, name) {
            ("win32_process", "create") => self.command_line(&first),
            (_, "delete" | "delete_") => {
                self.cmdlet_atom("Remove-CimInstance", &[("InputObject", class)], &[]);
            }
            _ => self.cmdlet_atom("Invoke-CimMethod", &[("ClassName", class), ("MethodName", name)], &[]),
        }
        Value::token()
    }

    /// Deletes a path as `Remove-Item` does.
    pub(super) fn delete(&mut self, path: &str, deep: bool) {
        let switches: &[&str] = if deep { &["Recurse"] } else { &[] };
        self.cmdlet_atom("Remove-Item", &[("Path", path)], switches);
    }

    /// An atom for redirections without a program.
    pub(super) fn write_bare(&mut self, redirects: Vec<Redirect>, text: &str) {
        for redirect in &redirects {
            if redirect.fd == 1 {
                self.keep_file(&redirect.target, text, redirect.flow == Flow::Append);
            }
        }
        self.push(Vec::new(), redirects, None);
    }
}

/// A method of an encoding: bytes of a string, or a string of bytes.
fn encoding_method(encoding: &str, name: &str, arguments: &[Value]) -> Value {
    let Some(value) = arguments.first() else {
        return if name == "getbytes" { Value::Bytes(Rc::from([])) } else { Value::token() };
    };
    match (name, value) {
        ("getstring", Value::Bytes(bytes)) => Value::text(decoded(encoding, bytes)),
        ("getbytes", value) => Value::Bytes(Rc::from(value.string().as_bytes())),
        (_, value) => {
            let text = value.string();
            if mark::any(&text) {
                Value::text(text)
            } else {
                super::operator::bytes(value.clone()).bytes_text(encoding)
            }
        }
    }
}

impl Value {
    fn bytes_text(self, encoding: &str) -> Self {
        match self {
            Self::Bytes(bytes) => Self::text(decoded(encoding, &bytes)),
            other => other,
        }
    }
}

/// A root of the registry as a drive.
fn hive(name: &str) -> String {
    let (hive, rest) = name.split_once('\\').unwrap_or((name, ""));
    let short = match hive {
        "localmachine" => "HKLM:",
        "currentuser" => "HKCU:",
        "classesroot" => "HKCR:",
        "users" => "HKU:",
        other => other,
    };
    if rest.is_empty() { short.to_owned() } else { format!("{short}\\{rest}") }
}

/// Bytes as text.
pub(super) fn decoded(encoding: &str, bytes: &[u8]) -> String {
    let text = match encoding {
        "unicode" => utf16(bytes),
        "bigendianunicode" => {
            let swapped: Vec<u8> = bytes.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect();
            utf16(&swapped)
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    mark::scrub(&text).into_owned()
}

/// Little-endian UTF-16 as text.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
