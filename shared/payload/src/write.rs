//! Writes JSON on one line, on the way of every call: answers to hosts, records of the audit log.
//!
//! By hand, as both need what no library offers: an answer in ASCII, a string that is cut to its share of a record, a
//! line that a terminal can show.

use std::fmt::Write as _;

use crate::json::Json;
use crate::shown::is_unsafe;

/// Which characters stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// Those of ASCII: VS Code decodes a hook's output chunk by chunk and breaks characters that lie on a chunk's edge
    /// (copilot-chat `31acd00a8`).
    Ascii,
    /// Those that a terminal can show.
    Shown,
}

/// A JSON object that grows member by member.
#[derive(Debug)]
pub struct Object {
    out: String,
    open: usize,
    letters: Letters,
}

impl Object {
    /// `room` is about the number of bytes that will be added.
    pub fn new(letters: Letters, room: usize) -> Self {
        let mut out = String::with_capacity(room);
        out.push('{');
        Self { out, open: 1, letters }
    }

    /// Adds a string member. Keys are our own and need no escapes.
    pub fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.key(key);
        self.out.push('"');
        escape(&mut self.out, value, self.letters, usize::MAX);
        self.out.push('"');
        self
    }

    /// Adds a string whose inside is escaped already.
    pub fn escaped(&mut self, key: &str, inside: &str) -> &mut Self {
        self.key(key);
        self.out.push('"');
        self.out.push_str(inside);
        self.out.push('"');
        self
    }

    pub fn number(&mut self, key: &str, value: u64) -> &mut Self {
        self.key(key);
        let _ = write!(self.out, "{value}");
        self
    }

    pub fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        self.key(key);
        self.out.push_str(if value { "true" } else { "false" });
        self
    }

    /// Adds a member of a host that is JSON already; line breaks between its tokens are taken out.
    pub(crate) fn json(&mut self, key: &str, value: Json<'_>) -> &mut Self {
        self.key(key);
        for c in value.text().chars() {
            match c {
                // Outside strings these are white space; inside strings they are not legal.
                '\n' | '\r' | '\t' => self.out.push(' '),
                c if c.is_ascii() && c != '\u{7f}' => self.out.push(c),
                c => units(&mut self.out, c),
            }
        }
        self
    }

    /// Adds a list of what is JSON already, on one line.
    pub fn list(&mut self, key: &str, items: &[String]) -> &mut Self {
        self.key(key);
        self.out.push('[');
        for (at, item) in items.iter().enumerate() {
            self.out.push_str(if at == 0 { "" } else { "," });
            self.out.push_str(item);
        }
        self.out.push(']');
        self
    }

    /// Adds an object.
    pub fn object(&mut self, key: &str, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.open(key);
        fill(self);
        self.close()
    }

    /// Starts an object as a member.
    pub(crate) fn open(&mut self, key: &str) -> &mut Self {
        self.key(key);
        self.out.push('{');
        self.open += 1;
        self
    }

    /// Ends the object that was started last.
    pub(crate) fn close(&mut self) -> &mut Self {
        self.out.push('}');
        self.open -= 1;
        self
    }

    /// Ends what is open.
    pub fn finish(mut self) -> String {
        while self.open > 0 {
            self.close();
        }
        self.out
    }

    /// The object without its closing brace: more may follow.
    pub fn unfinished(self) -> String {
        self.out
    }

    fn key(&mut self, key: &str) {
        // No value ends in an opening brace, so after one stands the first member.
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
    }
}

/// Whether a string consists of printable ASCII characters other than those given; without a branch per byte.
#[inline]
pub(crate) fn printable(text: &str, except: [u8; 2]) -> bool {
    text.bytes().fold(0u8, |hit, byte| {
        hit | u8::from(byte.wrapping_sub(b' ') > b'~' - b' ')
            | u8::from(byte == except[0])
            | u8::from(byte == except[1])
    }) == 0
}

/// Appends the inside of a JSON string, as long as it stays within `limit` bytes; returns how much of `text` that is.
pub fn escape(out: &mut String, text: &str, letters: Letters, limit: usize) -> usize {
    // The usual case: one look at the bytes, and one copy.
    if text.len() <= limit && printable(text, [b'"', b'\\']) {
        out.push_str(text);
        return text.len();
    }
    let end = out.len().saturating_add(limit);
    let shown = letters == Letters::Shown;
    for (at, c) in text.char_indices() {
        let before = out.len();
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' if shown => out.push_str("\\r"),
            '\t' if shown => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            c if shown && !is_unsafe(c) => out.push(c),
            c => units(out, c),
        }
        // Undone as a whole, so that no escape is cut in half.
        if out.len() > end {
            out.truncate(before);
            return at;
        }
    }
    text.len()
}

/// Appends `\uXXXX` for each UTF-16 unit of a character.
fn units(out: &mut String, c: char) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            out.push(char::from(HEX[usize::from(*unit >> shift & 0xf)]));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    proptest! {
        #[test]
        fn one_ascii_line_that_reads_back_the_same(text in "(?s).{0,60}", inner in "(?s).{0,20}") {
            let given = serde_json::json!({ "k": [inner, { "n\n": null }] });
            let pretty = serde_json::to_string_pretty(&given).unwrap();
            let mut object = Object::new(Letters::Ascii, 0);
            object.text("a", &text).open("o").json("j", Json::new(&pretty).unwrap()).close().text("z", "");
            let out = object.finish();
            prop_assert!(out.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", out);
            let back: Value = serde_json::from_str(&out).unwrap();
            prop_assert_eq!(back, serde_json::json!({ "a": text, "o": { "j": given }, "z": "" }));
        }

        #[test]
        fn one_line_that_a_terminal_shows_and_that_reads_back_the_same(text in "(?s).{0,60}", hostile in "[\u{0}-\u{20}\u{7f}-\u{9f}\u{2028}\u{202e}\u{e0041}\"\\\\]{0,20}") {
            let text = text + &hostile;
            let mut object = Object::new(Letters::Shown, 0);
            object.text("a", &text).object("o", |inner| { inner.number("n", 7).list("l", &["1".into(), "2".into()]); });
            let line = object.unfinished() + "}";
            prop_assert!(!line.chars().any(is_unsafe), "{}", line);
            let back: Value = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(back, serde_json::json!({ "a": text, "o": { "n": 7, "l": [1, 2] } }));
        }

        #[test]
        fn a_limit_is_kept_at_a_character(text in "(?s).{0,60}", limit in 0usize..40) {
            let mut out = String::from("head");
            let used = escape(&mut out, &text, Letters::Shown, limit);
            prop_assert!(out.len() <= 4 + limit);
            prop_assert!(text.is_char_boundary(used));
            let back: String = serde_json::from_str(&format!("\"{}\"", &out[4..])).unwrap();
            prop_assert_eq!(back.as_str(), &text[..used]);
        }
    }
}
