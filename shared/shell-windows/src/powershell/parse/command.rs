//! Commands: a name and its arguments, in which almost everything is text.

use super::super::ast::{Expr, Redirection, StageKind, Word};
use super::text::{Pieces, is_name};
use super::{Parser, Problem};

impl Parser<'_> {
    pub(super) fn command(&mut self, redirects: &mut Vec<Redirection>) -> Option<StageKind> {
        let called = self.called();
        self.cursor.skip(called);
        let mut words = Vec::new();
        loop {
            self.cursor.skip(false);
            if self.at_end() {
                break;
            }
            if self.redirect(redirects) {
                continue;
            }
            let before = self.cursor.at;
            if self.cursor.starts_with("--%") {
                self.cursor.at += 3;
                self.verbatim(&mut words);
                break;
            }
            let word = if words.is_empty() { self.name() } else { self.argument() };
            words.push(word);
            if self.cursor.at == before {
                self.problem(Problem::Syntax);
                self.cursor.bump();
            }
        }
        if words.is_empty() && redirects.is_empty() {
            return None;
        }
        Some(StageKind::Command { words, called })
    }

    /// Takes `&` or `.` in front of what is called.
    fn called(&mut self) -> bool {
        let second = self.cursor.second();
        let calls = match self.cursor.peek() {
            '&' => second != '&',
            '.' => second.is_whitespace() || matches!(second, '\'' | '"' | '$' | '(' | '{'),
            _ => false,
        };
        if calls {
            self.cursor.bump();
        }
        calls
    }

    fn at_end(&self) -> bool {
        self.cursor.ended() || matches!(self.cursor.peek(), '\n' | '\r' | ';' | '|' | ')' | '}' | '&')
    }

    /// What a command is called by.
    fn name(&mut self) -> Word {
        let found = match self.cursor.peek() {
            '$' | '(' | '{' | '\'' | '"' | '@' => {
                let base = if self.cursor.peek() == '$' {
                    self.expansion(false).unwrap_or_else(|| Expr::Text(self.bare_text()))
                } else {
                    self.primary()
                };
                let base = self.accesses(base);
                self.glued(base)
            }
            _ => self.bare(),
        };
        Word::Value(found)
    }

    fn argument(&mut self) -> Word {
        if self.cursor.peek() == '-' && (is_name(self.cursor.second()) || self.cursor.second() == '?') {
            return self.parameter();
        }
        if self.cursor.peek() == '@' && is_name(self.cursor.second()) {
            let start = self.cursor.at;
            self.cursor.bump();
            let mut name = String::new();
            while is_name(self.cursor.peek()) || self.cursor.peek() == ':' {
                name.extend(self.cursor.bump().to_lowercase());
            }
            if self.delimited() {
                let bare = name.rsplit(':').next().unwrap_or(&name).to_owned();
                return Word::Splat(bare);
            }
            // `@scope/package` of npm.
            self.cursor.at = start;
            return Word::Value(self.bare());
        }
        Word::Value(self.values())
    }

    /// Whether an argument ends here.
    fn delimited(&self) -> bool {
        self.cursor.ended()
            || self.cursor.peek().is_whitespace()
            || matches!(self.cursor.peek(), ';' | '|' | ')' | '}' | '&' | ',' | '{' | '(' | '<' | '>')
    }

    /// `-Name`, `-Name:value`, or an option of a native program that only looks like one.
    fn parameter(&mut self) -> Word {
        let start = self.cursor.at;
        self.cursor.bump();
        let mut name = String::new();
        while is_name(self.cursor.peek()) || matches!(self.cursor.peek(), '?' | '-') {
            name.push(self.cursor.bump());
        }
        if self.cursor.peek() == ':' {
            self.cursor.bump();
            self.cursor.skip(false);
            let value = if self.at_end() { None } else { Some(self.values()) };
            return Word::Parameter { name, value };
        }
        if self.delimited() {
            return Word::Parameter { name, value: None };
        }
        // `-Dname=value`, `-o"file"`: a string like others.
        self.cursor.at = start;
        Word::Value(self.bare())
    }

    /// A value, or several with commas between them.
    fn values(&mut self) -> Expr {
        let first = self.value();
        let mut list = Vec::new();
        loop {
            let end = self.cursor.at;
            self.cursor.skip(false);
            if self.cursor.peek() != ',' {
                // What follows a blank is the next argument's.
                if list.is_empty() {
                    self.cursor.at = end;
                }
                break;
            }
            self.cursor.bump();
            self.cursor.skip(true);
            if self.at_end() {
                break;
            }
            list.push(self.value());
        }
        if list.is_empty() {
            return first;
        }
        list.insert(0, first);
        Expr::List(list)
    }

    fn value(&mut self) -> Expr {
        match self.cursor.peek() {
            '\'' => Expr::Text(self.single_quoted()),
            '"' => self.double_quoted(),
            '(' => {
                let inner = self.primary();
                let base = self.accesses(inner);
                self.glued(base)
            }
            '{' => self.primary(),
            '@' if matches!(self.cursor.second(), '(' | '{' | '\'' | '"') => self.primary(),
            '$' => match self.expansion(true) {
                Some(base) => self.glued(base),
                None => self.bare(),
            },
            // `[type]::Member` is text to a command, as everything is that it does not know.
            _ => self.bare(),
        }
    }

    /// `$a\b`: text right after a value belongs to it.
    fn glued(&mut self, base: Expr) -> Expr {
        if self.delimited() {
            return base;
        }
        let mut pieces = Pieces::default();
        pieces.push(base);
        self.bare_pieces(&mut pieces);
        pieces.done()
    }

    /// Text without quotes around it.
    fn bare(&mut self) -> Expr {
        let mut pieces = Pieces::default();
        self.bare_pieces(&mut pieces);
        if pieces.is_empty() && !self.at_end() && self.cursor.peek() != ',' {
            pieces.text.push(self.cursor.bump_raw());
        }
        pieces.done()
    }

    fn bare_text(&mut self) -> String {
        match self.bare() {
            Expr::Text(text) => text,
            _ => String::new(),
        }
    }

    fn bare_pieces(&mut self, pieces: &mut Pieces) {
        while !self.delimited() {
            match self.cursor.peek() {
                '\'' => {
                    let text = self.single_quoted();
                    pieces.text.push_str(&text);
                }
                '"' => {
                    let inner = self.double_quoted();
                    match inner {
                        Expr::Text(text) => pieces.text.push_str(&text),
                        inner => pieces.push(inner),
                    }
                }
                // Outside of quotes, a letter after a back-tick is itself to most readers, and to version 5.1.
                '`' if self.cursor.second().is_ascii_alphanumeric() => {
                    self.cursor.bump();
                    pieces.text.push(self.cursor.bump_raw());
                }
                _ => self.piece(pieces),
            }
        }
    }

    /// What follows `--%`: words that PowerShell does not look at.
    fn verbatim(&mut self, words: &mut Vec<Word>) {
        let mut text = String::new();
        let mut quoted = false;
        loop {
            let c = self.cursor.peek();
            let ends = self.cursor.ended() || matches!(c, '\n' | '\r') || !quoted && c == '|';
            if ends || !quoted && c.is_whitespace() {
                if !text.is_empty() {
                    words.push(Word::Value(Expr::Text(std::mem::take(&mut text))));
                }
                if ends {
                    return;
                }
                self.cursor.bump();
            } else if c == '"' {
                quoted = !quoted;
                self.cursor.bump();
            } else {
                text.push(self.cursor.bump_raw());
            }
        }
    }

    /// Takes a redirection, if one comes next.
    pub(super) fn redirect(&mut self, redirects: &mut Vec<Redirection>) -> bool {
        let (fd, skipped) = match (self.cursor.peek(), self.cursor.second()) {
            ('>', _) => (1, 0),
            ('<', _) => (0, 0),
            ('*', '>') => (1, 1),
            (c, '>') if c.is_ascii_digit() && !is_name(self.cursor.before()) => {
                (c.to_digit(10).unwrap_or(1), 1)
            }
            _ => return false,
        };
        for _ in 0..skipped {
            self.cursor.bump();
        }
        let reads = self.cursor.bump() == '<';
        let append = self.cursor.eat('>');
        if self.cursor.eat('&') {
            // `2>&1`
            self.cursor.bump();
            return true;
        }
        self.cursor.skip(false);
        if self.at_end() {
            self.problem(Problem::Syntax);
            return true;
        }
        let target = self.value();
        redirects.push(Redirection { fd, append, reads, target });
        true
    }
}
