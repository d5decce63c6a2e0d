//! Tcl: commands of words, with substitution in brackets.

use shell_engine::{Process, mark};

use super::{shell, start};

/// Scripts inside scripts that are read.
const MAX_DEPTH: u32 = 16;
/// Variables that are remembered.
const MAX_VARIABLES: usize = 200;

/// Looks for commands that do something.
pub(super) fn run(process: &mut Process<'_>, body: &str) {
    let mut script = Script { process, variables: Vec::new(), depth: 0 };
    script.run(body);
}

struct Script<'r, 'p> {
    process: &'r mut Process<'p>,
    variables: Vec<(String, String)>,
    depth: u32,
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

    /// Reads the words of one command; returns what follows it. A word in braces is kept as it is.
    fn command<'b>(&mut self, body: &'b str, words: &mut Vec<String>) -> &'b str {
        let mut rest = body;
        loop {
            rest = rest.trim_start_matches([' ', '\t', '\r']);
            let Some(c) = rest.chars().next() else { return rest };
            match c {
                '\n' | ';' => return &rest[1..],
                '#' if words.is_empty() => return &rest[rest.find('\n').unwrap_or(rest.len())..],
                '{' => {
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
                    let end = word_end(rest);
                    let spread = rest.starts_with("{*}");
                    let word = self.substituted(&rest[..end]);
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
                    result.push_str(&rest[1..width]);
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
                    let value = match &name[..width] {
                        "env" if name[width..].starts_with("(HOME)") => self.process.scope.home.to_string(),
                        name => self
                            .variables
                            .iter()
                            .rev()
                            .find(|(known, _)| known == name)
                            .map_or_else(|| mark::UNKNOWN.to_string(), |(_, value)| value.clone()),
                    };
                    result.push_str(&value);
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

    /// What a command in brackets gives back.
    fn value(&mut self, body: &str) -> String {
        let mut words = Vec::new();
        if self.depth >= MAX_DEPTH {
            return mark::UNKNOWN.to_string();
        }
        self.depth += 1;
        self.command(body, &mut words);
        self.depth -= 1;
        let text = |at: usize| words.get(at).cloned().unwrap_or_default();
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["glob", rest @ ..] => {
                rest.last().map_or_else(String::new, |pattern| pattern.replace('*', &mark::STAR.to_string()))
            }
            ["file", "join", parts @ ..] => parts.join("/"),
            ["file", "normalize" | "nativename", _] => text(2),
            ["set", _] => self.substituted(&format!("${}", text(1))),
            ["list" | "concat", parts @ ..] => parts.join(" "),
            ["pwd"] => self.process.scope.cwd.to_string(),
            _ => {
                self.act(&words);
                mark::UNKNOWN.to_string()
            }
        }
    }

    fn act(&mut self, words: &[String]) {
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let start = |script: &mut Self, words: Vec<String>| start(script.process, words);
        let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|&word| word.to_owned()).collect() };
        match texts.as_slice() {
            ["exec", rest @ ..] => {
                let rest: Vec<&str> =
                    rest.iter().copied().skip_while(|word| word.starts_with('-') && *word != "-").collect();
                start(self, owned(&rest));
            }
            ["spawn" | "system", rest @ ..] => {
                let line = rest.join(" ");
                shell(self.process, &line);
            }
            ["open", first, ..] if first.starts_with('|') => {
                let line = first.trim_start_matches('|').to_owned();
                shell(self.process, &line);
            }
            // `tee` writes its operands, which is all that rules need to see.
            ["open", path, mode, ..] if mode.contains(['w', 'a']) || mode.contains("TRUNC") => {
                start(self, vec!["tee".to_owned(), "--".to_owned(), (*path).to_owned()]);
            }
            ["file", "delete", rest @ ..] => {
                let mut call = vec!["rm".to_owned(), "-rf".to_owned(), "--".to_owned()];
                let home = self.process.scope.home.to_string();
                for word in rest.iter().filter(|word| !word.starts_with('-')) {
                    // `file delete {*}$list` and `[glob …]` are several names by now.
                    call.extend(word.split_whitespace().map(|word| match word.strip_prefix('~') {
                        Some(rest) => format!("{home}{rest}"),
                        None => word.to_owned(),
                    }));
                }
                start(self, call);
            }
            ["file", "rename", rest @ ..] => {
                let mut call = vec!["mv".to_owned(), "-f".to_owned(), "--".to_owned()];
                call.extend(rest.iter().filter(|word| !word.starts_with('-')).map(|&word| word.to_owned()));
                start(self, call);
            }
            ["set", name, value] if self.variables.len() < MAX_VARIABLES => {
                self.variables.push(((*name).to_owned(), (*value).to_owned()));
            }
            ["eval" | "uplevel" | "subst", rest @ ..] => {
                let body = rest.join(" ");
                self.run(&body);
            }
            ["foreach", name, list, body] => {
                // Each runs the body, and bodies nest.
                let values: Vec<String> = list.split_whitespace().take(16).map(str::to_owned).collect();
                for value in values {
                    self.variables.push(((*name).to_owned(), value));
                    self.run(body);
                }
            }
            // The bodies of `if`, `while`, `proc`, `catch` and the like are scripts.
            [
                "if" | "while" | "for" | "proc" | "catch" | "try" | "after" | "namespace" | "else",
                rest @ ..,
            ] => {
                // A single word is a name or `else`.
                for body in rest.iter().filter(|body| body.contains([' ', '\n'])) {
                    self.run(body);
                }
            }
            _ => {}
        }
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
