//! Conditions on the names that a search goes through: `if f.endswith(".tmp")` deletes less than everything.

use shell_engine::mark;

use super::Follower;
use crate::lex::Token;
use crate::value::{Text, Value};

/// What a condition asks about names.
#[derive(Default)]
struct Asked {
    /// Whether it leaves only what it asks for, and not nearly everything.
    narrows: bool,
    /// How the names end that it asks for.
    suffix: Option<String>,
    /// The variables that it asks about.
    names: Vec<String>,
}

impl Follower<'_> {
    /// Takes what the tokens from `start` to `end` ask about a name in a folder for granted. A negated condition, or
    /// one that only asks what kind of thing it is, leaves (nearly) everything.
    pub(super) fn narrow(&mut self, mut start: usize, end: usize, negated: bool) {
        let mut end = end.min(self.code.tokens.len());
        if start >= end || !self.step(end - start) {
            return;
        }
        while self.code.tokens.get(start) == Some(&Token::Op("(")) && self.code.mate(start) + 1 == end {
            (start, end) = (start + 1, end - 1);
        }
        let joins = |token: &Token| match token {
            Token::Op("||") => Some(false),
            Token::Op("&&") => Some(true),
            Token::Name(word) if word == "or" => Some(false),
            Token::Name(word) if word == "and" => Some(true),
            _ => None,
        };
        let signs =
            self.outside_brackets(start, end).filter_map(|at| Some((at, joins(&self.code.tokens[at])?)));
        let signs: Vec<(usize, bool)> = signs.collect();
        let bounds = signs.iter().map(|(at, _)| *at).chain([end]);
        let parts: Vec<Asked> = bounds
            .scan(start, |from, to| Some((std::mem::replace(from, to + 1), to)))
            .map(|(from, to)| self.asked(from, to, negated))
            .collect();
        // Where each part holds, each leaves less; where any of them is enough, all of them must.
        let each_holds = signs.iter().all(|(_, both)| *both != negated);
        if !each_holds && !parts.iter().all(|part| part.narrows) {
            return;
        }
        for part in parts.into_iter().filter(|part| part.narrows) {
            for name in part.names {
                let Some(value) = self.variables.get(&name) else { continue };
                let narrowed = narrowed(value, part.suffix.as_deref());
                self.variables.insert(name, narrowed);
            }
        }
    }

    /// What one part of a condition asks.
    fn asked(&self, from: usize, to: usize, mut negated: bool) -> Asked {
        let tokens = self.code.tokens.get(from..to).unwrap_or_default();
        let mut asks = false;
        let mut asked = Asked::default();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Op("!=" | "!==" | "!~" | "!") => negated = !negated,
                // Perl's `/x/` is about `$_`.
                Token::Pattern(_) | Token::Change { .. } if self.language == crate::Language::Perl => {
                    asks = true;
                    asked.names.extend(["_", "name", "File.Find.name"].map(str::to_owned));
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
                        asked.suffix = tokens[at..].iter().find_map(|token| match token {
                            Token::Text(text) if text.starts_with('.') || text.starts_with('_') => {
                                Some(text.clone())
                            }
                            _ => None,
                        });
                    }
                    name => asked.names.push(name.to_owned()),
                },
                Token::Variable(name) => asked.names.push(name.clone()),
                _ => {}
            }
        }
        // What is left out are a few names; the rest is still nearly everything.
        asked.narrows = asks && !negated;
        asked
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
