//! `${…}`: a name and what is done with its value.

use super::ast::{ErrorKind, Parameter, ParameterOp, Part, ReplaceKind, Subscript};
use super::cursor::{Parser, is_name};
use crate::span::Span;

/// `$name`, with nothing done to the value.
pub(super) fn plain(name: Span, quoted: bool) -> Part {
    let parameter = Parameter { name, subscript: None, indirect: false, op: ParameterOp::Plain };
    Part::Parameter { parameter: Box::new(parameter), quoted }
}

impl Parser<'_> {
    /// Reads `${…}` at the position. `${ command;}` of bash 5.3 is read as the substitution it is.
    pub(super) fn braced_parameter(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let open = self.at;
        self.at += 2;
        if matches!(self.peek(), b' ' | b'\t' | b'\n' | b'|') {
            self.take("|");
            let body = Box::new(self.nested_list("}"));
            parts.push(Part::Substitution { body, quoted });
            return;
        }
        if !self.enter() {
            return;
        }
        let mut length = false;
        let mut indirect = false;
        // `${#}` is the number of arguments and `${##x}` cuts from it; else `#` asks for a length.
        if self.peek() == b'#' && !matches!(self.peek_at(1), b'}' | b'#' | b'%' | b':' | b'/') {
            length = true;
            self.at += 1;
        } else if self.peek() == b'!' && (is_name(self.peek_at(1)) || self.peek_at(1) == b'#') {
            indirect = true;
            self.at += 1;
        }
        let start = self.at;
        if is_name(self.peek()) {
            while is_name(self.peek()) {
                self.at += 1;
            }
        } else if matches!(self.peek(), b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') {
            self.at += 1;
        }
        let name = Span::new(start, self.at);
        let subscript = (self.peek() == b'[').then(|| self.subscript());
        let op = if length { ParameterOp::Length } else { self.parameter_op(quoted) };
        // Whatever is left before the brace belongs to something we don't know.
        let mut rest = Vec::new();
        self.word_parts(&mut rest, |parser| parser.peek() == b'}');
        if !self.take("}") {
            self.error(ErrorKind::Unclosed, open);
        }
        self.leave();
        // Its substitutions run all the same.
        let op = if rest.is_empty() { op } else { ParameterOp::Other(rest) };
        let parameter = Parameter { name, subscript, indirect, op };
        parts.push(Part::Parameter { parameter: Box::new(parameter), quoted });
    }

    fn subscript(&mut self) -> Subscript {
        self.at += 1;
        let all = matches!(self.peek(), b'@' | b'*') && self.peek_at(1) == b']';
        let mut index = Vec::new();
        self.word_parts(&mut index, |parser| matches!(parser.peek(), b']' | b'}'));
        self.take("]");
        if all { Subscript::All } else { Subscript::One(index) }
    }

    fn parameter_op(&mut self, quoted: bool) -> ParameterOp {
        let colon = self.peek() == b':';
        match if colon { self.peek_at(1) } else { self.peek() } {
            kind @ (b'-' | b'=' | b'?' | b'+') => {
                self.at += 1 + usize::from(colon);
                ParameterOp::Fallback { kind, colon, word: self.operand(b"}", quoted) }
            }
            _ if colon => {
                self.at += 1;
                let offset = self.operand(b":}", quoted);
                let length = self.take(":").then(|| self.operand(b"}", quoted));
                ParameterOp::Slice { offset, length }
            }
            kind @ (b'#' | b'%') => {
                self.at += 1;
                let longest = self.peek() == kind;
                self.at += usize::from(longest);
                ParameterOp::Trim { suffix: kind == b'%', longest, pattern: self.operand(b"}", quoted) }
            }
            b'/' => {
                self.at += 1;
                let kind = match self.peek() {
                    b'/' => ReplaceKind::All,
                    b'#' => ReplaceKind::Prefix,
                    b'%' => ReplaceKind::Suffix,
                    _ => ReplaceKind::First,
                };
                self.at += usize::from(kind != ReplaceKind::First);
                let pattern = self.operand(b"/}", quoted);
                let with = if self.take("/") { self.operand(b"}", quoted) } else { Vec::new() };
                ParameterOp::Replace { kind, pattern, with }
            }
            kind @ (b'^' | b',') => {
                self.at += 1;
                let all = self.peek() == kind;
                self.at += usize::from(all);
                // `${x^^[a-z]}`: the pattern is read and left out, as if all letters changed.
                self.operand(b"}", quoted);
                ParameterOp::Case { upper: kind == b'^', all }
            }
            b'@' if matches!(self.peek_at(1), b'U' | b'L' | b'u') && self.peek_at(2) == b'}' => {
                let (upper, all) = (self.peek_at(1) != b'L', self.peek_at(1) != b'u');
                self.at += 2;
                ParameterOp::Case { upper, all }
            }
            b'@' => {
                self.at += 1;
                ParameterOp::Other(self.operand(b"}", quoted))
            }
            _ => ParameterOp::Plain,
        }
    }

    /// Reads the text of an operator up to one of `ends`.
    fn operand(&mut self, ends: &[u8], quoted: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        // `/` and `:` are ordinary characters of words, so they are looked for one part at a time.
        let stop = self.operand_end(ends, quoted);
        let (source, bytes) = (self.source, self.bytes);
        // The operand is read by the reader of words, which must not see what follows: a word has other ends.
        self.source = &source[..stop];
        self.bytes = &bytes[..stop];
        let outer = std::mem::replace(&mut self.quoted, quoted);
        self.word_parts(&mut parts, |_| false);
        self.quoted = outer;
        self.source = source;
        self.bytes = bytes;
        self.at = stop;
        parts
    }

    /// Where an operand ends: the first of `ends` outside quotes and nested expansions.
    fn operand_end(&mut self, ends: &[u8], quoted: bool) -> usize {
        let mut at = self.at;
        let mut braces = 0_u32;
        let mut parentheses = 0_u32;
        while at < self.bytes.len() {
            // Nested expansions are looked through once per level: bounded, or hostile text takes quadratic time.
            if self.lookahead == 0 {
                return self.bytes.len();
            }
            self.lookahead -= 1;
            let byte = self.bytes[at];
            if braces == 0 && parentheses == 0 && ends.contains(&byte) {
                return at;
            }
            match byte {
                b'\\' => at += 1,
                // Inside double quotes, a single quote is a letter.
                b'\'' if !quoted => {
                    at += self.bytes[at + 1..].iter().position(|&b| b == b'\'').map_or(0, |width| width + 1);
                }
                b'"' if !quoted => {
                    at += self.bytes[at + 1..].iter().position(|&b| b == b'"').map_or(0, |width| width + 1);
                }
                // Only `${` nests; a plain brace does not.
                b'{' if at > 0 && self.bytes[at - 1] == b'$' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                b'(' if at > 0 && self.bytes[at - 1] == b'$' || parentheses > 0 && byte == b'(' => {
                    parentheses += 1;
                }
                b')' => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        self.bytes.len()
    }
}
