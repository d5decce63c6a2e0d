//! Text as it reads once something is taken out of it or decoded, with the place that each byte came from.

use std::borrow::Cow;

use crate::span::{Encoding, How, Span};

/// A rewritten text.
#[derive(Debug, Clone)]
pub(crate) struct Rewritten<'t> {
    pub(crate) text: Cow<'t, str>,
    origin: Origin,
}

/// Where the bytes came from.
#[derive(Debug, Clone)]
enum Origin {
    /// Byte for byte from here on.
    Since(usize),
    /// Each byte's place, and one more for the end.
    Each(Vec<usize>),
}

impl<'t> Rewritten<'t> {
    /// A part that needs no rewriting; it starts at `start`.
    pub(crate) fn unchanged(text: &'t str, start: usize) -> Self {
        Self { text: Cow::Borrowed(text), origin: Origin::Since(start) }
    }

    /// Bytes, the place of each, and one place more. What is not UTF-8 becomes `?`, so that the places still fit.
    pub(crate) fn new(bytes: Vec<u8>, origin: Vec<usize>) -> Self {
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let ascii = |byte: &u8| if byte.is_ascii() { char::from(*byte) } else { '?' };
            error.as_bytes().iter().map(ascii).collect()
        });
        Self { text: Cow::Owned(text), origin: Origin::Each(origin) }
    }

    pub(crate) fn is_changed(&self) -> bool {
        matches!(self.origin, Origin::Each(_))
    }

    /// The place in the original of the byte at `at`.
    pub(crate) fn place(&self, at: usize) -> Option<usize> {
        match &self.origin {
            Origin::Since(start) => Some(start + at),
            Origin::Each(places) => places.get(at).copied(),
        }
    }

    /// What was found in it, as a part of the original.
    pub(crate) fn original(&self, found: Span) -> Option<Span> {
        let (start, end) = (self.place(found.start)?, self.place(found.end)?);
        (start < end).then_some(Span { start, end, ..found })
    }

    /// The secrets that only show now, as parts of the original.
    pub(crate) fn decoded(&self, secrets: Vec<Span>, encoding: Encoding) -> impl Iterator<Item = Span> {
        let how = How::Decoded(encoding);
        secrets.into_iter().filter_map(move |span| self.original(Span { how, ..span }))
    }
}
