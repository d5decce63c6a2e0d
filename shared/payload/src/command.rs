//! The command lines that a tool call would run.

use std::borrow::Cow;

use crate::event::{Event, Input};
use crate::field::Field;
use crate::host::{Dialect, Host};
use crate::json::{Json, JsonType};
use crate::tool::ToolKind;

/// Which language a command line is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShellKind {
    /// bash, or another shell of the POSIX family.
    Posix,
    /// Windows `PowerShell` or `PowerShell` 7.
    PowerShell,
    /// `cmd.exe`.
    Cmd,
    /// The payload does not say; every plausible reading counts.
    Unknown,
}

/// A command line that a tool call would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand<'a> {
    /// The text, decoded from JSON. An array of arguments is rendered as a POSIX command line with quotes.
    pub text: Cow<'a, str>,
    /// The language it is written in.
    pub shell: ShellKind,
}

impl Event<'_> {
    /// The command lines that the tool call would run (or ran).
    ///
    /// A tool is judged by what its input carries, so that tools we do not know (`Monitor`, MCP terminals) count too. Not
    /// commands are `command` in VS Code's `memory`, Copilot's `str_replace_editor` (an editor's verb) and Codex's
    /// `apply_patch` (the patch). Copilot's `{enter}` in keystrokes becomes a line feed.
    pub fn commands(&self) -> Vec<ShellCommand<'_>> {
        let mut found = Vec::new();
        if !self.kind.may_carry_tool() {
            return found;
        }
        let shell = self.shell();
        match &self.input {
            Input::Text(text) if matches!(self.tool_kind(), ToolKind::Shell | ToolKind::ShellInput) => {
                found.push(ShellCommand { text: Cow::Borrowed(&**text), shell });
            }
            Input::Object(text) => {
                each_line(self, Json::checked(text), &mut |line, arguments| {
                    found.extend(line.text(arguments).map(|text| ShellCommand { text, shell }));
                });
            }
            _ => {}
        }
        found
    }

    /// The shell that the tool call's command is written for.
    fn shell(&self) -> ShellKind {
        let name = self.tool.as_ref().map_or("", |tool| &*tool.name);
        match (self.host, name) {
            (_, "powershell" | "PowerShell" | "write_powershell") => ShellKind::PowerShell,
            (_, "bash" | "write_bash") | (Host::Claude, "Bash" | "Monitor") => ShellKind::Posix,
            (_, "Workflow") => ShellKind::Unknown,
            // A directory that starts with `/` says that this is not Windows.
            _ => match self.field(Field::Cwd).map(Json::text) {
                Some(cwd) if cwd.starts_with("\"/") => ShellKind::Posix,
                // Copilot calls its `powershell` tool `Bash` in PascalCase payloads.
                Some(_) if self.host == Host::Copilot && self.dialect == Dialect::Timed => {
                    ShellKind::PowerShell
                }
                _ => ShellKind::Unknown,
            },
        }
    }
}

/// A value that stands for a command line.
#[derive(Clone, Copy)]
enum Line<'e> {
    /// A string, or an array of arguments.
    Command(Json<'e>),
    /// Text that is typed into a shell.
    Keystrokes(Json<'e>),
}

impl<'e> Line<'e> {
    /// The line with the arguments of a task behind it; `None` when it is of a type that no tool takes.
    fn text(self, arguments: Option<Json<'e>>) -> Option<Cow<'e, str>> {
        let mut line = match self {
            Self::Command(value) => command_line(value)?,
            Self::Keystrokes(value) => {
                let text = value.as_str()?;
                return Some(if text.contains("{enter}") {
                    Cow::Owned(text.replace("{enter}", "\n"))
                } else {
                    text
                });
            }
        };
        let Some(arguments) = arguments else { return Some(line) };
        // A text may hold several arguments, quoted by rules we do not know.
        if let Some(text) = arguments.as_str() {
            line.to_mut().push(' ');
            line.to_mut().push_str(&text);
        }
        for argument in arguments.elements() {
            let line = line.to_mut();
            line.push(' ');
            push_quoted(line, &argument.as_str().unwrap_or(Cow::Borrowed(argument.text())));
        }
        Some(line)
    }

    /// Whether it has a type that a tool takes.
    fn readable(self) -> bool {
        match self {
            Self::Command(value) if value.kind() == JsonType::Array => command_line(value).is_some(),
            Self::Command(value) | Self::Keystrokes(value) => {
                matches!(value.kind(), JsonType::String | JsonType::Null)
            }
        }
    }
}

/// Calls back for every command line of an event's input, with the arguments that belong to it.
fn each_line<'e>(event: &'e Event<'_>, input: Json<'e>, found: &mut impl FnMut(Line<'e>, Option<Json<'e>>)) {
    let kind = event.tool_kind();
    if matches!(kind, ToolKind::Memory | ToolKind::Edit | ToolKind::Patch) {
        return;
    }
    if let Some(level) = event.level.as_ref().filter(|level| !level.nested) {
        return level.report(kind, found);
    }
    let unknown = matches!(kind, ToolKind::Mcp | ToolKind::Other);
    let mut level = Level::default();
    for (key, value) in input.members() {
        level.note(&key, value);
        if value.kind() == JsonType::Object && (unknown || &*key == "task") {
            let mut inner = Level::default();
            value.members().for_each(|(key, value)| inner.note(&key, value));
            inner.report(kind, found);
        }
    }
    level.report(kind, found);
}

/// The command-like members of one object.
///
/// [`crate::parse`] notes them while it reads past a tool's input, which spares reading that twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Level<'e> {
    command: Option<Json<'e>>,
    cmd: Option<Json<'e>>,
    script: Option<Json<'e>>,
    keystrokes: Option<Json<'e>>,
    arguments: Option<Json<'e>>,
    lines: Option<Json<'e>>,
    /// Whether a member is an object, where commands may hide.
    nested: bool,
}

