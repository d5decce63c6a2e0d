//! Pipelines of Nushell: commands of its own as those that do the same, and what goes through values.

use super::words::escaped;
use super::{Nu, Value, bash_name};
use crate::programs::QUOTES;

/// What hands on what it gets, or less of it.
const PASSING: [&str; 40] = [
    "get",
    "where",
    "filter",
    "first",
    "last",
    "take",
    "skip",
    "drop",
    "sort",
    "sort-by",
    "reverse",
    "uniq",
    "compact",
    "flatten",
    "select",
    "reject",
    "lines",
    "ignore",
    "collect",
    "to",
    "from",
    "into",
    "str",
    "columns",
    "values",
    "transpose",
    "enumerate",
    "rename",
    "insert",
    "update",
    "upsert",
    "tee",
    "inspect",
    "table",
    "complete",
    "par-each",
    "default",
    "group-by",
    "items",
    "decode",
];

impl Value {
    /// A value that stands alone is printed.
    pub(super) fn statement(self) -> String {
        match self {
            Self::Words(words) => format!("echo {words}"),
            Self::Command(command) => command,
        }
    }
}

impl Nu<'_> {
    pub(super) fn pipeline(&mut self) -> Option<Value> {
        self.pipeline_in(false)
    }

    /// A pipeline; in brackets it goes on over lines.
    pub(super) fn pipeline_in(&mut self, lines: bool) -> Option<Value> {
        let mut value = self.element(None)?;
        loop {
            let from = self.at;
            self.blanks(lines);
            // A line that begins with a bar goes on with the one before.
            if self.rest().starts_with('\n') && self.rest().trim_start().starts_with('|') {
                self.at = self.text.len() - self.rest().trim_start().len();
            }
            if !self.rest().starts_with('|') {
                if self.rest().starts_with('\n') {
                    self.at = from;
                }
                return Some(value);
            }
            self.at += 1;
            self.blanks(true);
            value = self.element(Some(value))?;
        }
    }

    /// One command, with what comes down the pipeline.
    fn element(&mut self, input: Option<Value>) -> Option<Value> {
        self.blanks(false);
        let rest = self.rest();
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        if input.is_none() && (is_number || rest.starts_with(['"', '\'', '$', '[', '(', '`']))
            || rest.starts_with("$in")
        {
            let value = self.one()?;
            self.blanks(false);
            // `$a + $b`, `$a ++ $b`: what both are.
            if self.takes("++ ") || self.takes("+ ") {
                let other = self.one()?.words();
                return Some(Value::Words(format!("{}{other}", value.words())));
            }
            return Some(value);
        }
        if input.is_none() && rest.starts_with('{') {
            return match self.record() {
                Some(entries) => Some(Value::Words(entries)),
                None => self.closure().map(|(_, body)| Value::Command(format!("{{ {body}}}"))),
            };
        }
        let is_foreign = self.takes("^");
        let name = self.one()?.words();
        if !is_foreign
            && matches!(name.as_str(), "each" | "par-each" | "items")
            && let Some(input) = input
        {
            return self.goes_through(input);
        }
        if name == "error" {
            self.skip(&['\n', ';', '}'])?;
            return Some(Value::Command("exit 1".to_owned()));
        }
        if name == "if" {
            return self.conditional().map(Value::Command);
        }
        if name == "match" {
            return self.cases().map(Value::Command);
        }
        if !is_foreign && name == "path" {
            return self.path(input);
        }
        if !is_foreign && PASSING.contains(&name.as_str()) {
            return self.passed(&name, input);
        }
        let (words, blocks) = self.arguments()?;
        let command = if is_foreign { None } else { Self::own(&name, &words, input.as_ref()) };
        let command = match (command, input) {
            (Some(value @ Value::Words(_)), _) => return Some(value),
            (Some(Value::Command(command)), None) => command,
            (Some(Value::Command(command)), Some(input)) => format!("{} | {command}", input.command()),
            (None, input) => {
                let mut all = vec![name.clone()];
                let two = words.first().map(|word| format!("{name} {word}"));
                let is_function = self.names.functions.contains(&name);
                let mut words = words.as_slice();
                if let Some(two) = two.filter(|two| self.names.functions.contains(two)) {
                    all[0] = bash_name(&two);
                    words = &words[1..];
                } else if is_function {
                    all[0] = bash_name(&name);
                }
                all.extend(words.iter().cloned());
                let command = all.join(" ");
                match input {
                    Some(input) => format!("{} | {command}", input.command()),
                    None => command,
                }
            }
        };
        // A block that a command gets is run.
        let blocks: String = blocks.iter().map(|body| format!("; {{ {body}}}")).collect();
        Some(Value::Command(command + &blocks))
    }

    /// `… | each {|x| … }`
    fn goes_through(&mut self, input: Value) -> Option<Value> {
        self.blanks(false);
        while self.rest().starts_with('-') {
            self.one()?;
            self.blanks(false);
        }
        let (name, body) = self.closure()?;
        // `$in` is the one at work.
        let body = body.replace("$(cat)", &format!("\"${name}\""));
        Some(Value::Command(format!(
            "for {name} in {}; do {}done",
            input.words(),
            body.trim_start_matches(' ')
        )))
    }

    /// `… | path join x`
    fn path(&mut self, input: Option<Value>) -> Option<Value> {
        let verb = self.one()?.words();
        let (words, _) = self.arguments()?;
        let base = input.map_or_else(String::new, Value::words);
        let base = base.trim_end().to_owned();
        Some(match verb.as_str() {
            "join" => Value::Words(format!("{base}/{}", words.join("/"))),
            "dirname" => Value::Command(format!("dirname {base}")),
            "basename" => Value::Command(format!("basename {base}")),
            "exists" => Value::Command(format!("[ -e {base} ]")),
            "type" => Value::Command(format!("stat {base}")),
            _ => Value::Words(base),
        })
    }

    /// What hands on what it gets.
    fn passed(&mut self, name: &str, input: Option<Value>) -> Option<Value> {
        let key = if name == "get" {
            self.blanks(false);
            Some(self.one()?.words())
        } else {
            self.skip(&['|', '\n', ';', '}', ')'])?;
            None
        };
        let input = input?;
        // `$places | get $name`
        if let (Some(key), Value::Words(words)) = (key, &input)
            && let Some(record) =
                self.names.records.iter().find(|record| words.trim_matches('"') == format!("${record}"))
        {
            return Some(Value::Words(format!("${{{record}[{}]}}", escaped(&key.replace(QUOTES, ""), "$"))));
        }
        Some(input)
    }

    /// Steps over what bash has nothing for, up to one of the ends. What runs in it is kept for in front of the statement.
    fn skip(&mut self, ends: &[char]) -> Option<()> {
        while let Some(c) = self.rest().chars().next().filter(|c| !ends.contains(c)) {
            let from = self.at;
            let ran = match c {
                '(' => self.one().map(Value::words),
                '{' => match self.record() {
                    Some(entries) => Some(entries),
                    None => Some(format!("$({})", self.closure()?.1)),
                },
                '"' | '\'' | '`' => self.one().map(|_| String::new()),
                _ => None,
            };
            match ran {
                Some(ran) => self.left_out.extend(Some(ran).filter(|ran| ran.contains("$("))),
                None => self.at = from + c.len_utf8(),
            }
        }
        Some(())
    }

    /// The words of a command, and the blocks among them.
    fn arguments(&mut self) -> Option<(Vec<String>, Vec<String>)> {
        let (mut words, mut blocks) = (Vec::new(), Vec::new());
        loop {
            self.blanks(false);
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with(['\n', ';', '|', '}', ')', ']']) {
                return Some((words, blocks));
            }
            let before = self.at;
            if rest.starts_with('{') {
                match self.record() {
                    Some(entries) => words.push(format!("'{}'", entries.replace('\'', ""))),
                    None => blocks.push(self.closure()?.1),
                }
            } else {
                let word = self.one()?.words();
                // `($x)/y`, `--dir=($x)`: parts of one word.
                if self.at > before
                    && before > 0
                    && !self.text[..before].ends_with(char::is_whitespace)
                    && !words.is_empty()
                {
                    words.last_mut()?.push_str(&word);
                } else {
                    words.push(word);
                }
            }
            (self.at > before).then_some(())?;
        }
    }

    /// Its own commands that bash has under other names.
    fn own(name: &str, words: &[String], input: Option<&Value>) -> Option<Value> {
        let operands: Vec<&str> =
            words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
        let all = operands.join(" ");
        let text = match name {
            "ls" => {
                let path = operands.first().copied().unwrap_or("");
                return Some(Value::Words(match path {
                    "" => "*".to_owned(),
                    path if path.contains(['*', '?']) => path.to_owned(),
                    path => format!("{path}/*"),
                }));
            }
            "glob" => return Some(Value::Words(escaped(&all.replace(QUOTES, ""), "*?[]${}"))),
            "rm" if words.iter().any(|word| word == "--trash" || word == "-t") => format!("trash {all}"),
            "rm" => {
                let options = words.iter().filter_map(|word| match word.as_str() {
                    "--recursive" => Some("-r".to_owned()),
                    "--force" => Some("-f".to_owned()),
                    "--interactive" => Some("-i".to_owned()),
                    "--permanent" | "-p" | "--verbose" => None,
                    word if word.starts_with("--") => None,
                    word if word.starts_with('-') => Some(word.replace('p', "")),
                    _ => None,
                });
                let options: Vec<String> = options.collect();
                ["rm".to_owned()].into_iter().chain(options).chain([all]).collect::<Vec<_>>().join(" ")
            }
            "open" => format!("cat {all}"),
            "save" => format!("cat > {}", operands.first()?),
            "print" => format!("echo {all}"),
            "length" => "wc -l".to_owned(),
            "http" => match *operands.first()? {
                "get" => format!("curl {}", operands.get(1)?),
                "post" | "put" => {
                    let address = operands.get(1)?;
                    match operands.get(2).filter(|data| **data != "$(cat)") {
                        Some(data) if input.is_none() => format!("curl -X POST -d {data} {address}"),
                        _ => format!("curl -X POST --data-binary @- {address}"),
                    }
                }
                _ => return None,
            },
            "use" | "source" | "source-env" => format!("source {}", operands.first()?),
            "overlay" => format!("source {}", operands.get(1)?),
            "run-external" => words.join(" "),
            "return" => "return".to_owned(),
            "cd" | "mkdir" if words.is_empty() => name.to_owned(),
            _ => return None,
        };
        Some(Value::Command(text))
    }
}
