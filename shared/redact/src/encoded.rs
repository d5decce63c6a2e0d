//! Base64, hexadecimal digits, URL encoding and backslashes, looked through.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::class::{self, ANY64, BASE64, DASH, HEX, LOW_LINE};
use crate::rewritten::Rewritten;
use crate::span::{Encoding, How, Span};

/// The rule of the first secret in a string, if there is one.
pub(crate) type RuleOf<'a> = &'a dyn Fn(&str) -> Option<&'static str>;

/// The shortest word that may hold an encoded secret.
pub(crate) const SHORTEST: usize = 20;

/// A line this long that is followed by another one is wrapped.
const WRAPPED: usize = 60;

/// Larger strings are data.
const LARGEST: usize = 256 * 1024;

const FORGIVING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Decodes the base64 that starts at `start`; if it holds a secret, all of it is one. Returns where it ends.
pub(crate) fn base64(text: &str, start: usize, rule_of: RuleOf<'_>, found: &mut Vec<Span>) -> usize {
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
            // A line's end inside a JSON string.
            [b'\\', b'n', b, ..] if class::is(*b, ANY64) => 2,
            _ => 0,
        };
        // A short line is the last one of its block.
        if next == 0 || line < WRAPPED || digits.len() > LARGEST {
            break;
        }
        end += next;
    }
    if let Some((rule, encoding)) = secret_inside(&digits, rule_of) {
        found.push(Span { start, end, rule, how: How::Decoded(encoding) });
    }
    end
}

/// The rule of a secret inside of digits, and how they are to be read.
fn secret_inside(digits: &[u8], rule_of: RuleOf<'_>) -> Option<(&'static str, Encoding)> {
    if digits.len() < SHORTEST || digits.len() > LARGEST {
        return None;
    }
    // Hexadecimal digits are base64, too, so they are tried first.
    if digits.len().is_multiple_of(2) && class::run(digits, HEX) == digits.len() {
        let pairs = digits.as_chunks::<2>().0.iter();
        let bytes: Option<Vec<u8>> = pairs.map(|pair| number(pair, 16)).collect();
        if let Some(rule) = bytes.and_then(|bytes| secret_in_text(&bytes, rule_of)) {
            return Some((rule, Encoding::Hex));
        }
    }
    base64_bytes(digits)
        .and_then(|bytes| secret_in_text(&bytes, rule_of))
        .map(|rule| (rule, Encoding::Base64))
}

/// The rule of a secret in decoded bytes. What is not text is data; a look at the beginning spares reading pictures.
fn secret_in_text(bytes: &[u8], rule_of: RuleOf<'_>) -> Option<&'static str> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.bytes().take(64).any(|byte| byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t')) {
        return None;
    }
    rule_of(text)
}

/// `user:password` in base64, as headers and settings files hold it.
pub(crate) fn holds_a_pair(digits: &str) -> bool {
    let bytes = base64_bytes(digits.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
    bytes.is_some_and(|pair| {
        !pair.contains(char::is_control)
            && pair.split_once(':').is_some_and(|(user, password)| !user.is_empty() && password.len() >= 3)
    })
}

/// What digits stand for in base64.
fn base64_bytes(digits: &[u8]) -> Option<Vec<u8>> {
    // A word with signs of both alphabets is in neither.
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
    // `name=` in front of the digits was not a name of ours; what follows may still be base64.
    let digits = match digits.iter().position(|byte| *byte == b'=') {
        Some(sign) if digits[sign..].iter().any(|byte| *byte != b'=') => &digits[sign + 1..],
        _ => digits,
    };
    // One digit more than whole groups cannot be decoded: the word was cut off, and what is there is still looked at.
    let digits = &digits[..digits.len()
        - usize::from(digits.iter().filter(|byte| !class::is(**byte, BASE64)).count() % 4 == 1)];
    engine.decode(digits).ok()
}

fn number(digits: &[u8], radix: u32) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

/// The byte that an escape at the start of `bytes` stands for, and the escape's length: `%41`, `\x41`, `\101`, `\u0041`.
fn escape(bytes: &[u8]) -> Option<(u8, usize)> {
    let hex = |from: usize, to: usize| bytes.get(from..to).and_then(|digits| number(digits, 16));
    match bytes {
        [b'%', ..] => hex(1, 3).map(|byte| (byte, 3)),
        [b'\\', b'x', ..] => hex(2, 4).map(|byte| (byte, 4)),
        [b'\\', b'u', b'0', b'0', ..] => hex(4, 6).map(|byte| (byte, 6)),
        [b'\\', b'0'..=b'3', ..] => {
            let length = bytes[1..].iter().take(4).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            // `printf`'s `%b` has a zero in front.
            let length = if length == 4 && bytes[1] != b'0' { 3 } else { length };
            (length >= 3).then(|| number(&bytes[1..=length], 8)).flatten().map(|byte| (byte, length + 1))
        }
        _ => None,
    }
}

/// The word around the escape at `at`, decoded, and where it ends; `None` if there is no escape.
pub(crate) fn escapes(text: &str, at: usize) -> Option<(Rewritten<'static>, Encoding, usize)> {
    let bytes = text.as_bytes();
    escape(&bytes[at..])?;
    // The whole word, because a secret may begin before its first escape.
    let stops = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>');
    let start = bytes[..at].iter().rposition(stops).map_or(0, |stop| stop + 1);
    let end = bytes[at..].iter().position(stops).map_or(bytes.len(), |stop| at + stop);
    let mut decoded = Vec::with_capacity(end - start);
    let mut origin = Vec::with_capacity(end - start + 1);
    let mut from = start;
    while from < end {
        let (byte, length) = escape(&bytes[from..end]).unwrap_or((bytes[from], 1));
        decoded.push(byte);
        origin.push(from);
        from += length;
    }
    origin.push(end);
    let encoding = if bytes[at] == b'%' { Encoding::Percent } else { Encoding::Escapes };
    Some((Rewritten::new(decoded, origin), encoding, end))
}
