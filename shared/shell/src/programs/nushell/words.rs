//! Words of Nushell: strings, variables with their fields, lists, records, conditions, parameters.

use std::collections::BTreeSet;

use super::{Nu, Value, bash_name};
use crate::programs::QUOTES;

/// Ends of a word.
const ENDS: [char; 12] = [' ', '\t', '\r', '\n', ';', '|', ')', '}', ']', ',', '(', '{'];

impl Nu<'_> {
    /// One value: a word, or what stands in brackets.
    pub(super) fn one(&mut self) -> Option<Value> {
        self.blanks(false);
        let rest = self.rest();
        let value = match rest.chars().next()? {
            '(' => {
                self.at += 1;
                self.blanks(true);
                let value = self.pipeline_in(true)?;
                self.blanks(true);
                self.takes(")").then_some(())?;
                let fields = self.rest().len()
                    - self.rest().trim_start_matches(|c: char| c == '.' || c.is_alphanumeric()).len();
                self.at += if self.rest().starts_with('.') { fields } else { 0 };
                value
            }
            '[' => Value::Words(self.list()?),
            '"' | '\'' | '`' => Value::Words(self.string()?),
            '$' if rest.starts_with("$\"") || rest.starts_with("$'") => Value::Words(self.template()?),
            '$' => self.variable(),
            '.' if rest.starts_with("...") && rest[3..].starts_with(['$', '(', '[']) => {
                self.at += 3;
                return self.one();
            }
            _ => Value::Words(self.bare()?),
        };
        Some(value)
    }

    /// A word without quotes around it; some may stand in it: `--x="a b"`.
    fn bare(&mut self) -> Option<String> {
        let mut word = String::new();
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                Some('"' | '\'') => word.push_str(&self.string()?),
                Some(c) if word.is_empty() || !ENDS.contains(&c) => {
                    self.at += c.len_utf8();
                    if matches!(c, '\\' | '`' | '$') {
                        word.push('\\');
                    }
                    word.push(c);
                }
                _ => return Some(word),
            }
        }
    }

    fn list(&mut self) -> Option<String> {
        self.at += 1;
        let mut words = Vec::new();
        loop {
            self.blanks(true);
            if self.takes("]") {
                return Some(words.join(" "));
            }
            let before = self.at;
            if self.rest().starts_with('{') {
                // Tables are lists of records: their values.
                words.push(self.record().unwrap_or_default());
            } else {
                words.push(self.one()?.words());
            }
            (self.at > before).then_some(())?;
        }
    }

    /// `{a: x, b: [y z]}` as the entries of a map. `None` where it is a block.
    pub(super) fn record(&mut self) -> Option<String> {
        let from = self.at;
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.blanks(true);
            if self.takes("}") {
                return Some(entries.join(" "));
            }
            let rest = self.rest();
            let key = rest.split(':').next().map(|key| key.trim_matches(QUOTES));
            let Some(key) =
                key.filter(|key| key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')))
            else {
                self.at = from;
                return None;
            };
            self.at += rest.find(':')? + 1;
            self.blanks(true);
            let value = if self.rest().starts_with('{') { self.record()? } else { self.one()?.words() };
            entries.push(format!("[{key}]={}", joined(&value)));
        }
    }

    /// A string in which nothing is special.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let quote = rest.chars().next()?;
        let mut text = String::new();
        let mut chars = rest[1..].char_indices();
        loop {
            let (at, c) = chars.next()?;
            match c {
                c if c == quote => {
                    self.at += at + 2;
                    return Some(format!("'{}'", text.replace('\'', "'\\''")));
                }
                '\\' if quote == '"' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
    }

    /// `$"a ($b)"`
    fn template(&mut self) -> Option<String> {
        let quote = self.rest()[1..].chars().next()?;
        self.at += 2;
        let mut text = "\"".to_owned();
        loop {
            let rest = self.rest();
            match rest.chars().next()? {
                c if c == quote => {
                    self.at += 1;
                    text.push('"');
                    return Some(text);
                }
                '(' => match self.one()? {
                    Value::Words(words) => {
                        let bare = words.trim_matches(QUOTES);
                        match bare
                            .strip_prefix('$')
                            .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
                        {
                            Some(name) => text.extend([format!("${{{name}}}")]),
                            None => text.extend(["\"", &words, "\""]),
                        }
                    }
                    command @ Value::Command(_) => text.push_str(&command.words()),
                },
                '\\' if quote == '"' => {
                    let c = rest[1..].chars().next()?;
                    text.extend(['\\', c]);
                    self.at += 1 + c.len_utf8();
                }
                c => {
                    if matches!(c, '"' | '$' | '`') {
                        text.push('\\');
                    }
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// `$x.name`, `$env.X`, `$nu.home-path`
    fn variable(&mut self) -> Value {
        let rest = &self.rest()[1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.?".contains(c))).unwrap_or(rest.len());
        self.at += 1 + end;
        let (name, field) = rest[..end].split_once('.').unwrap_or((&rest[..end], ""));
        let word = |text: &str| Value::Words(format!("\"{text}\""));
        let name = bash_name(name);
        match (name.as_str(), field) {
            ("env", "") => Value::Command("env".to_owned()),
            ("env", "FILE_PWD") => word("$(dirname \"${BASH_SOURCE[0]}\")"),
            ("env", field) => word(&format!("${}", bash_name(field))),
            ("nu", "temp-path" | "temp-dir") => word("/tmp"),
            ("nu", field) if field.starts_with("home") => word("$HOME"),
            ("in", _) => Value::Command("cat".to_owned()),
            (_, field) if self.names.records.contains(&name) && !field.is_empty() => {
                Value::Words(format!("${{{name}[{field}]}}"))
            }
            // Its lines are so many words.
            _ if self.names.printed.contains(&name) => Value::Words(format!("${name}")),
            _ if self.names.lists.contains(&name) => word(&format!("${{{name}[@]}}")),
            _ => word(&format!("${name}")),
        }
    }

    /// A condition up to its block.
    pub(super) fn condition(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            self.blanks(false);
            if self.rest().starts_with(['{', '\n']) || self.rest().is_empty() {
                return (!text.is_empty()).then_some(text);
            }
            if self.takes_word("and") {
                text.push_str(" && ");
            } else if self.takes_word("or") {
                text.push_str(" || ");
            } else if self.takes_word("not") || self.takes("!") {
                text.push_str("! ");
            } else {
                let test = self.comparison()?;
                text.push_str(&test);
            }
        }
    }

    fn comparison(&mut self) -> Option<String> {
        let left = self.one()?;
        self.blanks(false);
        let signs = [("==", "="), ("!=", "!="), (">=", "-ge"), ("<=", "-le"), (">", "-gt"), ("<", "-lt")];
        if let Some((own, other)) = signs.iter().find(|(own, _)| self.rest().starts_with(own)) {
            self.at += own.len();
            let right = self.one()?.words();
            return Some(format!("[ {} {other} {right} ]", left.words()));
        }
        if self.takes_word("in") {
            let right = self.one()?.words();
            return Some(format!("[[ \" $(echo {right}) \" == *\" $(echo {}) \"* ]]", left.words()));
        }
        if self.takes("=~") {
            let right = self.one()?.words();
            return Some(format!("[[ {} =~ $(echo {right}) ]]", joined(&left.words())));
        }
        Some(match left {
            Value::Words(words) if matches!(words.as_str(), "true" | "false") => words,
            Value::Words(words) => format!("[ {words} = true ]"),
            Value::Command(command) => command,
        })
    }
}

/// Words as one: what is none, or several, is printed into one.
fn joined(words: &str) -> String {
    let is_one = words.len() > 1 && words.starts_with(QUOTES) && !words.contains(' ');
    if is_one { words.to_owned() } else { format!("\"$(echo {words})\"") }
}

/// Plain text as a word, in which only these letters mean something.
pub(super) fn escaped(text: &str, special: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-~:=,@%+".contains(c) || special.contains(c);
    text.chars().fold(String::new(), |mut word, c| {
        word.extend((!is_plain(c)).then_some('\\'));
        word.push(c);
        word
    })
}

/// A parameter of a function.
struct Parameter {
    name: String,
    /// The options that stand for it.
    options: Vec<String>,
    valued: bool,
    default: String,
}

/// What a function takes, as the lines with which bash takes it.
pub(super) fn parameters(text: &str, lists: &mut BTreeSet<String>) -> String {
    let code: Vec<&str> = text.lines().map(|line| line.split(" #").next().unwrap_or(line)).collect();
    let mut found: Vec<Parameter> = Vec::new();
    let mut rest = None;
    let text = code.join("\n").replace(": ", ":").replace(" = ", "=");
    for word in text.split([' ', ',', '\n', '\t']).filter(|word| !word.is_empty() && !word.starts_with('#')) {
        let is_plain = |text: &&str| {
            text.trim_matches(QUOTES).chars().all(|c| c.is_alphanumeric() || "/._-~:@$".contains(c))
        };
        let (head, default) = word.split_once('=').unwrap_or((word, ""));
        let default = Some(default).filter(is_plain).unwrap_or_default().trim_matches(QUOTES);
        let (name, kind) = head.split_once(':').unwrap_or((head, ""));
        if let Some(short) = word.strip_prefix('(').and_then(|word| word.split(')').next()) {
            // `--flag (-f)`
            if let Some(last) = found.last_mut() {
                last.options.push(short.to_owned());
                last.valued |= word.contains(':');
            }
            continue;
        }
        if let Some(name) = name.strip_prefix("...") {
            lists.insert(bash_name(name));
            rest = Some(bash_name(name));
            continue;
        }
        let (option, short) = name.split_once('(').unwrap_or((name, ""));
        let is_option = option.starts_with('-');
        let mut options: Vec<String> = if is_option { vec![option.to_owned()] } else { Vec::new() };
        options.extend(short.strip_suffix(')').map(str::to_owned));
        options.retain(|option| option.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')));
        let name = bash_name(option.trim_start_matches('-').trim_end_matches('?'));
        found.push(Parameter { name, options, valued: !kind.is_empty(), default: default.to_owned() });
    }
    let (mut before, mut arms, mut after) = (String::new(), String::new(), String::new());
    let asks = found.iter().any(|parameter| !parameter.options.is_empty());
    let mut place = 0;
    for Parameter { name, options, valued, default } in &found {
        if options.is_empty() {
            let value = if asks { format!("_rest[{place}]") } else { (place + 1).to_string() };
            let fallback = if default.is_empty() { String::new() } else { format!("-{default}") };
            after.extend([format!("local {name}=\"${{{value}{fallback}}}\"; ")]);
            place += 1;
            continue;
        }
        let default = if *valued || !default.is_empty() { default.as_str() } else { "false" };
        before.extend([format!("local {name}={default}; ")]);
        if *valued {
            arms.extend([format!("{}) {name}=\"$2\"; shift; shift;; ", options.join("|"))]);
        } else {
            arms.extend([format!("{}) {name}=true; shift;; ", options.join("|"))]);
        }
    }
    if let Some(rest) = rest {
        let from = if asks { format!("_rest[@]:{place}") } else { format!("@:{}", place + 1) };
        after.extend([format!("local {rest}=(\"${{{from}}}\"); ")]);
    }
    if asks {
        before.extend([format!(
            "_rest=(); while [ $# -gt 0 ]; do case \"$1\" in {arms}*) _rest+=(\"$1\"); shift;; esac; done; "
        )]);
    }
    before + &after
}
