//! Strings in quotes: `"…"`, `'…'` and the long ones.

use std::borrow::Cow;

use super::{Cursor, Read, SyntaxError};

impl<'t> Cursor<'t> {
    /// `"…"`
    pub(super) fn basic(&mut self) -> Read<Cow<'t, str>> {
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let at = match memchr::memchr3(b'"', b'\\', b'\n', rest) {
            Some(length) if rest[length] == b'"' => {
                self.at = start + length + 1;
                return Ok(Cow::Borrowed(&self.text[start..start + length]));
            }
            Some(length) if rest[length] == b'\\' => start + length,
            _ => return self.fail("the string is not closed", "Close it with `\"`."),
        };
        let mut decoded = self.text[start..at].to_owned();
        self.at = at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(decoded));
                }
                Some(b'\\') => self.escape(&mut decoded)?,
                None | Some(b'\n' | b'\r') => {
                    return self.fail("the string is not closed", "Close it with `\"`.");
                }
                Some(_) => self.push(&mut decoded),
            }
        }
    }

    /// `"""…"""`
    pub(super) fn long_basic(&mut self) -> Read<Cow<'t, str>> {
        let start = self.place();
        self.at += 3;
        self.first_line_end();
        let mut decoded = String::new();
        loop {
            match self.peek() {
                Some(b'"') if self.starts("\"\"\"") => return Ok(self.long_end(b'"', decoded)),
                Some(b'\\') if self.line_ends_here() => self.space_only(),
                Some(b'\\') => self.escape(&mut decoded)?,
                Some(_) => self.push(&mut decoded),
                None => return unclosed(start),
            }
        }
    }

    /// Up to two more quotes belong to the text.
    fn long_end(&mut self, quote: u8, mut decoded: String) -> Cow<'t, str> {
        self.at += 3;
        for _ in 0..2 {
            if self.peek() == Some(quote) {
                decoded.push(char::from(quote));
                self.at += 1;
            }
        }
        Cow::Owned(decoded)
    }

    /// `'…'`
    pub(super) fn literal(&mut self) -> Read<Cow<'t, str>> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        match memchr::memchr2(b'\'', b'\n', rest.as_bytes()) {
            Some(length) if rest.as_bytes()[length] == b'\'' && !rest[..length].contains('\r') => {
                self.at = start + length + 1;
                Ok(Cow::Borrowed(&rest[..length]))
            }
            _ => self.fail("the string is not closed", "Close it with `'`."),
        }
    }

    /// `'''…'''`
    pub(super) fn long_literal(&mut self) -> Read<Cow<'t, str>> {
        let start = self.place();
        self.at += 3;
        self.first_line_end();
        let rest = self.rest();
        let Some(length) = memchr::memmem::find(rest.as_bytes(), b"'''") else { return unclosed(start) };
        self.at += length;
        Ok(self.long_end(b'\'', rest[..length].to_owned()))
    }

    fn first_line_end(&mut self) {
        if self.starts("\r\n") {
            self.at += 2;
        } else if self.starts("\n") {
            self.at += 1;
        }
    }

    /// Whether a backslash is the last thing on its line.
    fn line_ends_here(&self) -> bool {
        let rest = self.rest()[1..].trim_start_matches([' ', '\t']);
        rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    fn space_only(&mut self) {
        self.at += 1;
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn push(&mut self, decoded: &mut String) {
        if let Some(c) = self.rest().chars().next() {
            decoded.push(c);
            self.at += c.len_utf8();
        }
    }

    fn escape(&mut self, decoded: &mut String) -> Read<()> {
        const HINT: &str = "Write `\\\\` for a backslash, or put the text in single quotes: '\\s'.";
        let digits = |count: usize| {
            let hex = self.rest().get(2..2 + count).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
            hex.and_then(|hex| char::from_u32(u32::from_str_radix(hex, 16).ok()?))
        };
        let (c, length) = match self.rest().as_bytes().get(1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b't') => ('\t', 2),
            Some(b'n') => ('\n', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'r') => ('\r', 2),
            Some(b'e') => ('\u{1b}', 2),
            Some(b'"') => ('"', 2),
            Some(b'\\') => ('\\', 2),
            Some(b'x') => match digits(2) {
                Some(c) => (c, 4),
                None => return self.fail("unknown escape in a string", HINT),
            },
            Some(b'u') => match digits(4) {
                Some(c) => (c, 6),
                None => return self.fail("unknown escape in a string", HINT),
            },
            Some(b'U') => match digits(8) {
                Some(c) => (c, 10),
                None => return self.fail("unknown escape in a string", HINT),
            },
            _ => return self.fail("unknown escape in a string", HINT),
        };
        decoded.push(c);
        self.at += length;
        Ok(())
    }
}

fn unclosed<T>(at: u32) -> Read<T> {
    Err(SyntaxError { at, message: "the string is not closed", hint: "Close it with the same three quotes." })
}
