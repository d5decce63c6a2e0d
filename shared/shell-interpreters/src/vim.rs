//! Vim's commands: what they start, delete and write, with the variables and functions that they define.

use std::rc::Rc;

use shell_engine::arguments::quoted;
use shell_engine::{Arg, NoteKind, Process, mark};

use super::value::MAX_ELEMENTS;
use super::{shell, shell_reading, start};

/// Commands inside commands that are read.
const MAX_DEPTH: u32 = 16;
/// Commands of one call.
const MAX_COMMANDS: u32 = 4000;
/// Turns of a loop.
const MAX_TURNS: usize = 16;
/// Variables, and functions, that are remembered.
const MAX_NAMES: usize = 200;

/// What an expression gives.
#[derive(Debug, Clone)]
enum Value {
    Text(String),
    List(Vec<Value>),
}

impl Value {
    fn unknown() -> Self {
        Self::Text(mark::UNKNOWN.to_string())
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(values) => values.iter().map(Self::text).collect::<Vec<_>>().join("\n"),
        }
    }

    fn words(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::List(values) => values.iter().map(Self::text).collect(),
        }
    }
}

/// Runs commands of vim's, each as it stands in a script or after `-c`. `edited` is the text of the file that is open.
pub fn run_commands(process: &mut Process<'_>, commands: &[String], edited: Option<&str>) {
    let mut vim = Vim {
        process,
        edited: edited.map(str::to_owned),
        variables: Vec::new(),
        functions: Vec::new(),
        depth: 0,
        left: MAX_COMMANDS,
    };
    for script in commands {
        vim.script(script);
    }
}

struct Vim<'r, 'p> {
    process: &'r mut Process<'p>,
    edited: Option<String>,
    variables: Vec<(String, Value)>,
    functions: Vec<Function>,
    depth: u32,
    left: u32,
}

/// A function with its parameters.
#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<String>,
    body: Rc<str>,
}

/// What begins a command without saying what it does.
const BEFORE: [&str; 12] = [
    "silent!",
    "silent",
    "sil!",
    "sil",
    "noautocmd",
    "keepjumps",
    "keepalt",
    "verbose",
    "try",
    "vertical",
    "noau",
    "legacy",
];

/// Where the block ends that begins at a line, by one of these words on its own level.
fn block_end(lines: &[&str], from: usize, words: &[&str]) -> usize {
    let mut level = 0_usize;
    for (at, line) in lines.iter().enumerate().skip(from) {
        let line = line.trim();
        let word = line.split([' ', '|']).next().unwrap_or("");
        if level == 0 && words.contains(&word) {
            return at;
        }
        let on_one_line = line.contains("endif") || line.contains("endfor");
        match word {
            "if" | "for" if !on_one_line => level += 1,
            "endif" | "endfor" => level = level.saturating_sub(1),
            _ => {}
        }
    }
    lines.len()
}

impl Vim<'_, '_> {
    fn script(&mut self, text: &str) {
        if self.depth >= MAX_DEPTH || !self.process.runner.spend(text.len()) {
            return;
        }
        self.depth += 1;
        // A line that begins with a backslash goes on with the one before.
        let text = text.replace("\n\\", "").replace("\n  \\", "").replace("\n    \\", "");
        let lines: Vec<&str> = text.lines().collect();
        self.lines(&lines);
        self.depth -= 1;
    }

