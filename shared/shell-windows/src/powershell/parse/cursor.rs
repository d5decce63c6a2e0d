//! Reading a string character by character, as PowerShell's own tokenizer sees it.

use shell_engine::Span;

/// A place in a string. Typographic quotes, dashes and blanks are what PowerShell takes them for.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Where all of it stands, if it is not a piece of the original text.
    place: Option<Span>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, place: Option<Span>) -> Self {
        Self { text, at: 0, place }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next character, or NUL at the end.
    pub(super) fn peek(&self) -> char {
        self.rest().chars().next().map_or('\0', plain)
    }

    /// The character after the next one.
    pub(super) fn second(&self) -> char {
        self.rest().chars().nth(1).map_or('\0', plain)
    }

    pub(super) fn third(&self) -> char {
        self.rest().chars().nth(2).map_or('\0', plain)
    }

    /// The character before the next one.
    pub(super) fn before(&self) -> char {
        // As if a line break stood before the text: what must begin a line may begin the text.
        self.text[..self.at].chars().next_back().map_or('\n', plain)
    }

    pub(super) fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Takes the next character.
    pub(super) fn bump(&mut self) -> char {
        match self.rest().chars().next() {
            Some(c) => {
                self.at += c.len_utf8();
                plain(c)
            }
            None => '\0',
        }
    }

    /// Takes the next character as it was written.
    pub(super) fn bump_raw(&mut self) -> char {
        let c = self.rest().chars().next().unwrap_or('\0');
        self.bump();
        c
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == c && !self.ended();
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// The letters, digits and `-` that come next.
    pub(super) fn word(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
        &rest[..end]
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        self.place.unwrap_or_else(|| Span::new(start, self.at))
    }

    /// Skips blanks, line continuations and comments; line breaks too, where `lines` says so.
    pub(super) fn skip(&mut self, lines: bool) {
        loop {
            match self.peek() {
                ' ' | '\t' | '\u{b}' | '\u{c}' => {
                    self.bump();
                }
                '\r' | '\n' if lines && !self.ended() => {
                    self.bump();
                }
                '`' if matches!(self.second(), '\n' | '\r') => {
                    self.bump();
                    if self.bump() == '\r' {
                        self.eat('\n');
                    }
                }
                '<' if self.second() == '#' => self.comment_block(),
                '#' => self.at = self.rest().find(['\n', '\r']).map_or(self.text.len(), |end| self.at + end),
                _ => return,
            }
        }
    }

    fn comment_block(&mut self) {
        let body = self.rest().get(2..).unwrap_or("");
        self.at = body.find("#>").map_or(self.text.len(), |end| self.at + 2 + end + 2);
    }
}

/// What PowerShell takes a character for.
fn plain(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201e}' => '"',
        '\u{2013}'..='\u{2015}' => '-',
        '\u{a0}' | '\u{85}' | '\u{2000}'..='\u{200a}' | '\u{3000}' => ' ',
        c => c,
    }
}
