//! Lists and pipelines.

use std::rc::Rc;

use super::ast::{
    Command, ErrorKind, Item, Joint, List, Part, Pipeline, Redirect, RedirectOp, RedirectTarget, Stage, Text,
    Tree, Word,
};
use super::cursor::{Parser, is_meta};
use crate::span::Span;

/// Whether a redirection gives what a command prints to a process.
fn reads_output(redirect: &Redirect) -> bool {
    let RedirectTarget::Word(word) = &redirect.target else { return false };
    matches!(redirect.fd, None | Some(1))
        && redirect.name.is_none()
        && matches!(
            redirect.op,
            RedirectOp::Write | RedirectOp::Append | RedirectOp::WriteBoth | RedirectOp::AppendBoth
        )
        && matches!(word.parts.as_slice(), [Part::Process { reads: false, .. }])
}

/// Closing tokens, as bits: a list ends at any of those that an enclosing construct waits for.
pub(super) mod close {
    pub(in crate::bash) const PARENTHESIS: u16 = 1;
    pub(in crate::bash) const BRACE: u16 = 1 << 1;
    pub(in crate::bash) const THEN: u16 = 1 << 2;
    pub(in crate::bash) const ELSE: u16 = 1 << 3;
    pub(in crate::bash) const FI: u16 = 1 << 4;
    pub(in crate::bash) const DO: u16 = 1 << 5;
    pub(in crate::bash) const DONE: u16 = 1 << 6;
    pub(in crate::bash) const ARM: u16 = 1 << 7;
    pub(in crate::bash) const ESAC: u16 = 1 << 8;
}

/// Words that mean something where a command begins.
const RESERVED: &[(&str, u16)] = &[
    ("then", close::THEN),
    ("else", close::ELSE),
    ("elif", close::ELSE),
    ("fi", close::FI),
    ("do", close::DO),
    ("done", close::DONE),
    ("esac", close::ESAC),
    ("}", close::BRACE),
];

/// Parses a string.
pub(crate) fn parse(source: String) -> Tree {
    parse_at(source, 0)
}

/// Parses a string that stands `depth` levels deep in another one.
pub(super) fn parse_at(source: String, depth: u32) -> Tree {
    let mut parser = Parser::new(&source, depth);
    let mut body = parser.list();
    while !parser.done() {
        // A closing token that no one waits for: bash stops here, we go on after it.
        parser.error(ErrorKind::Unexpected, parser.at);
        parser.skip_stray();
        body.items.append(&mut parser.list().items);
    }
    if !parser.pending.is_empty() {
        parser.read_heredocs();
    }
    let (heredocs, errors) = (parser.heredocs, parser.errors);
    Tree { text: Rc::new(Text { source, heredocs }), body, errors }
}