impl<'e> Level<'e> {
    /// Keeps a member; of duplicates the last.
    pub(crate) fn note(&mut self, key: &str, value: Json<'e>) {
        if value.kind() == JsonType::Object {
            self.nested = true;
            return;
        }
        match key {
            "command" => self.command = Some(value),
            "cmd" => self.cmd = Some(value),
            "script" => self.script = Some(value),
            "input" | "chars" => self.keystrokes = Some(value),
            "args" | "arguments" => self.arguments = Some(value),
            "commands" => self.lines = Some(value),
            _ => {}
        }
    }

    fn report(&self, kind: ToolKind, found: &mut impl FnMut(Line<'e>, Option<Json<'e>>)) {
        let arguments = self.arguments.filter(|_| kind != ToolKind::Shell);
        for command in [self.command, self.cmd, self.script].into_iter().flatten() {
            found(Line::Command(command), arguments);
        }
        if let Some(text) = self.keystrokes.filter(|_| kind == ToolKind::ShellInput) {
            found(Line::Keystrokes(text), None);
        }
        let unknown = matches!(kind, ToolKind::Mcp | ToolKind::Other | ToolKind::Shell);
        for line in self.lines.filter(|_| unknown).into_iter().flat_map(Json::elements) {
            found(Line::Command(line), None);
        }
    }
}

/// A command line from a string, or from an array of arguments.
fn command_line(value: Json<'_>) -> Option<Cow<'_, str>> {
    if value.kind() != JsonType::Array {
        return value.as_str();
    }
    let mut line = String::new();
    for word in value.elements() {
        if !line.is_empty() {
            line.push(' ');
        }
        push_quoted(&mut line, &word.as_str()?);
    }
    (!line.is_empty()).then_some(Cow::Owned(line))
}

/// Appends one word so that a POSIX shell reads it back unchanged.
fn push_quoted(line: &mut String, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        line.push_str(word);
        return;
    }
    line.push('\'');
    line.push_str(&word.replace('\'', r"'\''"));
    line.push('\'');
}

