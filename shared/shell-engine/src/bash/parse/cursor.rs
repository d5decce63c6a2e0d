//! The reading position, and what may be looked at from there.

use super::ast::{Error, ErrorKind};
use super::heredoc::Pending;
use crate::bash::ast::Word;
use crate::span::Span;

/// Nesting beyond this is answered as not understood: no honest command comes near, and it keeps the
/// parser's stack below 256 KiB.
pub(super) const MAX_DEPTH: u32 = 100;
/// How often an unclosed quote is read again as an ordinary character.
const MAX_SECOND_READINGS: u32 = 4;
/// Errors beyond this are not recorded.
const MAX_ERRORS: usize = 32;

/// A parser over one text.
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) bytes: &'s [u8],
    pub(super) at: usize,
    pub(super) depth: u32,
    pub(super) errors: Vec<Error>,
    pub(super) heredocs: Vec<Word>,
    pub(super) pending: Vec<Pending>,
    /// Bytes that may still be looked at ahead of the position (`((` needs it), so that time stays linear.
    pub(super) lookahead: usize,
    pub(super) second_readings: u32,
    /// Which closing tokens the enclosing constructs wait for.
    pub(super) awaited: u16,
    /// Inside double quotes, where a single quote is only a letter.
    pub(super) quoted: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, depth: u32) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            depth,
            errors: Vec::new(),
            heredocs: Vec::new(),
            pending: Vec::new(),
            lookahead: source.len() * 4 + 256,
            second_readings: MAX_SECOND_READINGS,
            awaited: 0,
            quoted: false,
        }
    }

    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn starts_with(&self, token: &str) -> bool {
        self.bytes[self.at.min(self.bytes.len())..].starts_with(token.as_bytes())
    }

    /// Steps over `token` if it is next.
    pub(super) fn take(&mut self, token: &str) -> bool {
        let next = self.starts_with(token);
        if next {
            self.at += token.len();
        }
        next
    }

    pub(super) fn error(&mut self, kind: ErrorKind, at: usize) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(Error { kind, at: Span::new(at, at).start });
        }
    }

    /// Goes one level down, or gives up on the rest of the text.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.error(ErrorKind::TooDeep, self.at);
            self.at = self.bytes.len();
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The length of the blank at the position: a space, a tab, a line continuation, or a Unicode space,
    /// which the shell would take for a letter but a reader for a blank.
    pub(super) fn blank(&self) -> usize {
        match self.peek() {
            b' ' | b'\t' => 1,
            b'\\' if self.peek_at(1) == b'\n' => 2,
            b'\\' if self.peek_at(1) == b'\r' && self.peek_at(2) == b'\n' => 3,
            // To a reader it is a blank as well, though the shell takes it for a letter.
            b'\r' if self.peek_at(1) != b'\n' => 1,
            // No-break space, and below other spaces of Unicode: U+2000 to U+200A, U+202F, U+205F and U+3000.
            0xC2 if self.peek_at(1) == 0xA0 => 2,
            0xE2 if self.peek_at(1) == 0x80 && matches!(self.peek_at(2), 0x80..=0x8A | 0xAF) => 3,
            0xE2 if self.peek_at(1) == 0x81 && self.peek_at(2) == 0x9F => 3,
            0xE3 if self.peek_at(1) == 0x80 && self.peek_at(2) == 0x80 => 3,
            _ => 0,
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.blank() {
                0 => break,
                width => self.at += width,
            }
        }
    }

    /// Steps over blanks, newlines and comments.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                b'\n' => self.newline(),
                b'\r' if self.peek_at(1) == b'\n' => {
                    self.at += 1;
                    self.newline();
                }
                b'#' => self.skip_comment(),
                _ => break,
            }
        }
    }

    pub(super) fn skip_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    /// Steps over a newline, and over the bodies of the here-documents that the line has named.
    pub(super) fn newline(&mut self) {
        self.at += 1;
        if !self.pending.is_empty() {
            self.read_heredocs();
        }
    }

    /// Whether the position is at a newline, in either spelling.
    pub(super) fn at_newline(&self) -> bool {
        self.peek() == b'\n' || self.peek() == b'\r' && self.peek_at(1) == b'\n'
    }
}

/// What a byte may be, as bits: every byte of every script is looked up here.
static KINDS: [u8; 256] = {
    let (mut kinds, mut byte) = ([0; 256], 0_u8);
    // Not an iterator: this is a constant.
    loop {
        kinds[byte as usize] = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | 0 => META,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => NAME | LITERAL,
            b'-' | b'.' | b'/' | b'=' | b':' | b'@' | b'%' | b'+' | b',' => LITERAL,
            b'~' | b'*' | b'?' => PATTERN,
            _ => 0,
        };
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};
const META: u8 = 1;
const NAME: u8 = 1 << 1;
const LITERAL: u8 = 1 << 2;
const PATTERN: u8 = 1 << 3;

fn is(byte: u8, kinds: u8) -> bool {
    KINDS[usize::from(byte)] & kinds != 0
}

/// Whether an unquoted `byte` ends a word.
pub(super) fn is_meta(byte: u8) -> bool {
    is(byte, META)
}

/// Whether `byte` may stand in a variable's name.
pub(super) fn is_name(byte: u8) -> bool {
    is(byte, NAME)
}

/// Whether `byte` means itself wherever it stands in a word.
pub(super) fn is_literal(byte: u8) -> bool {
    is(byte, LITERAL)
}

/// Whether `byte` is an ordinary character of a word.
pub(super) fn is_plain(byte: u8) -> bool {
    is(byte, LITERAL | PATTERN)
}
