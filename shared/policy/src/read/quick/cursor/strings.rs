//! Strings in quotes on one line: `"…"` and `'…'`.

use std::borrow::Cow;

use super::Cursor;

impl<'t> Cursor<'t> {
    /// `"…"`
    pub(super) fn basic(&mut self) -> Option<Cow<'t, str>> {
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        // Most strings have no escape and are borrowed as they stand.
        let at = match memchr::memchr3(b'"', b'\\', b'\n', rest) {
            Some(length) if rest[length] == b'"' => {
                self.at = start + length + 1;
                return Some(Cow::Borrowed(&self.text[start..start + length]));
            }
            Some(length) if rest[length] == b'\\' => start + length,
            _ => return None,
        };
        let mut decoded = self.text[start..at].to_owned();
        self.at = at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Some(Cow::Owned(decoded));
                }
                Some(b'\\') => self.escape(&mut decoded)?,
                None | Some(b'\n' | b'\r') => return None,
                Some(_) => self.push(&mut decoded),
            }
        }
    }

    /// `'…'`
    pub(super) fn literal(&mut self) -> Option<Cow<'t, str>> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        match memchr::memchr2(b'\'', b'\n', rest.as_bytes()) {
            Some(length) if rest.as_bytes()[length] == b'\'' && !rest[..length].contains('\r') => {
                self.at = start + length + 1;
                Some(Cow::Borrowed(&rest[..length]))
            }
            _ => None,
        }
    }

    fn push(&mut self, decoded: &mut String) {
        if let Some(c) = self.rest().chars().next() {
            decoded.push(c);
            self.at += c.len_utf8();
        }
    }

    /// The escapes that people write; rare ones are for the thorough reader.
    fn escape(&mut self, decoded: &mut String) -> Option<()> {
        decoded.push(match self.rest().as_bytes().get(1)? {
            b't' => '\t',
            b'n' => '\n',
            b'r' => '\r',
            b'"' => '"',
            b'\\' => '\\',
            _ => return None,
        });
        self.at += 2;
        Some(())
    }
}
