//! Programs and command lines that code starts.

use std::rc::Rc;

use shell_engine::{Arg, Call, How, Io, NoteKind, Script, Stage, Via, mark};

use super::Language;
use super::files::is_true;
use super::follow::Follower;
use super::languages::Effect;
use super::value::{Arguments, Text, Value};

impl Follower<'_> {
    /// Runs a program, or a command line.
    pub(super) fn run_command(&mut self, effect: Effect, inputs: &[Value], arguments: &Arguments) -> Value {
        self.hand_to_program(inputs, arguments);
        if effect != Effect::Replace && self.scope.file.is_some() && self.starts_itself(&words_of(inputs)) {
            self.note(NoteKind::ForkBomb);
            return Value::unknown();
        }
        let printed = self.run_in_folder(effect, inputs, arguments);
        match (printed, self.printed_of_private(inputs)) {
            (Value::Text(text), from @ Some(_)) => Value::Text(Text { from, ..text }),
            (printed, _) => printed,
        }
    }

    /// The same, where it says in which folder.
    fn run_in_folder(&mut self, effect: Effect, inputs: &[Value], arguments: &Arguments) -> Value {
        let options = || inputs.iter().rev().find_map(|value| value.get("cwd").cloned());
        let folder = arguments.option("cwd").cloned().or_else(options);
        // Of a temporary folder only the last name is not known.
        let is_fresh = |text: &String| {
            let mut marks = text.chars().filter(|c| mark::is_mark(*c)).peekable();
            text.starts_with('/') && marks.peek().is_some() && marks.all(|c| c == mark::TOKEN)
        };
        let folder =
            folder.and_then(|folder| folder.known().or_else(|| Some(folder.text()).filter(is_fresh)));
        let Some(folder) = folder.filter(|folder| self.runner.has_disk() || mark::any(folder)) else {
            return self.run_here(effect, inputs, arguments);
        };
        // `subprocess.run("sh b.sh", cwd="sub")`: only this program runs there.
        let mut inner = self.scope.clone();
        inner.change_folder(&folder);
        std::mem::swap(self.scope, &mut inner);
        let result = self.run_here(effect, inputs, arguments);
        std::mem::swap(self.scope, &mut inner);
        result
    }

    fn run_here(&mut self, effect: Effect, inputs: &[Value], arguments: &Arguments) -> Value {
        if let Some(each) = lines_of_shell(inputs) {
            let mut result = Value::unknown();
            for one in each {
                if !self.step(16) {
                    break;
                }
                result = self.run_here(effect, &one, arguments);
            }
            return result;
        }
        // One of several lists of words, or of several programs: each of them.
        if let [Value::Any(lists), rest @ ..] = inputs
            && (lists.iter().any(|list| matches!(list, Value::List(_)))
                || matches!(effect, Effect::Program | Effect::Split) && !rest.is_empty())
        {
            let mut result = Value::unknown();
            for list in lists {
                let one: Vec<Value> = std::iter::once(list).chain(rest).cloned().collect();
                result = self.run_here(effect, &one, arguments);
            }
            return result;
        }
        let named = || ["cmd", "command", "args"].iter().find_map(|name| arguments.option(name));
        let Some(first) = inputs.first().or_else(named) else {
            // `new ProcessBuilder().command("rm", "x")`
            // The command comes with a later call in the chain; the path keeps what it will be.
            let waits = self.language == Language::Jvm && effect == Effect::Program;
            return if waits { Value::Name("ProcessBuilder".to_owned()) } else { Value::unknown() };
        };
        let opened = arguments.option("stdin").filter(|value| value.source().is_some());
        let stdin = arguments.option("input").or(opened).map(Value::text);
        let first = match first {
            Value::Map(_) => match first.get("cmd").or_else(|| first.get("args")) {
                Some(command) => command.clone(),
                // Ruby's environment.
                None if effect == Effect::Either => first.clone(),
                // Options without a command.
                None => return Value::unknown(),
            },
            value => value.clone(),
        };
        if effect == Effect::Replace {
            return self.replaced(&first, inputs);
        }
        let shell = arguments.option("shell").is_some_and(is_true);
        let options = first.get("shell").is_some_and(is_true);
        match (&first, effect) {
            // Python's `run(["rm x"], shell=True)` is a line in brackets.
            (Value::List(words), Effect::Shell | Effect::Split) if shell && words.len() == 1 => {
                let line = words[0].clone();
                self.shell_with(&line, stdin.as_deref())
            }
            (Value::List(_), Effect::Shell | Effect::Split) => {
                let mut words = words_of(std::slice::from_ref(&first));
                // `pexpect.spawn("rm", ["-rf", x])`, Kotlin's and Scala's lists.
                if let Some(Value::List(_)) = inputs.get(1) {
                    words.extend(words_of(&inputs[1..2]));
                }
                // `Popen(["ls", "x"], executable="/bin/rm")`: the first word is only a name.
                if let (Some(file), Some(word)) =
                    (arguments.named("executable").and_then(Value::known), words.first_mut())
                {
                    word.text = file;
                }
                self.start(words, stdin.as_deref())
            }
            // R puts them together with blanks.
            (_, Effect::Program) if self.language == Language::R => {
                let rest = inputs.get(1..2).unwrap_or(&[]).iter().chain(arguments.named("args"));
                let words: Vec<Arg> = std::iter::once(&first)
                    .chain(rest)
                    .flat_map(|value| words_of(std::slice::from_ref(value)))
                    .collect();
                let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                self.shell_with(&Value::from(line), stdin.as_deref())
            }
            (_, Effect::Shell) => {
                let mut result = Value::unknown();
                // Each branch may have set another line, and each may be the one that runs.
                for choice in first.choices().to_vec() {
                    result = self.shell_with(&choice, stdin.as_deref());
                }
                // `io.popen("sh", "w")` is written to.
                // The mode of a pipe.
                match inputs.get(1).and_then(Value::known).as_deref() {
                    Some("w" | "wb") => Value::File(format!("|{}", first.text())),
                    _ => result,
                }
            }
            (_, Effect::Split) if shell || options => self.shell_with(&first, stdin.as_deref()),
            (_, Effect::Split) if matches!(inputs.get(1), Some(Value::List(_))) => {
                let words = words_of(&inputs[..2]);
                self.start(words, stdin.as_deref())
            }
            (_, Effect::Split) => {
                // Without a shell a line is the name of a program; `pty.spawn("/bin/sh")`, `"rm x".execute()`.
                self.shell_with(&first, stdin.as_deref())
            }
            (_, Effect::Either) => self.either(inputs, stdin.as_deref()),
            _ => self.with_arguments(
                &first,
                inputs.get(1..).unwrap_or_default(),
                (arguments, shell),
                stdin.as_deref(),
            ),
        }
    }

    /// Runs a program with arguments: words of their own, lists of them, or an option that has them. `shell` says that all of
    /// it is a line.
    fn with_arguments(
        &mut self,
        first: &Value,
        rest: &[Value],
        (arguments, shell): (&Arguments, bool),
        stdin: Option<&str>,
    ) -> Value {
        let mut words = words_of(std::slice::from_ref(first));
        // Before more words are added: only a text that stands alone can be meant as a line.
        let line = words.len() == 1 && words[0].text.contains(' ');
        for value in rest {
            match value {
                Value::List(_) | Value::Any(_) | Value::Text(_) | Value::Number(_) => {
                    words.extend(words_of(std::slice::from_ref(value)));
                }
                // Something that is not known here is still a word.
                Value::Name(_) if matches!(self.language, Language::Jvm | Language::Go | Language::Other) => {
                    words.push(Arg::from(mark::UNKNOWN.to_string()));
                }
                Value::Map(_) => {
                    if let Some(more) = value.get("args") {
                        words.extend(words_of(std::slice::from_ref(more)));
                    }
                }
                _ => {}
            }
        }
        if let Some(more) = arguments.named("args") {
            words.extend(words_of(std::slice::from_ref(more)));
        }
        // With `shell: true`, or as one text, it is a line: `execa("rm -rf x")` is not, but no one means that.
        if shell || line && words.len() == 1 {
            let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            return self.shell_with(&Value::from(line), stdin);
        }
        self.start(words, stdin)
    }

    /// Runs one program in place of another: `os.spawnlp(os.P_WAIT, "rm", "rm", …)`, Perl's
    /// `open3($in, $out, $err, "rm", …)`.
    fn replaced(&mut self, first: &Value, inputs: &[Value]) -> Value {
        let inputs = match inputs {
            // `os.P_WAIT`, or its number.
            [Value::Name(_) | Value::Number(_), rest @ ..] if self.language == Language::Python => rest,
            inputs => inputs,
        };
        let first = inputs.first().cloned().unwrap_or_else(|| first.clone());
        let rest = match inputs.get(1) {
            // The environment may come after the list.
            Some(Value::List(_)) => &inputs[1..2],
            _ => inputs.get(1..).unwrap_or(&[]),
        };
        let words = words_of(rest);
        let known = words.iter().position(|word| word.known().is_some());
        let words = match (self.language, known) {
            // The handles before the program have no known text.
            (Language::Perl, Some(at)) => words[at..].to_vec(),
            _ => words,
        };
        // `os.execl("/bin/sh", "sh", "-c", …)`: the file says which program it is.
        let mut words = words;
        if let (Some(file), Some(name)) = (first.known(), words.first_mut())
            && self.language != Language::Perl
        {
            // The name that the program receives (`argv[0]`) may be anything.
            name.text = file;
        }
        // Perl gives a single text to a shell.
        if let ([word], Language::Perl) = (words.as_slice(), self.language) {
            let line = Value::from(word.text.as_str());
            return self.shell_with(&line, None);
        }
        self.start(words, None)
    }

    /// One text is a line, more are a program with its arguments.
    fn either(&mut self, inputs: &[Value], stdin: Option<&str>) -> Value {
        // The first argument may be the environment.
        let inputs: Vec<Value> =
            inputs.iter().filter(|value| !matches!(value, Value::Map(_))).cloned().collect();
        let inputs = match inputs.as_slice() {
            [first, ..] => match first {
                // A hash of the environment, or something that is not a command.
                Value::Name(_) if inputs.len() > 1 => inputs[1..].to_vec(),
                _ => inputs,
            },
            [] => return Value::unknown(),
        };
        match inputs.as_slice() {
            [Value::List(_)] => {
                let words = words_of(&inputs);
                self.start(words, stdin)
            }
            [line] => {
                let mut result = Value::unknown();
                for choice in line.choices().to_vec() {
                    result = self.shell_with(&choice, stdin);
                }
                result
            }
            // `IO.popen("cmd", "r")`
            [line @ (Value::Text(_) | Value::Any(_)), Value::Text(mode)] if is_mode(&mode.text) => {
                let printed = self.shell_with(&line.clone(), None);
                if mode.text.contains(['w', '+']) {
                    return Value::File(format!("|{}", line.text()));
                }
                printed
            }
            // Ruby's `["rm", "rm"]` gives the program another name.
            [Value::List(pair), rest @ ..] if self.language == Language::Ruby && pair.len() == 2 => {
                let mut words = words_of(&pair[..1]);
                words.extend(words_of(rest));
                self.start(words, None)
            }
            all => {
                let words = words_of(all);
                self.start(words, stdin)
            }
        }
    }

    pub(super) fn call_of(&self, words: Vec<Arg>) -> Call {
        Call {
            args: Rc::new(words),
            assigns: Vec::new(),
            redirects: Vec::new(),
            io: Io { stdin: None, capture: true, ..Io::default() },
            stage: Stage::default(),
            span: self.scope.origin.unwrap_or_else(|| self.runner.span_of(self.index)),
            external: true,
        }
    }

    /// Starts a program. Gives back what it prints.
    pub(super) fn start(&mut self, words: Vec<Arg>, stdin: Option<&str>) -> Value {
        // A function that starts whatever it is given: what it is called with is looked at there.
        let passed = |word: &Arg| !word.text.is_empty() && word.text.chars().all(|c| c == mark::PASSED);
        if words.is_empty() || passed(&words[0]) {
            return Value::unknown();
        }
        let mut call = self.call_of(words);
        call.io.stdin = stdin.map(Rc::from);
        // A shell that waits for what is written to it: `Popen(["sh"]).communicate("rm x")`.
        let waits = stdin.is_none() && call.args.len() == 1 && shell_engine::is_shell(&call.args[0].text);
        let waiting = waits.then(|| format!("|{}", call.args[0].text));
        let printed =
            self.runner.start(&mut self.scope.clone(), Via { parent: self.index, how: How::Arguments }, call);
        match waiting {
            Some(pipe) => Value::File(pipe),
            None => Value::from(if printed.is_empty() { mark::UNKNOWN.to_string() } else { printed }),
        }
    }

    /// Runs a command line with a shell. Gives back what it prints.
    pub(super) fn shell_with(&mut self, line: &Value, stdin: Option<&str>) -> Value {
        let text = match line {
            Value::Text(text) => text.text.clone(),
            Value::Any(values) => {
                let values = values.clone();
                let results = values.iter().map(|value| self.shell_with(value, stdin)).collect();
                return Value::any(results);
            }
            Value::List(_) => {
                let words = words_of(std::slice::from_ref(line));
                return self.start(words, stdin);
            }
            // A line that comes from the other end of a connection.
            Value::Socket => mark::REMOTE.to_string(),
            _ => return Value::unknown(),
        };
        if text.trim().starts_with(mark::UNKNOWN) && self.connected.is_some() {
            self.note(NoteKind::RunsRemote);
        }
        // What a caller passes to a function that no one calls here.
        if text.trim().starts_with(mark::PASSED) || text.trim().starts_with(mark::TOKEN) {
            return Value::unknown();
        }
        // A shell that is written to: `Popen("bash", stdin=PIPE).communicate("rm x")`.
        if stdin.is_none() && self.language == Language::Python && shell_engine::is_shell(text.trim()) {
            return self.start(vec![Arg::from(text.trim())], None);
        }
        let io = Io { stdin: stdin.map(Rc::from), capture: true, ..Io::default() };
        let printed = self
            .runner
            .run_text(&mut self.scope.clone(), &Script::new(&text, Some((self.index, How::Text)), &io));
        Value::from(if printed.is_empty() { mark::UNKNOWN.to_string() } else { printed })
    }

    /// Starts a program with options and paths.
    pub(super) fn program(&mut self, name: &str, options: &[&str], paths: &[Value]) -> Value {
        let mut words = vec![Arg::from(name)];
        words.extend(options.iter().map(|&option| Arg::from(option)));
        words.extend(words_of(paths));
        self.start(words, None)
    }
}

