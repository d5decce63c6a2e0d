//! Nushell, as bash would have it: the same commands on the same lines.

mod pipeline;
mod words;

use crate::programs::QUOTES;
use std::collections::BTreeSet;

/// Blocks inside of each other that are followed.
const MAX_DEPTH: u32 = 40;

/// A script of Nushell as one of bash, line by line. One that is brought into another does not start its `main`. `None`
/// where its brackets do not match.
pub(super) fn nushell(text: &str, starts: bool) -> Option<String> {
    let mut names = Names::default();
    for line in text.lines() {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        names.functions.extend(line.strip_prefix("def ").and_then(defined));
    }
    let mut translator = Nu { names, ..Nu::new(text) };
    translator.block(None)?;
    let Nu { mut out, names, .. } = translator;
    let subs: Vec<&str> = names.functions.iter().filter_map(|name| name.strip_prefix("main ")).collect();
    if starts && !subs.is_empty() {
        let arms =
            subs.iter().map(|sub| format!("{sub}) shift; {} \"$@\";; ", bash_name(&format!("main {sub}"))));
        let arms: String = arms.collect();
        let otherwise = if names.functions.contains("main") { "*) main \"$@\";; " } else { "" };
        out.extend([format!("case \"$1\" in {arms}{otherwise}esac\n")]);
    } else if starts && names.functions.contains("main") {
        out.push_str("main \"$@\"\n");
    }
    Some(out)
}

/// The name of a function after `def`.
fn defined(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    match rest.chars().next()? {
        quote @ ('"' | '\'' | '`') => rest[1..].split(quote).next().map(str::to_owned),
        '-' => defined(rest.split_once(' ')?.1),
        _ => rest.split([' ', '[', '(']).next().map(str::to_owned),
    }
}

/// A name as bash takes it.
fn bash_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

#[derive(Default, Clone)]
struct Names {
    functions: BTreeSet<String>,
    lists: BTreeSet<String>,
    records: BTreeSet<String>,
    /// What a command has printed.
    printed: BTreeSet<String>,
}

#[derive(Default)]
struct Nu<'a> {
    text: &'a str,
    at: usize,
    out: String,
    depth: u32,
    names: Names,
    /// What runs in parts of the statement at hand of which bash has nothing.
    left_out: Vec<String>,
    /// Bytes of statements that were read again.
    read: usize,
}

/// Bytes that are read again, to be sure that statements are whole.
const MAX_READ: usize = 4 << 20;

/// What an expression gives.
enum Value {
    /// So many words.
    Words(String),
    /// What a command prints.
    Command(String),
}

impl Value {
    fn words(self) -> String {
        match self {
            Self::Words(words) => words,
            Self::Command(command) => format!("$({command})"),
        }
    }

    fn command(self) -> String {
        match self {
            Self::Words(words) => format!("printf '%s\\n' {words}"),
            Self::Command(command) => command,
        }
    }
}

