//! A piece of SQL.

use std::borrow::Cow;

use shell_engine::mark;

/// What a [`Token`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, or a name without quotes.
    Word,
    /// A name in quotes.
    Name,
    /// A string in quotes.
    Text,
    Number,
    /// An operator or a bracket.
    Symbol,
    /// `;`
    Semi,
    /// Another end of a statement: `GO`, `/`, a delimiter of the client's.
    End,
    /// A line for the client itself, such as `\! ls`. It ends a statement, too.
    Client,
}

/// A piece of SQL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// As it is written; of strings and names in quotes what stands between them.
    pub(super) text: &'t str,
    /// The quote of a string or a name, and whether backslashes escape in it.
    pub(super) quote: u8,
    pub(super) escapes: bool,
    /// Whether it is the first on its line.
    pub(super) leads: bool,
}

impl<'t> Token<'t> {
    /// Whether it is this word, in any case. A word in quotes is none.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words, which are separated by blanks.
    pub(super) fn is_one(&self, words: &str) -> bool {
        self.kind == Kind::Word
            && words.split_ascii_whitespace().any(|word| self.text.eq_ignore_ascii_case(word))
    }

    /// Whether it is this operator or bracket.
    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// Whether it ends a statement.
    pub(super) fn ends(&self) -> bool {
        matches!(self.kind, Kind::Semi | Kind::End | Kind::Client)
    }

    /// Whether it may be a name.
    pub(super) fn names(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Name)
    }

    /// The text that quotes and escapes stand for.
    pub(super) fn value(&self) -> Cow<'t, str> {
        // Dollar quotes and brackets know no escapes.
        if !matches!(self.kind, Kind::Text | Kind::Name) || matches!(self.quote, b'$' | b'[') {
            return Cow::Borrowed(self.text);
        }
        let quote = char::from(self.quote);
        let special = |c: char| c == quote || self.escapes && c == '\\';
        if !self.text.contains(special) {
            return Cow::Borrowed(self.text);
        }
        let mut value = String::with_capacity(self.text.len());
        let mut chars = self.text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '\\' && self.escapes {
                match chars.next() {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('r') => value.push('\r'),
                    Some('0') => value.push('\0'),
                    Some(c) => value.push(c),
                    None => {}
                }
                continue;
            }
            // A doubled quote is one quote.
            if c == quote && chars.peek() == Some(&quote) {
                chars.next();
            }
            value.push(c);
        }
        Cow::Owned(value)
    }
}

/// Whether a token holds text that only exists at run time.
pub(super) fn is_open(token: &Token<'_>) -> bool {
    mark::any(token.text)
}
