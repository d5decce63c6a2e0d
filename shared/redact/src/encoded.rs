//! One layer of base64 or of URL encoding, looked through.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::class::{self, ANY64, BASE64, DASH, LOW_LINE};
use crate::scan::{Layers, scan};
use crate::span::{Encoding, How, Span};

/// The shortest word that may hold an encoded secret.
pub(crate) const SHORTEST: usize = 20;

/// A line this long that is followed by another one is wrapped.
const WRAPPED: usize = 60;

/// Larger texts are data.
const LARGEST: usize = 256 * 1024;

const FORGIVING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Decodes the base64 that starts at `start`; if it holds a secret, all of it is one. Returns where it ends.
pub(crate) fn base64(text: &str, start: usize, found: &mut Vec<Span>) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    let mut digits = Vec::new();
    loop {
        let line = class::run(&bytes[end..], ANY64);
        digits.extend_from_slice(&bytes[end..end + line]);
        end += line;
        let next = match &bytes[end..] {
            [b'\n', b, ..] if class::is(*b, ANY64) => 1,
            [b'\r', b'\n', b, ..] if class::is(*b, ANY64) => 2,
            [b'\\', b'n', b, ..] if class::is(*b, ANY64) => 2,
            _ => 0,
        };
        if next == 0 || line < WRAPPED || digits.len() > LARGEST {
            break;
        }
        end += next;
    }
    if let Some(rule) = secret_inside(&digits) {
        found.push(Span { start, end, rule, how: How::Decoded(Encoding::Base64) });
    }
    end
}

/// The rule of a secret inside of base64 digits.
fn secret_inside(digits: &[u8]) -> Option<&'static str> {
    if digits.len() < SHORTEST || digits.len() > LARGEST {
        return None;
    }
    let standard = digits.iter().all(|byte| !class::is(*byte, LOW_LINE | DASH));
    let url_safe = digits.iter().all(|byte| !matches!(byte, b'+' | b'/'));
    if !standard && !url_safe {
        return None;
    }
    let engine = if standard {
        GeneralPurpose::new(&STANDARD, FORGIVING)
    } else {
        GeneralPurpose::new(&URL_SAFE, FORGIVING)
    };
    // `name=` in front of the digits was no name of ours; what follows may still be base64.
    let digits = match digits.iter().position(|byte| *byte == b'=') {
        Some(sign) if digits[sign..].iter().any(|byte| *byte != b'=') => &digits[sign + 1..],
        _ => digits,
    };
    let digits = &digits[..digits.len()
        - usize::from(digits.iter().filter(|byte| !class::is(**byte, BASE64)).count() % 4 == 1)];
    let decoded = engine.decode(digits).ok()?;
    // What is not text is data; one look at the beginning spares reading pictures.
    let text = std::str::from_utf8(&decoded).ok()?;
    if text.bytes().take(64).any(|byte| byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t')) {
        return None;
    }
    scan(text, Layers::None).first().map(|span| span.rule)
}

/// Decodes the word around the `%` at `at`; secrets inside are mapped back. Returns where the word ends.
pub(crate) fn percent(text: &str, at: usize, found: &mut Vec<Span>) -> usize {
    let bytes = text.as_bytes();
    if !bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
        return at;
    }
    let stops = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>');
    let start = bytes[..at].iter().rposition(stops).map_or(0, |stop| stop + 1);
    let end = bytes[at..].iter().position(stops).map_or(bytes.len(), |stop| at + stop);
    let mut decoded = Vec::with_capacity(end - start);
    // Where each decoded byte came from, and one more for the end.
    let mut origin = Vec::with_capacity(end - start + 1);
    let mut from = start;
    while from < end {
        origin.push(from);
        let pair = bytes.get(from + 1..from + 3).filter(|_| bytes[from] == b'%');
        let byte = pair.and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        decoded.push(byte.unwrap_or(bytes[from]));
        from += if byte.is_some() { 3 } else { 1 };
    }
    origin.push(end);
    // Bytes that are no UTF-8 become one `?` each, so that the places still fit.
    let readable = match String::from_utf8(decoded) {
        Ok(text) => text,
        Err(error) => error
            .into_bytes()
            .iter()
            .map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' })
            .collect(),
    };
    for span in scan(&readable, Layers::None) {
        let (Some(start), Some(end)) = (origin.get(span.start), origin.get(span.end)) else { continue };
        if let Some(start) = text.is_char_boundary(*start).then_some(*start)
            && text.is_char_boundary(*end)
        {
            found.push(Span { start, end: *end, rule: span.rule, how: How::Decoded(Encoding::Percent) });
        }
    }
    end
}