impl Parser<'_> {
    /// Reads the list inside a construct that `closing` ends, in a context of its own.
    pub(super) fn nested_list(&mut self, closing: &str) -> List {
        let open = self.at;
        if !self.enter() {
            return List::default();
        }
        let bit = if closing == ")" { close::PARENTHESIS } else { close::BRACE };
        let outer = std::mem::replace(&mut self.awaited, bit);
        // Inside `$(…)` quotes start afresh, whatever is open around it.
        let quoted = std::mem::replace(&mut self.quoted, false);
        let mut list = self.list();
        // What the shell would refuse is skipped, as commands may come after it.
        while !self.done() && !self.take(closing) {
            self.error(ErrorKind::Unexpected, self.at);
            self.skip_stray();
            list.items.append(&mut self.list().items);
        }
        // `take` stepped over the closing token; if another byte stands there, the text ended first.
        if self.bytes.get(self.at.wrapping_sub(1)).copied() != Some(closing.as_bytes()[0]) {
            self.error(ErrorKind::Unclosed, open);
        }
        self.awaited = outer;
        self.quoted = quoted;
        self.leave();
        list
    }

    fn skip_stray(&mut self) {
        let start = self.at;
        while !self.done() && !is_meta(self.peek()) {
            self.at += 1;
        }
        if self.at == start && !self.done() {
            self.at += 1;
            // A stray token may be the tail of `;;` or a multi-byte character.
            while !self.source.is_char_boundary(self.at) {
                self.at += 1;
            }
        }
    }

    /// Reads commands up to a closing token or the end.
    pub(super) fn list(&mut self) -> List {
        // Room from the start costs less than to grow, and most lists and pipelines are short.
        let mut items = Vec::with_capacity(4);
        loop {
            self.skip_lines();
            if self.done() || self.at_close() {
                break;
            }
            match self.peek() {
                // The end of a branch of `case`.
                b';' if self.peek_at(1) == b';' => break,
                b';' | b'&' | b'|' => {
                    self.error(ErrorKind::Unexpected, self.at);
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let pipeline = self.pipeline();
            let joint = self.joint();
            if !pipeline.stages.is_empty() {
                items.push(Item { pipeline, joint });
            }
            // Nothing was read: stop here, or the loop would never end.
            if self.at == before {
                break;
            }
        }
        List { items }
    }

    fn joint(&mut self) -> Joint {
        self.skip_blanks();
        if self.take("&&") {
            self.skip_lines();
            Joint::And
        } else if self.take("||") {
            self.skip_lines();
            Joint::Or
        } else if self.peek() == b'&' {
            self.at += 1;
            Joint::Background
        } else {
            if self.peek() == b';' && !matches!(self.peek_at(1), b';' | b'&') {
                self.at += 1;
            }
            Joint::Then
        }
    }

    /// Whether the position is at a token that ends an enclosing construct.
    fn at_close(&self) -> bool {
        match self.peek() {
            b')' => self.awaited & close::PARENTHESIS != 0 || self.awaited == 0,
            b';' => self.peek_at(1) == b';' || self.peek_at(1) == b'&',
            b'}' | b'a'..=b'z' => {
                let word = self.bare_word();
                RESERVED.iter().any(|&(name, bit)| {
                    name == word && (self.awaited & bit != 0 || self.awaited & close::PARENTHESIS == 0)
                })
            }
            _ => false,
        }
    }

    /// The text up to the next metacharacter, if it is one plain word.
    fn bare_word(&self) -> &str {
        let rest = &self.bytes[self.at..];
        // No reserved word is longer, and this is asked before every command.
        let width = rest.iter().take(12).position(|&b| is_meta(b)).unwrap_or(rest.len().min(12));
        self.source.get(self.at..self.at + width).unwrap_or("")
    }

    /// Steps over a reserved word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let next = self.starts_with(word) && is_meta(self.peek_at(word.len()));
        if next {
            self.at += word.len();
        }
        next
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut stages = Vec::with_capacity(2);
        let mut negated = false;
        loop {
            self.skip_blanks();
            if self.take_word("!") {
                negated = !negated;
                continue;
            }
            if self.take_word("time") {
                self.skip_blanks();
                self.take_word("-p");
                continue;
            }
            let before = self.at;
            if let Some(mut stage) = self.stage() {
                let reader = self.reader(&mut stage);
                stages.push(stage);
                stages.extend(reader);
            }
            self.skip_blanks();
            if self.peek() == b'|' && self.peek_at(1) != b'|' {
                self.at += 1;
                // `|&` pipes the errors as well.
                self.take("&");
                self.skip_lines();
                // `a | }`: the stage is missing, but what encloses it is closed.
                if self.at_close() {
                    break;
                }
                continue;
            }
            if self.at == before
                && !self.done()
                && !self.at_newline()
                && !self.at_close()
                && self.peek() != b';'
            {
                self.error(ErrorKind::Unexpected, self.at);
                self.skip_stray();
            }
            break;
        }
        Pipeline { stages, negated }
    }

    /// The reader in `command > >(reader)`, which is a pipeline in another spelling. `exec` only opens the way.
    fn reader(&self, stage: &mut Stage) -> Option<Stage> {
        let opens = |words: &[Word]| words.first().is_none_or(|word| word.span.of(self.source) == "exec");
        if matches!(&stage.command, Command::Simple { words, .. } if opens(words)) {
            return None;
        }
        let at = stage.redirects.iter().position(reads_output)?;
        let RedirectTarget::Word(mut word) = stage.redirects.remove(at).target else { return None };
        let Some(Part::Process { body, .. }) = word.parts.pop() else { return None };
        Some(Stage { command: Command::Subshell(*body), redirects: Vec::new(), span: word.span })
    }

    pub(super) fn stage(&mut self) -> Option<Stage> {
        if !self.enter() {
            return None;
        }
        let start = self.at;
        let command = self.compound();
        let stage = match command {
            Some(command) => {
                let redirects = self.redirects();
                Some(Stage { command, redirects, span: Span::new(start, self.at) })
            }
            None => self.simple(start),
        };
        self.leave();
        stage
    }
}
