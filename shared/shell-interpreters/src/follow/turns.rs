//! Loops take one turn for each entry whose parts belong together, in which what it says is known:
//! `for args in [["fetch"], ["reset", "--hard"]]: …`, `for job in config["jobs"]: if job.get("enabled"): …`.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::decided::is_yes;
use super::scopes::Declares;
use crate::Language;
use crate::lex::Token;
use crate::value::{MAX_ELEMENTS, Value};

/// Entries of data of which a condition is asked.
const MAX_ENTRIES: usize = 32;

/// Whether the parts of a value belong together, so that those of two such values make no third one.
fn has_parts(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Map(_) => true,
        Value::Text(text) => text.text.contains(' '),
        _ => false,
    }
}

/// Whether a value is an entry of data.
fn is_entry(value: &Value) -> bool {
    matches!(value, Value::Map(_)) && value.source().is_some()
}

impl Follower<'_> {
    /// Goes through a list with the names of a loop whose body begins at `head`: with a turn for each entry that has parts,
    /// of which the last one is the turn that comes next, else with one in which they stand for all entries.
    pub(super) fn go_through(&mut self, names: &[String], list: &Value, head: usize) {
        let entries = match (names, list) {
            (_, Value::List(entries)) => entries.clone(),
            ([_, _], Value::Map(entries)) => {
                let pair = |(key, value): &(String, Value)| {
                    Value::List(vec![Value::from(key.as_str()), value.clone()])
                };
                entries.iter().map(pair).collect()
            }
            _ => Vec::new(),
        };
        let body = if entries.len() <= MAX_ELEMENTS && entries.iter().any(has_parts) {
            self.loop_body(head)
        } else {
            None
        };
        let (Some((last, before)), Some((start, end))) = (entries.split_last(), body) else {
            return self.bind_each(names, list);
        };
        let keys = matches!(list, Value::List(_));
        for entry in before {
            // What one entry leaves out, the next one may not.
            let undone = self.undone.len();
            self.bind_entry(names, entry, keys);
            self.declaring(Declares::No, |follower| {
                follower.run_inside(Rc::clone(&follower.code), start, end);
            });
            self.undone.truncate(undone);
        }
        self.bind_entry(names, last, keys);
    }

    fn bind_entry(&mut self, names: &[String], entry: &Value, counts: bool) {
        let counts = counts && matches!(self.language, Language::Php | Language::Lua | Language::Go);
        match names {
            [key, value] if counts => {
                self.assign(key, Value::from(mark::TOKEN));
                self.assign(value, entry.clone());
            }
            names => self.bind(names, entry.clone()),
        }
    }

    /// Where the statements of the loop stand whose head ends at `head`.
    fn loop_body(&self, head: usize) -> Option<(usize, usize)> {
        let token = self.code.tokens.get(head)?;
        if self.language.has_word_blocks() {
            // The `end` is the loop's own word's.
            let is_for = |at: &usize| matches!(&self.code.tokens[*at], Token::Name(word) if word == "for");
            let close = self.code.mate((0..head).rev().find(is_for)?);
            let start = head + usize::from(matches!(token, Token::Name(word) if word == "do"));
            return (start < close && close < self.code.tokens.len()).then_some((start, close));
        }
        // PHP's `foreach (…): … endforeach`
        if token == &Token::Op(":") && self.language != Language::Python {
            return None;
        }
        let (start, end) = self.body_at(head);
        Some((start + usize::from(self.code.tokens.get(start) == Some(&Token::Op("{"))), end))
    }

    /// Those of several entries for which a condition holds, where their data decides that for each.
    pub(super) fn entries_for(
        &mut self,
        name: &str,
        list: &Value,
        (from, to): (usize, usize),
    ) -> Option<Value> {
        let Value::List(entries) = list else { return None };
        if entries.len() > MAX_ENTRIES || entries.is_empty() || !entries.iter().all(is_entry) {
            return None;
        }
        let outer = self.variables.get(name).cloned();
        let mut left = Vec::new();
        let mut all_known = true;
        for entry in entries {
            self.variables.insert(name.to_owned(), entry.clone());
            match self.holds(from, to) {
                Some(true) => left.push(entry.clone()),
                Some(false) => {}
                None => all_known = false,
            }
        }
        match outer {
            Some(value) => self.variables.insert(name.to_owned(), value),
            None => self.variables.remove(name),
        };
        all_known.then_some(Value::List(left))
    }

    /// Whether a condition begins with an entry of data.
    pub(super) fn asks_data(&self, mut at: usize) -> bool {
        while matches!(self.code.tokens.get(at), Some(Token::Op("(" | "!")))
            || matches!(self.code.tokens.get(at), Some(Token::Name(word)) if word == "not")
        {
            at += 1;
        }
        match self.code.tokens.get(at) {
            Some(Token::Name(name) | Token::Variable(name)) if at < self.end => {
                self.variable(name).is_some_and(is_entry)
            }
            _ => false,
        }
    }

    /// What an entry of data holds under the key that these tokens ask for, or what counts where it holds nothing.
    fn held_by_entry(&self, from: usize, to: usize) -> Option<Value> {
        let [Token::Name(entry) | Token::Variable(entry), rest @ ..] = self.code.tokens.get(from..to)? else {
            return None;
        };
        let entry = self.variable(entry).filter(|value| is_entry(value))?;
        let (key, default): (&str, &[Token]) = match rest {
            [Token::Op("." | "?."), Token::Name(key)] if self.language == Language::JavaScript => (key, &[]),
            [Token::Op("["), Token::Text(key), Token::Op("]"), default @ ..] => (key, default),
            [Token::Op("["), Token::Op(":"), Token::Name(key), Token::Op("]"), default @ ..] => {
                (key, default)
            }
            [
                Token::Op("." | "->"),
                Token::Name(method),
                Token::Op("("),
                Token::Text(key),
                default @ ..,
                Token::Op(")"),
            ] if matches!(method.as_str(), "get" | "fetch") => (key, default),
            _ => return None,
        };
        let default = match default {
            [] => Value::from(mark::PASSED),
            [Token::Op("," | "??" | "||"), Token::Name(word)] => Value::Name(word.clone()),
            [Token::Op("," | "??" | "||"), Token::Text(text)] => Value::from(text.as_str()),
            _ => return None,
        };
        Some(entry.get(key).cloned().unwrap_or(default))
    }

    /// Whether what an entry of data says counts as true.
    pub(super) fn data_says(&self, from: usize, to: usize) -> Option<bool> {
        match self.held_by_entry(from, to)? {
            Value::Name(word) => is_yes(&word),
            Value::Number(number) => Some(number != 0),
            Value::Text(text) if text.text == mark::PASSED.to_string() => Some(false),
            Value::Text(text) => (!mark::any(&text.text)).then_some(!text.text.is_empty()),
            Value::List(values) if self.language == Language::Python => Some(!values.is_empty()),
            _ => None,
        }
    }

    /// The text that an entry of data holds: a mark where it has none.
    pub(super) fn text_of_data(&self, from: usize, to: usize) -> Option<String> {
        match self.held_by_entry(from, to)? {
            Value::Text(text) if text.text == mark::PASSED.to_string() => Some(mark::UNSET.to_string()),
            value => value.known(),
        }
    }

    /// What Ruby's `case` or `if` is where a value is expected: what its branches end with, of which the call may decide one.
    pub(super) fn word_block(&mut self) -> Option<Value> {
        let word = self.word()?.to_owned();
        let close = self.code.mate(self.at);
        if self.language != Language::Ruby
            || !matches!(word.as_str(), "case" | "if" | "unless")
            || close >= self.end
        {
            return None;
        }
        let start = self.at;
        let mut results = Vec::new();
        let mut is_taken = false;
        if word == "case" {
            let undone = self.undone.len();
            self.decide_arms();
            let mut at = self.next_word(start + 1, close, &["when", "in", "else"]);
            while at < close {
                let next = self.next_word(at + 1, close, &["when", "in", "else"]);
                let is_else = matches!(&self.code.tokens[at], Token::Name(word) if word == "else");
                let body = if is_else { at + 1 } else { self.end_of_label(at + 1, next) };
                let then = matches!(self.code.tokens.get(body), Some(Token::Name(word)) if word == "then");
                if !self.is_undone(at) {
                    results.push(self.run_inside(Rc::clone(&self.code), body + usize::from(then), next));
                    is_taken |= is_else;
                }
                at = next;
            }
            is_taken |= self.undone.len() > undone;
        } else {
            let branches = self.branches();
            for (number, branch) in branches.iter().enumerate() {
                let holds = match branch.condition {
                    Some((from, to)) => {
                        self.holds(from, to).map(|holds| holds != (word == "unless" && number == 0))
                    }
                    None => Some(true),
                };
                if holds == Some(false) {
                    continue;
                }
                let (from, to) = branch.body;
                let then = matches!(self.code.tokens.get(from), Some(Token::Name(word)) if word == "then");
                results.push(self.run_inside(Rc::clone(&self.code), from + usize::from(then), to));
                if holds == Some(true) {
                    is_taken = true;
                    break;
                }
            }
        }
        if !is_taken {
            results.push(Value::from(mark::PASSED));
        }
        self.at = close + 1;
        Some(Value::any(results))
    }
}
