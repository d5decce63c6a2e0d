//! The command lines that a tool call would run.

use std::borrow::Cow;

use crate::event::{Event, Input};
use crate::expand;
use crate::field::Field;
use crate::host::Dialect;
use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};
use crate::language::Language;
use crate::path::words;
use crate::quote::quote;
use crate::tool::ToolKind;
use crate::uri;

/// A command line that a tool call would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand<'a> {
    /// The text, decoded from JSON. An array of arguments is rendered as a POSIX command line with quotes.
    pub text: Cow<'a, str>,
    /// The language it is written in.
    pub language: Language,
}

/// What is found in a call that runs, or may run, something.
#[derive(Debug, Default)]
pub(crate) struct Lines<'e> {
    /// The commands, each with the directories that the call names for it.
    found: Vec<(ShellCommand<'e>, Vec<Folder<'e>>)>,
    /// Whether a value that must be a command cannot be read as one.
    bad: bool,
}

/// A directory that a call names for a command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Folder<'e> {
    path: Cow<'e, str>,
    /// Whether the tool is sure to run the command there.
    sure: bool,
}

impl Event<'_> {
    /// The command lines that the tool call would run (or ran).
    ///
    /// A tool is judged by what its input carries, so that tools we do not know (`Monitor`, MCP terminals) count too: by
    /// the keys that mean a command, at any depth, in lists, and in JSON inside strings. Not commands are `command` in VS
    /// Code's `memory`, Copilot's `str_replace_editor` (an editor's verb) and Codex's `apply_patch` (the patch). Copilot's
    /// `{enter}` in keystrokes becomes a line feed. Code of another language becomes the command that would run it.
    pub fn commands(&self) -> Vec<ShellCommand<'_>> {
        if let Some(line) = self.plain_line() {
            let text = line.as_str().unwrap_or_default();
            return vec![ShellCommand { text, language: self.language() }];
        }
        self.lines().found.into_iter().map(|(command, _)| command).collect()
    }

    /// The directories in which the commands may run, as the call names them; `None` is the session's own.
    ///
    /// A call that could run in either of two places has both: Gemini CLI 0.61.0 goes to `dir_path` and ignores
    /// `directory`.
    pub fn folders(&self) -> Vec<Option<Cow<'_, str>>> {
        let mut folders = Vec::new();
        if self.plain_line().is_none() {
            for (_, named) in self.lines().found {
                // A directory that the tool may ignore leaves the session's own possible.
                let own = named.iter().all(|folder| !folder.sure);
                for folder in named.into_iter().map(|folder| Some(folder.path)).chain(own.then_some(None)) {
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
            }
        }
        if folders.is_empty() {
            folders.push(None);
        }
        folders
    }

    /// Whether the call is a shell's as its host writes it.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain_line().is_some()
    }

    /// The command of a shell's call that is as its host writes it: one text, and nothing else where one could hide.
    fn plain_line(&self) -> Option<Json<'_>> {
        let usual = self.tool_kind() == ToolKind::Shell && self.kind.may_carry_tool();
        self.level.as_ref().filter(|_| usual && !self.is_unfamiliar())?.plain()
    }

    /// Everything that the call would run.
    fn lines(&self) -> Lines<'_> {
        let kind = self.tool_kind();
        if !self.kind.may_carry_tool() {
            return Lines::default();
        }
        let language = self.language();
        if let Input::Text(text) = &self.input {
            let mut lines = Lines::default();
            if kind.takes_commands() {
                lines.found.push((ShellCommand { text: Cow::Borrowed(&**text), language }, Vec::new()));
            }
            return lines;
        }
        let Some(scope) = self.scope() else { return Lines::default() };
        let unfamiliar = self.is_unfamiliar();
        // A known tool that runs nothing (an editor, a reader) has no command under another name.
        let knows_its_own = !unfamiliar
            && !kind.takes_commands()
            && !matches!(kind, ToolKind::Task | ToolKind::Mcp | ToolKind::Other);
        if knows_its_own && !has_command(scope) {
            return Lines::default();
        }
        let mut search = Search {
            lines: Lines::default(),
            language,
            kind,
            typed: kind == ToolKind::ShellInput || self.types_into_a_shell(),
            unfamiliar,
            loose: false,
            code: self
                .tool_words()
                .any(|word| matches!(&*word, "ide" | "python" | "ipython" | "jupyter" | "notebook"))
                .then_some("python"),
        };
        search.object(scope, &Around::default(), 0);
        if search.lines.found.is_empty() && self.runs_commands() {
            // A shell without a command that is known by its key: each of its strings may be it.
            let arguments = if unfamiliar { self.unfamiliar_arguments() } else { Some(scope) };
            if let Some(arguments) = arguments {
                search.loose = true;
                search.object(arguments, &Around::default(), 0);
            }
        }
        search.lines
    }

    /// Whether the tool must run a command, by its name.
    fn runs_commands(&self) -> bool {
        let words = ["shell", "bash", "terminal", "exec", "execute", "command", "commands", "run"];
        let looks = ["list", "get", "read", "output", "status", "kill", "stop", "history"];
        self.tool_kind().takes_commands()
            || (self.is_unfamiliar()
                && self.tool_words().any(|word| words.contains(&&*word))
                // `get_terminal_output` only looks.
                && !self.tool_words().any(|word| looks.contains(&&*word)))
    }

    /// Whether the tool's name says that it types into a terminal.
    fn types_into_a_shell(&self) -> bool {
        let has = |of: &[&str]| self.tool_words().any(|word| of.contains(&&*word));
        has(&["terminal", "shell", "tty", "console", "tmux", "iterm", "process"])
            && has(&["write", "send", "type", "input", "keys", "interact"])
    }

    fn tool_words(&self) -> impl Iterator<Item = String> {
        words(self.tool.as_ref().map_or("", |tool| &*tool.name))
    }

    /// The language that the tool call's command is written in.
    fn language(&self) -> Language {
        let name = self.tool.as_ref().map_or("", |tool| &*tool.name);
        if self.is_unfamiliar() {
            return Language::Unknown;
        }
        let traits = self.host.traits();
        match name {
            "powershell" | "PowerShell" | "write_powershell" => Language::PowerShell,
            "bash" | "write_bash" => Language::Posix,
            own if traits.posix_tools.contains(&own) => Language::Posix,
            "Workflow" => Language::Unknown,
            // A directory that starts with `/` says that this is not Windows.
            _ => match self.field(Field::Cwd).map(Json::text) {
                Some(cwd) if cwd.starts_with("\"/") => Language::Posix,
                // Copilot calls its `powershell` tool `Bash` in PascalCase payloads.
                Some(_) if traits.renames_power_shell && self.dialect == Dialect::Timed => {
                    Language::PowerShell
                }
                _ => Language::Unknown,
            },
        }
    }

    /// Whether the input hides the command that the tool must have.
    pub(crate) fn hides_its_command(&self) -> bool {
        if self.plain_line().is_some() {
            return false;
        }
        let lines = self.lines();
        // Claude's `Monitor` may watch a web socket instead of running a command.
        let socket = self.input().is_some_and(|input| input.get("ws").is_some());
        lines.bad || (self.runs_commands() && lines.found.is_empty() && !socket)
    }
}

