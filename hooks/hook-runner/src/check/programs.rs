//! What a hook starts: whether it is there, may be executed, is safe from others, and is written safely.

use std::path::{Path, PathBuf};

use host::event::closest;
use host::failing::Failing;
use host::installed::PROGRAMS;
use host::{Action, Code, Hook, Problem, Product};
use payload::{EventKind, Host};

use super::files::writable_by_others;
use super::words::{self, Word, is_project, words};
use crate::project::Project;

/// Words of a shell that start no program.
const BUILTINS: &[&str] = &[
    "!", ".", ":", "[", "[[", "alias", "bg", "case", "cd", "command", "declare", "echo", "eval", "exec",
    "exit", "export", "false", "for", "function", "if", "local", "printf", "read", "return", "set", "shift",
    "source", "test", "time", "trap", "true", "type", "ulimit", "umask", "unset", "until", "wait", "while",
    "{",
];

/// Programs that run the script which is their first operand.
const INTERPRETERS: &[&str] = &[
    "bash", "sh", "zsh", "dash", "python", "python3", "node", "ruby", "perl", "deno", "bun", "pwsh",
    "source", ".",
];

/// Variables that people think a host sets.
const NEVER_SET: &[&str] = &[
    "TOOL_INPUT",
    "TOOL_INPUT_FILE_PATH",
    "TOOL_NAME",
    "TOOL_OUTPUT",
    "CLAUDE_TOOL_INPUT",
    "CLAUDE_TOOL_NAME",
    "CLAUDE_FILE_PATHS",
    "CLAUDE_TOOL_OUTPUT",
    "COPILOT_TOOL_INPUT",
    "COPILOT_TOOL_NAME",
    "HOOK_INPUT",
    "HOOK_EVENT_NAME",
];

/// What is wrong with what a hook starts.
pub(super) fn check(product: Product, hook: &Hook, project: &Project, text: &str) -> Vec<Problem> {
    let mut check = Check { product, hook, project, text, problems: Vec::new() };
    match &hook.action {
        Action::Shell(command) | Action::NamedShell(_, command) => check.shell(command),
        Action::Program(program, _) => check.program(program),
        Action::Elsewhere(_) | Action::Unstartable(_) => {}
    }
    // These look at the entry as a whole, whatever it starts.
    check.decides_nothing();
    check.limit();
    check.failure();
    check.power_shell();
    check.problems
}

struct Check<'a> {
    product: Product,
    hook: &'a Hook,
    project: &'a Project,
    text: &'a str,
    problems: Vec<Problem>,
}

