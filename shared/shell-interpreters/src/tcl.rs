//! Tcl and Expect: commands of words, with substitution in brackets. What a script defines is called where it calls it; of
//! each branch, all is looked at.

use std::rc::Rc;

use shell_engine::text::encoding;
use shell_engine::{NoteKind, Process, mark};

use super::value::MAX_ELEMENTS;
use super::{shell, shell_reading, start};

/// Scripts inside scripts that are read.
const MAX_DEPTH: u32 = 16;
/// Variables, and procedures, that are remembered.
const MAX_NAMES: usize = 200;
/// Files of the home folder that are remembered.
const MAX_PRIVATE: usize = 8;
/// Text that is typed into a program.
const MAX_TYPED: usize = 64 * 1024;

/// Looks for commands that do something.
pub(super) fn run(process: &mut Process<'_>, body: &str) {
    let mut script = Script {
        process,
        variables: Vec::new(),
        procedures: Vec::new(),
        depth: 0,
        spawned: None,
        expects_password: false,
        private: Vec::new(),
    };
    script.run(body);
    script.end_spawned();
}

struct Procedure {
    name: String,
    parameters: Vec<String>,
    body: String,
}

struct Script<'r, 'p> {
    process: &'r mut Process<'p>,
    variables: Vec<(String, String)>,
    procedures: Vec<Rc<Procedure>>,
    depth: u32,
    /// The line of a program that is typed into, and what is typed: `spawn sh; send "rm x\r"`.
    spawned: Option<(String, String)>,
    /// Whether what is typed next is a password, as far as the script says.
    expects_password: bool,
    /// Files of the home folder that were opened.
    private: Vec<String>,
}

impl Script<'_, '_> {
    fn run(&mut self, body: &str) {
        if self.depth >= MAX_DEPTH || !self.process.runner.spend(body.len()) {
            return;
        }
        self.depth += 1;
        let mut rest = body;
        while !rest.is_empty() {
            let mut words = Vec::new();
            rest = self.command(rest, &mut words);
            self.act(&words);
        }
        self.depth -= 1;
    }

    /// Runs the program that was spawned last, with all that was typed into it.
    fn end_spawned(&mut self) {
        let Some((line, typed)) = self.spawned.take() else { return };
        if typed.trim().is_empty() {
            shell(self.process, &line);
        } else {
            shell_reading(self.process, &line, &typed);
        }
    }