/// Whether a key of the input itself means a command.
fn has_command(input: Json<'_>) -> bool {
    input.members().any(|(key, _)| keys::meaning(&key).is(Meaning::COMMAND))
}

/// The command-like members of a tool's input.
///
/// [`crate::parse`] notes them while it reads past the input, which spares reading that twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Level<'e> {
    key: Cow<'e, str>,
    line: Option<Json<'e>>,
    /// Whether there is more than one command as one text.
    odd: bool,
}

impl<'e> Level<'e> {
    /// Keeps a member; of duplicates the last.
    pub(crate) fn note(&mut self, key: Cow<'e, str>, value: Json<'e>) {
        // Something may be inside, which the search by keys finds.
        if matches!(value.kind(), JsonType::Object | JsonType::Array) {
            self.odd = true;
            return;
        }
        let meaning = if key == "command" { Meaning::COMMAND } else { keys::meaning(&key) };
        if meaning.is(Meaning::COMMAND) {
            // Of one key twice the last counts, as in the host; of two keys no one knows which.
            self.odd |= self.line.is_some() && self.key != key;
            (self.key, self.line) = (key, Some(value));
        } else {
            self.odd |= meaning.is(ODD);
        }
    }

    fn plain(&self) -> Option<Json<'e>> {
        let line = self.line.filter(|line| !self.odd && line.kind() == JsonType::String)?;
        // What looks like JSON may be the command in another coat.
        let text = line.text().trim_start_matches(['"', ' ']);
        (!text.starts_with(['{', '[', '\\'])).then_some(line)
    }
}

