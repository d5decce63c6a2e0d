//! Tokens that tell by themselves what they are: a known prefix, then so many characters of one class ([`table`]), or a
//! form that nothing else has ([`shape`]).
//!
//! The tables are code, not data: a match on the first byte, then comparisons with short constants. A string without
//! such tokens pays one lookup per long word, and the program pays nothing at its start.

mod shape;
mod table;

use crate::class::{self, DASH, LOW_LINE};
use crate::guard;

pub(crate) use shape::around;
pub(crate) use table::{at, webhook};

/// The shortest token that the tables know, in bytes.
pub(crate) const SHORTEST: usize = 16;

/// A token at the start of a string: its rule, and its length in bytes.
pub(crate) type Token = (&'static str, usize);

/// Where in a word a token may begin: at its start, and after `-`, `_` and `.`.
pub(crate) fn in_word(word: &[u8], text: &[u8]) -> Option<(usize, Token)> {
    // Before the table: what everyone may know is not looked at further.
    if word.len() >= SHORTEST && std::str::from_utf8(word).is_ok_and(guard::is_public) {
        return None;
    }
    // The word may be the first part of a token with dots or slashes.
    let goes_on = matches!(text.get(word.len()), Some(b'.' | b':' | b'/' | b'+' | b'='));
    if (goes_on || word.len() >= SHORTEST)
        && let Some(token) = at(text)
        && token.1 >= SHORTEST
    {
        return Some((0, token));
    }
    if let Some(token) = shape::parts(word, text) {
        return Some((0, token));
    }
    if word.len() < SHORTEST {
        return None;
    }
    for (index, _) in word.iter().enumerate().filter(|(_, byte)| class::is(**byte, LOW_LINE | DASH)) {
        if let Some(token) = text.get(index + 1..).and_then(at)
            && token.1 >= SHORTEST
        {
            return Some((index + 1, token));
        }
    }
    let next = text.get(word.len());
    let unknown = || shape::named_prefix(word).filter(|_| !matches!(next, Some(b'+' | b'/' | b'=')));
    shape::ended(word).or_else(|| shape::azure_key(text)).or_else(unknown).map(|token| (0, token))
}
