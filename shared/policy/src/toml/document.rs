//! A whole file: headers, and going on after a mistake.

use std::borrow::Cow;

use super::SyntaxError;
use super::cursor::{Cursor, place};
use super::value::{Entry, Item, Made, Table, Value};

/// Reads a file. What cannot be read is reported, and what follows the next header is read again.
pub(crate) fn parse(text: &str) -> (Table<'_>, Vec<SyntaxError>) {
    let mut root = Table { made: Made::Header, ..Table::default() };
    let mut errors = Vec::new();
    if let Some(at) = stray_control(text) {
        errors.push(SyntaxError {
            at: place(at),
            message: "unexpected control character",
            hint: "Remove it, or write it as an escape: \\u0000.",
        });
    }
    let mut cursor = Cursor::new(text);
    let mut current = &mut root;
    loop {
        cursor.space();
        let read = match cursor.peek() {
            None => break,
            Some(b'[') => match header(&mut cursor) {
                Ok(header) => {
                    let opened = open(&mut root, header);
                    match opened {
                        Ok(table) => {
                            current = table;
                            cursor.end_of_line()
                        }
                        Err(error) => {
                            errors.push(error);
                            // What follows belongs to no one: it is read for its own mistakes only.
                            current = discard(&mut root);
                            cursor.end_of_line()
                        }
                    }
                }
                Err(error) => {
                    current = discard(&mut root);
                    Err(error)
                }
            },
            Some(_) => cursor.pair(current).and_then(|()| cursor.end_of_line()),
        };
        if let Err(error) = read {
            current.damaged = true;
            errors.push(error);
            cursor.next_header();
        }
    }
    root.entries.retain(|entry| entry.key != DISCARDED);
    (root, errors)
}

/// Where entries after a broken header go; no key can be called that.
const DISCARDED: &str = "\u{0}";

fn discard<'a, 't>(root: &'a mut Table<'t>) -> &'a mut Table<'t> {
    root.damaged = true;
    let item = Item { value: Value::Table(Table::default()), at: 0 };
    root.entries.push(Entry { key: Cow::Borrowed(DISCARDED), at: 0, item });
    match root.entries.last_mut() {
        Some(Entry { item: Item { value: Value::Table(table), .. }, .. }) => table,
        _ => unreachable!("a table was just pushed"),
    }
}

/// The first character that TOML does not allow.
pub(crate) fn stray_control(text: &str) -> Option<usize> {
    let stray = |byte: u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7f;
    // Nearly all files have none. A fold looks at many bytes at once, `any` at one after the other.
    let odd = |byte: u8| byte < b' ' && byte != b'\t' && byte != b'\n' || byte == 0x7f;
    let any = text.bytes().fold(false, |any, byte| any | odd(byte));
    if !any {
        return None;
    }
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&at| stray(bytes[at]) || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
}

struct Header<'t> {
    key: Cow<'t, str>,
    before: Vec<Cow<'t, str>>,
    /// `[[…]]`
    listed: bool,
    at: u32,
}

fn header<'t>(cursor: &mut Cursor<'t>) -> Result<Header<'t>, SyntaxError> {
    const HINT: &str = "A header reads [defaults] or [[rule]].";
    let at = cursor.place();
    cursor.at += 1;
    let listed = cursor.peek() == Some(b'[');
    if listed {
        cursor.at += 1;
    }
    cursor.blanks();
    let (key, before) = cursor.dotted()?;
    for _ in 0..=u8::from(listed) {
        if cursor.peek() != Some(b']') {
            return cursor.fail("the header is not closed", HINT);
        }
        cursor.at += 1;
    }
    Ok(Header { key, before, listed, at })
}

fn open<'a, 't>(root: &'a mut Table<'t>, header: Header<'t>) -> Result<&'a mut Table<'t>, SyntaxError> {
    let Header { key, before, listed, at } = header;
    let taken = SyntaxError { at, message: "this table already exists", hint: "Join the two." };
    let mut table = root;
    for part in before {
        table = enter(table, part, at).ok_or(taken)?;
    }
    // A rule has eight entries.
    let fresh = || Table { made: Made::Header, entries: Vec::with_capacity(8), damaged: false };
    let Some(position) = table.position(&key) else {
        let inner = Item { value: Value::Table(fresh()), at };
        let value = if listed { Value::Array(vec![inner]) } else { inner.value };
        table.entries.push(Entry { key, at, item: Item { value, at } });
        return last(table, table_len(table) - 1).ok_or(taken);
    };
    match &mut table.entries[position].item.value {
        // A list with brackets is complete; one of headers begins at a header.
        Value::Array(items) if listed && items.first().is_some_and(|item| is_headed(&item.value)) => {
            items.push(Item { value: Value::Table(fresh()), at });
        }
        Value::Table(inner) if !listed && inner.made == Made::Implied => inner.made = Made::Header,
        _ => return Err(taken),
    }
    last(table, position).ok_or(taken)
}

fn table_len(table: &Table<'_>) -> usize {
    table.entries.len()
}

fn is_headed(value: &Value<'_>) -> bool {
    matches!(value, Value::Table(table) if table.made == Made::Header)
}

fn enter<'a, 't>(table: &'a mut Table<'t>, key: Cow<'t, str>, at: u32) -> Option<&'a mut Table<'t>> {
    let position = if let Some(position) = table.position(&key) {
        position
    } else {
        table.entries.push(Entry { key, at, item: Item { value: Value::Table(Table::default()), at } });
        table.entries.len() - 1
    };
    last(table, position)
}

/// The table at a place, or the last of the list of tables there.
fn last<'a, 't>(table: &'a mut Table<'t>, position: usize) -> Option<&'a mut Table<'t>> {
    let inner = match &mut table.entries.get_mut(position)?.item.value {
        Value::Table(inner) => inner,
        Value::Array(items) => match &mut items.last_mut()?.value {
            Value::Table(inner) => inner,
            _ => return None,
        },
        _ => return None,
    };
    (inner.made != Made::Inline).then_some(inner)
}