impl<'a> Nu<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes blanks and comments, and lines where they mean nothing.
    fn blanks(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r') || lines && matches!(c, '\n' | ',');
            self.at += rest.len() - rest.trim_start_matches(is_blank).len();
            let rest = self.rest();
            let starts_word = self.at == 0 || self.text[..self.at].ends_with(char::is_whitespace);
            if !(rest.starts_with('#') && starts_word) {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// A word of the language, if it stands here.
    fn takes_word(&mut self, word: &str) -> bool {
        let after = self.rest().strip_prefix(word);
        let found =
            after.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_.".contains(c)));
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Statements up to a bracket, or the end.
    fn block(&mut self, end: Option<char>) -> Option<()> {
        self.depth += 1;
        (self.depth < MAX_DEPTH).then_some(())?;
        let mut is_empty = true;
        loop {
            self.blanks(false);
            let Some(c) = self.rest().chars().next() else { break };
            if Some(c) == end {
                break;
            }
            match c {
                '\n' => self.out.push('\n'),
                ';' => {}
                _ => {
                    let (from, written) = (self.at, self.out.len());
                    let text = self.statement()?;
                    (self.at > from).then_some(())?;
                    // What is open at its end would hide the next one.
                    self.read += text.len();
                    (self.read < MAX_READ && shell_engine::bash::is_whole(&text)).then_some(())?;
                    for left_out in self.left_out.drain(..) {
                        self.out.extend([": ", &left_out, "; "]);
                    }
                    self.out.push_str(&text);
                    // What stands on several lines stands on as many.
                    let lines = self.text[from..self.at].matches('\n').count();
                    let own = self.out[written..].matches('\n').count();
                    self.out.push_str("; ");
                    self.out.push_str(&"\n".repeat(lines.saturating_sub(own)));
                    is_empty = false;
                    continue;
                }
            }
            self.at += 1;
        }
        if is_empty && end.is_some() {
            self.out.push_str(":; ");
        }
        self.depth -= 1;
        (self.rest().chars().next() == end).then_some(())
    }

    /// `{ … }`, as the statements in it.
    fn braces(&mut self) -> Option<String> {
        self.blanks(true);
        self.takes("{").then_some(())?;
        let outer = std::mem::take(&mut self.out);
        let read = self.block(Some('}'));
        let body = std::mem::replace(&mut self.out, outer);
        read?;
        self.at += 1;
        Some(body)
    }

    fn statement(&mut self) -> Option<String> {
        while self.takes_word("export") || self.takes_word("export-env") {
            self.blanks(false);
        }
        if self.takes_word("def") {
            return self.function();
        }
        if self.takes_word("alias") {
            return self.alias();
        }
        for word in ["let", "mut", "const"] {
            if self.takes_word(word) {
                return self.binding();
            }
        }
        if self.takes_word("if") {
            return self.conditional();
        }
        if self.takes_word("for") {
            return self.each();
        }
        if self.takes_word("while") {
            let condition = self.condition()?;
            return Some(format!("while {condition}; do {}done", self.braces()?));
        }
        if self.takes_word("loop") {
            return Some(format!("while true; do {}done", self.braces()?));
        }
        if self.takes_word("match") {
            return self.cases();
        }
        if self.takes_word("try") {
            let body = self.braces()?;
            self.blanks(true);
            if self.takes_word("catch") {
                let (_, other) = self.closure()?;
                return Some(format!("{{ {body}}} || {{ {other}}}"));
            }
            return Some(format!("{{ {body}}}"));
        }
        for word in ["module", "do", "job spawn"] {
            let from = self.at;
            if self.takes_word(word) {
                while !self.rest().starts_with(['{', '\n']) && !self.rest().is_empty() {
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                }
                if self.rest().starts_with('{') {
                    let (_, body) = self.closure()?;
                    return Some(format!("{{ {body}}}"));
                }
                self.at = from;
            }
        }
        match self.assigned() {
            Some((target, grows)) => self.assignment(&target, grows),
            None => Some(self.pipeline()?.statement()),
        }
    }

    /// `alias name = command`, after its first word
    fn alias(&mut self) -> Option<String> {
        let (name, _) = self.rest().split_once('=')?;
        self.at += name.len() + 1;
        let name = name.trim().trim_matches(QUOTES).to_owned();
        let command = self.pipeline()?.statement();
        self.names.functions.insert(name.clone());
        Some(format!("{}() {{ {command} \"$@\"; }}", bash_name(&name)))
    }

    /// What `$x = …`, `$env.X = …`, `$x += …` sets, and whether it adds to that.
    fn assigned(&mut self) -> Option<(String, bool)> {
        let line = self.rest().split(['\n', ';', '|']).next()?.strip_prefix('$')?;
        let (target, _) = line.split_once(" = ").or_else(|| line.split_once(" += "))?;
        target.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c)).then_some(())?;
        let grows = line[target.len()..].starts_with(" +=");
        self.at += 1 + target.len() + if grows { 4 } else { 3 };
        Some((target.to_owned(), grows))
    }

    fn assignment(&mut self, target: &str, grows: bool) -> Option<String> {
        let is_environment = target.starts_with("env.");
        let name = bash_name(target.trim_start_matches("env.").split('.').next().unwrap_or(target));
        let value = self.pipeline()?.words();
        let before = if is_environment { "export " } else { "" };
        Some(match (grows, self.names.lists.contains(&name)) {
            (true, true) => format!("{name}+=({value})"),
            (true, false) => format!("{name}+={value}"),
            (false, true) => format!("{name}=({value})"),
            (false, false) => format!("{before}{name}={value}"),
        })
    }

    /// `let name: type = …`
    fn binding(&mut self) -> Option<String> {
        self.blanks(false);
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))?;
        let name = bash_name(&rest[..end]);
        self.at += rest.find('=')? + 1;
        self.blanks(true);
        if self.rest().starts_with('{')
            && !self.rest()[1..].trim_start().starts_with('|')
            && let Some(entries) = self.record()
        {
            self.names.records.insert(name.clone());
            return Some(format!("declare -A {name}=({entries})"));
        }
        let is_list = self.rest().starts_with('[');
        let value =
            if self.takes_word("if") { Value::Command(self.conditional()?) } else { self.pipeline()? };
        if is_list
            || matches!(&value, Value::Words(words) if words.contains(['*', ' ']) && !words.starts_with(QUOTES))
        {
            self.names.lists.insert(name.clone());
            return Some(format!("{name}=({})", value.words()));
        }
        if matches!(value, Value::Command(_)) {
            self.names.printed.insert(name.clone());
        }
        Some(format!("{name}={}", value.words()))
    }

    /// `if … { … } else if … { … } else { … }`, after its first word
    fn conditional(&mut self) -> Option<String> {
        let condition = self.condition()?;
        let mut text = format!("if {condition}; then {}", self.braces()?);
        loop {
            let from = self.at;
            self.blanks(true);
            if !self.takes_word("else") {
                self.at = from;
                break;
            }
            self.blanks(false);
            if self.takes_word("if") {
                let condition = self.condition()?;
                text.extend([format!("elif {condition}; then {}", self.braces()?)]);
            } else {
                text.extend([format!("else {}", self.braces()?)]);
                break;
            }
        }
        text.push_str("fi");
        Some(text)
    }

    /// `for x in … { … }`, after its first word
    fn each(&mut self) -> Option<String> {
        self.blanks(false);
        let (name, _) = self.rest().split_once(" in ")?;
        self.at += name.len() + " in ".len();
        let name = bash_name(name.split(':').next().unwrap_or(name).trim());
        let values = self.one()?.words();
        Some(format!("for {name} in {values}; do {}done", self.braces()?))
    }

    /// `match … { "a" | "b" => { … }, _ => … }`, after its first word
    fn cases(&mut self) -> Option<String> {
        let subject = self.one()?.words();
        self.blanks(true);
        self.takes("{").then_some(())?;
        let mut text = format!("case {subject} in ");
        loop {
            self.blanks(true);
            if self.takes("}") {
                break;
            }
            let (patterns, _) = self.rest().split_once("=>")?;
            self.at += patterns.len() + 2;
            let patterns = patterns.split('|').map(|pattern| match pattern.trim().trim_matches(QUOTES) {
                "_" => "*".to_owned(),
                pattern => words::escaped(pattern, "*?[]"),
            });
            let patterns: Vec<String> = patterns.collect();
            self.blanks(true);
            let body =
                if self.rest().starts_with('{') { self.braces()? } else { self.pipeline()?.statement() };
            text.extend([format!("{}) {} ;; ", patterns.join("|"), body.trim_end().trim_end_matches(';'))]);
        }
        text.push_str("esac");
        Some(text)
    }

    /// `{|x| … }`: the name of its parameter, and its body.
    fn closure(&mut self) -> Option<(String, String)> {
        self.blanks(true);
        let rest = self.rest().strip_prefix('{')?;
        let inner = rest.trim_start();
        let mut name = "it".to_owned();
        let from = self.at;
        if let Some((parameters, _)) = inner.strip_prefix('|').and_then(|inner| inner.split_once('|')) {
            name = bash_name(parameters.split([',', ' ', ':']).find(|word| !word.is_empty()).unwrap_or("it"));
            // The block begins where its parameters end.
            self.at = from + 1 + (rest.len() - inner.len()) + parameters.len() + 1;
            self.takes("|");
            let outer = std::mem::take(&mut self.out);
            let read = self.block(Some('}'));
            let body = std::mem::replace(&mut self.out, outer);
            read?;
            self.at += 1;
            return Some((name, body));
        }
        let body = self.braces()?;
        Some((std::mem::take(&mut name), body))
    }

    /// `def name [a: string, b?: int, --flag (-f), ...rest] { … }`, after its first word
    fn function(&mut self) -> Option<String> {
        let name = defined(self.rest())?;
        let open = self.rest().find('[')?;
        self.at += open + 1;
        let from = self.at;
        let mut level = 0_usize;
        let end = self.rest().char_indices().find_map(|(at, c)| match c {
            '[' => {
                level += 1;
                None
            }
            ']' if level == 0 => Some(at),
            ']' => {
                level -= 1;
                None
            }
            _ => None,
        })?;
        let parameters = &self.text[from..from + end];
        // A default may be a command: `[d = (ls)]`.
        let given = parameters.match_indices('=').map(|(at, _)| parameters[at + 1..].trim_start());
        for default in given.filter(|default| default.starts_with('(')) {
            let value = Nu { names: self.names.clone(), ..Nu::new(default) }.one()?;
            self.left_out.push(value.words());
        }
        let taken = words::parameters(parameters, &mut self.names.lists);
        self.at += end + 1;
        self.at += self.rest().find('{')?;
        let (_, body) = self.closure()?;
        Some(format!("{}() {{ {taken}{body}}}", bash_name(&name)))
    }
}

