//! Conditions on the names that a search goes through: `if f.endswith(".tmp")` deletes less than everything.

use shell_engine::mark;

use super::Follower;
use crate::lex::Token;
use crate::value::{Text, Value};

impl Follower<'_> {
    /// Takes what the tokens from `start` to `end` ask about a name in a folder for granted. A negated condition, or
    /// one that only asks what kind of thing it is, leaves (nearly) everything.
    pub(super) fn narrow(&mut self, start: usize, end: usize, negated: bool) {
        let end = end.min(self.code.tokens.len());
        if start >= end || !self.step(end - start) {
            return;
        }
        let tokens = &self.code.tokens[start..end];
        let mut negated = negated;
        let mut asks = false;
        let mut suffix = None;
        let mut names = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Op("!=" | "!==" | "!~" | "!") => negated = !negated,
                // Perl's `/x/` is about `$_`.
                Token::Pattern(_) | Token::Change { .. } if self.language == crate::Language::Perl => {
                    asks = true;
                    names.extend(["_", "name", "File.Find.name"].map(str::to_owned));
                }
                Token::Op("==" | "===" | "=~" | "<" | ">" | "<=" | ">=") | Token::Pattern(_) => asks = true,
                Token::Name(word) => match word.as_str() {
                    // Two negations cancel each other.
                    "not" | "ne" => negated = !negated,
                    "eq" | "in" | "match" | "search" | "includes" | "include?" | "startswith"
                    | "startsWith" | "start_with?" | "fnmatch" | "test" | "strpos" | "preg_match"
                    | "grepl" | "mtime" | "getmtime" | "st_mtime" | "mtimeMs" | "contains" | "find"
                    | "match?" | "lt" | "gt" | "getsize" | "st_size" | "has" | "str_starts_with"
                    | "str_contains" => asks = true,
                    "endswith" | "endsWith" | "end_with?" | "suffix" | "extname" | "splitext"
                    | "str_ends_with" | "extension" => {
                        asks = true;
                        suffix = tokens[at..].iter().find_map(|token| match token {
                            Token::Text(text) if text.starts_with('.') || text.starts_with('_') => {
                                Some(text.clone())
                            }
                            _ => None,
                        });
                    }
                    name => names.push(name.to_owned()),
                },
                Token::Variable(name) => names.push(name.clone()),
                _ => {}
            }
        }
        // What is left out are a few names; the rest is still nearly everything.
        if negated || !asks {
            return;
        }
        for name in names {
            let Some(value) = self.variables.get(&name) else { continue };
            let narrowed = narrowed(value, suffix.as_deref());
            self.variables.insert(name, narrowed);
        }
    }
}

/// A name in a folder, of which only some are meant.
fn narrowed(value: &Value, suffix: Option<&str>) -> Value {
    match value {
        Value::Text(text) if text.text.ends_with([mark::STAR, mark::ENTRY]) => {
            let mut bare = text.text.clone();
            bare.pop();
            let deep = text.text.ends_with(mark::ENTRY);
            let path = match suffix {
                Some(suffix) if deep => format!("{bare}{}/{}{suffix}", mark::ENTRY, mark::STAR),
                Some(suffix) => format!("{bare}{}{suffix}", mark::STAR),
                None => format!("{bare}{}{}", mark::ENTRY, mark::TOKEN),
            };
            Value::Text(Text { text: path, ..text.clone() })
        }
        Value::Any(values) => Value::any(values.iter().map(|value| narrowed(value, suffix)).collect()),
        Value::List(values) => Value::List(values.iter().map(|value| narrowed(value, suffix)).collect()),
        value => value.clone(),
    }
}