/// Whether an object input hides the command that a tool of this kind must have.
pub(crate) fn unreadable(event: &Event<'_>, input: Json<'_>) -> bool {
    let kind = event.tool_kind();
    let (mut lines, mut bad) = (0, false);
    each_line(event, input, &mut |line, _| {
        lines += usize::from(!matches!(line, Line::Command(value) if value.kind() == JsonType::Null));
        bad |= !line.readable();
    });
    // Claude's `Monitor` may watch a web socket instead of running a command.
    bad || (matches!(kind, ToolKind::Shell | ToolKind::ShellInput) && lines == 0 && input.get("ws").is_none())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Hints, parse};

    fn payload(tool: &str, input: &str) -> String {
        format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
        )
    }

    #[test]
    fn every_way_to_run_a_command_is_seen() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("Bash", r#"{"command":"ls"}"#, &["ls"]),
            ("Monitor", r#"{"command":"tail -f x"}"#, &["tail -f x"]),
            ("Workflow", r#"{"script":"run()"}"#, &["run()"]),
            ("exec_command", r#"{"cmd":"ls","workdir":"/"}"#, &["ls"]),
            ("shell", r#"{"command":["bash","-lc","echo 'a' && b"]}"#, &[r"bash -lc 'echo '\''a'\'' && b'"]),
            ("send_to_terminal", r#"{"id":"1","command":"ls"}"#, &["ls"]),
            ("write_bash", r#"{"shellId":"s","input":"rm -rf /{enter}"}"#, &["rm -rf /\n"]),
            (
                "create_and_run_task",
                r#"{"task":{"command":"make","args":["all","a b",""]}}"#,
                &["make all 'a b' ''"],
            ),
            ("mcp__term__run", r#"{"command":"ls"}"#, &["ls"]),
            ("mcp__term__run", r#"{"options":{"cmd":"ls","args":["-l"]}}"#, &["ls -l"]),
            ("mcp__term__run", r#"{"command":"rm","args":"-rf /"}"#, &["rm -rf /"]),
            ("mcp__term__run", r#"{"command":"kill","args":[9]}"#, &["kill 9"]),
            ("mcp__term__many", r#"{"commands":["a","b c"]}"#, &["a", "b c"]),
            ("anything", r#"{"script":"x"}"#, &["x"]),
            ("Bash", r#""ls -l""#, &["ls -l"]),
            ("Bash", r#"{"command":"a","command":"b"}"#, &["b"]),
            ("Bash", r#"{"comm\u0061nd":"a"}"#, &["a"]),
            ("Bash", r#"{"command":"echo \"\ud83d\ude00\" \ud800"}"#, &["echo \"😀\" \u{fffd}"]),
            ("memory", r#"{"command":"view","path":"/memories"}"#, &[]),
            ("str_replace_editor", r#"{"command":"create","path":"a"}"#, &[]),
            ("Edit", r#"{"command":"create","path":"a"}"#, &[]),
            ("apply_patch", r#"{"command":"*** Begin Patch"}"#, &[]),
            ("Grep", r#"{"pattern":"x"}"#, &[]),
        ];
        for (tool, input, expected) in cases {
            let text = payload(tool, input);
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            let commands: Vec<_> =
                event.commands().into_iter().map(|command| command.text.into_owned()).collect();
            assert_eq!(commands, *expected, "{tool} {input}");
            assert!(!event.input_unreadable(), "{tool} {input}");
        }
    }

    #[test]
    fn a_call_that_cannot_be_judged_says_so() {
        for (tool, input, unreadable) in [
            ("Bash", "{}", true),
            ("Bash", "3", true),
            ("Bash", "null", true),
            ("Bash", "[]", true),
            ("Bash", r#"{"command":3}"#, true),
            ("Bash", r#"{"command":null}"#, true),
            ("Bash", r#"{"command":{"a":"ls"}}"#, true),
            ("Bash", r#"{"command":["ls",1]}"#, true),
            ("Bash", r#"{"command":[]}"#, true),
            ("mcp__t__run", r#"{"command":["ls",1]}"#, true),
            ("write_bash", r#"{"input":7}"#, true),
            ("create_and_run_task", r#"{"task":{"command":7}}"#, true),
            ("mcp__t__run", "true", true),
            ("send_to_terminal", r#"{"keys":"ls"}"#, true),
            ("mcp__t__run", "{}", false),
            ("mcp__t__run", "null", false),
            ("Monitor", r#"{"ws":"wss://a"}"#, false),
            ("Read", r#"{"file_path":"a"}"#, false),
            ("memory", r#"{"command":3}"#, false),
        ] {
            let text = payload(tool, input);
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!(event.input_unreadable(), unreadable, "{tool} {input}");
        }
    }

    #[test]
    fn the_shell_is_told_from_tool_host_and_directory() {
        let copilot = |tool: &str, cwd: &str| {
            format!(
                r#"{{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"{cwd}","tool_name":"{tool}","tool_input":{{"command":"a"}}}}"#
            )
        };
        for (text, shell) in [
            (payload("Bash", r#"{"command":"a"}"#), ShellKind::Posix),
            (payload("PowerShell", r#"{"command":"a"}"#), ShellKind::PowerShell),
            (payload("anything", r#"{"command":"a"}"#), ShellKind::Unknown),
            (copilot("Bash", "/home/u"), ShellKind::Posix),
            (copilot("Bash", r"C:\\u"), ShellKind::PowerShell),
        ] {
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!(event.commands()[0].shell, shell, "{text}");
        }
    }
}
