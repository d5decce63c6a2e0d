//! A whole file, and going on after a mistake.
//!
//! The library goes on by itself, too, but after a bracket that is not closed it takes the rest of the file for a list:
//! one typo would switch the other rules off. So what a mistake may reach, from its statement to the next header, is
//! taken out, and the file is read again.

use std::borrow::Cow;
use std::ops::Range;

use chrono::NaiveDate;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::mistake::{SyntaxError, offset};
use super::value::{Entry, Item, Table, Value};

/// How often a file is read again without what is wrong. After that the library's own way of going on has to do: a
/// file of a thousand mistakes must not keep a hook busy.
const MOST: usize = 16;

/// Reads a file: what can be read of it, and every mistake.
pub(crate) fn parse(text: &str) -> (Table<'static>, Vec<SyntaxError>) {
    let mut left = text.to_owned();
    let mut errors = Vec::new();
    let mut rounds = 0;
    let mut table = loop {
        let (table, mut found) = DeTable::parse_recoverable(&left);
        if found.is_empty() || rounds == MOST {
            errors.extend(found.iter().map(|error| SyntaxError::of(text, error)));
            break entries(table, &mut errors);
        }
        rounds += 1;
        found.sort_by_key(|error| error.span().unwrap_or_default().start);
        left = without(&left, &reaches(text, table.get_ref(), &found, &mut errors));
    };
    errors.dedup();
    mark_damaged(&mut table, &errors);
    (table, errors)
}

/// Reports what is wrong, and says how far it reaches: from its statement to the next header.
fn reaches(
    text: &str,
    table: &DeTable<'_>,
    found: &[Error],
    errors: &mut Vec<SyntaxError>,
) -> Vec<Range<usize>> {
    let open = found.iter().find(|error| {
        ["unclosed", "invalid multi-line"].iter().any(|what| error.message().starts_with(what))
    });
    let mut all: Vec<Range<usize>> = Vec::new();
    for error in found {
        let at = error.span().unwrap_or_default().start;
        let start = statement(table, at).unwrap_or(at);
        let start = text[..text.floor_char_boundary(start)].rfind('\n').map_or(0, |end| end + 1);
        // What follows a mistake in the same lines may only be its consequence.
        if all.last().is_some_and(|last| start < last.end) {
            continue;
        }
        // What is not closed may seem to reach further, but no one means a header by a value.
        let end = text[start..].find("\n[").map_or(text.len(), |end| start + end + 1);
        errors.push(match open {
            // It was noticed below a later header: what matters is what was not closed before.
            Some(open) if at >= end && end < text.len() => {
                SyntaxError { at: offset(start), ..SyntaxError::of(text, open) }
            }
            _ => SyntaxError::of(text, error),
        });
        all.push(start..end);
        // What follows was read as part of what is not closed, and is looked at in the next round.
        if open.is_some() {
            break;
        }
    }
    all
}

/// Where the statement begins that a place lies in.
fn statement(table: &DeTable<'_>, at: usize) -> Option<usize> {
    let inside = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let (key, span) = (key.span(), value.span());
        // The span of a table below a header is its header's.
        if key.start < span.start && (key.start..=span.end).contains(&at) {
            return Some(key.start);
        }
        match value.get_ref() {
            DeValue::Table(table) => statement(table, at),
            DeValue::Array(items) => {
                items.iter().filter_map(|item| statement(item.get_ref().as_table()?, at)).min()
            }
            _ => None,
        }
    };
    table.iter().filter_map(inside).min()
}

/// The text with blanks in these ranges; every other byte stays in its place.
fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    for Range { start, end } in ranges {
        left.push_str(&text[left.len()..*start]);
        // Line breaks stay, so that places in the text stay those of the file.
        left.extend(text[*start..*end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    left.push_str(&text[left.len()..]);
    left
}

/// Notes in which tables there is a mistake. A table of a list reaches to the next one, with what is below it.
fn mark_damaged(root: &mut Table<'_>, errors: &[SyntaxError]) {
    let mut tables: Vec<&mut Item<'_>> = Vec::new();
    for Entry { item, .. } in &mut root.entries {
        match item {
            Item { value: Value::Array(items), .. } => tables.extend(items),
            table => tables.push(table),
        }
    }
    tables.sort_by_key(|item| item.at);
    // From the last to the first, so that each knows where the next one begins.
    let mut end = u32::MAX;
    for item in tables.into_iter().rev() {
        let start = std::mem::replace(&mut end, item.at);
        if let Value::Table(table) = &mut item.value {
            table.damaged = errors.iter().any(|error| (item.at..start).contains(&error.at));
        }
    }
}

/// A table in the order of the text.
fn entries(table: Spanned<DeTable<'_>>, errors: &mut Vec<SyntaxError>) -> Table<'static> {
    let entry = |(key, value): (Spanned<Cow<'_, str>>, Spanned<DeValue<'_>>)| {
        let item = item(value, errors);
        // What has a header begins with its bracket.
        let at = offset(key.span().start).min(item.at);
        Entry { key: Cow::Owned(key.into_inner().into_owned()), at, item }
    };
    let mut entries: Vec<Entry<'_>> = table.into_inner().into_iter().map(entry).collect();
    // The library sorts by key; mistakes are found and rules apply in the order of the file.
    entries.sort_by_key(|entry| entry.at);
    Table { entries, damaged: false }
}

fn item(value: Spanned<DeValue<'_>>, errors: &mut Vec<SyntaxError>) -> Item<'static> {
    let span = value.span();
    let at = offset(span.start);
    let known = match value.into_inner() {
        DeValue::String(text) => Some(Value::Text(Cow::Owned(text.into_owned()))),
        DeValue::Integer(digits) => {
            i64::from_str_radix(digits.as_str(), digits.radix()).ok().map(Value::Integer)
        }
        DeValue::Boolean(flag) => Some(Value::Bool(flag)),
        DeValue::Datetime(moment) if moment.time.is_none() => moment
            .date
            .and_then(|day| NaiveDate::from_ymd_opt(day.year.into(), day.month.into(), day.day.into()))
            .map(Value::Date),
        DeValue::Array(items) => Some(Value::Array(items.into_iter().map(|one| item(one, errors)).collect())),
        DeValue::Table(table) => Some(Value::Table(entries(Spanned::new(span, table), errors))),
        DeValue::Datetime(_) | DeValue::Float(_) => None,
    };
    // An empty string in its place keeps the key, whose absence would be a second mistake.
    let value = known.unwrap_or_else(|| {
        errors.push(SyntaxError::useless(at));
        Value::Text(Cow::Borrowed(""))
    });
    Item { value, at }
}
