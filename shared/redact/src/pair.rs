//! A name and a value that stand apart: `name: DB_PASSWORD`, `value: …`; `<add key="ApiToken" value="…"/>`;
//! `auth=("bob", "…")`.

use crate::class::{self, WORD};
use crate::literal::{self, Value};

/// How far after the name its value may begin, in bytes.
const REACH: usize = 64;

/// The value of an entry whose name is the word `bytes[start..end]`.
pub(crate) fn value(bytes: &[u8], start: usize, end: usize) -> Option<Value> {
    if !is_named(bytes, start) {
        return None;
    }
    let limit = bytes.len().min(end + REACH);
    let mut at = end;
    while at < limit {
        if !class::is(bytes[at], WORD) {
            // The entry ends here, and the next value belongs to another name.
            if matches!(bytes[at], b'}' | b']' | b';') {
                return None;
            }
            at += 1;
            continue;
        }
        let word = class::run(&bytes[at..], WORD);
        // The next key is the value's, or the entry has none.
        if !bytes[at..at + word].eq_ignore_ascii_case(b"value") {
            return None;
        }
        let mut sign = at + word;
        while sign < limit && matches!(bytes[sign], b'"' | b'\'' | b'\\' | b' ') {
            sign += 1;
        }
        if !matches!(bytes.get(sign), Some(b':' | b'=')) {
            return None;
        }
        return literal::literal(bytes, literal::skip_spaces(bytes, sign + 1, limit), false);
    }
    None
}

/// Whether `name`, `key` or the like and a sign stand before the word.
fn is_named(bytes: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(24);
    let near = &bytes[from..start];
    let skip = |near: &[u8], what: &[u8]| near.iter().rev().take_while(|byte| what.contains(byte)).count();
    let near = &near[..near.len() - skip(near, b"\"'\\ ")];
    let Some((sign, near)) = near.split_last() else { return false };
    if !matches!(sign, b':' | b'=') {
        return false;
    }
    let near = &near[..near.len() - skip(near, b"\"'\\ ")];
    let word = near.iter().rev().take_while(|byte| class::is(**byte, WORD)).count();
    let name = &near[near.len() - word..];
    [&b"name"[..], b"key", b"parametername"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// `auth=("bob", "password")`: the second of two strings after the word that ends at `end`.
pub(crate) fn second_of_two(bytes: &[u8], end: usize) -> Option<Value> {
    let mut at = literal::skip_spaces(bytes, end, bytes.len().min(end + 4));
    if bytes.get(at) != Some(&b'=') {
        return None;
    }
    at = literal::skip_spaces(bytes, at + 1, bytes.len().min(at + 5));
    // `requests.auth.HTTPBasicAuth("bob", "password")`
    at += bytes[at..].iter().take_while(|byte| class::is(**byte, class::DOTTED)).count();
    if !matches!(bytes.get(at), Some(b'(' | b'[')) {
        return None;
    }
    let first = literal::literal(bytes, at + 1, false).filter(|value| value.quoted)?;
    let comma = first.end + 1;
    if bytes.get(comma) != Some(&b',') {
        return None;
    }
    let at = literal::skip_spaces(bytes, comma + 1, bytes.len().min(comma + 16));
    literal::literal(bytes, at, false).filter(|value| value.quoted)
}
