//! What cmdlets do to the session, and what they hand on.

use super::bind::Passed;
use super::command::Pipe;
use crate::engine::Process;
use std::rc::Rc;

use super::super::value::{MAX_LIST, Value};
use super::bind::{Bound, Given};
use super::command::{atom_args, resolved_name};
use super::files::narrowed;
use super::member::property;
use super::{Machine, turns};
use crate::atom::{Arg, How, Place, Redirect};
use crate::mark;
use crate::windows::below;

/// Cmdlets that send SQL: of the modules `SqlServer`, `dbatools`, `PSSQLite` and `SimplySql`.
fn is_sql_client(name: &str) -> bool {
    name.starts_with("Invoke-")
        && matches!(
            name,
            "Invoke-Sqlcmd"
                | "Invoke-DbaQuery"
                | "Invoke-SqliteQuery"
                | "Invoke-SqlUpdate"
                | "Invoke-SqlQuery"
        )
}

impl Machine<'_> {
    pub(super) fn cmdlet(&mut self, name: &str, bound: &Bound, Pipe { input, redirects }: Pipe<'_>) -> Value {
        if !self.runner.step() {
            return Value::Nothing;
        }
        let mut args = atom_args(name, bound);
        if let Some(input) = input {
            taken_in(name, bound, input, &mut args);
        }
        let written: Vec<Redirect> = redirects.iter().filter(|redirect| redirect.fd == 1).cloned().collect();
        let stdin = input.filter(|_| reads_text(name)).map(|input| Rc::from(input.joined("\n")));
        let query = is_sql_client(name).then(|| args.clone());
        let index = self.push(args, redirects, stdin);
        if let Some(args) = query {
            let call = self.plain_call(args);
            let client = self.runner.registry.sql_client;
            client(&mut Process { runner: self.runner, scope: self.scope, index, name, call: &call });
        }
        let value = self.effect(name, (bound, index), input);
        if written.is_empty() {
            return value;
        }
        for redirect in written {
            self.keep_file(&redirect.target, &value.joined("\n"), redirect.flow == crate::atom::Flow::Append);
        }
        Value::Nothing
    }

    fn effect(&mut self, name: &str, (bound, index): (&Bound, u32), input: Option<&Value>) -> Value {
        let handed = || input.cloned().unwrap_or(Value::Nothing);
        let text = |name: &str| bound.text(name).unwrap_or_default();
        let path = || bound.texts(&["Path", "LiteralPath", "FilePath"]);
        match name {
            "Set-Location" | "Push-Location" => {
                if name == "Push-Location" {
                    self.state.folders.push(Rc::clone(&self.scope.cwd));
                    self.state.folders.truncate(MAX_LIST);
                }
                if let Some(folder) = path().first() {
                    self.change_folder(folder);
                }
            }
            "Pop-Location" => {
                if let Some(folder) = self.state.folders.pop() {
                    self.scope.change_folder(&folder);
                }
            }
            "Get-Location" => return Value::text(&*self.scope.cwd),
            "Set-Variable" | "New-Variable" => {
                let value = bound.get("Value").cloned().unwrap_or_else(handed);
                self.set(&text("Name").to_lowercase(), value);
            }
            "Get-Variable" => {
                let name = text("Name").to_lowercase();
                if name.contains('*') {
                    return Value::unknown();
                }
                return self.variable(&name);
            }
            "Remove-Variable" | "Clear-Variable" => {
                for name in bound.texts(&["Name"]) {
                    self.unset(&name.to_lowercase());
                }
            }
            "Set-Item" | "New-Item"
                if is_drive(&text("Path"), &["function:", "alias:", "variable:", "env:"]) =>
            {
                let value = bound.get("Value").cloned().unwrap_or_else(handed);
                let path = text("Path").to_lowercase().replace('\\', "");
                let name = path.strip_prefix("variable:").unwrap_or(&path).to_owned();
                self.set(&name, value);
            }
            "Set-Alias" | "New-Alias" => {
                if self.state.aliases.len() < MAX_LIST {
                    self.state.aliases.push((text("Name"), text("Value")));
                }
            }
            "Get-Command" | "Get-Alias" => {
                let names = bound.texts(&["Name"]);
                let Some(name) = names.first() else { return Value::token() };
                return Value::text(resolved_name(name));
            }
            "Write-Output" | "Write-Host" | "Write-Information" | "Write-Verbose" => {
                if name == "Write-Host" {
                    return Value::Nothing;
                }
                return bound.get("InputObject").cloned().unwrap_or_else(handed);
            }
            "Out-String" | "Sort-Object" | "Tee-Object" | "Get-Unique" | "Select-Object" | "Get-Random"
            | "Out-GridView" => {
                let value = bound.get("InputObject").cloned().unwrap_or_else(handed);
                if name == "Tee-Object" && !text("FilePath").is_empty() {
                    self.keep_file(&text("FilePath"), &value.joined("\n"), bound.has("Append"));
                }
                if name == "Select-Object" {
                    return selected(&value, bound);
                }
                return value;
            }
            "Where-Object" => return filtered(&handed(), bound),
            "ForEach-Object" => return self.for_each_object(bound, input),
            "Get-ChildItem" => {
                let mut paths = path();
                if paths.is_empty() {
                    paths = input.map(Value::texts).unwrap_or_default();
                }
                if paths.is_empty() {
                    paths.push(".".to_owned());
                }
                let deep = bound.has("Recurse") || bound.get("Depth").is_some();
                return self.children(&paths, &bound.texts(&["Filter", "Include"]), deep);
            }
            "Get-Item" | "Resolve-Path" | "Convert-Path" => {
                let mut paths = path();
                if paths.is_empty() {
                    paths = input.map(Value::texts).unwrap_or_default();
                }
                return Value::of(paths.into_iter().map(Value::text).collect());
            }
            "Join-Path" => {
                let child = bound.texts(&["ChildPath", "AdditionalChildPath"]).join("/");
                let paths = path();
                let paths =
                    if paths.is_empty() { input.map(Value::texts).unwrap_or_default() } else { paths };
                return Value::of(paths.iter().map(|path| Value::text(below(path, &child))).collect());
            }
            "Split-Path" => {
                let path =
                    crate::windows::slashes(&path().first().cloned().unwrap_or_else(|| handed().string()));
                let (folder, leaf) = path.rsplit_once('/').unwrap_or(("", &path));
                return Value::text(if bound.has("Leaf") { leaf } else { folder });
            }
            "New-TemporaryFile" => return Value::text(format!("/tmp/{}", mark::TOKEN)),
            "New-Item" => {
                let base = path().first().cloned().unwrap_or_default();
                let made = if text("Name").is_empty() { base } else { below(&base, &text("Name")) };
                if bound.get("Value").is_some() {
                    self.keep_file(&made, &text("Value"), false);
                }
                return Value::text(made);
            }
            "Get-Content" => {
                let paths = path();
                let values: Vec<Value> = paths.iter().map(|path| self.content(path)).collect();
                return if values.is_empty() { Value::unknown() } else { Value::of(values) };
            }
            "Set-Content" | "Add-Content" | "Out-File" => {
                let value = bound.get("Value").or(bound.get("InputObject")).cloned().unwrap_or_else(handed);
                let append = name == "Add-Content" || bound.has("Append");
                for path in path() {
                    self.keep_file(&path, &value.joined("\n"), append);
                }
            }
            "Copy-Item" | "Move-Item" | "Rename-Item" => {
                let from = path().first().cloned().or_else(|| input.map(Value::string)).unwrap_or_default();
                let to = bound.text("Destination").or_else(|| bound.text("NewName")).unwrap_or_default();
                if let Some(content) = self.known_file(&from) {
                    self.keep_file(&to, &content, false);
                }
            }
            "Invoke-WebRequest" | "Invoke-RestMethod" => {
                let file = text("OutFile");
                if !file.is_empty() {
                    self.keep_file(&file, &mark::REMOTE.to_string(), false);
                    return Value::Nothing;
                }
                return Value::mark(mark::REMOTE);
            }
            "Start-BitsTransfer" => self.keep_file(&text("Destination"), &mark::REMOTE.to_string(), false),
            "Expand-Archive" => {}
            "New-Object" => {
                let arguments = bound.get("ArgumentList").map(Value::elements).unwrap_or_default();
                let com = text("ComObject");
                if !com.is_empty() {
                    return Value::Object(Rc::from(format!("com:{}", com.to_lowercase())));
                }
                let mut value = self.new_object(&text("TypeName"), &arguments);
                if let (Value::Map(entries), Some(Value::Map(more))) = (&value, bound.get("Property")) {
                    value = Value::Map(Rc::new(entries.iter().chain(more.iter()).cloned().collect()));
                }
                return value;
            }
            "Get-CimInstance" | "Get-WmiObject" => {
                let class = bound.text("ClassName").or_else(|| bound.text("Class")).unwrap_or_else(|| {
                    let query = text("Query").to_lowercase();
                    query
                        .split_whitespace()
                        .skip_while(|word| *word != "from")
                        .nth(1)
                        .unwrap_or("")
                        .to_owned()
                });
                return Value::Object(Rc::from(format!("cim:{}", class.to_lowercase())));
            }
            "Invoke-CimMethod" | "Invoke-WmiMethod" => {
                let class = bound.text("ClassName").or_else(|| bound.text("Class")).unwrap_or_default();
                let method = bound.text("MethodName").or_else(|| bound.text("Name")).unwrap_or_default();
                if class.eq_ignore_ascii_case("win32_process") && method.eq_ignore_ascii_case("create") {
                    let line = match bound.get("Arguments") {
                        Some(arguments @ Value::Map(_)) => {
                            arguments.entry("CommandLine").map(|value| value.string())
                        }
                        _ => bound
                            .get("ArgumentList")
                            .and_then(|list| list.elements().first().map(Value::string)),
                    };
                    self.command_line(&line.unwrap_or_default());
                }
            }
            "Invoke-Expression" => {
                let command = bound.get("Command").cloned().unwrap_or_else(handed);
                let mut printed = Value::Nothing;
                match command {
                    Value::Block(block) => return self.statements(&block.body),
                    command => {
                        let text = command.joined("\n");
                        if !text.is_empty() {
                            printed = self.text(&text, Some((index, How::Text)));
                        }
                    }
                }
                return printed;
            }
            "Invoke-Command"
            | "Start-Job"
            | "Start-ThreadJob"
            | "Measure-Command"
            | "Register-ScheduledJob"
            | "Register-ObjectEvent" => return self.invoke_command(bound, input, index),
            "Start-Process" | "Invoke-Item" => {
                let program = bound
                    .text("FilePath")
                    .or_else(|| bound.text("Path"))
                    .unwrap_or_else(|| handed().string());
                let list = bound.texts(&["ArgumentList"]);
                self.start_process(&program, &list);
            }
            "New-ScheduledTaskAction" => self.start_process(&text("Execute"), &[text("Argument")]),
            "New-Service" => self.command_line(&text("BinaryPathName")),
            "Import-Module" => {
                for path in bound.texts(&["Name"]) {
                    if let Some(script) = self.known_file(&path) {
                        self.text(&script, Some((index, How::File)));
                    }
                }
            }
            "ConvertFrom-Json"
            | "ConvertFrom-Csv"
            | "ConvertFrom-StringData"
            | "Import-Csv"
            | "Import-Clixml"
            | "ConvertFrom-Yaml" => {
                let value = handed();
                return if value.string().contains(mark::REMOTE) { value } else { Value::unknown() };
            }
            "Read-Host" | "Get-Clipboard" => return Value::unknown(),
            "Test-Path" | "Get-Date" | "Get-FileHash" | "Measure-Object" | "New-Guid" | "Get-Host"
            | "Select-String" | "Compare-Object" | "Test-Connection" | "Get-Credential" | "Get-History" => {
                return Value::token();
            }
            "Out-Null" | "Out-Host" | "Clear-Host" | "Start-Sleep" => {}
            "Get-Process" | "Get-Service" => return objects(name, bound),
            _ => {
                for block in bound.blocks() {
                    self.statements(&block.body);
                }
                if name.len() > 4 && name.is_char_boundary(4) && name[..4].eq_ignore_ascii_case("get-") {
                    return objects(name, bound);
                }
                return Value::token();
            }
        }
        Value::Nothing
    }

    fn for_each_object(&mut self, bound: &Bound, input: Option<&Value>) -> Value {
        let values = match input {
            Some(Value::Nothing) | None => bound.get("InputObject").cloned().unwrap_or_else(Value::unknown),
            Some(input) => input.clone(),
        };
        let blocks = bound.blocks();
        let outer = self.lookup("_");
        let mut printed = Vec::new();
        if blocks.is_empty() {
            // `ForEach-Object Name`, `ForEach-Object Delete`
            let member = bound.text("Process").or_else(|| bound.text("MemberName")).unwrap_or_default();
            for value in turns(&values) {
                if matches!(member.to_ascii_lowercase().as_str(), "delete" | "kill" | "stop" | "terminate") {
                    self.method(value, &member, &[]);
                } else {
                    printed.push(property(value, &member));
                }
            }
        }
        for value in turns(&values) {
            if blocks.is_empty() || self.runner.stopped() {
                break;
            }
            self.set("_", value);
            for block in &blocks {
                printed.extend(self.statements(&block.body).elements());
            }
            printed.truncate(MAX_LIST);
        }
        match outer {
            Some(value) => self.set("_", value),
            None => self.unset("_"),
        }
        Value::of(printed)
    }

    fn invoke_command(&mut self, bound: &Bound, input: Option<&Value>, index: u32) -> Value {
        let remote = ["ComputerName", "HostName", "Session", "VMName", "ContainerId", "SSHConnection"];
        let place = if remote.iter().any(|name| bound.get(name).is_some()) {
            Place::Remote
        } else {
            self.scope.place
        };
        let outer = std::mem::replace(&mut self.scope.place, place);
        let arguments = bound.get("ArgumentList").map(Value::elements).unwrap_or_default();
        let mut printed = Value::Nothing;
        for block in bound.blocks() {
            printed = self.invoke(&block, Passed { arguments: arguments.clone(), named: Vec::new() }, input);
        }
        if let Some(script) = bound.text("FilePath").and_then(|path| self.known_file(&path)) {
            self.text(&script, Some((index, How::File)));
        }
        self.scope.place = outer;
        printed
    }

    /// Starts a program with an argument list, whose elements may hold several arguments each.
    pub(super) fn start_process(&mut self, program: &str, list: &[String]) {
        if program.is_empty() {
            return;
        }
        let args = list.iter().flat_map(|text| crate::windows::arguments(text)).collect();
        self.start_words(program, args);
    }

    fn start_words(&mut self, program: &str, args: Vec<String>) {
        let given: Vec<Given> = args.into_iter().map(|arg| Given::Value(Value::text(arg))).collect();
        self.native(program, &given, Pipe::default());
    }

    /// Starts a command line, as `CreateProcess` and `WScript.Shell` take it.
    pub(super) fn command_line(&mut self, line: &str) {
        let mut words = crate::windows::arguments(line);
        if words.is_empty() {
            return;
        }
        let name = words.remove(0);
        self.start_words(&name, words);
    }
}

