//! What cmdlets do to the session, and what they hand on.

use std::rc::Rc;

use shell_engine::{Arg, How, Place, Process, Redirect, mark};

use super::super::value::{MAX_LIST, Value};
use super::Machine;
use super::bind::Passed;
use super::bind::{Bound, Given};
use super::command::Pipe;
use super::command::atom_args;
use super::files::narrowed;
use super::member::property;

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
    pub(super) fn cmdlet(
        &mut self,
        name: &str,
        bound: &Bound,
        Pipe { input, redirects, .. }: Pipe<'_>,
    ) -> Value {
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
        // The atom comes before its effects, so that what it starts can name it as its parent.
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
            self.keep_file(
                &redirect.target,
                &value.joined("\n"),
                redirect.flow == shell_engine::Flow::Append,
            );
        }
        Value::Nothing
    }

    fn effect(&mut self, name: &str, (bound, index): (&Bound, u32), input: Option<&Value>) -> Value {
        let handed = || input.cloned().unwrap_or(Value::Nothing);
        let text = |name: &str| bound.text(name).unwrap_or_default();
        let known = self.session(name, bound, input);
        let known = known.or_else(|| self.file(name, bound, input));
        if let Some(value) = known.or_else(|| self.started(name, (bound, index), input)) {
            return value;
        }
        match name {
            "Write-Output" | "Write-Host" | "Write-Information" | "Write-Verbose" => {
                // It goes to the screen, past the pipeline.
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
            "Expand-Archive" => {}
            "New-Object" => {
                let arguments = bound.get("ArgumentList").map(Value::elements).unwrap_or_default();
                let com = text("ComObject");
                // Objects of COM start programs and delete files as cmdlets do.
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
            "ConvertFrom-Json" if let Some(data) = self.json(bound.get("InputObject").or(input)) => {
                return data;
            }
            "ConvertFrom-Json"
            | "ConvertFrom-Csv"
            | "ConvertFrom-StringData"
            | "Import-Csv"
            | "Import-Clixml"
            | "ConvertFrom-Yaml" => {
                let value = handed();
                // Data that was downloaded is still foreign when it has fields.
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
                // A cmdlet that is not known may run any block that it gets.
                for block in bound.blocks() {
                    self.statements(&block.body);
                }
                // What a `Get-` cmdlet finds may go on to one that removes it.
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
            // Without a pipeline, what it goes through is not known: its block still runs.
            Some(Value::Nothing) | None => bound.get("InputObject").cloned().unwrap_or_else(Value::unknown),
            Some(input) => input.clone(),
        };
        let blocks = bound.blocks();
        let outer = self.lookup("_");
        let mut printed = Vec::new();
        if blocks.is_empty() {
            // `ForEach-Object Name`, `ForEach-Object Delete`
            let member = bound.text("Process").or_else(|| bound.text("MemberName")).unwrap_or_default();
            for value in self.turns(&values) {
                // A member may be a method, and these are worth a call.
                if matches!(member.to_ascii_lowercase().as_str(), "delete" | "kill" | "stop" | "terminate") {
                    self.method(value, &member, &[]);
                } else {
                    printed.push(property(value, &member));
                }
            }
        }
        for value in self.turns(&values) {
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

    pub(super) fn invoke_command(&mut self, bound: &Bound, input: Option<&Value>, index: u32) -> Value {
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
        let args = list.iter().flat_map(|text| crate::system::arguments(text)).collect();
        self.start_words(program, args);
    }

    fn start_words(&mut self, program: &str, args: Vec<String>) {
        let given: Vec<Given> = args.into_iter().map(|arg| Given::Value(Value::text(arg))).collect();
        self.native(program, &given, Pipe::default());
    }

    /// Starts a command line, as `CreateProcess` and `WScript.Shell` take it.
    pub(super) fn command_line(&mut self, line: &str) {
        let mut words = crate::system::arguments(line);
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

pub(super) fn is_drive(path: &str, drives: &[&str]) -> bool {
    let lower = path.to_ascii_lowercase();
    drives.iter().any(|drive| lower.starts_with(drive))
}

/// Cmdlets whose input is a string for another machine or program.
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
    // To these, the pipeline brings content, not names.
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
                // Every object of a kind: rules know a star.
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
