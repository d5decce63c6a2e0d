//! Writes one JSON object on one line that nothing in it can break, and that a terminal can show.

use std::fmt::Write as _;

use payload::is_unsafe;

/// A JSON object that grows member by member.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    out: String,
}

impl Object {
    pub(crate) fn new() -> Self {
        let mut out = String::with_capacity(2048);
        out.push('{');
        Self { out }
    }

    /// Adds a string. Keys are our own and need no escapes.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.out.push('"');
        escape(&mut self.out, value, usize::MAX);
        self.out.push('"');
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, key: &str, value: u64) {
        self.key(key);
        let _ = write!(self.out, "{value}");
    }

    /// Adds a truth value.
    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.key(key);
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Adds what is JSON already, on one line.
    pub(crate) fn raw(&mut self, key: &str, value: &str) {
        self.key(key);
        self.out.push_str(value);
    }

    /// Adds the inside of a string that is escaped already.
    pub(crate) fn escaped(&mut self, key: &str, inside: &str) {
        self.key(key);
        self.out.push('"');
        self.out.push_str(inside);
        self.out.push('"');
    }

    /// Adds an object.
    pub(crate) fn object(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.out.push('{');
        fill(self);
        self.out.push('}');
    }

    fn key(&mut self, key: &str) {
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
    }

    /// The object without its closing brace: more may follow.
    pub(crate) fn open(self) -> String {
        self.out
    }
}

/// Appends the inside of a JSON string, as long as it stays within `limit` bytes; returns how much of `text` that is.
pub(crate) fn escape(out: &mut String, text: &str, limit: usize) -> usize {
    if text.len() <= limit
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    {
        out.push_str(text);
        return text.len();
    }
    let end = out.len().saturating_add(limit);
    for (at, c) in text.char_indices() {
        let before = out.len();
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
        if out.len() > end {
            out.truncate(before);
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    proptest! {
        #[test]
        fn one_line_that_reads_back_the_same(text in "(?s).{0,60}", hostile in "[\u{0}-\u{20}\u{7f}-\u{9f}\u{2028}\u{202e}\u{e0041}\"\\\\]{0,20}") {
            let text = text + &hostile;
            let mut object = Object::new();
            object.text("a", &text);
            object.object("o", |inner| inner.number("n", 7));
            let line = object.open() + "}";
            prop_assert!(!line.chars().any(is_unsafe), "{}", line);
            let back: Value = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(back, serde_json::json!({ "a": text, "o": { "n": 7 } }));
        }

        #[test]
        fn a_limit_is_kept_at_a_character(text in "(?s).{0,60}", limit in 0usize..40) {
            let mut out = String::from("head");
            let used = escape(&mut out, &text, limit);
            prop_assert!(out.len() <= 4 + limit);
            prop_assert!(text.is_char_boundary(used));
            let back: String = serde_json::from_str(&format!("\"{}\"", &out[4..])).unwrap();
            prop_assert_eq!(back.as_str(), &text[..used]);
        }
    }
}