/// Keys that say more about a command than its text.
const ODD: Meaning = Meaning::FOLDER.and(Meaning::MAYBE_FOLDER).and(Meaning::PROGRAM).and(Meaning::CODE);

/// What holds for everything inside an object.
#[derive(Debug, Clone, Default)]
struct Around<'e> {
    folders: Vec<Folder<'e>>,
    /// Whether all of it stands under a key that means a command.
    command: bool,
}

/// Looks for what a call would run, by the meaning of its keys.
struct Search<'e> {
    lines: Lines<'e>,
    language: Language,
    kind: ToolKind,
    /// Whether the call types into a shell.
    typed: bool,
    /// Whether the whole payload is looked through.
    unfamiliar: bool,
    /// Whether strings under unknown keys count.
    loose: bool,
    /// The language of code where nothing says otherwise, by the tool's name.
    code: Option<&'static str>,
}

/// Objects and arrays inside one another that are followed.
const DEEPEST: usize = 120;

impl<'e> Search<'e> {
    fn object(&mut self, object: Json<'e>, around: &Around<'e>, depth: usize) {
        // Deeper than any tool nests: the call is then judged as one that cannot be read.
        if depth > DEEPEST {
            self.lines.bad = true;
            return;
        }
        let members: Vec<_> = object.members().map(|(key, value)| (keys::guess(&key), key, value)).collect();
        let text = |any: Meaning| {
            members.iter().any(|(meaning, _, value)| meaning.is(any) && value.kind() == JsonType::String)
        };
        // A folder that is named here is that of the commands in this object and below it.
        let mut here = around.clone();
        let named = self.folders(&members);
        if !named.is_empty() {
            here.folders = named;
        }
        let runs = text(Meaning::COMMAND.and(Meaning::PROGRAM));
        // Of duplicates the last, as in the hosts' own parsers.
        let arguments = members.iter().rev().find(|(meaning, ..)| meaning.is(Meaning::ARGUMENTS));
        let arguments = arguments.map(|(.., value)| *value).filter(|_| runs);
        let language = members.iter().find(|(_, key, _)| {
            matches!(&*keys::letters(key), "language" | "lang" | "kernel" | "runtime" | "languageid")
        });
        let language = language.and_then(|(.., value)| value.as_str()).or(self.code.map(Cow::Borrowed));
        // `{path, content}` writes a file with code in it, and runs nothing.
        let is_file = text(Meaning::PATH);
        for (meaning, key, value) in &members {
            if meaning.is(Meaning::COMMAND) {
                self.command(*meaning, *value, arguments, &here, depth);
            } else if meaning.is(Meaning::PROGRAM) && value.kind() == JsonType::String {
                self.line(value.as_str().unwrap_or_default(), arguments, &here);
            } else if meaning.is(Meaning::ARGUMENTS) && value.kind() != JsonType::Object {
                // A string under `args` of a known tool is words for that tool, a list may be a program with
                // its arguments.
                let alone = value.kind() == JsonType::Array || self.unfamiliar || self.loose;
                if !runs && alone {
                    self.command(Meaning::COMMAND, *value, None, &here, depth);
                }
            } else if meaning.is(Meaning::TYPED) && self.typed && value.kind() == JsonType::String {
                self.line(value.as_str().unwrap_or_default(), None, &here);
            } else if meaning.is(Meaning::CODE) && !is_file && value.kind() != JsonType::Object {
                self.code(*value, language.as_deref(), &here);
            } else {
                // A key with a meaning of its own, such as a folder, ends what stands above it.
                let inside = Around { command: around.command && *meaning == Meaning::NONE, ..here.clone() };
                let typed = self.typed && meaning.is(Meaning::WHOLE) || self.loose && !is_said(*meaning, key);
                self.other(*value, &inside, typed, depth);
            }
        }
    }

