//! Simple commands: assignments and words.

use super::ast::{Assign, AssignValue, Command, ErrorKind, Part, Stage, Word};
use super::cursor::{Parser, is_name};
use crate::span::Span;

/// Builtins whose arguments are assignments: `export PATH=…`, `declare -a x=(…)`.
const DECLARING: &[&str] = &["declare", "export", "local", "readonly", "typeset"];

/// Most commands have no more words than that.
const USUAL_WORDS: usize = 8;

impl Parser<'_> {
    /// Reads a simple command. Nothing, if not even a redirection stands here.
    pub(super) fn simple(&mut self, start: usize) -> Option<Stage> {
        let mut assigns = Vec::new();
        let mut words: Vec<Word> = Vec::with_capacity(USUAL_WORDS);
        let mut redirects = Vec::new();
        // An assignment may stand here: before the program, and after one that declares.
        let mut declares = true;
        let mut end = self.at;
        loop {
            self.skip_blanks();
            if self.done() || self.at_newline() {
                break;
            }
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                end = self.at;
                continue;
            }
            // Only where a word could begin: `a#b` is a word.
            if self.peek() == b'#' {
                self.skip_comment();
                break;
            }
            if declares && let Some(assign) = self.assign() {
                assigns.push(assign);
                end = self.at;
                continue;
            }
            let word = self.word();
            if word.span.is_empty() {
                // fish substitutes so: `set F (grep -rl x .)`. bash knows no bracket here.
                if self.peek() == b'(' && words.len() > 1 && words[0].span.of(self.source) == "set" {
                    let start = self.at;
                    self.at += 1;
                    let body = Box::new(self.nested_list(")"));
                    end = self.at;
                    let span = Span::new(start, end);
                    words.push(Word { parts: vec![Part::Substitution { body, quoted: false }], span });
                    continue;
                }
                break;
            }
            end = self.at;
            if words.is_empty() {
                // After the program's name, `x=(…)` is only an assignment for these.
                declares = DECLARING.contains(&word.span.of(self.source));
            }
            words.push(word);
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return None;
        }
        Some(Stage { command: Command::Simple { assigns, words }, redirects, span: Span::new(start, end) })
    }

    fn assign(&mut self) -> Option<Assign> {
        let start = self.at;
        let mut at = start;
        if !(self.peek().is_ascii_alphabetic() || self.peek() == b'_') {
            return None;
        }
        while self.bytes.get(at).copied().is_some_and(is_name) {
            at += 1;
        }
        let name = Span::new(start, at);
        let mut index = None;
        if self.bytes.get(at) == Some(&b'[') {
            // A key is short; looking for a bracket through a whole script would not be.
            let width = self.bytes[at..].iter().take(256).position(|&b| b == b']' || b == b'\n')?;
            if self.bytes[at + width] != b']' || !matches!(self.bytes.get(at + width + 1), Some(b'=' | b'+'))
            {
                return None;
            }
            let subscript = Span::new(at + 1, at + width);
            index = Some(if subscript.of(self.source).contains(['$', '`', '"', '\'']) {
                self.at = at + 1;
                let mut parts = Vec::new();
                self.word_parts(&mut parts, |parser| parser.peek() == b']');
                self.at = start;
                parts
            } else {
                vec![Part::Quoted(subscript)]
            });
            at += width + 1;
        }
        let append = self.bytes.get(at) == Some(&b'+');
        at += usize::from(append);
        if self.bytes.get(at) != Some(&b'=') {
            return None;
        }
        self.at = at + 1;
        let value = match index {
            Some(index) => AssignValue::Element(index, self.word()),
            None if self.peek() == b'(' => AssignValue::Many(self.array()),
            None => AssignValue::One(self.word()),
        };
        Some(Assign { name, append, value })
    }

    fn array(&mut self) -> Vec<Word> {
        let open = self.at;
        self.at += 1;
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            if self.take(")") {
                break;
            }
            let word = self.word();
            if word.span.is_empty() {
                self.error(ErrorKind::Unclosed, open);
                break;
            }
            words.push(word);
        }
        words
    }
}