/// The calls of a shell of which one is made, as one of its words has several values: `["sh", "-c", "rm -rf " + d]`.
fn lines_of_shell(inputs: &[Value]) -> Option<Vec<Vec<Value>>> {
    let program = match inputs.first()? {
        // `[cmd, ...args]`, where it may be one of several programs
        Value::List(words) if matches!(words.first(), Some(Value::Any(_))) => return each_choice(inputs),
        Value::List(words) => words.first()?.known()?,
        first => first.known()?,
    };
    if shell_engine::is_shell(shell_engine::path::file_name(&program)) { each_choice(inputs) } else { None }
}

/// The same values with each choice of the first of them that has several.
fn each_choice(values: &[Value]) -> Option<Vec<Vec<Value>>> {
    values.iter().enumerate().find_map(|(at, value)| {
        let choices = match value {
            Value::Any(choices) => choices.clone(),
            Value::List(words) => each_choice(words)?.into_iter().map(Value::List).collect(),
            _ => return None,
        };
        let with = |choice| {
            let mut one = values.to_vec();
            one[at] = choice;
            one
        };
        Some(choices.into_iter().map(with).collect())
    })
}

/// Values as words: lists are spread, and of several values each is one.
pub(super) fn words_of(values: &[Value]) -> Vec<Arg> {
    let mut words = Vec::new();
    for value in values {
        match value {
            Value::List(values) | Value::Any(values) => words.extend(words_of(values)),
            // Options and callbacks stand among the arguments, and are not words.
            Value::Function(_) | Value::Map(_) => {}
            value => words.push(Arg::from(value.text())),
        }
    }
    // A list may have been doubled again and again by the code.
    words.truncate(512);
    words
}

/// The options that `sh` and `GitPython` make of what is named: `git.push(force=True)` gives `--force`, `rm("x", r=True)` `-r`.
pub(super) fn flags_of(arguments: &Arguments) -> impl Iterator<Item = Arg> + '_ {
    // `_cwd` and its like are for the library.
    let given = arguments.named.iter().filter(|(name, _)| !name.starts_with('_'));
    given.filter_map(|(name, value)| {
        let flag = format!("{}{}", if name.len() == 1 { "-" } else { "--" }, name.replace('_', "-"));
        match value {
            Value::Name(word) if word == "True" => Some(Arg::from(flag)),
            Value::Name(word) if matches!(word.as_str(), "False" | "None") => None,
            value => Some(Arg::from(format!("{flag}={}", value.text()))),
        }
    })
}

fn is_mode(text: &str) -> bool {
    matches!(text, "r" | "w" | "r+" | "w+" | "rb" | "wb" | "a")
}
