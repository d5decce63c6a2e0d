//! A lazy, borrowed view of a JSON value.

use std::borrow::Cow;

use crate::scan::{self, Items};

/// A JSON value as it stands in the payload: checked, but not decoded until asked.
///
/// Copying it is free. Lookups read the text again, so keep their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<'a>(&'a str);

/// The types of a [`Json`] value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonType {
    Null,
    /// `true` or `false`
    Bool,
    /// Any number.
    Number,
    String,
    Array,
    Object,
}

impl<'a> Json<'a> {
    /// Checks a string that must be one JSON value; white space around it is dropped.
    ///
    /// `None` when it is not JSON or nested deeper than [`crate::MAX_DEPTH`].
    pub fn new(text: &'a str) -> Option<Self> {
        scan::whole(text).ok().map(Self)
    }

    /// For a string that the scanner has passed.
    pub(crate) fn checked(text: &'a str) -> Self {
        Self(text)
    }

    /// The JSON text.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// The value's type.
    pub fn kind(self) -> JsonType {
        match self.0.as_bytes().first() {
            Some(b'{') => JsonType::Object,
            Some(b'[') => JsonType::Array,
            Some(b'"') => JsonType::String,
            Some(b't' | b'f') => JsonType::Bool,
            Some(b'n') | None => JsonType::Null,
            // The scanner has passed it, so nothing else begins so.
            Some(_) => JsonType::Number,
        }
    }

    /// The decoded string, or `None` for any other type. A lone surrogate becomes U+FFFD.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        Some(unescape(inner))
    }

    /// The boolean, also when it is written as the string `"true"` or `"false"`.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" | "\"true\"" => Some(true),
            "false" | "\"false\"" => Some(false),
            _ => None,
        }
    }

    /// An object's members in the order of the text, duplicates included; nothing for any other type.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Json<'a>)> {
        self.items('{').map(|(key, value)| (decode_key(key), Json(value)))
    }

    /// As [`Json::members`], with the keys as they are written, in their quotes.
    pub(crate) fn raw_members(self) -> impl Iterator<Item = (&'a str, Json<'a>)> {
        self.items('{').map(|(key, value)| (key, Json(value)))
    }

    /// An array's elements; nothing for any other type.
    pub fn elements(self) -> impl Iterator<Item = Json<'a>> {
        self.items('[').map(|(_, value)| Json(value))
    }

    fn items(self, opener: char) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut items = self.0.starts_with(opener).then(|| Items::new(self.0));
        std::iter::from_fn(move || items.as_mut()?.step().ok()?.ok())
    }

    /// The member of an object; of duplicates the last, as in every host's own parser.
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.items('{').filter(|(found, _)| key_is(found, key)).last().map(|(_, value)| Json(value))
    }

    /// The decoded string member of an object.
    pub fn get_str(self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }
}

/// The decoded text of a key that still has its quotes.
pub(crate) fn decode_key(quoted: &str) -> Cow<'_, str> {
    unescape(quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or(""))
}

/// Whether a key that still has its quotes says `plain`.
pub(crate) fn key_is(quoted: &str, plain: &str) -> bool {
    // Hardly any key has an escape: equal bytes are the usual answer.
    if quoted.len() == plain.len() + 2 && &quoted.as_bytes()[1..=plain.len()] == plain.as_bytes() {
        return true;
    }
    quoted.contains('\\') && decode_key(quoted) == plain
}

/// Decodes the inside of a string that the scanner has passed.
pub(crate) fn unescape(inner: &str) -> Cow<'_, str> {
    let bytes = inner.as_bytes();
    // A checked string has no quote and no control character inside: only a backslash is special.
    let Some(mut at) = memchr::memchr(b'\\', bytes) else { return Cow::Borrowed(inner) };
    let mut out = Vec::with_capacity(bytes.len());
    let mut start = 0;
    loop {
        out.extend_from_slice(&bytes[start..at]);
        at += 1;
        let escape = bytes.get(at).copied().unwrap_or(b'\\');
        at += 1;
        match escape {
            b'b' => out.push(0x8),
            b'f' => out.push(0xc),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let (c, used) = unicode(inner, at);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += used;
            }
            // A quote, a backslash or a slash: the scanner lets no other escape pass.
            other => out.push(other),
        }
        start = at.min(bytes.len());
        match memchr::memchr(b'\\', &bytes[start..]) {
            Some(ahead) => at = start + ahead,
            None => break,
        }
    }
    out.extend_from_slice(&bytes[start..]);
    Cow::Owned(
        String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// The character whose hexadecimal digits start at `at`, and the number of bytes after the `u` that it takes.
fn unicode(inner: &str, at: usize) -> (char, usize) {
    let unit = code_unit(inner, at).unwrap_or(0xfffd);
    if (0xd800..0xdc00).contains(&unit)
        && inner.get(at + 4..at + 6) == Some("\\u")
        && let Some(low) = code_unit(inner, at + 6).filter(|low| (0xdc00..0xe000).contains(low))
    {
        let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 10);
    }
    (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), 4)
}

/// The UTF-16 code unit whose four digits start at `at`.
fn code_unit(inner: &str, at: usize) -> Option<u32> {
    u32::from_str_radix(inner.get(at..at + 4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use proptest::prelude::*;

    use super::*;

    fn decoded(text: &str) -> String {
        Json::new(text).unwrap().as_str().unwrap().into_owned()
    }

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        assert_eq!(decoded(r#""a\ud800b""#), "a\u{fffd}b");
        assert_eq!(decoded(r#""\udc00\ud83d""#), "\u{fffd}\u{fffd}");
        assert_eq!(decoded(r#""\ud800\u0041""#), "\u{fffd}A");
        assert_eq!(decoded(r#""\ud83d\ude00\\u0041""#), "😀\\u0041");
    }

    #[test]
    fn the_last_duplicate_wins_and_escaped_keys_count() {
        let object = Json::new(r#"{"a":1,"\u0061":2,"b":{"a":3}}"#).unwrap();
        assert_eq!(object.get("a").unwrap().text(), "2");
        assert_eq!(object.members().count(), 3);
        assert_eq!(object.get("c"), None);
    }

    #[test]
    fn lookups_in_other_types_find_nothing() {
        let array = Json::new(r#"["a", 1, {}]"#).unwrap();
        assert_eq!(array.get("a"), None);
        assert_eq!(array.elements().count(), 3);
        assert_eq!(array.members().count(), 0);
        assert_eq!(Json::new("1 2"), None);
    }

    proptest! {
        #[test]
        fn strings_decode_as_in_serde_json(text in ".{0,40}", ascii in any::<bool>()) {
            let mut json = serde_json::to_string(&text).unwrap();
            if ascii {
                let mut escaped = String::new();
                for unit in json.encode_utf16() {
                    match u8::try_from(unit) {
                        Ok(byte) if byte.is_ascii() => escaped.push(char::from(byte)),
                        _ => escaped.extend(format!("\\u{unit:04x}").chars()),
                    }
                }
                json = escaped;
            }
            prop_assert_eq!(decoded(&json), text);
        }
    }
}