    /// Lines in their order: the branch of an `if` that is taken, the body of a `for` with each of its values.
    fn lines(&mut self, lines: &[&str]) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let line = line.trim();
            at += 1;
            let function = line.strip_prefix("function").or_else(|| line.strip_prefix("fu "));
            if let Some((name, parameters)) = function.and_then(|rest| rest.split_once('(')) {
                let is_end = |line: &&str| line.trim().starts_with("endf");
                let length = lines[at..].iter().position(is_end).unwrap_or(lines.len() - at);
                let body = &lines[at..at + length];
                at += length + 1;
                if self.functions.len() < MAX_NAMES {
                    let name = name.trim_start_matches('!').trim().to_owned();
                    let parameters = parameters.split(')').next().unwrap_or("").split(',');
                    // `path = getcwd()`
                    let parameters =
                        parameters.map(|word| word.split('=').next().unwrap_or(word).trim().to_owned());
                    let body = Rc::from(body.join("\n"));
                    self.functions.push(Function { name, parameters: parameters.collect(), body });
                }
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            // On one line, its bars separate what stands in it.
            let alone = !rest.contains('|') || rest.contains("||");
            match word {
                "if" if alone => at = self.branches(rest, lines, at),
                "for" if alone => at = self.each(rest, lines, at),
                _ => self.command(line),
            }
        }
    }

    /// `if …`, and where its `endif` has been left.
    fn branches(&mut self, condition: &str, lines: &[&str], from: usize) -> usize {
        let (mut condition, mut at, mut is_done) = (condition, from, false);
        loop {
            let end = block_end(lines, at, &["else", "elseif", "endif"]);
            let holds = if condition.is_empty() { Some(true) } else { self.holds(condition) };
            if !is_done && holds != Some(false) && self.depth < MAX_DEPTH {
                self.depth += 1;
                self.lines(&lines[at..end]);
                self.depth -= 1;
            }
            is_done |= holds == Some(true);
            let Some(last) = lines.get(end).map(|line| line.trim()) else { return end };
            at = end + 1;
            condition = match last.split_once(' ') {
                Some(("elseif", rest)) => rest,
                _ if last.starts_with("else") => "",
                _ => return at,
            };
        }
    }

    /// `for name in list`, and where its `endfor` has been left.
    fn each(&mut self, head: &str, lines: &[&str], from: usize) -> usize {
        let end = block_end(lines, from, &["endfor"]);
        let Some((name, list)) = head.split_once(" in ") else { return from };
        let values = match self.value(list) {
            Value::List(values) => values,
            value @ Value::Text(_) => vec![value],
        };
        for value in values.into_iter().take(MAX_TURNS) {
            if self.depth >= MAX_DEPTH {
                break;
            }
            self.set(name, value);
            self.depth += 1;
            self.lines(&lines[from..end]);
            self.depth -= 1;
        }
        end + 1
    }

    /// Whether a condition holds, where both of its sides are known.
    fn holds(&mut self, condition: &str) -> Option<bool> {
        let condition = condition.trim();
        if condition.contains("&&") || condition.contains("||") {
            return None;
        }
        if let Some(inner) = condition.strip_prefix('!') {
            return self.holds(inner).map(|holds| !holds);
        }
        let signs = [" ==# ", " ==? ", " == ", " is# ", " !=# ", " !=? ", " != ", " isnot# "];
        let mut sides = signs.iter().filter_map(|sign| Some((sign, condition.split_once(sign)?)));
        let known = |text: String| Some(text).filter(|text| !mark::any(text));
        if let Some((sign, (left, right))) = sides.next() {
            let (left, right) = (known(self.value(left).text())?, known(self.value(right).text())?);
            return Some((left == right) != (sign.contains('!') || sign.contains("not")));
        }
        known(self.value(condition).text())?.parse::<i64>().ok().map(|number| number != 0)
    }

    fn command(&mut self, line: &str) {
        let mut line = line.trim_start_matches([':', ' ', '\t', '%', '.', '$', ',']);
        if line.starts_with('"') || line.is_empty() || self.left == 0 || self.depth >= MAX_DEPTH {
            return;
        }
        self.left -= 1;
        line = line.trim_start_matches(|c: char| c.is_ascii_digit());
        while let Some(rest) = BEFORE.iter().find_map(|word| line.strip_prefix(word)) {
            if !rest.starts_with([' ', ':', '|', '!']) {
                break;
            }
            line = rest.trim_start_matches([' ', ':', '|']);
        }
        if let Some(line) = line.strip_prefix('!') {
            self.shell(line);
            return;
        }
        let end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let rest = rest.trim_start_matches('!').trim_start();
        // A bar in quotes, or for a shell, does not end a command.
        let takes_all =
            matches!(word, "r" | "read" | "w" | "write" | "term" | "terminal" | "normal" | "norm")
                && (line[end..].contains('!') || word.starts_with('t') || word.starts_with("no"));
        let (rest, next) = if takes_all { (rest, "") } else { Self::ends(rest) };
        self.act(word, rest);
        if !next.is_empty() {
            self.command(next);
        }
    }

    /// The argument of a command, and the command after its bar.
    fn ends(text: &str) -> (&str, &str) {
        let mut quote = None;
        for (at, c) in text.char_indices() {
            match (c, quote) {
                (c, Some(open)) if c == open => quote = None,
                (_, Some(_)) => {}
                ('"' | '\'', None) => quote = Some(c),
                ('|', None) if !text[at..].starts_with("||") && !text[..at].ends_with('|') => {
                    return (text[..at].trim_end(), text[at + 1..].trim_start());
                }
                _ => {}
            }
        }
        (text, "")
    }

    fn shell(&mut self, line: &str) {
        match &self.edited {
            // What is filtered or written to it is what it reads.
            Some(text) if shell_engine::is_shell(line.trim()) => {
                shell_reading(self.process, line.trim(), &text.clone());
            }
            _ => shell(self.process, line),
        }
    }

    fn act(&mut self, word: &str, rest: &str) {
        match word {
            "r" | "read" | "w" | "write" => {
                if let Some(line) = rest.strip_prefix('!') {
                    self.shell(line);
                } else if !rest.is_empty() && !rest.starts_with(['+', '>']) && word.starts_with('w') {
                    let text = self.edited.clone().unwrap_or_else(|| mark::UNKNOWN.to_string());
                    self.process.runner.put_file(self.process.scope, rest, &text);
                }
            }
            "term" | "terminal" => self.shell(rest.trim_start_matches('+').trim_start()),
            "so" | "source" | "luafile" | "runtime" => {
                if let Some(loaded) = self.process.runner.look_up(self.process.scope, rest.trim()) {
                    self.script(&loaded.text);
                }
            }
            "let" | "const" => self.assign(rest),
            "call" | "cal" | "echo" | "echom" | "eval" | "return" | "if" | "elseif" | "while" => {
                self.value(rest);
            }
            "for" => {
                if let Some((name, list)) = rest.split_once(" in ") {
                    let value = self.value(list);
                    let value = match value {
                        // Each of them is meant.
                        Value::List(values) => values.into_iter().next().unwrap_or_else(Value::unknown),
                        value @ Value::Text(_) => value,
                    };
                    self.set(name, value);
                }
            }
            "exe" | "exec" | "execute" => {
                let line = self.value(rest).text();
                if !line.is_empty() && line.chars().all(mark::is_hole) {
                    self.opaque();
                }
                self.inner(&line);
            }
            // An event, a pattern, and what is done then.
            "au" | "autocmd" => {
                let command = rest.splitn(3, ' ').nth(2);
                if let Some(command) = command {
                    self.inner(command);
                }
            }
            "g" | "global" | "v" | "argdo" | "bufdo" | "windo" => {
                let separator = rest.chars().next().filter(char::is_ascii_punctuation);
                let command = match separator {
                    Some(c) => rest[c.len_utf8()..].split_once(c).map_or("", |(_, command)| command),
                    None => rest,
                };
                self.inner(command);
            }
            "lua" | "py" | "py3" | "python" | "python3" | "pyx" | "pythonx" | "perl" | "ruby" => {
                let interpreter = if word.starts_with("py") { "python3" } else { word };
                let option = if interpreter == "python3" { "-c" } else { "-e" };
                let words = [interpreter, option, rest].map(str::to_owned);
                start(self.process, words.to_vec());
            }
            _ => {}
        }
    }

    fn inner(&mut self, line: &str) {
        self.depth += 1;
        self.command(line);
        self.depth -= 1;
    }

    fn opaque(&mut self) {
        let span =
            self.process.scope.origin.unwrap_or_else(|| self.process.runner.span_of(self.process.index));
        self.process.runner.note(NoteKind::OpaqueCode, span);
    }

    fn set(&mut self, name: &str, value: Value) {
        if self.variables.len() < MAX_NAMES {
            self.variables.push((name.trim().to_owned(), value));
        }
    }

    /// `let @a = "x"`, `let g:x .= "y"`
    fn assign(&mut self, rest: &str) {
        let Some((name, value)) = rest.split_once('=') else { return };
        let grows = name.trim_end().ends_with('.');
        let name = name.trim_end_matches(['.', ' ', '+']).trim();
        let value = self.value(value);
        let before = self.named(name).filter(|_| grows).map(|before| before.text());
        let value = before.map_or(value.clone(), |before| Value::Text(before + &value.text()));
        self.set(name, value);
    }

    fn named(&self, name: &str) -> Option<Value> {
        self.variables.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn value(&mut self, text: &str) -> Value {
        let mut rest = text;
        self.sum(&mut rest)
    }

    /// Operands one after the other: `"rm " . name .. "/"`, and lists that are joined by `+`.
    fn sum(&mut self, rest: &mut &str) -> Value {
        if self.depth >= MAX_DEPTH {
            return Value::unknown();
        }
        self.depth += 1;
        let mut value = self.operand(rest);
        loop {
            let trimmed = rest.trim_start();
            let joined = trimmed.strip_prefix("..").or_else(|| trimmed.strip_prefix('.'));
            if let Some(next) = joined.or_else(|| trimmed.strip_prefix('+')) {
                *rest = next;
                let other = self.operand(rest);
                value = match (value, other) {
                    (Value::List(mut values), Value::List(more)) => {
                        values.extend(more);
                        Value::List(values)
                    }
                    (one, other) => Value::Text(one.text() + &other.text()),
                };
            } else if trimmed.starts_with(['"', '\'']) && joined.is_none() {
                // `execute "a" "b"` puts a blank between them.
                *rest = trimmed;
                let other = self.operand(rest);
                value = Value::Text(format!("{} {}", value.text(), other.text()));
            } else {
                break;
            }
        }
        self.depth -= 1;
        value
    }

    fn operand(&mut self, rest: &mut &str) -> Value {
        let text = rest.trim_start_matches([' ', '\t', '!', '-']);
        let Some(c) = text.chars().next() else {
            *rest = "";
            return Value::unknown();
        };
        match c {
            '\'' | '"' => {
                let end = closing(&text[1..], c);
                let literal = &text[1..=end];
                *rest = text.get(end + 2..).unwrap_or("");
                Value::Text(if c == '"' { unescaped(literal) } else { literal.replace("''", "'") })
            }
            '[' | '(' => {
                let mut inner = &text[1..];
                let values = self.values(&mut inner);
                *rest = inner;
                match (c, values.as_slice()) {
                    ('(', [one]) => one.clone(),
                    _ => Value::List(values),
                }
            }
            '$' => {
                let name = name_at(&text[1..]);
                *rest = &text[1 + name.len()..];
                Value::Text(match name {
                    "HOME" => self.process.scope.home.to_string(),
                    name => self.process.variable(name).unwrap_or_else(|| mark::UNSET.to_string()),
                })
            }
            '@' => {
                let width = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
                *rest = &text[width..];
                self.named(&text[..width]).unwrap_or_else(Value::unknown)
            }
            _ => {
                let name = name_at(text);
                if name.is_empty() {
                    *rest = text.get(c.len_utf8()..).unwrap_or("");
                    return Value::unknown();
                }
                let after = &text[name.len()..];
                if let Some(mut inner) = after.strip_prefix('(') {
                    let values = self.values(&mut inner);
                    *rest = inner;
                    return self.called(name, &values);
                }
                *rest = after;
                self.named(name).unwrap_or_else(Value::unknown)
            }
        }
    }

    /// Values up to the bracket that closes, which the text is past afterwards.
    fn values(&mut self, rest: &mut &str) -> Vec<Value> {
        let mut found = Vec::new();
        loop {
            let text = rest.trim_start_matches([' ', ',', '\t']);
            if text.is_empty() || text.starts_with([']', ')']) {
                *rest = text.get(1..).unwrap_or("");
                return found;
            }
            let before = text.len();
            *rest = text;
            found.push(self.sum(rest));
            if rest.len() >= before || found.len() > MAX_NAMES {
                *rest = text.get(text.chars().next().map_or(1, char::len_utf8)..).unwrap_or("");
            }
        }
    }

    fn called(&mut self, name: &str, values: &[Value]) -> Value {
        let own = name.trim_start_matches("g:").trim_start_matches("s:");
        let is_own = |known: &&Function| known.name.trim_start_matches("s:").trim_start_matches("g:") == own;
        if let Some(function) = self.functions.iter().rev().find(is_own).cloned() {
            let before = self.variables.len();
            for (parameter, value) in function.parameters.iter().zip(values) {
                self.set(&format!("a:{parameter}"), value.clone());
            }
            self.script(&function.body);
            // What it was given ends with it; what else it has set may be anyone's.
            let mut at = 0;
            self.variables.retain(|(name, _)| {
                at += 1;
                at <= before || !name.starts_with("a:")
            });
            return Value::unknown();
        }
        let first = || values.first().map(Value::text).unwrap_or_default();
        match own {
            "system" | "systemlist" => {
                let line = match values.first() {
                    Some(Value::List(words)) => {
                        let words: Vec<Arg> = words.iter().map(|word| Arg::from(word.text())).collect();
                        quoted(&words)
                    }
                    _ => first(),
                };
                match values.get(1) {
                    Some(input) => shell_reading(self.process, &line, &input.text()),
                    None => shell(self.process, &line),
                }
                Value::unknown()
            }
            "jobstart" | "job_start" | "term_start" | "termopen" => {
                match values.first() {
                    Some(words @ Value::List(_)) => start(self.process, words.words()),
                    _ => shell(self.process, &first()),
                }
                Value::unknown()
            }
            "delete" => {
                let deep = values.get(1).is_some_and(|flags| flags.text().contains("rf"));
                let words = ["rm", if deep { "-rf" } else { "-f" }, "--"].map(str::to_owned).into_iter();
                start(self.process, words.chain([first()]).collect());
                Value::unknown()
            }
            "rename" => {
                let words = ["mv", "-f", "--"].map(str::to_owned).into_iter();
                start(self.process, words.chain(values.iter().map(Value::text)).collect());
                Value::unknown()
            }
            "writefile" => {
                if let [text, file, ..] = values {
                    let (text, file) = (format!("{}\n", text.text()), file.text());
                    start(self.process, ["tee", "--", &file].map(str::to_owned).to_vec());
                    self.process.runner.put_file(self.process.scope, &file, &text);
                }
                Value::unknown()
            }
            "execute" => {
                self.inner(&first());
                Value::unknown()
            }
            // Keys, of which lines for a command begin with a colon.
            "feedkeys" => {
                for line in first().split(['\n', '\r']).filter(|line| line.starts_with(':')) {
                    self.inner(line);
                }
                Value::unknown()
            }
            "map" | "filter" | "foreach" | "mapnew" => {
                let each = values.first().map(Value::words).unwrap_or_default();
                let code = values.get(1).map(Value::text).unwrap_or_default();
                for value in each.into_iter().take(MAX_ELEMENTS) {
                    self.set("v:val", Value::Text(value));
                    self.value(&code);
                }
                values.first().cloned().unwrap_or_else(Value::unknown)
            }
            "call" => match values {
                [name, Value::List(values), ..] => self.called(&name.text(), values),
                _ => Value::unknown(),
            },
            "luaeval" | "py3eval" | "pyeval" | "pyxeval" | "perleval" | "rubyeval" => {
                let interpreter = own.trim_end_matches("eval");
                self.act(interpreter, &first());
                Value::unknown()
            }
            "expand" | "fnamemodify" | "fnameescape" | "resolve" | "simplify" | "glob" | "globpath"
            | "shellescape" | "readfile" | "join" | "printf" | "nr2char" | "substitute" | "trim"
            | "split" | "list2str" | "reverse" => self.computed(own, values),
            // A fresh name in a folder where deleting is harmless.
            "tempname" => Value::Text(format!("/tmp/{}", mark::TOKEN)),
            "getcwd" => Value::Text(self.process.scope.cwd.to_string()),
            _ => Value::unknown(),
        }
    }

    fn computed(&mut self, name: &str, values: &[Value]) -> Value {
        let text = |at: usize| values.get(at).map(Value::text).unwrap_or_default();
        let home = |text: String| match text.strip_prefix('~').or_else(|| text.strip_prefix("$HOME")) {
            Some(rest) => format!("{}{rest}", self.process.scope.home),
            None => text,
        };
        let star =
            |text: String| text.replace("**", &mark::ENTRY.to_string()).replace('*', &mark::STAR.to_string());
        Value::Text(match name {
            "glob" => star(home(text(0))),
            "globpath" => star(format!("{}/{}", home(text(0)), text(1))),
            "shellescape" => quoted(&[Arg::from(text(0))]),
            "join" => {
                let joint = values.get(1).map_or_else(|| " ".to_owned(), Value::text);
                values.first().map(Value::words).unwrap_or_default().join(&joint)
            }
            "printf" => {
                values.iter().skip(1).fold(text(0), |text, value| text.replacen("%s", &value.text(), 1))
            }
            "nr2char" => mark::UNKNOWN.to_string(),
            "substitute" => text(0).replace(&text(1), &text(2)),
            "split" => {
                return Value::List(
                    text(0).split_whitespace().map(|word| Value::Text(word.to_owned())).collect(),
                );
            }
            "list2str" => mark::UNKNOWN.to_string(),
            "reverse" => return values.first().cloned().unwrap_or_else(Value::unknown),
            "readfile" => self.process.runner.read_file(self.process.scope, &text(0)).to_string(),
            _ => home(text(0)),
        })
    }
}

/// A name with its scope: `g:x`, `v:val`, `s:Tidy`.
fn name_at(text: &str) -> &str {
    let end =
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':' | '#')).unwrap_or(text.len());
    &text[..end]
}

fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            c if c == quote => return at,
            _ => {}
        }
    }
    text.len().saturating_sub(1)
}

/// A literal in double quotes with what its backslashes mean.
fn unescaped(text: &str) -> String {
    let text = text.replace("\\<CR>", "\n").replace("\\<cr>", "\n");
    shell_engine::text::escapes::ansi_c(&text)
}
