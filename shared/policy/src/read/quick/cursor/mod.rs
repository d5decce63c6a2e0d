//! Reading values and keys in the plain form; `None` where the thorough reader has to look.

mod bytes;
mod strings;

use std::borrow::Cow;

use chrono::NaiveDate;

use crate::toml::{Entry, Item, Table, Value};

use bytes::first_of;
pub(in crate::read) use bytes::{is_bare, plain_length};

/// Lists and tables inside each other; a policy needs four.
const MAX_DEPTH: u32 = 32;

/// A place in the text.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    pub(crate) at: usize,
    depth: u32,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 }, depth: 0 }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn place(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(u32::MAX)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn starts(&self, with: &str) -> bool {
        self.rest().as_bytes().starts_with(with.as_bytes())
    }

    /// Over blanks within a line.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Over blanks, line ends and comments.
    pub(crate) fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'#') => self.line(),
                _ => return,
            }
        }
    }

    /// To the end of the line.
    fn line(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Over the rest of a line, on which nothing but a comment may stand.
    #[inline]
    pub(crate) fn end_of_line(&mut self) -> Option<()> {
        if self.peek() == Some(b'\n') {
            return Some(());
        }
        self.blanks();
        match self.peek() {
            None | Some(b'\n' | b'\r') => Some(()),
            Some(b'#') => {
                self.line();
                Some(())
            }
            Some(_) => None,
        }
    }

    /// Over this text, if it stands here.
    pub(crate) fn takes(&mut self, text: &str) -> bool {
        let here = self.starts(text);
        if here {
            self.at += text.len();
        }
        here
    }

    /// A key without quotes and dots, over the `=` after it and the blanks around that.
    #[inline]
    pub(crate) fn plain_key(&mut self) -> Option<&'t [u8]> {
        let rest = self.text.as_bytes().get(self.at..)?;
        // `key = ` in one look; whether the bytes may stand in a key shows when it is none of the known ones.
        let length = first_of(b" ", rest);
        if let Some((key, [b' ', b'=', b' ', next, ..])) = rest.split_at_checked(length)
            && !matches!(next, b' ' | b'\t')
        {
            self.at += length + 3;
            return Some(key);
        }
        self.spaced_key()
    }

    #[cold]
    fn spaced_key(&mut self) -> Option<&'t [u8]> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let length = rest.iter().position(|byte| !is_bare(*byte))?;
        self.at += length;
        self.blanks();
        if self.peek() != Some(b'=') {
            return None;
        }
        self.at += 1;
        self.blanks();
        Some(&rest[..length])
    }

    /// To the next line, where its first byte begins a key: the way in which nearly every line of a rule follows.
    #[inline]
    pub(crate) fn next_key(&mut self) -> bool {
        let next = self.text.as_bytes().get(self.at..).and_then(|rest| rest.first_chunk::<2>());
        let follows = matches!(next, Some([b'\n', b'a'..=b'z']));
        self.at += usize::from(follows);
        follows
    }

    /// A string in double quotes in which nothing needs a closer look.
    #[inline]
    pub(crate) fn plainest_text(&mut self) -> Option<&'t str> {
        let [b'"', rest @ ..] = self.text.as_bytes().get(self.at..)? else { return None };
        let length = plain_length(rest);
        if length == 0 || rest.get(length) != Some(&b'"') {
            return None;
        }
        let start = self.at + 1;
        self.at = start + length + 1;
        self.text.get(start..start + length)
    }

    /// A string in quotes of one line.
    #[inline]
    pub(crate) fn plain_text(&mut self) -> Option<Cow<'t, str>> {
        if let Some(text) = self.plainest_text() {
            return Some(Cow::Borrowed(text));
        }
        match self.peek() {
            Some(b'"') if !self.starts("\"\"\"") => self.basic(),
            Some(b'\'') if !self.starts("'''") => self.literal(),
            _ => None,
        }
    }

    fn key(&mut self) -> Option<Cow<'t, str>> {
        if let Some(b'"' | b'\'') = self.peek() {
            return self.plain_text();
        }
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| is_bare(*byte)).count();
        self.at += length;
        (length > 0).then_some(Cow::Borrowed(&rest[..length]))
    }

    /// `key = value` into `table`; a key that is there already is for the thorough reader to find.
    pub(crate) fn pair(&mut self, table: &mut Table<'t>) -> Option<()> {
        let at = self.place();
        let key = self.key()?;
        self.blanks();
        self.over(b'=')?;
        self.blanks();
        let item = self.value()?;
        table.entries.iter().all(|entry| entry.key != key).then_some(())?;
        table.entries.push(Entry { key, at, item });
        Some(())
    }

    fn over(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then_some(())?;
        self.at += 1;
        Some(())
    }

    pub(crate) fn value(&mut self) -> Option<Item<'t>> {
        let at = self.place();
        let value = match self.peek()? {
            b'"' | b'\'' => Value::Text(self.plain_text()?),
            b'[' => self.nested(Self::array)?,
            b'{' => self.nested(Self::inline)?,
            _ => self.plain()?,
        };
        Some(Item { value, at })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Value<'t>>) -> Option<Value<'t>> {
        // A file of brackets only must not use up the stack.
        self.depth += 1;
        let value = if self.depth <= MAX_DEPTH { read(self) } else { None };
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Option<Value<'t>> {
        let mut items = Vec::new();
        self.listed(b']', |cursor| {
            items.push(cursor.value()?);
            Some(())
        })?;
        Some(Value::Array(items))
    }

    fn inline(&mut self) -> Option<Value<'t>> {
        let mut table = Table { entries: Vec::with_capacity(4), damaged: false };
        self.listed(b'}', |cursor| cursor.pair(&mut table))?;
        Some(Value::Table(table))
    }

    /// What stands between brackets, with commas between; one may stand at the end.
    fn listed(&mut self, end: u8, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.space();
        while self.peek()? != end {
            one(self)?;
            self.space();
            match self.peek()? {
                b',' => self.at += 1,
                byte => (byte == end).then_some(())?,
            }
            self.space();
        }
        self.at += 1;
        Some(())
    }

    /// A value without quotes.
    fn plain(&mut self) -> Option<Value<'t>> {
        let rest = self.rest();
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b'#' | b' ' | b'\t' | b'\r' | b'\n');
        let word = &rest[..rest.bytes().take_while(|byte| !ends(byte)).count()];
        self.at += word.len();
        match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            word => integer(word).map(Value::Integer).or_else(|| date(word).map(Value::Date)),
        }
    }
}

fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    // TOML has no leading zeros, and underscores and other bases are left to the thorough reader.
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if plain { word.parse().ok() } else { None }
}

/// `2027-01-31`, if the calendar has that day. `chrono` itself also reads forms that TOML does not have.
fn date(word: &str) -> Option<NaiveDate> {
    let shaped = word.len() == 10
        && word.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    shaped.then_some(())?;
    NaiveDate::from_ymd_opt(word[..4].parse().ok()?, word[5..7].parse().ok()?, word[8..].parse().ok()?)
}

/// Whether there is a character that TOML does not allow, or a line end that it does not know.
pub(in crate::read) fn has_stray_control(text: &str) -> bool {
    let stray = |byte: u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7f;
    // Nearly all files have none. A fold looks at many bytes at once, `any` at one after the other.
    let odd = |byte: u8| byte < b' ' && byte != b'\t' && byte != b'\n' || byte == 0x7f;
    if !text.bytes().fold(false, |any, byte| any | odd(byte)) {
        return false;
    }
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|at| stray(bytes[at]) || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
}
