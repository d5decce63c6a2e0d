//! Reading values and keys.

mod bytes;
mod texts;

use std::borrow::Cow;

use chrono::NaiveDate;

use super::SyntaxError;
use super::value::{Entry, Item, Made, Table, Value};
use bytes::first_of;
pub(crate) use bytes::{is_bare, plain_length};

/// Lists and tables inside each other; a policy needs four.
const MAX_DEPTH: u32 = 32;

/// A place in the text.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    pub(crate) at: usize,
    depth: u32,
}

type Read<T> = Result<T, SyntaxError>;

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
        place(self.at)
    }

    pub(super) fn fail<T>(&self, message: &'static str, hint: &'static str) -> Read<T> {
        Err(SyntaxError { at: self.place(), message, hint })
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
    pub(crate) fn end_of_line(&mut self) -> Read<()> {
        if self.peek() == Some(b'\n') {
            return Ok(());
        }
        self.blanks();
        match self.peek() {
            None | Some(b'\n' | b'\r') => Ok(()),
            Some(b'#') => {
                self.line();
                Ok(())
            }
            Some(_) => self.fail("unexpected text after the value", "Write one key and value per line."),
        }
    }

    /// To the next line that begins with `[`, after a mistake.
    pub(super) fn next_header(&mut self) {
        loop {
            self.line();
            if self.at >= self.text.len() {
                return;
            }
            self.at += 1;
            if self.peek() == Some(b'[') {
                return;
            }
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
            Some(b'"') if !self.starts("\"\"\"") => self.basic().ok(),
            Some(b'\'') if !self.starts("'''") => self.literal().ok(),
            _ => None,
        }
    }

    /// One part of a key.
    pub(super) fn key(&mut self) -> Read<Cow<'t, str>> {
        match self.peek() {
            Some(b'"') if !self.starts("\"\"\"") => self.basic(),
            Some(b'\'') if !self.starts("'''") => self.literal(),
            _ => {
                let rest = self.rest();
                let length = rest.bytes().take_while(|byte| is_bare(*byte)).count();
                if length == 0 {
                    return self.fail("a key is missing here", "A line reads `key = value` or `[table]`.");
                }
                self.at += length;
                Ok(Cow::Borrowed(&rest[..length]))
            }
        }
    }

    /// `key`, `key.key`: all parts with the place of the first.
    pub(super) fn dotted(&mut self) -> Read<(Cow<'t, str>, Vec<Cow<'t, str>>)> {
        let mut first = self.key()?;
        let mut before = Vec::new();
        loop {
            self.blanks();
            if self.peek() != Some(b'.') {
                return Ok((first, before));
            }
            self.at += 1;
            self.blanks();
            before.push(std::mem::replace(&mut first, self.key()?));
        }
    }

    /// `key = value` into `table`.
    pub(crate) fn pair(&mut self, table: &mut Table<'t>) -> Read<()> {
        let at = self.place();
        let (key, before) = self.dotted()?;
        if self.peek() != Some(b'=') {
            return self.fail("`=` is missing after the key", "A line reads `key = value`.");
        }
        self.at += 1;
        self.blanks();
        let item = self.value()?;
        let mut table = table;
        for part in before {
            table = descend(table, part, at)?;
        }
        insert(table, Entry { key, at, item })
    }

    pub(crate) fn value(&mut self) -> Read<Item<'t>> {
        let at = self.place();
        let value = match self.peek() {
            Some(b'"') if self.starts("\"\"\"") => Value::Text(self.long_basic()?),
            Some(b'"') => Value::Text(self.basic()?),
            Some(b'\'') if self.starts("'''") => Value::Text(self.long_literal()?),
            Some(b'\'') => Value::Text(self.literal()?),
            Some(b'[') => self.nested(Self::array)?,
            Some(b'{') => self.nested(Self::inline)?,
            _ => self.plain()?,
        };
        Ok(Item { value, at })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Read<Value<'t>>) -> Read<Value<'t>> {
        if self.depth == MAX_DEPTH {
            return self.fail("lists and tables are nested too deeply", "A policy needs four levels.");
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Read<Value<'t>> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                None => return self.fail("the list is not closed", "Close it with `]`."),
                _ => items.push(self.value()?),
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {}
                _ => return self.fail("`,` or `]` is missing in the list", "Separate the values with `,`."),
            }
        }
    }

    fn inline(&mut self) -> Read<Value<'t>> {
        self.at += 1;
        let mut table = Table { made: Made::Inline, entries: Vec::with_capacity(4), damaged: false };
        loop {
            self.space();
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Table(table));
                }
                None => return self.fail("the table is not closed", "Close it with `}`."),
                _ => self.pair(&mut table)?,
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {}
                _ => return self.fail("`,` or `}` is missing in the table", "Separate the keys with `,`."),
            }
        }
    }

    /// A value without quotes.
    fn plain(&mut self) -> Read<Value<'t>> {
        let rest = self.rest();
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b'#' | b' ' | b'\t' | b'\r' | b'\n');
        let word = &rest[..rest.bytes().take_while(|byte| !ends(byte)).count()];
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "" => {
                return self.fail("a value is missing here", "Write a string in quotes, a list or a table.");
            }
            word => match (integer(word), date(word)) {
                (Some(number), _) => Value::Integer(number),
                (_, Some((year, month, day))) => match NaiveDate::from_ymd_opt(year, month, day) {
                    Some(date) => Value::Date(date),
                    None => return self.fail("the calendar has no such day", "Write YYYY-MM-DD."),
                },
                _ => {
                    return self.fail(
                        "a policy does not use this kind of value",
                        "Put strings in quotes: \"deny\". Dates are written 2027-01-31.",
                    );
                }
            },
        };
        self.at += word.len();
        Ok(value)
    }
}

pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The table below `table` that a dotted key or a header names.
pub(super) fn descend<'a, 't>(
    table: &'a mut Table<'t>,
    key: Cow<'t, str>,
    at: u32,
) -> Read<&'a mut Table<'t>> {
    let position = if let Some(position) = table.position(&key) {
        position
    } else {
        let value = Value::Table(Table { made: Made::Dotted, ..Table::default() });
        table.entries.push(Entry { key, at, item: Item { value, at } });
        table.entries.len() - 1
    };
    match &mut table.entries[position].item.value {
        Value::Table(inner) if inner.made == Made::Dotted => Ok(inner),
        _ => Err(SyntaxError { at, message: "this key is already used", hint: "Write it once." }),
    }
}

pub(super) fn insert<'t>(table: &mut Table<'t>, entry: Entry<'t>) -> Read<()> {
    if table.position(&entry.key).is_some() {
        return Err(SyntaxError {
            at: entry.at,
            message: "this key appears twice",
            hint: "Keep one of them; several values go into a list: [\"a\", \"b\"].",
        });
    }
    table.entries.push(entry);
    Ok(())
}

fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if plain { word.parse().ok() } else { None }
}

/// Year, month and day as TOML writes them.
fn date(word: &str) -> Option<(i32, u32, u32)> {
    let bytes = word.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return None;
    }
    Some((word[..4].parse().ok()?, word[5..7].parse().ok()?, word[8..].parse().ok()?))
}
