//! Words: quotes, escapes and expansions.

use super::ast::{ErrorKind, Part, Word};
use super::cursor::{Parser, is_literal, is_meta, is_name, is_plain};
use crate::span::Span;

impl Parser<'_> {
    /// Reads a word. It may be empty when no word stands here.
    pub(super) fn word(&mut self) -> Word {
        let start = self.at;
        let plain = self.bytes[start..].iter().take_while(|&&byte| is_literal(byte)).count();
        let next = self.bytes.get(start + plain).copied().unwrap_or(b' ');
        // The usual word costs one pass and no memory; `f(` may be a pattern or a function.
        if plain > 0 && is_meta(next) && next != b'(' {
            self.at += plain;
            return Word { parts: Vec::new(), span: Span::new(start, self.at) };
        }
        let mut parts = Vec::with_capacity(2);
        // A line that goes on in the middle of a word goes on with the word.
        let ends = |parser: &Self| {
            is_meta(parser.peek())
                || parser.blank() > 0 && !(parser.peek() == b'\\' && parser.peek_at(1) == b'\n')
        };
        self.word_parts(&mut parts, ends);
        Word { parts, span: Span::new(start, self.at) }
    }

    /// Reads parts until `ends` says so or the text is over.
    pub(super) fn word_parts(&mut self, parts: &mut Vec<Part>, ends: impl Fn(&Self) -> bool) {
        let mut run = self.at;
        while !self.done() {
            let byte = self.peek();
            if is_plain(byte) {
                self.at += 1;
                continue;
            }
            // `@(a|b)`: an extended pattern, inside of which `|` is not a pipe.
            if byte == b'(' && self.opens_pattern(run) {
                self.pattern_group();
                continue;
            }
            // `<(…)` is part of a word; `<` alone ends it.
            if matches!(byte, b'<' | b'>') && self.peek_at(1) == b'(' {
                self.push_bare(parts, run);
                self.process_substitution(parts);
                run = self.at;
                continue;
            }
            if ends(self) {
                break;
            }
            match byte {
                b'\\' => {
                    self.push_bare(parts, run);
                    self.escape(parts);
                    run = self.at;
                }
                b'\'' if !self.quoted => {
                    if self.single_quoted(parts, run) {
                        run = self.at;
                    }
                }
                b'"' => {
                    self.push_bare(parts, run);
                    run = self.double_quoted(parts);
                }
                b'$' | b'`' => {
                    self.push_bare(parts, run);
                    run = self.expanded(parts, false);
                }
                _ => self.at += 1,
            }
        }
        self.push_bare(parts, run);
    }

    fn push_bare(&self, parts: &mut Vec<Part>, run: usize) {
        if self.at > run {
            parts.push(Part::Bare(Span::new(run, self.at)));
        }
    }

    /// Reads `'…'`, which unquoted text since `run` stands before; `false` if no quote closes it.
    fn single_quoted(&mut self, parts: &mut Vec<Part>, run: usize) -> bool {
        let Some(width) = self.bytes[self.at + 1..].iter().position(|&b| b == b'\'') else {
            self.unclosed_quote();
            return false;
        };
        self.push_bare(parts, run);
        parts.push(Part::Quoted(Span::new(self.at + 1, self.at + 1 + width)));
        self.at += width + 2;
        true
    }

    /// Reads what a `$` or a backquote begins, and returns where plain text goes on: at the character itself where
    /// it begins nothing, as in `a$`.
    fn expanded(&mut self, parts: &mut Vec<Part>, quoted: bool) -> usize {
        let before = self.at;
        if self.expansion(parts, quoted) {
            return self.at;
        }
        self.at = before + 1;
        before
    }

    /// A quote without its twin: bash refuses such text; we read on as if it were a letter, so that it
    /// hides nothing from us.
    fn unclosed_quote(&mut self) {
        self.error(ErrorKind::Unclosed, self.at);
        // Text after a stray quote is read twice, as a string and as commands, but not without end.
        if self.second_readings > 0 {
            self.second_readings -= 1;
            self.at += 1;
        } else {
            self.at = self.bytes.len();
        }
    }

    fn escape(&mut self, parts: &mut Vec<Part>) {
        self.at += 1;
        // A backslash at the very end stands for nothing.
        if self.done() {
            return;
        }
        // A continued line: both characters vanish.
        if self.peek() == b'\n' {
            self.at += 1;
            return;
        }
        let width = char_width(self.peek());
        // The whole character, or a part would begin in the middle of one.
        let end = (self.at + width).min(self.bytes.len());
        parts.push(Part::Quoted(Span::new(self.at, end)));
        self.at = end;
    }

    /// Reads `"…"` and returns where unquoted text goes on.
    fn double_quoted(&mut self, parts: &mut Vec<Part>) -> usize {
        let open = self.at;
        let parts_before = parts.len();
        let errors_before = self.errors.len();
        if !self.enter() {
            return self.at;
        }
        self.at += 1;
        let mut run = self.at;
        let mut closed = false;
        while !self.done() {
            match self.peek() {
                b'"' => {
                    // `""` is a word, too, and an empty one.
                    if self.at > run || parts.len() == parts_before {
                        parts.push(Part::Quoted(Span::new(run, self.at)));
                    }
                    self.at += 1;
                    closed = true;
                    break;
                }
                // Inside double quotes, a backslash is itself before any other character.
                b'\\' => match self.peek_at(1) {
                    b'$' | b'`' | b'"' | b'\\' => {
                        self.push_quoted(parts, run);
                        run = self.at + 1;
                        self.at += 2;
                    }
                    b'\n' => {
                        self.push_quoted(parts, run);
                        self.at += 2;
                        run = self.at;
                    }
                    _ => self.at += 1,
                },
                b'$' | b'`' => {
                    self.push_quoted(parts, run);
                    run = self.expanded(parts, true);
                }
                _ => self.at += 1,
            }
        }
        self.leave();
        if closed {
            return self.at;
        }
        if self.second_readings > 0 && self.depth < super::cursor::MAX_DEPTH - 1 {
            // What was found wrong inside the string is found again, or not, when it is read as commands.
            self.errors.truncate(errors_before);
            // The quote may be a plain apostrophe: what follows is read as commands.
            parts.truncate(parts_before);
            self.at = open;
            self.unclosed_quote();
            return open;
        }
        self.error(ErrorKind::Unclosed, open);
        self.push_quoted(parts, run);
        self.at
    }

    /// Reads an expansion that starts with `$` or a backquote; `false` if it is only a character.
    pub(super) fn expansion(&mut self, parts: &mut Vec<Part>, quoted: bool) -> bool {
        if self.peek() == b'`' {
            self.backquote(parts, quoted);
            return true;
        }
        match self.peek_at(1) {
            // `$((` is arithmetic only if `))` ends it: `$((a); b)` is a subshell in a substitution.
            b'(' if self.peek_at(2) == b'(' && self.closes_twice(self.at + 3) => {
                self.at += 3;
                let body = self.arithmetic_body();
                parts.push(Part::Arithmetic(body));
            }
            b'(' => {
                self.at += 2;
                let body = Box::new(self.nested_list(")"));
                parts.push(Part::Substitution { body, quoted });
            }
            b'{' => self.braced_parameter(parts, quoted),
            b'[' => {
                // The old form of `$((…))`.
                self.at += 2;
                let mut body = Vec::new();
                if self.enter() {
                    self.word_parts(&mut body, |parser| parser.peek() == b']');
                    self.take("]");
                    self.leave();
                }
                parts.push(Part::Arithmetic(body));
            }
            b'\'' if !quoted => return self.ansi_quoted(parts),
            // `$"…"` is a string to be translated.
            b'"' if !quoted => {
                self.at += 1;
                let after = self.double_quoted(parts);
                self.at = after;
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = self.at + 1;
                self.at = start;
                while is_name(self.peek()) {
                    self.at += 1;
                }
                parts.push(super::parameter::plain(Span::new(start, self.at), quoted));
            }
            b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => {
                parts.push(super::parameter::plain(Span::new(self.at + 1, self.at + 2), quoted));
                self.at += 2;
            }
            _ => return false,
        }
        true
    }

    /// Reads parts up to `))` and steps over it.
    pub(super) fn arithmetic_body(&mut self) -> Vec<Part> {
        let mut body = Vec::new();
        if !self.enter() {
            return body;
        }
        let open = self.at;
        loop {
            self.word_parts(&mut body, |parser| matches!(parser.peek(), b'(' | b')' | b';'));
            match self.peek() {
                b')' if self.peek_at(1) == b')' => {
                    self.at += 2;
                    break;
                }
                0 if self.done() => {
                    self.error(ErrorKind::Unclosed, open);
                    break;
                }
                b'(' | b')' | b';' => {
                    body.push(Part::Bare(Span::new(self.at, self.at + 1)));
                    self.at += 1;
                    if self.bytes[self.at - 1] == b'(' {
                        // `((1+2)*3)`: the inner pair must not end the expression.
                        self.arithmetic_group(&mut body);
                    }
                }
                _ => self.at += 1,
            }
        }
        self.leave();
        body
    }

    fn arithmetic_group(&mut self, body: &mut Vec<Part>) {
        let mut open = 1;
        while open > 0 && !self.done() {
            self.word_parts(body, |parser| matches!(parser.peek(), b'(' | b')'));
            match self.peek() {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if !self.done() {
                body.push(Part::Bare(Span::new(self.at, self.at + 1)));
                self.at += 1;
            }
        }
    }

    fn process_substitution(&mut self, parts: &mut Vec<Part>) {
        let reads = self.peek() == b'<';
        self.at += 2;
        let start = self.at;
        let body = Box::new(self.nested_list(")"));
        // Without the parenthesis at its end, if that is there.
        let span = Span::new(start, self.at.saturating_sub(1).max(start));
        parts.push(Part::Process { body, reads, span });
    }

    fn backquote(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                0 if self.done() => {
                    self.error(ErrorKind::Unclosed, open);
                    break;
                }
                b'`' => break,
                b'\\' => {
                    if matches!(self.peek_at(1), b'$' | b'`' | b'\\') || quoted && self.peek_at(1) == b'"' {
                        text.push_str(&self.source[run..self.at]);
                        run = self.at + 1;
                    }
                    self.at = (self.at + 2).min(self.bytes.len());
                }
                _ => self.at += 1,
            }
        }
        text.push_str(self.source.get(run..self.at).unwrap_or(""));
        self.take("`");
        // What is inside is parsed on its own, because backslashes in it mean something else; so the depth
        // goes along.
        if self.enter() {
            let tree = super::command::parse_at(text, self.depth);
            self.leave();
            for error in &tree.errors {
                self.error(error.kind, open);
            }
            let span = Span::new(open, self.at);
            parts.push(Part::Backquote { tree: Box::new(tree), quoted, span });
        }
    }

    fn ansi_quoted(&mut self, parts: &mut Vec<Part>) -> bool {
        let start = self.at + 2;
        let mut at = start;
        while at < self.bytes.len() && self.bytes[at] != b'\'' {
            at += if self.bytes[at] == b'\\' { 2 } else { 1 };
        }
        if at >= self.bytes.len() {
            return false;
        }
        parts.push(Part::Decoded(crate::text::escapes::ansi_c(&self.source[start..at])));
        self.at = at + 1;
        true
    }

    /// Whether `(` after the text since `run` opens an extended pattern such as `@(a|b)`.
    fn opens_pattern(&self, run: usize) -> bool {
        self.at > run && matches!(self.bytes[self.at - 1], b'?' | b'*' | b'+' | b'@' | b'!')
    }

    fn pattern_group(&mut self) {
        let mut open = 0;
        while !self.done() {
            match self.peek() {
                b'(' => open += 1,
                b')' => open -= 1,
                // An extended pattern does not go over lines: an unclosed one must not swallow the commands
                // after it.
                b'\n' => return,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
    }

    /// Whether the text from `from` on, inside `((`, ends in `))` rather than in two separate parentheses:
    /// the difference between arithmetic and nested subshells.
    pub(super) fn closes_twice(&mut self, from: usize) -> bool {
        let mut open = 2;
        let mut at = from;
        while at < self.bytes.len() {
            if self.lookahead == 0 {
                return false;
            }
            self.lookahead -= 1;
            match self.bytes[at] {
                b'\\' => at += 1,
                b'\'' => at += 1 + self.bytes[at + 1..].iter().position(|&b| b == b'\'').unwrap_or(0),
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 1 {
                        // One pair is left open: its `)` must be followed by the other one.
                        return self.bytes.get(at + 1) == Some(&b')');
                    }
                }
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// The width of the UTF-8 character that begins with `byte`.
fn char_width(byte: u8) -> usize {
    match byte {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}
