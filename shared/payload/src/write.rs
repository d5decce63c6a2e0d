//! Writes JSON on one line, in ASCII.

use crate::json::Json;

/// A JSON object that grows member by member.
///
/// Everything outside ASCII is escaped: VS Code decodes a hook's output chunk by chunk and breaks characters that lie on
/// a chunk's edge (copilot-chat `31acd00a8`).
#[derive(Debug)]
pub(crate) struct Object {
    out: String,
    open: usize,
}

impl Object {
    /// `strings` is about the number of bytes that will be added beside keys.
    pub(crate) fn new(texts: usize) -> Self {
        let mut out = String::with_capacity(texts + 192);
        out.push('{');
        Self { out, open: 1 }
    }

    /// Adds a string member. Keys are our own and need no escapes.
    pub(crate) fn text(&mut self, key: &'static str, value: &str) -> &mut Self {
        self.key(key);
        self.out.push('"');
        escape(&mut self.out, value);
        self.out.push('"');
        self
    }

    /// Adds a member that is true or false.
    pub(crate) fn flag(&mut self, key: &'static str, value: bool) -> &mut Self {
        self.key(key);
        self.out.push_str(if value { "true" } else { "false" });
        self
    }

    /// Adds a member that is JSON already; line breaks between its tokens are taken out.
    pub(crate) fn json(&mut self, key: &'static str, value: Json<'_>) -> &mut Self {
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

    /// Starts an object as a member.
    pub(crate) fn open(&mut self, key: &'static str) -> &mut Self {
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
    pub(crate) fn finish(mut self) -> String {
        while self.open > 0 {
            self.close();
        }
        self.out
    }

    fn key(&mut self, key: &'static str) {
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

/// Appends the inside of a JSON string.
fn escape(out: &mut String, text: &str) {
    if printable(text, [b'"', b'\\']) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(c),
            c => units(out, c),
        }
    }
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
            let mut object = Object::new(0);
            object.text("a", &text).open("o").json("j", Json::new(&pretty).unwrap()).close().text("z", "");
            let out = object.finish();
            prop_assert!(out.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", out);
            let back: Value = serde_json::from_str(&out).unwrap();
            prop_assert_eq!(back, serde_json::json!({ "a": text, "o": { "j": given }, "z": "" }));
        }
    }
}