    /// The directories that an object names.
    fn folders(&self, members: &[(Meaning, Cow<'e, str>, Json<'e>)]) -> Vec<Folder<'e>> {
        let any = Meaning::FOLDER.and(Meaning::MAYBE_FOLDER);
        let named = members.iter().filter(|(meaning, ..)| meaning.is(any));
        let folder = |(meaning, key, value): &(Meaning, Cow<'e, str>, Json<'e>)| {
            let path = value.as_str().filter(|path| !path.is_empty())?;
            let path = uri::file_path(&path).map_or(path, Cow::Owned);
            // Which of a host's tools go there is known (Gemini CLI 0.61.0); another server's says so by the key.
            let sure =
                meaning.is(Meaning::FOLDER) && (!self.is_hosts_own() || keys::letters(key) == "dirpath");
            Some(Folder { path, sure })
        };
        named.filter_map(folder).collect()
    }

    /// A value under a key that means a command.
    fn command(
        &mut self,
        meaning: Meaning,
        value: Json<'e>,
        arguments: Option<Json<'e>>,
        here: &Around<'e>,
        depth: usize,
    ) {
        let strict = meaning.is(Meaning::TEXT_ONLY);
        let before = self.lines.found.len();
        match value.kind() {
            JsonType::String => {
                let text = value.as_str().unwrap_or_default();
                // Deeper than it could be expanded.
                self.lines.bad |= strict && expand::inside(&text).is_some();
                // Under `command`, `bash` is what runs; under `shell` it only says which one.
                if strict || !names_a_shell(&text) {
                    self.line(text, arguments, here);
                }
            }
            JsonType::Array => {
                self.list(value, here, depth);
                self.lines.bad |= strict
                    && value.elements().any(|element| {
                        !matches!(element.kind(), JsonType::String | JsonType::Object | JsonType::Array)
                    });
            }
            JsonType::Object => {
                self.object(value, &Around { command: true, ..here.clone() }, depth + 1);
            }
            JsonType::Null => return,
            JsonType::Bool | JsonType::Number => {}
        }
        let none = self.lines.found.len() == before && value.kind() != JsonType::String;
        self.lines.bad |= strict && none && !self.knows_verbs();
    }

    /// Whether the tool is a host's own, which goes to another directory by `dir_path` only.
    fn is_hosts_own(&self) -> bool {
        !self.unfamiliar && (self.kind.takes_commands() || self.kind == ToolKind::Task)
    }

    /// Whether `command` is an editor's verb, or a patch.
    fn knows_verbs(&self) -> bool {
        matches!(self.kind, ToolKind::Memory | ToolKind::Edit | ToolKind::Patch) && !self.unfamiliar
    }

    /// A list of arguments, or of commands: no one can tell, so both are looked at.
    fn list(&mut self, list: Json<'e>, here: &Around<'e>, depth: usize) {
        let texts: Vec<Cow<'e, str>> = list.elements().filter_map(Json::as_str).collect();
        let program = texts.first().is_some_and(|first| is_program(first));
        let option = texts.iter().any(|text| text.starts_with('-'));
        // One word alone is a command line, which the loop below takes.
        if program && texts.len() > 1 {
            let mut line = String::new();
            for word in &texts {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(&quote(word));
            }
            self.line(Cow::Owned(line), None, here);
        }
        // A list of commands has no options.
        if !(program && option) {
            for text in texts {
                self.line(text, None, here);
            }
        }
        for element in list.elements() {
            match element.kind() {
                JsonType::Array => self.command(Meaning::COMMAND, element, None, here, depth + 1),
                JsonType::Object => {
                    self.object(element, &Around { command: true, ..here.clone() }, depth + 1);
                }
                _ => {}
            }
        }
    }

    /// A value under any other key; `typed` says that a string there counts.
    fn other(&mut self, value: Json<'e>, here: &Around<'e>, typed: bool, depth: usize) {
        if depth > DEEPEST {
            self.lines.bad = true;
            return;
        }
        match value.kind() {
            JsonType::Object => self.object(value, here, depth + 1),
            JsonType::Array => {
                value.elements().for_each(|element| self.other(element, here, typed, depth + 1));
            }
            JsonType::String if here.command || typed => {
                self.line(value.as_str().unwrap_or_default(), None, here);
            }
            _ => {}
        }
    }

    /// Code, as the command that would run it; where no one says in which language, in each that it may be.
    fn code(&mut self, value: Json<'e>, language: Option<&str>, here: &Around<'e>) {
        let mut code = value.as_str().unwrap_or_default().into_owned();
        // Notebooks write a cell as a list of its lines.
        for line in value.elements().filter_map(Json::as_str) {
            code.push_str(&line);
            code.push('\n');
        }
        let language = language.map(|language| keys::letters(language).into_owned());
        let run: &[&str] = match language.as_deref() {
            Some("bash" | "sh" | "shell" | "zsh" | "powershell" | "cmd" | "shellscript" | "fish") => &[""],
            Some(name) if name.starts_with("py") || name.starts_with("ipy") => &["python3 -c "],
            Some(name)
                if name.contains("script")
                    || name.starts_with("node")
                    || matches!(name, "js" | "ts" | "deno" | "bun") =>
            {
                &["node -e "]
            }
            Some("ruby" | "rb") => &["ruby -e "],
            Some("perl") => &["perl -e "],
            Some("php") => &["php -r "],
            // One of these is harmless where another is not, so each is judged.
            None => &["python3 -c ", "node -e ", ""],
            Some(_) => &[""],
        };
        for with in run {
            if !with.is_empty() {
                let mut line = (*with).to_owned();
                line.push_str(&quote(&code));
                self.line(Cow::Owned(line), None, here);
            } else if language.is_some() || reads_as_a_command(&code) {
                self.line(Cow::Owned(code.clone()), None, here);
            }
        }
        // Notebooks run `!command` and `%%bash` cells in a shell.
        let cell = code.trim_start().strip_prefix("%%").and_then(|cell| cell.split_once('\n'));
        if let Some((magic, body)) = cell
            && matches!(magic.split_whitespace().next(), Some("bash" | "sh" | "script" | "cmd" | "!"))
        {
            self.line(Cow::Owned(body.to_owned()), None, here);
        }
        for line in
            code.lines().filter_map(|line| line.trim_start().trim_start_matches("%sx ").strip_prefix('!'))
        {
            self.line(Cow::Owned(line.trim_start_matches('!').to_owned()), None, here);
        }
    }

    /// Keeps a command line, with the arguments of a task after it.
    fn line(&mut self, mut line: Cow<'e, str>, arguments: Option<Json<'e>>, here: &Around<'e>) {
        let verb = line.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        // The verb of an editor's tool that only looks.
        let looks = self.kind == ToolKind::Read && line == "view";
        if line.trim().is_empty() || crate::patch::is_patch(&line) || (self.knows_verbs() && verb) || looks {
            return;
        }
        if self.typed && line.contains("{enter}") {
            line = Cow::Owned(line.replace("{enter}", "\n"));
        }
        if let Some(arguments) = arguments {
            // A string may hold several arguments, quoted by rules we do not know.
            if let Some(text) = arguments.as_str() {
                line.to_mut().push(' ');
                line.to_mut().push_str(&text);
            }
            for argument in arguments.elements() {
                let line = line.to_mut();
                line.push(' ');
                // A number is an argument as well.
                line.push_str(&quote(&argument.as_str().unwrap_or(Cow::Borrowed(argument.text()))));
            }
        }
        let command = ShellCommand { text: line, language: self.language };
        // The same command under two keys is one command.
        if !self.lines.found.iter().any(|(known, folders)| *known == command && *folders == here.folders) {
            self.lines.found.push((command, here.folders.clone()));
        }
    }
}

