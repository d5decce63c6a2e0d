//! Here-documents: the operator is read with its command, the body after the line.

use super::ast::{Part, Word};
use super::cursor::Parser;
use crate::span::Span;

/// A here-document whose body has not been read yet.
pub(super) struct Pending {
    slot: usize,
    delimiter: String,
    /// A quoted delimiter keeps the body as it is.
    literal: bool,
    /// `<<-` takes leading tabs away.
    dedent: bool,
}

impl Parser<'_> {
    /// Registers a here-document and returns its slot.
    pub(super) fn await_heredoc(&mut self, delimiter: &Word, dedent: bool) -> usize {
        let mut text = String::new();
        let mut literal = false;
        if delimiter.parts.is_empty() {
            text.push_str(delimiter.span.of(self.source));
        }
        for part in &delimiter.parts {
            match part {
                Part::Bare(span) => text.push_str(span.of(self.source)),
                Part::Quoted(span) => {
                    literal = true;
                    text.push_str(span.of(self.source));
                }
                Part::Decoded(decoded) => {
                    literal = true;
                    text.push_str(decoded);
                }
                // bash takes `$x` in a delimiter as it is written.
                _ => delimiter.span.of(self.source).clone_into(&mut text),
            }
        }
        let slot = self.heredocs.len();
        self.heredocs.push(Word::default());
        self.pending.push(Pending { slot, delimiter: text, literal, dedent });
        slot
    }

    /// Reads the bodies that follow the line just ended.
    pub(super) fn read_heredocs(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let word = self.read_heredoc(&pending);
            self.heredocs[pending.slot] = word;
        }
    }

    fn read_heredoc(&mut self, pending: &Pending) -> Word {
        let start = self.at;
        let mut parts = Vec::new();
        let end = loop {
            if self.done() {
                break self.at;
            }
            let line_start = self.at;
            let rest = &self.bytes[self.at..];
            let width = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            self.at = (self.at + width + 1).min(self.bytes.len());
            let mut line = &self.source[line_start..line_start + width];
            // A script with Windows line ends: bash would read on to the end, a person sees the delimiter.
            line = line.strip_suffix('\r').unwrap_or(line);
            let text = if pending.dedent { line.trim_start_matches('\t') } else { line };
            // Without its delimiter the body goes to the end of the text, as in bash.
            if text == pending.delimiter {
                break line_start;
            }
            // Tabs are cut from each line, so each line is a part of its own.
            if pending.dedent && pending.literal {
                let dedented = line_start + (line.len() - text.len());
                parts.push(Part::Quoted(Span::new(dedented, self.at)));
            }
        };
        let span = Span::new(start, end);
        let after = self.at;
        if pending.literal {
            if !pending.dedent {
                parts.push(Part::Quoted(span));
            }
        } else {
            parts = self.heredoc_parts(start, end, pending.dedent);
        }
        self.at = after;
        Word { parts, span }
    }

    /// The body of an unquoted here-document: expansions work, quotes are ordinary characters.
    fn heredoc_parts(&mut self, start: usize, end: usize, dedent: bool) -> Vec<Part> {
        let (source, bytes) = (self.source, self.bytes);
        // Nothing in the body may read past its end.
        self.source = &source[..end];
        self.bytes = &bytes[..end];
        self.at = start;
        let mut parts = Vec::new();
        let mut run = start;
        while !self.done() {
            let line_start = self.at == start || self.bytes[self.at - 1] == b'\n';
            if dedent && line_start && self.peek() == b'\t' {
                self.push_quoted(&mut parts, run);
                while self.peek() == b'\t' {
                    self.at += 1;
                }
                run = self.at;
                continue;
            }
            match self.peek() {
                b'\\' if matches!(self.peek_at(1), b'$' | b'`' | b'\\' | b'\n') => {
                    self.push_quoted(&mut parts, run);
                    run = self.at + if self.peek_at(1) == b'\n' { 2 } else { 1 };
                    self.at += 2;
                }
                b'$' | b'`' => {
                    self.push_quoted(&mut parts, run);
                    let before = self.at;
                    if !self.expansion(&mut parts, true) {
                        self.at = before + 1;
                        run = before;
                        continue;
                    }
                    run = self.at;
                }
                _ => self.at += 1,
            }
        }
        self.push_quoted(&mut parts, run);
        self.source = source;
        self.bytes = bytes;
        parts
    }

    /// The text since `run` as a part in which nothing is special.
    pub(super) fn push_quoted(&self, parts: &mut Vec<Part>, run: usize) {
        if self.at > run {
            parts.push(Part::Quoted(Span::new(run, self.at)));
        }
    }
}
