//! What only Go writes: types in front of literals, types of fields, and variables with a type.

use super::Follower;
use crate::lex::Token;
use crate::value::{Arguments, Value};

/// Tokens of a type.
const MAX_TYPE: usize = 24;

impl Follower<'_> {
    /// `[]string{"a"}`, `map[string]string{"a": "b"}`, `Job{Root: "/"}`: a literal whose type stands before its brace.
    pub(super) fn go_literal(&mut self) -> Option<Value> {
        let open = self.end_of_type(self.at)?;
        // `[]byte("text")` is the text.
        if self.op() == Some("[") && self.code.tokens.get(open) == Some(&Token::Op("(")) {
            self.at = open;
            return Some(self.group());
        }
        // `if x == y {` has a blank, and opens a block.
        if self.code.tokens.get(open) != Some(&Token::Op("{")) || self.code.is_spaced(open) {
            return None;
        }
        let class = match self.code.tokens.get(open - 1) {
            Some(Token::Name(class)) => class.clone(),
            _ => String::new(),
        };
        let is_list = matches!(self.peek(), Some(Token::Op("[")));
        self.at = open;
        let Arguments { values, named, .. } = self.arguments();
        Some(match (named.is_empty(), is_list) {
            (false, _) => Value::Map(named),
            (true, true) => {
                Value::List(values.into_iter().map(|value| self.object_of(&class, value)).collect())
            }
            (true, false) if values.is_empty() => Value::Map(Vec::new()),
            (true, false) => self.object_of(&class, Value::List(values)),
        })
    }

    /// `make(map[string]string)`, `make([]string, 0)`
    pub(super) fn go_make(&mut self) -> Option<Value> {
        if self.word() != Some("make") || self.op_ahead(1) != Some("(") {
            return None;
        }
        let made = self.empty_of_type(self.at + 2);
        self.at = self.code.mate(self.at + 1) + 1;
        Some(made)
    }

    /// `var root string = "/"`, `var xs []string`: a variable whose type stands after its name. `false` without a type.
    pub(super) fn go_variable(&mut self) -> bool {
        let Some(name) = self.word().map(str::to_owned) else { return false };
        let Some(end) = self.end_of_type(self.at + 1) else { return false };
        let empty = self.empty_of_type(self.at + 1);
        self.at = end;
        let value = if self.take("=") { self.assignment() } else { empty };
        if !matches!(&value, Value::Name(_)) {
            self.assign(&name, value);
        }
        true
    }

    /// `type Job struct { Name, Root string }`: its fields, in their order.
    pub(super) fn go_struct(&mut self) -> bool {
        let Some(class) = self.word_ahead(1).map(str::to_owned) else { return false };
        if self.word_ahead(2) != Some("struct") {
            return false;
        }
        let open = self.at + 3;
        let close = self.code.mate(open).min(self.end);
        let mut begins = true;
        for at in open + 1..close {
            match &self.code.tokens[at] {
                Token::Line(_) | Token::Op(";") => begins = true,
                Token::Op(",") => {}
                Token::Name(field) if begins => {
                    self.keep_field(&class, field.clone());
                    // The type comes after the last name.
                    begins = self.code.tokens.get(at + 1) == Some(&Token::Op(","));
                }
                _ => begins = false,
            }
        }
        self.at = close + 1;
        true
    }

    /// Values in the order of the fields of a type, as an object; anything else stays what it is.
    fn object_of(&self, class: &str, value: Value) -> Value {
        let Value::List(values) = &value else { return value };
        let mut fields = self.fields.iter().filter(|(known, _)| **known == *class).map(|(_, name)| name);
        let entries: Vec<_> =
            values.iter().zip(&mut fields).map(|(value, name)| (name.clone(), value.clone())).collect();
        if entries.is_empty() { value } else { Value::Map(entries) }
    }

    /// What a variable of the type that begins at `at` holds by itself.
    fn empty_of_type(&self, at: usize) -> Value {
        match self.code.tokens.get(at) {
            Some(Token::Op("[")) => Value::List(Vec::new()),
            Some(Token::Name(word)) if word == "chan" => Value::List(Vec::new()),
            Some(Token::Name(word)) if word == "map" => Value::Map(Vec::new()),
            Some(Token::Name(word)) if word == "string" => Value::from(""),
            _ => Value::Name(String::new()),
        }
    }

    /// Where the type ends that begins at `at`, if one does: `[]*pkg.Name`, `map[string][]int`, `func(string)`.
    fn end_of_type(&self, mut at: usize) -> Option<usize> {
        let token = |at: usize| self.code.tokens.get(at);
        let most = at + MAX_TYPE;
        while at < most {
            match (token(at)?, token(at + 1)) {
                (Token::Op("["), _) => at = self.code.mate(at) + 1,
                (Token::Op("*"), _) => at += 1,
                (Token::Name(word), Some(Token::Op("["))) if word == "map" => at = self.code.mate(at + 1) + 1,
                (Token::Name(word), Some(Token::Op("("))) if word == "func" => {
                    return Some(self.code.mate(at + 1) + 1);
                }
                (Token::Name(word), _) if matches!(word.as_str(), "struct" | "interface" | "func") => {
                    return None;
                }
                (Token::Name(_), Some(Token::Op("."))) if matches!(token(at + 2), Some(Token::Name(_))) => {
                    return Some(at + 3);
                }
                (Token::Name(_), _) => return Some(at + 1),
                _ => return None,
            }
        }
        None
    }
}