/// Whether a key is about a call, and not what it runs.
fn is_said(meaning: Meaning, key: &str) -> bool {
    let about = Meaning::WORDS.and(Meaning::FOLDER).and(Meaning::MAYBE_FOLDER);
    meaning.is(about) && !meaning.is(Meaning::WHOLE)
        || matches!(&*keys::letters(key), "shellid" | "sessionid" | "mode" | "ws" | "type" | "terminalid")
}

/// Whether a string can be the name of a program, the first word of a list of arguments.
fn is_program(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '~' | '_'))
        && !text.contains(char::is_whitespace)
}

/// Whether a string only says which shell is meant.
fn names_a_shell(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "pwsh" | "powershell" | "cmd")
        && !text.contains(char::is_whitespace)
}

/// Whether code of an unknown language begins as a command line does: two words, the first of which is not one of a
/// programming language.
fn reads_as_a_command(code: &str) -> bool {
    let line = code.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    let Some((first, rest)) = line.and_then(|line| line.split_once(' ')) else { return false };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./~".contains(c);
    let programs = [
        "import",
        "from",
        "def",
        "class",
        "for",
        "if",
        "while",
        "with",
        "try",
        "const",
        "let",
        "var",
        "function",
        "async",
        "await",
        "return",
        "print",
        "export",
        "use",
        "assert",
        "del",
        "raise",
        "global",
        "lambda",
        "throw",
        "switch",
        "new",
        "type",
        "interface",
        "enum",
        "package",
        "func",
        "fn",
        "pub",
        "mod",
        "using",
        "namespace",
        "select",
        "insert",
        "update",
        "delete",
        "create",
        "drop",
        "alter",
        "public",
        "private",
        "static",
        "struct",
    ];
    first.chars().all(plain)
        && !programs.contains(&first.to_ascii_lowercase().as_str())
        // `x = 1`, `f (y)`, `a + b`
        && !rest.trim_start().starts_with(['=', '(', '+', ':', '.', '?'])
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
            // Arguments, or commands: both readings.
            ("mcp__term__many", r#"{"commands":["a","b c"]}"#, &["a 'b c'", "a", "b c"]),
            ("mcp__term__many", r#"{"commands":["a b","c"]}"#, &["a b", "c"]),
            ("mcp__term__run", r#"{"argv":["rm","-rf","/"]}"#, &["rm -rf /"]),
            ("mcp__term__run", r#"{"program":"rm","args":["-rf","/"]}"#, &["rm -rf /"]),
            ("mcp__term__run", r#"{"executable":"/bin/rm","Arguments":"-rf /"}"#, &["/bin/rm -rf /"]),
            ("mcp__term__run", r#"{"CommandLine":"ls"}"#, &["ls"]),
            ("mcp__term__run", r#"{"cmdline":"ls","shell":"/bin/bash"}"#, &["ls"]),
            ("mcp__term__run", r#"{"a":{"b":{"shell_command":"ls"}}}"#, &["ls"]),
            ("mcp__term__run", r#"{"steps":[{"command":"a"},{"run":"b"}]}"#, &["a", "b"]),
            ("mcp__term__run", r#"{"steps":"[{\"command\":\"a\"}]"}"#, &["a"]),
            ("mcp__term__run", r#"{"command":"[\"rm\",\"-rf\",\"/\"]"}"#, &["rm -rf /"]),
            ("mcp__iterm__write_to_terminal", r#"{"text":"ls\n"}"#, &["ls\n"]),
            ("mcp__ide__executeCode", r#"{"code":"print(1)"}"#, &["python3 -c 'print(1)'"]),
            (
                "mcp__ide__executeCode",
                r#"{"code":"x = 1\n!ls -l\n"}"#,
                &["python3 -c 'x = 1\n!ls -l\n'", "ls -l"],
            ),
            ("mcp__run__code", r#"{"language":"javascript","code":"f()"}"#, &["node -e 'f()'"]),
            ("mcp__run__code", r#"{"language":"bash","code":"ls"}"#, &["ls"]),
            ("mcp__run__code", r#"{"code":"rm x"}"#, &["python3 -c 'rm x'", "node -e 'rm x'", "rm x"]),
            ("mcp__fs__create", r#"{"path":"a.py","code":"print(1)"}"#, &[]),
            ("mcp__fs__write", r#"{"path":"a.json","content":"{\"command\":\"x\"}"}"#, &[]),
            ("mcp__chat__send", r#"{"message":"rm -rf /","text":"rm -rf /","query":"rm -rf /"}"#, &[]),
            ("Skill", r#"{"skill":"review","args":"rm -rf / ; please"}"#, &[]),
            ("run_vscode_command", r#"{"commandId":"a.b","name":"c","args":[]}"#, &[]),
            ("Bash", r#"{"command":["rm -rf /"]}"#, &["rm -rf /"]),
            ("Bash", r#"{"command":"\"rm -rf /\""}"#, &["rm -rf /"]),
            ("Bash", r#"{"command":{"command":"ls"}}"#, &["ls"]),
            ("Bash", r#"{"commandx":"ls","description":"d","timeout":5}"#, &["ls"]),
            ("Bash", r#"{"foo":"ls","description":"d"}"#, &["ls"]),
            ("Bash", r#"{"params":{"command":"ls"}}"#, &["ls"]),
            ("run_in_terminal", r#"{"command":"ls","explanation":"rm -rf /"}"#, &["ls"]),
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
            ("Bash", r#"{"command":{"a":7}}"#, true),
            ("Bash", r#"{"description":"ls"}"#, true),
            ("Write", r#"{"content":"x"}"#, true),
            ("Edit", r#"{"old_string":"x","new_string":"y"}"#, true),
            ("apply_patch", r#"{"input":"no patch"}"#, true),
            ("mcp__t__run", r#"{"verbose":true,"exec":false,"count":3}"#, false),
            ("Bash", r#"{"command":["ls",1]}"#, true),
            ("Bash", r#"{"command":[]}"#, true),
            ("mcp__t__run", r#"{"command":["ls",1]}"#, true),
            ("write_bash", r#"{"input":7}"#, true),
            ("create_and_run_task", r#"{"task":{"command":7}}"#, true),
            ("mcp__t__run", "true", true),
            ("send_to_terminal", r#"{"id":7}"#, true),
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
    fn the_shell_follows_from_tool_host_and_directory() {
        let copilot = |tool: &str, cwd: &str| {
            format!(
                r#"{{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"{cwd}","tool_name":"{tool}","tool_input":{{"command":"a"}}}}"#
            )
        };
        for (text, language) in [
            (payload("Bash", r#"{"command":"a"}"#), Language::Posix),
            (payload("PowerShell", r#"{"command":"a"}"#), Language::PowerShell),
            (payload("anything", r#"{"command":"a"}"#), Language::Unknown),
            (copilot("Bash", "/home/u"), Language::Posix),
            (copilot("Bash", r"C:\\u"), Language::PowerShell),
        ] {
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!(event.commands()[0].language, language, "{text}");
        }
    }
}