/// `Select-Object -ExpandProperty`, `-First 1`
fn selected(value: &Value, bound: &Bound) -> Value {
    if let Some(name) = bound.text("ExpandProperty") {
        return property(value.clone(), &name);
    }
    if ["First", "Last", "Skip", "SkipLast", "Index"].iter().any(|name| bound.get(name).is_some()) {
        return narrowed(value);
    }
    value.clone()
}

fn is_drive(path: &str, drives: &[&str]) -> bool {
    let lower = path.to_ascii_lowercase();
    drives.iter().any(|drive| lower.starts_with(drive))
}

/// Cmdlets whose input is a text for another machine or program.
fn reads_text(name: &str) -> bool {
    matches!(name, "Set-Content" | "Add-Content" | "Out-File" | "Invoke-Expression")
}

/// Arguments that a pipeline brings to a cmdlet which acts on what it gets.
fn taken_in(name: &str, bound: &Bound, input: &Value, args: &mut Vec<Arg>) {
    let verb = name.split('-').next().unwrap_or("");
    let acts = matches!(
        verb,
        "Remove"
            | "Clear"
            | "Move"
            | "Rename"
            | "Copy"
            | "Stop"
            | "Disable"
            | "Set"
            | "Format"
            | "Dismount"
            | "Unregister"
            | "Uninstall"
            | "Revoke"
            | "Reset"
            | "Suspend"
            | "Initialize"
            | "Disconnect"
    );
    if !acts || ["Set-Content", "Set-Variable", "Set-Alias", "Set-Location", "Set-Clipboard"].contains(&name)
    {
        return;
    }
    let to = match name {
        "Remove-Item"
        | "Clear-Content"
        | "Move-Item"
        | "Rename-Item"
        | "Copy-Item"
        | "Clear-Item"
        | "Remove-ItemProperty"
        | "Set-ItemProperty"
        | "Set-Acl" => "Path",
        _ => "InputObject",
    };
    if bound.get(to).is_some() {
        return;
    }
    let elements = input.elements();
    if elements.is_empty() {
        return;
    }
    args.insert(1, Arg::from(format!("-{to}")));
    for (at, value) in elements.iter().take(32).enumerate() {
        let text = match value {
            Value::Object(kind) => match kind.split_once(':') {
                Some(("all", _)) => mark::STAR.to_string(),
                _ => kind.to_string(),
            },
            Value::Text(text) => text.to_string(),
            other => other.string(),
        };
        args.insert(2 + at, Arg::from(text));
    }
}

/// What a test leaves.
fn filtered(value: &Value, bound: &Bound) -> Value {
    let test: String = match bound.blocks().first() {
        Some(block) => super::super::parse::text_of(block).to_ascii_lowercase(),
        None => return narrowed(value),
    };
    let narrows = [
        "-lt",
        "-gt",
        "-le",
        "-ge",
        "-eq",
        "-like",
        "-match",
        "-in ",
        "-contains",
        ".startswith",
        ".endswith",
        ".contains",
    ]
    .iter()
    .any(|operator| test.contains(operator));
    if narrows { narrowed(value) } else { value.clone() }
}

/// Everything of a kind, or some of it.
fn objects(name: &str, bound: &Bound) -> Value {
    let kind = name.split_once('-').map_or(name, |(_, noun)| noun).to_lowercase();
    let names = bound.texts(&["Name", "Id", "DisplayName"]);
    if matches!(kind.as_str(), "process" | "service")
        && !names.is_empty()
        && !names.iter().any(|name| name == "*")
    {
        return Value::of(names.into_iter().map(Value::text).collect());
    }
    let all = bound.narrows().is_none();
    Value::Object(Rc::from(format!("{}:{kind}", if all { "all" } else { "some" })))
}
