//! Redirections.

use super::ast::{ErrorKind, Redirect, RedirectOp, RedirectTarget};
use super::cursor::{Parser, is_name};
use crate::span::Span;

impl Parser<'_> {
    /// Reads the redirections after a compound command.
    pub(super) fn redirects(&mut self) -> Vec<Redirect> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => return redirects,
            }
        }
    }

    /// Reads one redirection, if one begins here.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        // Most words are not redirections, and their first letter says so.
        if !matches!(self.peek(), b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') {
            return None;
        }
        let before = self.at;
        let mut fd = None;
        let mut name = None;
        if self.peek() == b'{' {
            // `{name}>file` puts the descriptor into a variable.
            let mut at = self.at + 1;
            while self.bytes.get(at).copied().is_some_and(is_name) {
                at += 1;
            }
            if at > self.at + 1
                && self.bytes.get(at) == Some(&b'}')
                && matches!(self.bytes.get(at + 1), Some(b'<' | b'>'))
            {
                name = Some(Span::new(self.at + 1, at));
                self.at = at + 1;
                // bash takes the first free one from 10 on.
                fd = Some(10);
            }
        }
        // Longer numbers are not descriptors, and a word of digits must not be read twice in full.
        while self.peek().is_ascii_digit() && self.at - before < 6 {
            self.at += 1;
        }
        if self.at > before && fd.is_none() {
            fd = self.source[before..self.at].parse().ok();
        }
        // Digits that no sign follows are a word: `sleep 5`.
        let Some(op) = self.redirect_op() else {
            self.at = before;
            return None;
        };
        self.skip_blanks();
        let target = if op == RedirectOp::Heredoc {
            let dedent = self.bytes[self.at - 1] == b'-';
            let dedent = dedent || self.source[before..self.at].trim_end().ends_with("<<-");
            let delimiter = self.word();
            if delimiter.span.is_empty() {
                self.error(ErrorKind::Unexpected, self.at);
            }
            RedirectTarget::Heredoc(self.await_heredoc(&delimiter, dedent))
        } else {
            RedirectTarget::Word(self.word())
        };
        Some(Redirect { fd, name, op, target })
    }

    fn redirect_op(&mut self) -> Option<RedirectOp> {
        const OPS: &[(&str, RedirectOp)] = &[
            ("<<<", RedirectOp::HereString),
            ("<<-", RedirectOp::Heredoc),
            ("<<", RedirectOp::Heredoc),
            ("<&", RedirectOp::DupRead),
            ("<>", RedirectOp::ReadWrite),
            ("&>>", RedirectOp::AppendBoth),
            ("&>", RedirectOp::WriteBoth),
            (">>", RedirectOp::Append),
            (">&", RedirectOp::DupWrite),
            (">|", RedirectOp::Write),
        ];
        match self.peek() {
            b'<' | b'>' if self.peek_at(1) == b'(' => return None,
            b'<' | b'>' => {}
            b'&' if self.peek_at(1) == b'>' => {}
            _ => return None,
        }
        if let Some(&(_, op)) = OPS.iter().find(|(token, _)| self.take(token)) {
            return Some(op);
        }
        let op = if self.peek() == b'<' { RedirectOp::Read } else { RedirectOp::Write };
        self.at += 1;
        Some(op)
    }
}
