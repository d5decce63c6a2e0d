//! As much of Starlark as Codex' rules are written in: calls with named arguments, strings, lists, numbers, `True`.

use std::ops::Range;

/// A call such as `prefix_rule(pattern = ["git"])`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    /// Arguments in order; those without a name have an empty one.
    pub(crate) arguments: Vec<(String, Argument)>,
}

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Argument {
    pub(crate) at: usize,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    List(Vec<Argument>),
    /// A number, `True`, `None`.
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) message: &'static str,
}

/// Lists inside each other.
const MAX_DEPTH: u32 = 16;

/// The calls of a string.
pub(crate) fn calls(text: &str) -> Result<Vec<Call>, Fault> {
    let mut reader = Reader { text, at: 0 };
    let mut calls = Vec::new();
    loop {
        reader.space();
        // Several calls may stand on one line.
        if reader.takes(';') {
            continue;
        }
        if reader.at == text.len() {
            return Ok(calls);
        }
        calls.push(reader.call()?);
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn takes(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn fault<T>(&self, message: &'static str) -> Result<T, Fault> {
        Err(Fault { at: self.at, message })
    }

    /// Blanks, line breaks and comments.
    fn space(&mut self) {
        while let Some(c) = self.peek() {
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if c == '#' {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("\\\n") {
                self.at += 2;
            } else {
                break;
            }
        }
    }

    fn name(&mut self) -> String {
        let length =
            self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let name = self.rest()[..length].to_owned();
        self.at += length;
        name
    }

    fn call(&mut self) -> Result<Call, Fault> {
        let start = self.at;
        let name = self.name();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return self.fault("expected a call such as prefix_rule(…)");
        }
        self.space();
        if !self.takes('(') {
            return self.fault("only calls are understood: no assignments, functions or loops");
        }
        let mut arguments = Vec::new();
        loop {
            self.space();
            if self.takes(')') {
                return Ok(Call { name, span: start..self.at, arguments });
            }
            let before = self.at;
            let mut key = self.name();
            // What begins like a name may be a value: `True`, `None`, a number.
            self.space();
            if key.is_empty() || !self.takes('=') {
                self.at = before;
                key = String::new();
            }
            self.space();
            arguments.push((key, self.value(0)?));
            self.space();
            if !self.takes(',') && self.peek() != Some(')') {
                return self.fault("expected a comma or a closing bracket");
            }
        }
    }

    fn value(&mut self, depth: u32) -> Result<Argument, Fault> {
        let at = self.at;
        let value = match self.peek() {
            Some('"' | '\'') => Value::Text(self.string()?),
            Some('r') if self.rest()[1..].starts_with(['"', '\'']) => {
                self.at += 1;
                Value::Text(self.raw()?)
            }
            Some(open @ ('[' | '(')) => {
                let close = if open == '[' { ']' } else { ')' };
                if depth == MAX_DEPTH {
                    return self.fault("lists are nested too deeply");
                }
                self.at += 1;
                let mut list = Vec::new();
                loop {
                    self.space();
                    if self.takes(close) {
                        break;
                    }
                    list.push(self.value(depth + 1)?);
                    self.space();
                    if !self.takes(',') && self.peek() != Some(close) {
                        return self.fault("expected a comma or a closing bracket");
                    }
                }
                Value::List(list)
            }
            Some(c) if c.is_ascii_alphanumeric() || c == '_' || c == '-' => {
                self.takes('-');
                let name = self.name();
                self.space();
                if self.peek() == Some('(') || self.peek() == Some('.') {
                    return self.fault("only strings and lists are understood");
                }
                Value::Other(name)
            }
            _ => return self.fault("expected a string or a list"),
        };
        self.space();
        // Half of an expression would be another rule.
        if matches!(self.peek(), Some('+' | '%' | '[')) {
            return self.fault("only strings and lists are understood, not expressions");
        }
        Ok(Argument { at, value })
    }

    /// The quotes that begin here: one, or three of them.
    fn quotes(&mut self) -> &'static str {
        // The long ones first, since each begins with the short one.
        let all = ["\"\"\"", "'''", "\"", "'"];
        let found = all.into_iter().find(|quotes| self.rest().starts_with(quotes)).unwrap_or("\"");
        self.at += found.len();
        found
    }

    fn raw(&mut self) -> Result<String, Fault> {
        let quotes = self.quotes();
        let Some(end) = self.rest().find(quotes) else { return self.fault("unterminated string") };
        let text = self.rest()[..end].to_owned();
        self.at += end + quotes.len();
        Ok(text)
    }

    fn string(&mut self) -> Result<String, Fault> {
        let quotes = self.quotes();
        let mut text = String::new();
        loop {
            if self.rest().starts_with(quotes) {
                self.at += quotes.len();
                return Ok(text);
            }
            let Some(c) = self.peek() else { return self.fault("unterminated string") };
            // Only strings with three quotes go on over several lines.
            if c == '\n' && quotes.len() == 1 {
                return self.fault("the string does not end on its line");
            }
            self.at += c.len_utf8();
            if c != '\\' {
                text.push(c);
                continue;
            }
            let Some(escaped) = self.peek() else { return self.fault("unterminated string") };
            self.at += escaped.len_utf8();
            match escaped {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\n' => {}
                '\\' | '"' | '\'' => text.push(escaped),
                'x' | 'u' => {
                    let length = if escaped == 'x' { 2 } else { 4 };
                    let digits = self.rest().get(..length);
                    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                    let Some(c) = number.and_then(char::from_u32) else {
                        return self.fault("unexpected character");
                    };
                    self.at += length;
                    text.push(c);
                }
                // As in Python: an escape that means nothing stays as it is written.
                other => text.extend(['\\', other]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn calls_are_read() {
        let text = "# rules\nprefix_rule(\n  pattern = [\"git\", ['a', \"b\\x41\"]], # two\n  decision='prompt',\n)\nx(\"y\", 3, r\"\\d\")";
        let calls = calls(text).unwrap();
        assert_eq!(calls.len(), 2);
        assert_eq!((calls[0].name.as_str(), calls[0].arguments.len()), ("prefix_rule", 2));
        let Value::List(pattern) = &calls[0].arguments[0].1.value else { panic!() };
        let Value::List(inner) = &pattern[1].value else { panic!() };
        assert_eq!(inner[1].value, Value::Text("bA".to_owned()));
        assert_eq!(calls[1].arguments[2].1.value, Value::Text("\\d".to_owned()));
        assert_eq!(calls[1].arguments[0].0, "");
    }

    #[test]
    fn mistakes_have_a_place() {
        for (text, at) in [
            ("x = 1", 2),
            ("f(", 2),
            ("f(a=[1", 6),
            ("f(\"x)", 5),
            ("f(\"x\n\")", 4),
            ("f(g(1))", 3),
            ("f(\"a\" + \"b\")", 6),
            ("[1]", 0),
        ] {
            assert_eq!(calls(text).map_err(|fault| fault.at), Err(at), "{text}");
        }
        let deep = format!("f({})", "[".repeat(100));
        assert!(calls(&deep).is_err());
    }
}