impl Check<'_> {
    /// The entry's value of a key, or else the whole entry.
    fn span(&self, value: &str) -> std::ops::Range<usize> {
        let entry = self.hook.origin.span.clone();
        let written = serde_json::Value::from(value).to_string();
        match self.text[entry.clone()].find(&written) {
            Some(at) => entry.start + at..entry.start + at + written.len(),
            // A value that is written with other escapes is not found: the whole entry is shown then.
            None => entry,
        }
    }

    fn add(&mut self, code: Code, value: &str, message: String, help: &str) {
        let span = self.span(value);
        self.problems.push(Problem::new(code, self.product, span, message, help));
    }

    /// Where the hook runs.
    fn folder(&self) -> PathBuf {
        let root = self.project.root.clone();
        self.hook.folder.as_ref().map_or(root.clone(), |folder| root.join(folder))
    }

    fn shell(&mut self, command: &str) {
        let beside = self.hook.origin.file.parent().unwrap_or(Path::new("/")).to_owned();
        let (words, variables) = words(command, &self.project.root, &beside);
        for variable in &variables {
            let name = variable.name.as_str();
            if NEVER_SET.contains(&name) && !variable.literal {
                let message = format!("No host sets `${name}`: hooks get the event as JSON on stdin.");
                self.add(Code::EnvNeverSet, command, message, "Read stdin, for example with `jq`.");
            }
            // Variables that hold a folder, which may have a space in it.
            let path = is_project(name) || matches!(name, "COPILOT_HOOK_DIR" | "HOME");
            if path && !variable.quoted && !variable.literal {
                let message = format!(
                    "`${name}` without quotes: a folder with a space in its name breaks this command."
                );
                self.add(
                    Code::QuotingUnsafe,
                    command,
                    message,
                    &format!("Write \"${name}\" in double quotes."),
                );
            }
        }
        // `NAME=value program`: the program comes after them.
        let mut words = words.iter().skip_while(|word| is_assignment(word));
        let Some(Word { text: Some(first) }) = words.next() else { return };
        // What a shell does itself needs no program on the PATH.
        // `source` and `.` run a script, which has to be there.
        if BUILTINS.contains(&first.as_str()) && !INTERPRETERS.contains(&first.as_str()) {
            return;
        }
        // A word of the shell that runs a script needs no file of its own name.
        if !BUILTINS.contains(&first.as_str()) {
            self.started(first, command);
        }
        let name = Path::new(first).file_name().unwrap_or_default().to_string_lossy().into_owned();
        if PROGRAMS.contains(&name.as_str()) {
            self.arguments(&name, words, command);
        } else if INTERPRETERS.contains(&name.as_str()) {
            self.script(words, command);
        }
    }

    /// The script that an interpreter runs: its first word, when that is not an option.
    ///
    /// `-c 'text'` and `-m module` are not files; of other options no one knows which take a value.
    fn script<'w>(&mut self, mut words: impl Iterator<Item = &'w Word>, command: &str) {
        let Some(Word { text: Some(text) }) = words.next() else { return };
        if text.starts_with('-') {
            return;
        }
        let path = self.folder().join(text);
        if path.exists() {
            return self.writable(&path, command);
        }
        let message = format!("The script `{text}` does not exist.");
        self.missing(Code::ProgramMissing, command, message, "Fix the path, or add the script.");
    }

    fn program(&mut self, program: &str) {
        self.started(program, program);
    }

    /// A program that is started by its name or path.
    fn started(&mut self, name: &str, value: &str) {
        let path = if name.contains('/') {
            let path = match name.strip_prefix("~/") {
                // The shell expands it.
                Some(rest) => self.project.folders.home.join(rest),
                None => self.folder().join(name),
            };
            if !path.exists() {
                let message = format!("`{name}` does not exist.");
                return self.missing(Code::ProgramMissing, value, message, "Install it, or fix the path.");
            }
            if !host::installed::is_executable(&path) {
                let message = format!("`{name}` is not executable.");
                return self.missing(Code::ProgramNotExecutable, value, message, "chmod +x it.");
            }
            path
        } else {
            let Some(path) = host::installed::on_path(name) else {
                let message = format!("`{name}` is not on the PATH.");
                let meant = closest(name, PROGRAMS.iter().copied()).filter(|meant| *meant != name);
                let help = meant.map_or_else(
                    || "Install it, or give its full path.".to_owned(),
                    |meant| format!("Did you mean `{meant}`?"),
                );
                return self.missing(Code::ProgramMissing, value, message, &help);
            };
            path
        };
        self.writable(&path, value);
    }

    fn writable(&mut self, path: &Path, value: &str) {
        if writable_by_others(path) {
            let message =
                format!("Every user of this machine can change `{}`, which the agent runs.", path.display());
            self.add(Code::ProgramWritable, value, message, "Use chmod o-w on it, and on its folder.");
        }
    }

    /// Something that cannot be started; what then becomes of the calls is reported once for all hosts.
    fn missing(&mut self, code: Code, value: &str, message: String, help: &str) {
        self.add(code, value, message, help);
        let row = self.product.when(Failing::Missing).filter(|_| self.hook.kind.is_before_tool());
        if let Some(problem) = self.problems.last_mut() {
            problem.fate = row.map(|row| row.fate(self.hook.blocks_on_failure));
        }
    }

    /// The options of one of our programs.
    fn arguments<'w>(&mut self, program: &str, mut words: impl Iterator<Item = &'w Word>, command: &str) {
        while let Some(Word { text: Some(text) }) = words.next() {
            // Both spellings are the same argument.
            let (flag, value) = match text.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (text.as_str(), None),
            };
            if !matches!(flag, "--host" | "--event" | "--mode" | "--deadline-ms") {
                continue;
            }
            // What stands in a variable is only known when the hook runs.
            let Some(value) = value.or_else(|| words.next()?.text.as_deref()) else { return };
            if let Some((message, help)) = self.wrong_value(program, flag, value) {
                self.add(Code::ProgramArguments, command, message, &help);
            }
        }
    }

    /// What is wrong with the value of an option, and what to do.
    fn wrong_value(&self, program: &str, flag: &str, value: &str) -> Option<(String, String)> {
        let refused = |meant: Option<&str>, or: &str| {
            let message = format!(
                "`{program}` does not know `{flag} {value}`: it exits with 2 at once, which blocks every call."
            );
            let help = meant.map_or_else(|| or.to_owned(), |meant| format!("Did you mean `{meant}`?"));
            Some((message, help))
        };
        match flag {
            "--host" => match value.parse::<Host>() {
                Err(error) => refused(closest(value, Host::NAMED.map(Host::as_str)), error.hint()),
                // VS Code and Copilot read the same files.
                Ok(host)
                    if host != self.product.host && !(is_shared(host) && is_shared(self.product.host)) =>
                {
                    let message = format!(
                        "`--host {host}` in a file of {}: it does not read such answers.",
                        self.product.title
                    );
                    Some((message, "Omit `--host`: the payload is recognised.".to_owned()))
                }
                Ok(_) => None,
            },
            "--event" => match value.parse::<EventKind>() {
                Err(error) => {
                    let names = EventKind::NAMED.iter().map(|kind| kind.as_str());
                    refused(closest(value, names), error.hint())
                }
                // The program would read the payload as another event's and answer in that one's form.
                Ok(kind) if kind != self.hook.kind => {
                    let message = format!(
                        "`--event {value}` under `{}`: `{program}` mistakes the event for another.",
                        self.hook.key
                    );
                    Some((message, format!("Write `--event {}`, or omit it.", self.hook.key)))
                }
                Ok(_) => None,
            },
            "--mode" if !matches!(value, "enforce" | "observe") => {
                refused(closest(value, ["enforce", "observe"]), "Use enforce or observe.")
            }
            "--deadline-ms" if value.parse::<u32>().is_ok_and(|number| number > 0) => None,
            "--deadline-ms" => refused(None, "Write a whole number of milliseconds."),
            _ => None,
        }
    }

    /// A guard where no one listens to it. [run] Copilot CLI 1.0.102 called an MCP server's tool whatever the answer and the
    /// exit code were.
    fn decides_nothing(&mut self) {
        let call = host::installed::command::call(&self.hook.action.describe());
        // A logger decides nothing anywhere.
        let watches = call.is_some_and(|call| call.program == "audit-logger");
        if self.hook.kind == EventKind::PreMcpToolCall && !watches {
            let message = format!(
                "{} reads no decision for `{}`: this hook cannot stop a call.",
                self.product.title, self.hook.key
            );
            let help = "Put a guard on `preToolUse`, which is called for the tools of MCP servers, too.";
            let span = self.hook.origin.span.clone();
            self.problems.push(Problem::new(Code::EventDecidesNothing, self.product, span, message, help));
        }
    }

    fn limit(&mut self) {
        let seconds = self.hook.limit.as_secs();
        let default = self.product.default_limit(self.hook.kind);
        if self.hook.kind.is_before_tool() && seconds > 120 && self.hook.limit != default {
            let message =
                format!("The user waits up to {seconds} seconds for this hook, and the call then runs.");
            let span = self.hook.origin.span.clone();
            self.problems.push(Problem::new(
                Code::TimeoutLong,
                self.product,
                span,
                message,
                "A few seconds are enough.",
            ));
        }
    }

    fn failure(&mut self) {
        let guards = self.hook.kind == EventKind::PreToolUse
            && matches!(self.hook.action, Action::Shell(_) | Action::Program(..));
        if self.product == Product::CLAUDE && guards && !self.hook.blocks_on_failure {
            let message = "When this hook fails or is late, Claude Code lets the call through.";
            let span = self.hook.origin.span.clone();
            let help = "Add \"onFailure\": \"block\" if it is a guard (Claude Code 2.1.295 or newer).";
            self.problems.push(Problem::new(Code::OnFailure, self.product, span, message, help));
        }
    }

    /// The Windows form of a hook that decides by its exit code.
    fn power_shell(&mut self) {
        if self.product != Product::VS_CODE || !self.hook.kind.is_before_tool() {
            return;
        }
        let entry = self.hook.origin.span.clone();
        let Some(at) = self.text[entry.clone()].find("\"powershell\"").map(|at| entry.start + at) else {
            return;
        };
        let line = self.text[at..entry.end].lines().next().unwrap_or_default();
        if !line.contains("LASTEXITCODE") {
            let message =
                "Windows PowerShell turns every exit code but 0 into 1, which VS Code treats as a warning.";
            let help = "End the command with `; exit $LASTEXITCODE`, or answer with JSON only.";
            let span = at..at + "\"powershell\"".len();
            self.problems.push(Problem::new(Code::PowerShellExit, self.product, span, message, help));
        }
    }
}

/// Whether a host reads files that the other one reads, too.
fn is_shared(host: Host) -> bool {
    matches!(host, Host::VsCode | Host::Copilot)
}

/// Whether a word only sets a variable for the command after it.
fn is_assignment(word: &words::Word) -> bool {
    word.text.as_ref().is_some_and(|text| {
        text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    })
}
