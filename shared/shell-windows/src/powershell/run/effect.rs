//! What cmdlets do to the session, to files, and what they run.

use std::rc::Rc;

use shell_engine::{How, mark};

use super::super::value::{MAX_LIST, Value};
use super::Machine;
use super::bind::Bound;
use super::cmdlet::is_drive;
use super::command::resolved_name;
use crate::system::below;

impl Machine<'_> {
    /// What a cmdlet does to the session: folders, variables, aliases. `None` for other cmdlets.
    pub(super) fn session(&mut self, name: &str, bound: &Bound, input: Option<&Value>) -> Option<Value> {
        let handed = || input.cloned().unwrap_or(Value::Nothing);
        let text = |name: &str| bound.text(name).unwrap_or_default();
        let path = || bound.texts(&["Path", "LiteralPath", "FilePath"]);
        match name {
            "Set-Location" | "Push-Location" => {
                if name == "Push-Location" {
                    self.state.folders.push(Rc::clone(&self.scope.cwd));
                    self.state.folders.truncate(MAX_LIST);
                }
                // `Push-Location` alone stays where it is.
                if let Some(folder) = path().first() {
                    self.change_folder(folder);
                }
            }
            "Pop-Location" => {
                if let Some(folder) = self.state.folders.pop() {
                    self.scope.change_folder(&folder);
                }
            }
            "Get-Location" => return Some(Value::text(&*self.scope.cwd)),
            "Set-Variable" | "New-Variable" => {
                let value = bound.get("Value").cloned().unwrap_or_else(handed);
                self.set(&text("Name").to_lowercase(), value);
            }
            "Get-Variable" => {
                let name = text("Name").to_lowercase();
                // Which variable a pattern finds is not known.
                if name.contains('*') {
                    return Some(Value::unknown());
                }
                return Some(self.variable(&name));
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
                // `function:\f` and `function:f` are the same item.
                let path = text("Path").to_lowercase().replace('\\', "");
                // Names with the other drives are distinguished where variables are set.
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
                // `& (Get-Command x)` runs what is found, so a command is handed on as its name.
                let Some(name) = names.first() else { return Some(Value::token()) };
                return Some(Value::text(resolved_name(name)));
            }
            _ => return None,
        }
        Some(Value::Nothing)
    }

    /// What a cmdlet does with files, and what they hold. `None` for other cmdlets.
    pub(super) fn file(&mut self, name: &str, bound: &Bound, input: Option<&Value>) -> Option<Value> {
        let handed = || input.cloned().unwrap_or(Value::Nothing);
        let text = |name: &str| bound.text(name).unwrap_or_default();
        let path = || bound.texts(&["Path", "LiteralPath", "FilePath"]);
        match name {
            "Get-ChildItem" => {
                let mut paths = path();
                if paths.is_empty() {
                    // Paths may come through the pipeline instead: `'x' | Get-ChildItem`.
                    paths = input.map(Value::texts).unwrap_or_default();
                }
                if paths.is_empty() {
                    paths.push(".".to_owned());
                }
                // `-Depth` means `-Recurse`.
                let deep = bound.has("Recurse") || bound.get("Depth").is_some();
                return Some(self.children(&paths, &bound.texts(&["Filter", "Include"]), deep));
            }
            // What it finds stands in files, of which the objects have the paths.
            "Select-String" if !bound.has("Quiet") && !bound.has("Raw") => {
                let paths = path();
                if paths.is_empty() {
                    return None;
                }
                let found = paths.iter().map(|path| {
                    let path = crate::system::slashes(path);
                    if !path.contains(['*', '?']) {
                        return Value::text(path);
                    }
                    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
                    let folder = self.scope.absolute(folder);
                    Value::text(below(&folder, &format!("{}/{}", mark::ENTRY, mark::PRINTED)))
                });
                return Some(Value::of(found.collect()));
            }
            "Get-Item" | "Resolve-Path" | "Convert-Path" => {
                let mut paths = path();
                if paths.is_empty() {
                    paths = input.map(Value::texts).unwrap_or_default();
                }
                return Some(Value::of(paths.into_iter().map(Value::text).collect()));
            }
            "Join-Path" => {
                let child = bound.texts(&["ChildPath", "AdditionalChildPath"]).join("/");
                let paths = path();
                let paths =
                    if paths.is_empty() { input.map(Value::texts).unwrap_or_default() } else { paths };
                return Some(Value::of(paths.iter().map(|path| Value::text(below(path, &child))).collect()));
            }
            "Split-Path" => {
                let path =
                    crate::system::slashes(&path().first().cloned().unwrap_or_else(|| handed().string()));
                let (folder, leaf) = path.rsplit_once('/').unwrap_or(("", &path));
                return Some(Value::text(if bound.has("Leaf") { leaf } else { folder }));
            }
            // A fresh name in a folder where deleting is harmless.
            "New-TemporaryFile" => return Some(Value::text(format!("/tmp/{}", mark::TOKEN))),
            "New-Item" => {
                let base = path().first().cloned().unwrap_or_default();
                let made = if text("Name").is_empty() { base } else { below(&base, &text("Name")) };
                // A script that is written here may be run by the next command.
                if bound.get("Value").is_some() {
                    self.keep_file(&made, &text("Value"), false);
                }
                return Some(Value::text(made));
            }
            "Get-Content" => {
                let paths = path();
                let values: Vec<Value> = paths.iter().map(|path| self.content(path)).collect();
                // Paths from the pipeline are not read here: their content may be anything.
                return Some(if values.is_empty() { Value::unknown() } else { Value::of(values) });
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
                // The content travels with the file, so that a script under a new name is still known.
                if let Some(content) = self.known_file(&from) {
                    self.keep_file(&to, &content, false);
                } else {
                    let (from, to) = (crate::system::slashes(&from), crate::system::slashes(&to));
                    self.runner.copied(self.scope, &from, &to);
                    let name = shell_engine::path::file_name(&from);
                    self.runner.copied(self.scope, &from, &below(&to, name));
                }
            }
            "Invoke-WebRequest" | "Invoke-RestMethod" => {
                let file = text("OutFile");
                // With `-OutFile` nothing is printed.
                if !file.is_empty() {
                    self.keep_file(&file, &mark::REMOTE.to_string(), false);
                    return Some(Value::Nothing);
                }
                return Some(Value::mark(mark::REMOTE));
            }
            "Start-BitsTransfer" => self.keep_file(&text("Destination"), &mark::REMOTE.to_string(), false),
            _ => return None,
        }
        Some(Value::Nothing)
    }

    /// What a cmdlet runs. `None` for other cmdlets.
    pub(super) fn started(
        &mut self,
        name: &str,
        (bound, index): (&Bound, u32),
        input: Option<&Value>,
    ) -> Option<Value> {
        let handed = || input.cloned().unwrap_or(Value::Nothing);
        let text = |name: &str| bound.text(name).unwrap_or_default();
        match name {
            "Invoke-CimMethod" | "Invoke-WmiMethod" => {
                let class = bound.text("ClassName").or_else(|| bound.text("Class")).unwrap_or_default();
                let method = bound.text("MethodName").or_else(|| bound.text("Name")).unwrap_or_default();
                // The old way to start a program by the system's management interface.
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
                    // `iex {…}`: the block becomes its own text, which then runs.
                    Value::Block(block) => return Some(self.statements(&block.body)),
                    command => {
                        let text = command.joined("\n");
                        if !text.is_empty() {
                            printed = self.text(&text, Some((index, How::Text)));
                        }
                    }
                }
                return Some(printed);
            }
            "Invoke-Command"
            | "Start-Job"
            | "Start-ThreadJob"
            | "Measure-Command"
            | "Register-ScheduledJob"
            | "Register-ObjectEvent" => return Some(self.invoke_command(bound, input, index)),
            "Start-Process" | "Invoke-Item" => {
                let program = bound
                    .text("FilePath")
                    .or_else(|| bound.text("Path"))
                    .unwrap_or_else(|| handed().string());
                let list = bound.texts(&["ArgumentList"]);
                self.start_process(&program, &list);
            }
            "New-ScheduledTaskAction" => self.start_process(&text("Execute"), &[text("Argument")]),
            // It will run as the system, with the next start at the latest.
            "New-Service" => self.command_line(&text("BinaryPathName")),
            "Import-Module" => {
                for path in bound.texts(&["Name"]) {
                    // A module's statements run when it is loaded.
                    if let Some(script) = self.known_file(&path) {
                        self.text(&script, Some((index, How::File)));
                    } else {
                        self.module(&path);
                    }
                }
            }
            // A table that stands in a file.
            "Import-PowerShellDataFile" => {
                let path = bound
                    .texts(&["Path", "LiteralPath"])
                    .into_iter()
                    .chain(bound.rest.iter().map(Value::string));
                let loaded = path
                    .take(1)
                    .find_map(|path| self.runner.look_up(self.scope, &crate::system::slashes(&path)))?;
                if !self.runner.has_room(loaded.text.len()) || !self.runner.spend(loaded.text.len()) {
                    return None;
                }
                let (block, _) = super::super::parse::parse(&loaded.text);
                return Some(self.statements(&block.body));
            }
            _ => return None,
        }
        Some(Value::Nothing)
    }
}