#[cfg(test)]
mod tests {
    use super::nushell;

    #[test]
    fn lines_of_nushell_are_those_of_bash() {
        for (own, other) in [
            (
                "def tidy [] {\n  ^rm -rf $nu.home-path\n}\ntidy\n",
                "tidy() { \nrm -rf \"$HOME\"; \n}; \ntidy; \n",
            ),
            (
                "let x = \"a\"\nif $x == \"a\" { rm $x } else { ls }\n",
                "x='a'; \nif [ \"$x\" = 'a' ]; then rm \"$x\"; else echo *; fi; \n",
            ),
            ("for d in [a b] {\n  rm -rf $d\n}\n", "for d in a b; do \nrm -rf \"$d\"; \ndone; \n"),
            (
                "[a b] | each {|d| rm --recursive --force --permanent $d } | ignore\n",
                "for d in a b; do rm -r -f \"$d\"; done; \n",
            ),
            ("ls ~ | get name | each {|it| rm $it }\n", "for it in ~/*; do rm \"$it\"; done; \n"),
            ("http get $\"($base)/x.sh\" | bash\n", "curl \"${base}/x.sh\" | bash; \n"),
            (
                "match $x {\n  \"a\" => { ls }\n  _ => { rm b }\n}\n",
                "case \"$x\" in a) echo * ;; *) rm b ;; esac; \n\n\n\n",
            ),
        ] {
            assert_eq!(nushell(own, true).as_deref(), Some(other), "{own}");
        }
        assert_eq!(nushell("def x [] {", true), None);
    }
}