    /// Reads the words of one command; returns what follows it. A word in braces is kept as it is.
    fn command<'b>(&mut self, body: &'b str, words: &mut Vec<String>) -> &'b str {
        let mut rest = body;
        loop {
            rest = rest.trim_start_matches([' ', '\t', '\r']);
            if let Some(next) = rest.strip_prefix("\\\n") {
                rest = next;
                continue;
            }
            let Some(c) = rest.chars().next() else { return rest };
            match c {
                '\n' | ';' => return &rest[1..],
                '#' if words.is_empty() => return &rest[rest.find('\n').unwrap_or(rest.len())..],
                '{' if !rest.starts_with("{*}") => {
                    let end = closing(rest, '{', '}');
                    words.push(rest[1..end].to_owned());
                    rest = rest.get(end + 1..).unwrap_or("");
                }
                '"' => {
                    let end = quote_end(rest);
                    let word = self.substituted(&rest[1..end]);
                    words.push(word);
                    rest = rest.get(end + 1..).unwrap_or("");
                }
                _ => {
                    let spread = rest.starts_with("{*}");
                    rest = rest.strip_prefix("{*}").unwrap_or(rest);
                    let end = match rest.chars().next() {
                        Some('{') => closing(rest, '{', '}') + 1,
                        _ => word_end(rest),
                    };
                    let end = end.min(rest.len());
                    let word = match rest[..end].strip_prefix('{') {
                        Some(list) => list.trim_end_matches('}').to_owned(),
                        None => self.substituted(&rest[..end]),
                    };
                    if spread {
                        words.extend(word.split_whitespace().map(str::to_owned));
                    } else {
                        words.push(word);
                    }
                    rest = &rest[end.max(1).min(rest.len())..];
                }
            }
        }
    }

    /// A word with variables and commands in brackets filled in.
    fn substituted(&mut self, word: &str) -> String {
        let mut result = String::new();
        let mut rest = word;
        while let Some(c) = rest.chars().next() {
            match c {
                '\\' => {
                    let width = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                    result.push_str(match &rest[1..width] {
                        "n" | "r" => "\n",
                        "t" => "\t",
                        other => other,
                    });
                    rest = &rest[width..];
                }
                '[' => {
                    let end = closing(rest, '[', ']');
                    let value = self.value(&rest[1..end]);
                    result.push_str(&value);
                    rest = rest.get(end + 1..).unwrap_or("");
                }
                '$' => {
                    let name = rest[1..].trim_start_matches(['{', ':']);
                    let width = name
                        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
                        .unwrap_or(name.len());
                    let key =
                        name[width..].strip_prefix('(').map(|rest| rest.split(')').next().unwrap_or(""));
                    result.push_str(&self.variable(&name[..width], key));
                    rest = name[width..].trim_start_matches('}');
                    if let Some(inner) = rest.strip_prefix('(') {
                        rest = inner.find(')').map_or("", |at| &inner[at + 1..]);
                    }
                }
                c => {
                    result.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
        result
    }

    fn variable(&mut self, name: &str, key: Option<&str>) -> String {
        let known = self.variables.iter().rev().find(|(known, _)| known == name);
        match (name, key) {
            ("env", Some("HOME")) => self.process.scope.home.to_string(),
            ("env", Some(key)) => self.process.variable(key).unwrap_or_else(|| mark::UNSET.to_string()),
            _ => known.map_or_else(|| mark::UNKNOWN.to_string(), |(_, value)| value.clone()),
        }
    }

    /// What a command in brackets gives back.
    fn value(&mut self, body: &str) -> String {
        let mut words = Vec::new();
        if self.depth >= MAX_DEPTH {
            return mark::UNKNOWN.to_string();
        }
        self.depth += 1;
        self.command(body, &mut words);
        let value = self.value_of(&words);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, words: &[String]) -> String {
        let text = |at: usize| words.get(at).cloned().unwrap_or_default();
        let unknown = || mark::UNKNOWN.to_string();
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["glob", rest @ ..] => {
                rest.last().map_or_else(String::new, |pattern| pattern.replace('*', &mark::STAR.to_string()))
            }
            ["file", "join", parts @ ..] => parts.join("/"),
            ["file", "normalize" | "nativename", _] => text(2),
            ["file", "tildeexpand" | "home", ..] => self.process.scope.home.to_string(),
            ["set", name] => self.variable(name, None),
            ["list" | "concat", parts @ ..] => parts.join(" "),
            ["pwd"] => self.process.scope.cwd.to_string(),
            ["join", list, ..] => {
                let joint = words.get(2).map_or(" ", String::as_str);
                list.split_whitespace().collect::<Vec<_>>().join(joint)
            }
            ["lindex", list, at] => match at.parse::<usize>() {
                Ok(at) => list.split_whitespace().nth(at).unwrap_or_default().to_owned(),
                Err(_) => unknown(),
            },
            ["lrange", list, from, "end"] => {
                let from = from.parse::<usize>().unwrap_or(0);
                list.split_whitespace().skip(from).collect::<Vec<_>>().join(" ")
            }
            ["string", "reverse", text] => text.chars().rev().collect(),
            ["string", "tolower", text] => text.to_lowercase(),
            ["string", "map", pairs, text] => {
                let mut text = (*text).to_owned();
                for pair in pairs.split_whitespace().collect::<Vec<_>>().chunks(2) {
                    if let [from, to] = pair {
                        text = text.replace(from, to);
                    }
                }
                text
            }
            ["format", format, rest @ ..] => {
                let mut text = (*format).to_owned();
                for part in rest {
                    text = text.replacen("%s", part, 1);
                }
                text
            }
            ["subst", .., text] => self.substituted(text),
            ["binary", "decode", "base64", text] => decoded(encoding::base64(text)),
            ["binary", "decode", "hex", text] => decoded(encoding::hex(text)),
            ["binary", "format", "H*", text] => decoded(encoding::hex(text)),
            ["encoding", _, _, text] => (*text).to_owned(),
            ["expr" | "info", ..] => mark::TOKEN.to_string(),
            _ => {
                self.act(words);
                unknown()
            }
        }
    }

    fn set(&mut self, name: &str, value: String) {
        if self.variables.len() < MAX_NAMES {
            self.variables.push((name.to_owned(), value));
        }
    }

    /// Calls a procedure of the script. `false` if it has none of this name, nor one for all that it does not know.
    fn call(&mut self, words: &[String]) -> bool {
        let Some((name, values)) = words.split_first() else { return false };
        let find = |name: &str| self.procedures.iter().rev().find(|own| own.name == name).cloned();
        let name = name.trim_start_matches("::");
        let (procedure, values) = match find(name) {
            Some(own) => (own, values),
            None if effect(name) == Effect::Unknown => match find("unknown") {
                Some(own) => (own, words),
                None => return false,
            },
            None => return false,
        };
        let before = self.variables.len();
        for (at, parameter) in procedure.parameters.iter().enumerate() {
            let value = match parameter.as_str() {
                "args" => values.get(at..).unwrap_or_default().join(" "),
                _ => values.get(at).cloned().unwrap_or_else(|| mark::UNKNOWN.to_string()),
            };
            self.set(parameter, value);
        }
        self.run(&procedure.body);
        self.variables.truncate(before);
        true
    }

    fn act(&mut self, words: &[String]) {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let [first, rest @ ..] = texts.as_slice() else { return };
        if self.call(words) {
            return;
        }
        match effect(first.trim_start_matches("::")) {
            Effect::Run => {
                let rest: Vec<&str> =
                    rest.iter().copied().skip_while(|word| word.starts_with('-') && *word != "-").collect();
                self.exec(&rest);
            }
            Effect::Line => shell(self.process, &rest.join(" ")),
            Effect::Spawn => {
                self.end_spawned();
                let words = rest.iter().copied().skip_while(|word| word.starts_with('-'));
                self.spawned = Some((words.collect::<Vec<_>>().join(" "), String::new()));
            }
            Effect::Send => {
                let text = rest.last().copied().unwrap_or_default();
                match &mut self.spawned {
                    Some((_, typed)) if typed.len() < MAX_TYPED => {
                        // A password does not belong to the statement after it.
                        let text = text.trim_end_matches('\r');
                        typed.push_str(text);
                        if std::mem::take(&mut self.expects_password) {
                            typed.push(';');
                        }
                        typed.push(if text.ends_with('\n') { ' ' } else { '\n' });
                    }
                    // Into what was there before: a shell, as a rule.
                    _ => shell(self.process, text.trim_end()),
                }
            }
            Effect::Open => self.open(rest),
            Effect::Ask => self.ask(rest),
            Effect::File => self.file(rest),
            Effect::Set => match rest {
                [name, value] => self.set(name.trim_start_matches("::"), (*value).to_owned()),
                [name, values @ ..] if *first == "append" => {
                    let before = self.variable(name, None);
                    self.set(name, before + &values.concat());
                }
                [name, values @ ..] if *first == "lappend" => {
                    let before = self.variable(name, None);
                    let before = if before.chars().all(mark::is_hole) { String::new() } else { before };
                    self.set(name, format!("{before} {}", values.join(" ")));
                }
                _ => {}
            },
            Effect::Code => {
                let body = rest.join(" ");
                if !body.is_empty() && body.chars().all(mark::is_hole) {
                    let span = self.process.scope.origin;
                    let span = span.unwrap_or_else(|| self.process.runner.span_of(self.process.index));
                    self.process.runner.note(NoteKind::OpaqueCode, span);
                }
                self.run(&body);
            }
            Effect::Each => {
                if let [name, list, body] = rest {
                    // Each runs the body, and bodies nest.
                    let values: Vec<String> =
                        list.split_whitespace().take(MAX_ELEMENTS).map(str::to_owned).collect();
                    for value in values {
                        self.set(name, value);
                        self.run(body);
                    }
                }
            }
            Effect::Define => {
                if let [name, parameters, body] = rest
                    && self.procedures.len() < MAX_NAMES
                {
                    // `{x {y 1}}`: what has a default is a list of both.
                    let parameters = parameters.split_whitespace().map(|name| name.trim_matches(['{', '}']));
                    self.procedures.push(Rc::new(Procedure {
                        name: name.trim_start_matches("::").to_owned(),
                        parameters: parameters.map(str::to_owned).collect(),
                        body: (*body).to_owned(),
                    }));
                }
            }
            Effect::Bodies => {
                // A single word is a name or `else`.
                for body in rest.iter().filter(|body| body.contains([' ', '\n'])) {
                    self.run(body);
                }
            }
            Effect::Source => {
                if let Some(loaded) =
                    rest.last().and_then(|file| self.process.runner.look_up(self.process.scope, file))
                {
                    self.run(&loaded.text);
                }
            }
            // A function without a name: `apply {parameters body}`.
            Effect::Apply => {
                let mut parts = Vec::new();
                self.command(rest.first().copied().unwrap_or_default(), &mut parts);
                if let [_, body, ..] = parts.as_slice() {
                    self.run(body);
                }
            }
            // Words, each with what is done where it comes.
            Effect::Cases => {
                self.expects_password |= rest.iter().any(|pattern| pattern.contains("assword"));
                for cases in rest.iter().filter(|body| body.contains([' ', '\n'])) {
                    let mut left = *cases;
                    while !left.is_empty() {
                        let mut words = Vec::new();
                        left = self.command(left, &mut words);
                        for body in words.iter().skip(1).filter(|body| body.contains([' ', '\n'])) {
                            self.run(body);
                        }
                    }
                }
            }
            Effect::Unknown => {}
        }
    }

    /// `exec rm x`, `exec sh << TEXT`, `exec a | b`
    fn exec(&mut self, words: &[&str]) {
        let input = words.iter().position(|word| word.starts_with("<<"));
        let Some(at) = input else {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            start(self.process, words);
            return;
        };
        let text = match words[at].trim_start_matches('<') {
            "" => words.get(at + 1).copied().unwrap_or_default(),
            text => text,
        };
        shell_reading(self.process, &words[..at].join(" "), text);
    }

    fn open(&mut self, rest: &[&str]) {
        match rest {
            [first, ..] if first.starts_with('|') => {
                let line = first.trim_start_matches('|').to_owned();
                shell(self.process, &line);
            }
            // `tee` writes its operands, which is all that rules need to see.
            [path, mode, ..] if mode.contains(['w', 'a']) || mode.contains("TRUNC") => {
                start(self.process, ["tee", "--", path].map(str::to_owned).to_vec());
            }
            [path, ..] => self.note_private(path),
            [] => {}
        }
    }

    /// A file of the home folder that is read: whatever is sent later may hold it.
    fn note_private(&mut self, path: &str) {
        let scope = &self.process.scope;
        let path = match path.strip_prefix('~') {
            Some(rest) => format!("{}{rest}", scope.home),
            None => path.to_owned(),
        };
        let is_hidden = path.strip_prefix(&*scope.home).is_some_and(|inside| inside.starts_with("/."));
        if is_hidden
            && self.private.len() < MAX_PRIVATE
            && !mark::any(&path)
            && !shell_engine::path::is_within(&path, &scope.cwd)
        {
            self.private.push(path);
        }
    }

    /// `http::geturl ADDRESS -query DATA`
    fn ask(&mut self, rest: &[&str]) {
        let Some((address, options)) = rest.split_first() else { return };
        let mut pairs = options.windows(2);
        let sends = pairs.any(|pair| pair[0].starts_with("-query") && pair[1].contains(mark::is_hole));
        let quoted = |word: &str| format!("'{}'", word.replace('\'', ""));
        for path in self.private.iter().filter(|_| sends) {
            let line = format!("cat -- {} | curl -s --data-binary @- {}", quoted(path), quoted(address));
            shell(self.process, &line);
        }
    }

    fn file(&mut self, rest: &[&str]) {
        let words = match rest {
            ["delete", rest @ ..] => {
                let home = self.process.scope.home.to_string();
                let names = rest.iter().filter(|word| !word.starts_with('-'));
                // `file delete {*}$list` and `[glob …]` are several names by now.
                let names = names.flat_map(|word| word.split_whitespace());
                let names = names.map(|word| match word.strip_prefix('~') {
                    Some(rest) => format!("{home}{rest}"),
                    None => word.to_owned(),
                });
                ["rm", "-rf", "--"].map(str::to_owned).into_iter().chain(names).collect()
            }
            ["rename", rest @ ..] => {
                let names = rest.iter().filter(|word| !word.starts_with('-')).map(|&word| word.to_owned());
                ["mv", "-f", "--"].map(str::to_owned).into_iter().chain(names).collect()
            }
            _ => return,
        };
        start(self.process, words);
    }
}

fn decoded(bytes: Option<Vec<u8>>) -> String {
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| mark::DECODED.to_string())
}

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Unknown,
    /// Runs its words as a program.
    Run,
    /// Runs them as a line.
    Line,
    /// Starts a program that is typed into.
    Spawn,
    Send,
    Open,
    /// Asks an address, perhaps with data.
    Ask,
    File,
    Set,
    /// Runs its words as a script.
    Code,
    Each,
    Define,
    /// Some of its words are scripts.
    Bodies,
    Apply,
    Cases,
    Source,
}

fn effect(name: &str) -> Effect {
    match name {
        "exec" => Effect::Run,
        "system" => Effect::Line,
        "spawn" | "exp_spawn" => Effect::Spawn,
        "send" | "exp_send" => Effect::Send,
        "open" => Effect::Open,
        "file" => Effect::File,
        "set" | "append" | "lappend" | "variable" => Effect::Set,
        "eval" | "uplevel" | "subst" => Effect::Code,
        "foreach" => Effect::Each,
        "proc" => Effect::Define,
        "if" | "while" | "for" | "catch" | "try" | "after" | "namespace" | "else" | "trace" | "interp"
        | "coroutine" | "bind" | "fileevent" | "time" | "dict" | "lmap" | "trap" => Effect::Bodies,
        "apply" => Effect::Apply,
        "expect" | "switch" | "expect_before" | "expect_after" => Effect::Cases,
        "http::geturl" => Effect::Ask,
        "source" => Effect::Source,
        _ => Effect::Unknown,
    }
}

/// Where the bracket that opens `text` closes.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 0_u32;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    text.len()
}

fn quote_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Where a bare word ends; brackets in it belong to it.
fn word_end(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ' ' | '\t' | '\n' | ';' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
