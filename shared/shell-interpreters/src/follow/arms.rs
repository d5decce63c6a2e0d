//! What has several values of which one is taken: `match`, `switch`, and `if` where a value is expected.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::decided::is_yes;
use crate::Language;
use crate::lex::Token;
use crate::services::dashed;
use crate::value::Value;

impl Follower<'_> {
    /// `match ($x) { "a" => 1, default => 2 }`, `switch (x) { case 1 -> "a"; default -> "b"; }`, `x switch { … }`: one of its
    /// results. The reader stands at the word.
    pub(super) fn arms(&mut self) -> Option<Value> {
        let arrow = match (self.language, self.word()?) {
            (Language::Php | Language::Other | Language::Jvm, "match") | (Language::Other, "switch") => "=>",
            (Language::Jvm, "switch" | "when") | (Language::Elixir, "case" | "cond") => "->",
            _ => return None,
        };
        let open = match self.language {
            Language::Elixir => self.word_on_line("do")?,
            _ => self.brace_ahead(self.at + 1)?,
        };
        let close = self.code.mate(open).min(self.end);
        // A statement with `case a:` has no arrows.
        let mut arrows = Vec::new();
        let mut at = open + 1;
        while at < close {
            match &self.code.tokens[at] {
                Token::Op(op) if *op == arrow => {
                    arrows.push(at);
                    at = self.end_of_arm(at + 1, close);
                }
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Name(word) if self.language == Language::Elixir && word == "fn" => {
                    at = self.code.mate(at);
                }
                _ => {}
            }
            at += 1;
        }
        if arrows.is_empty() {
            return None;
        }
        let outer = (self.at, self.end);
        // What it asks may be a call.
        (self.at, self.end) = (outer.0 + 1, open);
        if self.at < open {
            self.assignment();
        }
        let asked = self.arm_of_subcommand((outer.0 + 1, open), &arrows).map(|number| vec![number]);
        let chosen = asked.or_else(|| self.chosen_arms(outer.0, open, &arrows));
        let mut results = Vec::new();
        for (number, &arrow) in arrows.iter().enumerate() {
            // Elixir's go on until the line of the next pattern.
            let end = match (self.language, arrows.get(number + 1)) {
                (Language::Elixir, Some(&next)) => self.line_start(next).max(arrow + 1),
                (Language::Elixir, None) => close,
                _ => self.end_of_arm(arrow + 1, close),
            };
            if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&number)) {
                self.skip_later(arrow + 1, end);
                continue;
            }
            self.branch = self.branch.max(close);
            results.push(self.result(arrow + 1, end));
        }
        (self.at, self.end) = ((close + 1).min(outer.1), outer.1);
        Some(Value::any(results))
    }

    /// The arm of the sub-command that the call names, of a parser that clap derives: `Task::Clean => …`.
    fn arm_of_subcommand(&self, (asked, open): (usize, usize), arrows: &[usize]) -> Option<usize> {
        if self.language != Language::Other || !self.given.complete || !self.is_parsed_by_clap(asked, open) {
            return None;
        }
        let mut at = open + 1;
        let arms = arrows.iter().enumerate().filter_map(|(number, &arrow)| {
            let labels = self.code.tokens.get(at..arrow)?;
            at = self.end_of_arm(arrow + 1, self.code.mate(open));
            let path = labels.iter().take_while(|token| !matches!(token, Token::Op("(" | "{")));
            let is_variant =
                |name: &&String| name.rsplit('.').next()?.starts_with(char::is_uppercase).then_some(());
            let names = path.filter_map(|token| match token {
                Token::Name(name) => Some(name),
                _ => None,
            });
            let variant = names.filter(|name| is_variant(name).is_some()).last()?;
            Some((number, dashed(variant.rsplit('.').next()?)))
        });
        let arms: Vec<(usize, String)> = arms.collect();
        let words = || self.given.arguments.iter();
        let (number, name) = words().find_map(|word| arms.iter().find(|(_, name)| name == word))?;
        // Another one may go by this name: `#[command(name = "clean")]`.
        let is_text = |token: &Token| matches!(token, Token::Text(text) if text == name);
        (!self.code.tokens.iter().any(is_text)).then_some(*number)
    }

    /// Whether what is asked is what clap has made of the command: `Cli::parse().task`, or a field of a variable that holds
    /// that and never changes.
    fn is_parsed_by_clap(&self, start: usize, end: usize) -> bool {
        let tokens = &self.code.tokens;
        let name = |at: usize| match tokens.get(at) {
            Some(Token::Name(name)) => name.as_str(),
            _ => "",
        };
        // `x.parse()` of a string is another one.
        let parses = |at: usize| {
            let of_type = name(at).rsplit_once('.').is_some_and(|(_, last)| last == "parse")
                || name(at) == "parse" && tokens.get(at.wrapping_sub(1)) == Some(&Token::Op("::"));
            of_type && tokens.get(at + 1) == Some(&Token::Op("("))
        };
        let is_own = (0..tokens.len()).any(|at| name(at) == "fn" && name(at + 1) == "parse");
        let holder = name(start + usize::from(tokens.get(start) == Some(&Token::Op("&"))));
        let holds = |at: usize| name(at) == "let" && name(at + 1) == holder && (at + 2..at + 8).any(parses);
        self.names("Subcommand")
            && !is_own
            && ((start..end).any(parses) || !holder.is_empty() && (0..tokens.len()).any(holds))
    }

    /// The arms that may run, where a word of the call decides that; the word `match` stands at `word`.
    fn chosen_arms(&mut self, word: usize, open: usize, arrows: &[usize]) -> Option<Vec<usize>> {
        let is_after = self.language == Language::Other
            && self.code.tokens.get(word) == Some(&Token::Name("switch".to_owned()));
        let given = self.asked_of_call(if is_after { (word - 1, word) } else { (word + 1, open) })?;
        let mut usual = None;
        let mut at = open + 1;
        for (number, &arrow) in arrows.iter().enumerate() {
            let labels = self.code.tokens.get(at..arrow).unwrap_or_default();
            at = self.end_of_arm(arrow + 1, self.code.mate(open));
            let mut labels = labels.iter().filter(|token| {
                !matches!(token, Token::Line(_) | Token::Op("," | "|" | ";" | "}" | "(" | ")"))
                    && !matches!(token, Token::Name(word) if matches!(word.as_str(), "case" | "Some" | "Ok"))
            });
            let count = labels.clone().count();
            match labels.clone().next()? {
                Token::Name(word) if matches!(word.as_str(), "_" | "default" | "else") => {
                    usual = Some(number);
                }
                Token::Name(word)
                    if matches!(word.as_str(), "None" | "null" | "Nil" | "nil") && count == 1 =>
                {
                    if given == mark::UNSET.to_string() {
                        return Some(vec![number]);
                    }
                }
                // A name takes what is left.
                Token::Name(word) if word.starts_with(char::is_lowercase) && count == 1 => {
                    usual = usual.or(Some(number));
                }
                _ if labels.any(|token| matches!(token, Token::Text(text) if *text == given)) => {
                    return Some(vec![number]);
                }
                Token::Text(_) => {}
                _ => return None,
            }
        }
        Some(usual.into_iter().collect())
    }

    /// Where the arm ends whose result begins at `at`.
    fn end_of_arm(&self, mut at: usize, close: usize) -> usize {
        if self.code.tokens.get(at) == Some(&Token::Op("{")) {
            return (self.code.mate(at) + 1).min(close);
        }
        while at < close {
            match &self.code.tokens[at] {
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                Token::Op("," | ";") => return at,
                Token::Name(word) if word == "case" => return at,
                Token::Line(_) if self.language == Language::Jvm => return at,
                _ => {}
            }
            at += 1;
        }
        close
    }

    /// The value of a block, or of an expression, between two tokens.
    fn result(&mut self, start: usize, end: usize) -> Value {
        let is_block = self.code.tokens.get(start) == Some(&Token::Op("{"));
        let code = Rc::clone(&self.code);
        if is_block {
            let close = self.code.mate(start).min(end);
            return self.run_inside(code, start + 1, close);
        }
        self.run_inside(code, start, end)
    }

    /// `if c { a } else { b }`, `if (c) a else b`: one of both. The reader stands at the word.
    pub(super) fn if_value(&mut self) -> Option<Value> {
        if self.language == Language::Elixir {
            return self.elixir_if();
        }
        let has = matches!(self.language, Language::Other | Language::Jvm | Language::R);
        if !has || self.word() != Some("if") {
            return None;
        }
        self.at += 1;
        let body = match self.op() {
            // Others write the condition in brackets.
            Some("(") if self.code.tokens.get(self.code.mate(self.at) + 1) != Some(&Token::Op("{")) => {
                let close = self.code.mate(self.at);
                self.group();
                self.at = self.at.max(close + 1);
                self.at
            }
            _ => {
                let open = self.brace_ahead(self.at)?;
                let outer = std::mem::replace(&mut self.end, open);
                self.condition_value();
                self.end = outer;
                open
            }
        };
        self.at = body;
        let yes = self.one_of_both();
        self.skip_if_bracketed();
        let before = self.at;
        self.skip_lines();
        if !self.take_word("else") {
            self.at = before;
            return Some(yes);
        }
        let no = match self.if_value() {
            Some(value) => value,
            None => self.one_of_both(),
        };
        Some(Value::any(vec![yes, no]))
    }

    /// Elixir's `if c do a else b end`, `if c, do: a, else: b`. The reader stands at the word.
    pub(super) fn elixir_if(&mut self) -> Option<Value> {
        let body = self.word_on_line("do")?;
        let is_short = self.code.tokens.get(body + 1) == Some(&Token::Op(":"));
        let negated = self.word() == Some("unless");
        let outer = std::mem::replace(&mut self.end, body - usize::from(is_short));
        self.at += 1;
        let asked = self.assignment();
        self.end = outer;
        // An option that the call gives, or does not. What the environment lacks here it may have there.
        let holds = match &asked {
            Value::Name(word) => is_yes(word).map(|holds| holds != negated),
            _ => None,
        };
        if !is_short {
            let close = self.code.mate(body).min(self.end);
            let mut other = body + 1;
            while other < close && !matches!(&self.code.tokens[other], Token::Name(word) if word == "else") {
                let mate = self.code.mate(other);
                other = if mate > other && mate < close { mate + 1 } else { other + 1 };
            }
            let other = other.min(close);
            self.branch = self.branch.max(close);
            let code = Rc::clone(&self.code);
            let mut values = Vec::new();
            if holds == Some(false) {
                self.skip_later(body + 1, other);
            } else {
                values.push(self.run_inside(Rc::clone(&code), body + 1, other));
            }
            if holds == Some(true) {
                self.skip_later(other, close);
            } else if other < close {
                values.push(self.run_inside(code, other + 1, close));
            }
            self.at = (close + 1).min(self.end);
            return Some(Value::any(values));
        }
        self.at = body + 2;
        self.branch = self.branch.max(self.end_of_line(self.at));
        let mut values = Vec::new();
        match holds {
            Some(false) => drop(self.skip_operand(&[","])),
            _ => values.push(self.assignment()),
        }
        if self.op() == Some(",") {
            let before = self.at;
            self.at += 1;
            self.skip_lines();
            if self.word() == Some("else") && self.op_ahead(1) == Some(":") {
                self.at += 2;
                match holds {
                    Some(true) => drop(self.skip_operand(&[])),
                    _ => values.push(self.assignment()),
                }
            } else {
                self.at = before;
            }
        }
        Some(Value::any(values))
    }

    /// Where this word stands in the line here, outside of brackets and blocks.
    fn word_on_line(&self, word: &str) -> Option<usize> {
        let end = self.end_of_line(self.at).min(self.end);
        let mut at = self.at;
        while at < end {
            match &self.code.tokens[at] {
                Token::Name(name) if name == word => return Some(at),
                Token::Op("(" | "[" | "{") => at = self.code.mate(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Where the line begins in which a token stands.
    fn line_start(&self, at: usize) -> usize {
        let before = self.code.tokens.get(..at).unwrap_or_default();
        before.iter().rposition(|token| matches!(token, Token::Line(_))).map_or(0, |line| line + 1)
    }

    /// The condition of an `if`; Rust's `let Some(x) = y` names what it finds.
    fn condition_value(&mut self) {
        if !self.take_word("let") {
            self.assignment();
            return;
        }
        let start = self.at;
        while self.at < self.end && self.op() != Some("=") {
            self.at += 1;
        }
        let names: Vec<String> = self.code.tokens[start..self.at]
            .iter()
            .filter_map(|token| match token {
                Token::Name(name) if name.starts_with(|c: char| c.is_lowercase() || c == '_') => {
                    Some(name.clone())
                }
                _ => None,
            })
            .collect();
        self.at += 1;
        let value = self.assignment();
        self.bind(&names, value);
    }

    /// The block, or the expression, that stands here.
    fn one_of_both(&mut self) -> Value {
        if self.op() == Some("{") {
            let close = self.code.mate(self.at).min(self.end);
            let value = self.result(self.at, close + 1);
            self.at = (close + 1).min(self.end);
            return value;
        }
        self.assignment()
    }

    /// Rust's `if let Some(x) = y {` as a statement: what it finds has its name in the block.
    pub(super) fn if_let(&mut self) -> bool {
        if self.language != Language::Other || self.word_ahead(1) != Some("let") {
            return false;
        }
        let Some(open) = self.brace_ahead(self.at) else { return false };
        self.at += 1;
        let outer = std::mem::replace(&mut self.end, open);
        self.condition_value();
        self.end = outer;
        self.at = open;
        true
    }

    /// The first brace from `at` on that stands in no brackets, on this line or at the beginning of the next one.
    pub(super) fn brace_ahead(&self, mut at: usize) -> Option<usize> {
        while at < self.end {
            match &self.code.tokens[at] {
                Token::Op("{") => return Some(at),
                Token::Op("(" | "[") => at = self.code.mate(at),
                Token::Op(";" | "}" | ")" | "]") => return None,
                Token::Line(_) if self.code.tokens.get(at + 1) != Some(&Token::Op("{")) => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }
}
