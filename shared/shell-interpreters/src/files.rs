//! Files that code deletes, opens, reads, writes and prints.

use std::rc::Rc;

use shell_engine::{Arg, Flow, How, NoteKind, Redirect, Via, mark};

use super::Language;
use super::act::Call;
use super::follow::{Follower, printed};
use super::languages::Effect;
use super::spawn::words_of;
use super::value::{Arguments, Source, Text, Value};

/// As many files of the home folder are remembered.
const MAX_PRIVATE: usize = 4;

impl Follower<'_> {
    pub(super) fn delete(&mut self, inputs: &[Value], deep: bool, arguments: &Arguments) -> Value {
        let mut targets: Vec<Arg> = Vec::new();
        for value in inputs {
            match value {
                Value::Map(_) => targets.extend(value.get("dir").map(|dir| Arg::from(dir.text()))),
                Value::Name(name)
                    if matches!(name.as_str(), "True" | "False" | "true" | "false" | "TRUE" | "FALSE") => {}
                Value::Number(_) | Value::Function(_) | Value::Socket | Value::Database => {}
                // Options of `shelljs.rm("-rf", x)`.
                Value::Text(text) if text.text.starts_with('-') && inputs.len() > 1 => {}
                value => targets.extend(words_of(std::slice::from_ref(value))),
            }
        }
        // `ant.delete(dir: "/")`
        targets.extend(
            ["dir", "file", "path", "x", "atPath", "at"]
                .iter()
                .filter_map(|name| arguments.named(name))
                .map(|value| Arg::from(value.text())),
        );
        targets.retain(|target| !target.text.is_empty());
        if targets.is_empty() {
            return Value::from(mark::TOKEN);
        }
        let home = self.scope.home.to_string();
        for target in &mut targets {
            if let Some(rest) = target.text.strip_prefix('~') {
                target.text = format!("{home}{rest}");
            }
        }
        let mut words = vec![Arg::from("rm"), Arg::from(if deep { "-rf" } else { "-f" }), Arg::from("--")];
        words.append(&mut targets);
        self.start(words, None);
        Value::from(mark::TOKEN)
    }

    pub(super) fn mode(&mut self, inputs: &[Value], reversed: bool, name: &str) -> Value {
        let deep = name.ends_with("_R");
        let (modes, targets) = if reversed {
            (inputs.first(), inputs.get(1..).unwrap_or(&[]))
        } else {
            (inputs.get(1), inputs.get(..1).unwrap_or(&[]))
        };
        let mode = match modes {
            Some(Value::Number(mode)) => {
                // `0o777` is 511; older languages write `0777`, which is read as a number here.
                if *mode > 0
                    && format!("{mode}").bytes().all(|digit| digit < b'8')
                    && *mode != 511
                    && self.language != Language::Python
                    && self.language != Language::JavaScript
                {
                    mode.to_string()
                } else {
                    format!("{mode:o}")
                }
            }
            Some(value) => value.text(),
            None => return Value::unknown(),
        };
        let mode = if mark::any(&mode) { "644".to_owned() } else { mode };
        let mut options = Vec::new();
        if deep {
            options.push("-R");
        }
        options.push(&mode);
        self.program("chmod", &options, targets)
    }

    /// Opens a file, and writes it if the second argument says so.
    pub(super) fn open(&mut self, inputs: &[Value], arguments: &Arguments) -> Value {
        let perl = self.language == Language::Perl;
        let handle = self.first_name.clone();
        let inputs = if perl { inputs.get(1..).unwrap_or(&[]) } else { inputs };
        let Some(first) = inputs.first().or_else(|| arguments.named("file")) else { return Value::unknown() };
        let mut mode = inputs.get(1).or_else(|| arguments.named("mode")).map(Value::text).unwrap_or_default();
        if let Some(Value::Name(flags)) = inputs.get(1) {
            // `os.O_WRONLY | os.O_TRUNC`
            mode.clone_from(flags);
        }
        let mut path = first.clone();
        // `sysopen(F, path, O_WRONLY | O_TRUNC)` says how by names.
        if perl && !matches!(inputs.get(1), Some(Value::Name(flags)) if flags.contains("O_")) {
            let spelled = first.text();
            // `open(F, ">", path)`, `open(F, ">path")`, `open(F, "-|", command)`
            let trimmed = spelled.trim();
            if matches!(trimmed, "-|" | "|-") {
                let rest = inputs.get(1..).unwrap_or(&[]);
                let printed = self.run_command(Effect::Either, rest, arguments);
                let line = words_of(rest).iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                let value = if trimmed == "|-" { Value::File(format!("|{line}")) } else { printed };
                if let Some(handle) = handle {
                    self.assign(&handle, value.clone());
                }
                return value;
            }
            let plain = trimmed.trim_start_matches(['<', '>', '+', ' ']);
            let plain = plain.split(':').next().unwrap_or(plain);
            if plain.is_empty() && inputs.len() > 1 {
                trimmed.clone_into(&mut mode);
                path = inputs[1].clone();
            } else if let Some(command) = trimmed.strip_prefix('|').or_else(|| trimmed.strip_suffix('|')) {
                let piped = trimmed.starts_with('|').then(|| Value::File(trimmed.to_owned()));
                let command = Value::from(command);
                let printed = self.shell_with(&command, None);
                let value = piped.unwrap_or(printed);
                if let Some(handle) = handle {
                    self.assign(&handle, value.clone());
                }
                return value;
            } else {
                mode = trimmed.chars().take_while(|c| "<>+".contains(*c)).collect();
                path = Value::from(plain.trim());
            }
            // `open(STDIN, ">&S")`
            if path.text().starts_with('&') {
                return Value::unknown();
            }
        }
        if self.language == Language::Ruby
            && let Some(command) = path.text().strip_prefix('|')
        {
            let command = Value::from(command);
            return self.shell_with(&command, None);
        }
        let path = self.expanded(path);
        let writes = mode.contains(['w', '>', 'x', 'W']) && !mode.contains("O_RDONLY")
            || mode.contains('+') && mode.contains('r');
        let appends =
            mode.contains('a') && !mode.contains("O_") && !mode.contains('r') || mode.contains(">>");
        let value = if writes || appends {
            let text = path.text();
            let reads_too = mode.starts_with('r');
            if !reads_too {
                self.write_file(&path, &Value::from(""), appends);
            } else if text.starts_with("/dev/") {
                self.write_file(&path, &Value::from(""), false);
            }
            Value::File(text)
        } else {
            self.read(&path)
        };
        if let (true, Some(handle)) = (perl, handle) {
            self.assign(&handle, value.clone());
        }
        value
    }

    /// What a file holds.
    pub(super) fn read(&mut self, path: &Value) -> Value {
        if let (Value::Number(0), Some(text)) = (path, self.given.stdin.clone()) {
            return Value::from(&*text);
        }
        // One of several files: each of them.
        if let Value::Any(paths) = path
            && paths.iter().all(|path| path.known().is_some())
        {
            let paths = paths.clone();
            return Value::any(paths.iter().map(|path| self.read(path)).collect());
        }
        let text = self.expanded(path.clone()).text();
        if text.contains("://") && !text.starts_with("php://") && !text.starts_with("file://") {
            return self.send("get", std::slice::from_ref(path), &Arguments::default());
        }
        if text == "php://stdin" || shell_engine::path::is_stdin(&text) {
            return match self.given.stdin.clone() {
                Some(text) => Value::from(&*text),
                None => Value::unknown(),
            };
        }
        let path = text.trim_start_matches("file://");
        let from = Some(Source::whole(path));
        self.note_private(path);
        // What lies on the disk is only promised, for those who run it: a shell that it is given to.
        let text = self.runner.read_file(self.scope, path).to_string();
        Value::Text(Text { text, from, to: None })
    }

    /// Remembers a file of the home folder, outside of the folder that is worked in.
    pub(super) fn note_private(&mut self, path: &str) {
        let full = self.scope.absolute(path);
        let is_known = || self.private.iter().any(|known| **known == *full);
        if self.is_private(&full) && self.private.len() < MAX_PRIVATE && !is_known() {
            self.private.push(Rc::from(full));
        }
    }

    /// Empties a file or adds to it, and remembers what is put into it.
    pub(super) fn write_file(&mut self, path: &Value, content: &Value, append: bool) {
        for path in path.choices().to_vec() {
            if matches!(path, Value::Function(_) | Value::Map(_) | Value::Number(_) | Value::Socket) {
                continue;
            }
            let target = self.expanded(path).text();
            let text = content.text();
            let flow = if append {
                Flow::Append
            } else if rewrites(&target, content) {
                Flow::ReadWrite
            } else {
                Flow::Write
            };
            let mut call = self.call_of(Vec::new());
            call.redirects.push(Redirect { fd: 1, flow, target: target.clone() });
            self.runner.start(self.scope, Via { parent: self.index, how: How::Text }, call);
            if !text.is_empty() {
                self.runner.append_to_file(self.scope, &target, &text);
            }
        }
    }

    /// Adds text to a file that is open, or gives it to the program at the other end of a pipe.
    pub(super) fn put(&mut self, path: &Value, content: &Value, line: bool) {
        let mut text = content.text();
        if line {
            text.push('\n');
        }
        if let Some(command) = path.text().strip_prefix('|') {
            self.shell_with(&Value::from(command), Some(&text));
            return;
        }
        let path = path.text();
        if rewrites(&path, content) {
            // It was emptied when it was opened: only now is it clear what for.
            let mut atoms = self.runner.analysis.atoms.iter_mut().rev();
            let opened = atoms.find_map(|atom| {
                atom.redirects.iter_mut().find(|redirect| redirect.fd == 1 && redirect.target == path)
            });
            if let Some(opened) = opened.filter(|opened| opened.flow == Flow::Write) {
                opened.flow = Flow::ReadWrite;
            }
        }
        self.runner.append_to_file(self.scope, &path, &text);
    }

    pub(super) fn print(&mut self, Call { name, arguments, .. }: Call<'_>, inputs: &[Value], line: bool) {
        // A file that is open, or R's `cat(x, file = "/etc/passwd")`.
        let target = arguments
            .named("handle")
            .or_else(|| arguments.named("file").filter(|_| self.language != Language::Ruby))
            .cloned();
        if matches!(target, Some(Value::Socket)) {
            self.talk("print", &Arguments::of(inputs.to_vec()));
            return;
        }
        let target = target.or_else(|| match (self.language, name) {
            (Language::R, "writeLines" | "write" | "saveRDS" | "csv" | "csv2" | "table") => {
                inputs.get(1).cloned()
            }
            (Language::R, "sink") => inputs.first().cloned(),
            _ => None,
        });
        match target {
            Some(Value::File(path)) => {
                let text = inputs.iter().map(Value::text).collect::<String>();
                self.put(&Value::from(path), &Value::from(text), false);
                return;
            }
            Some(path @ Value::Text(_)) if self.language == Language::R => {
                let content = inputs.first().cloned().unwrap_or_else(Value::unknown);
                let append = arguments.named("append").is_some_and(is_true);
                self.write_file(&path, &content, append);
                return;
            }
            Some(_) => return,
            None => {}
        }
        for value in inputs {
            if let Some(source) = value.source().filter(|source| source.whole && &*source.path != "env") {
                // It prints what a file holds, as `cat` does.
                self.start(source.read_out(), None);
            }
        }
        let texts: Vec<String> = inputs.iter().map(Value::text).collect();
        if self.has_secret && texts.iter().any(|text| text.contains(mark::UNSET)) {
            self.note_shown();
        }
        let formats = name == "printf" || name == "Printf";
        let text = match inputs {
            [format, rest @ ..] if formats => printed(&format.text(), rest).text(),
            _ => {
                let separator = arguments.named("sep").map(Value::text);
                let usual =
                    if line && !matches!(self.language, Language::Ruby | Language::Perl) { " " } else { "" };
                texts.join(separator.as_deref().unwrap_or(usual))
            }
        };
        self.printed.push_str(&text);
        let end = arguments.named("end").map(Value::text);
        if line || self.language == Language::Ruby && name == "p" {
            self.printed.push_str(end.as_deref().unwrap_or("\n"));
        }
    }

    /// Notes that a variable that keeps a secret is shown, unless someone else takes what is printed.
    fn note_shown(&mut self) {
        let at = usize::try_from(self.index).unwrap_or(usize::MAX);
        let is_taken = self.runner.analysis.atoms.get(at).is_none_or(|atom| atom.captured);
        if !is_taken && !self.given.in_file && !self.runner.is_in_file() {
            self.note(NoteKind::ShowsSecret);
        }
    }

    /// A string with the values of the variables of the environment that it names: `$NAME`, `${NAME}`.
    pub(super) fn with_variables(&mut self, value: &Value) -> Value {
        if let Value::Any(values) = value {
            return Value::any(values.iter().map(|value| self.with_variables(value)).collect());
        }
        let Some(text) = value.known().filter(|text| text.contains('$')) else { return value.clone() };
        let mut whole = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            whole.push_str(before);
            let inner = after.strip_prefix('{').and_then(|after| after.split_once('}'));
            let width = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            let (name, left) = inner.unwrap_or_else(|| after.split_at(width));
            let value = if name.is_empty() { "$".to_owned() } else { self.environment(name).text() };
            whole.push_str(&value);
            rest = left;
        }
        Value::from(whole + rest)
    }

    /// A path with `~` as the home folder.
    pub(super) fn expanded(&self, value: Value) -> Value {
        match &value {
            Value::Any(values) => {
                Value::any(values.iter().map(|value| self.expanded(value.clone())).collect())
            }
            Value::Text(text) if text.text.starts_with('~') => {
                let home = self.scope.home.to_string();
                value.map(|text| text.replacen('~', &home, 1))
            }
            _ => value,
        }
    }
}

pub(super) fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Name(name) if matches!(name.as_str(), "false" | "False" | "FALSE" | "F" | crate::options::NOT_GIVEN))
        && !matches!(value, Value::Number(0))
}

/// Whether what goes into a file is what was read from it, changed: `p.write_text(p.read_text().replace("a", "b"))`. That does
/// not empty the file.
fn rewrites(path: &str, content: &Value) -> bool {
    let is_it = |source: Source| !source.obscured && source.paths().any(|read| **read == *path);
    !content.text().is_empty() && content.source().is_some_and(is_it)
}
