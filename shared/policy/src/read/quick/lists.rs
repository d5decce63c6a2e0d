//! Strings and lists of them.

use crate::glob;
use crate::model::Text;

use super::super::matchers::{is_flag, is_written_out, written_out};
use super::Quick;

/// What the strings of a list are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    Words,
    Patterns,
    Flags,
    Calls,
}

/// A string that is only looked at.
pub(super) trait Looked {
    /// Whether a list may have it.
    fn sounds(&self, kind: Texts) -> Option<()>;
}

impl Looked for [u8] {
    fn sounds(&self, kind: Texts) -> Option<()> {
        let sound = !self.is_empty()
            && match kind {
                Texts::Words => true,
                Texts::Flags => is_flag(self),
                Texts::Calls => str::from_utf8(self).is_ok_and(|line| rules::calls::mistake(line).is_none()),
                Texts::Patterns => {
                    !self.iter().any(|byte| is_written_out(*byte))
                        || str::from_utf8(self).is_ok_and(|text| glob::check(text).is_ok())
                }
            };
        sound.then_some(())
    }
}

impl<'f> Quick<'f, '_> {
    /// A string in quotes.
    pub(super) fn text(&mut self) -> Option<Text<'f>> {
        self.cursor.plain_text()
    }

    /// A string that says something.
    pub(super) fn said(&mut self) -> Option<Text<'f>> {
        // Nearly every string begins with a letter, and need not be searched for one.
        let plain = |text: &Text<'_>| text.as_bytes().first().is_some_and(u8::is_ascii_graphic);
        self.text().filter(|text| plain(text) || !text.trim().is_empty())
    }

    /// Each value of a list with at least one, or the only one.
    pub(super) fn each(&mut self, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.cursor.peek() != Some(b'[') {
            return one(self);
        }
        self.cursor.at += 1;
        self.cursor.space();
        if self.cursor.peek() == Some(b']') {
            return None;
        }
        while self.cursor.peek() != Some(b']') {
            one(self)?;
            self.cursor.space();
            if self.cursor.peek() == Some(b',') {
                self.cursor.at += 1;
                self.cursor.space();
            } else if self.cursor.peek() != Some(b']') {
                return None;
            }
        }
        self.cursor.at += 1;
        Some(())
    }

    /// A string or a list of them, at the end of a list that is kept.
    pub(super) fn texts(&mut self, kind: Texts, list: &mut Vec<Text<'f>>) -> Option<()> {
        // What is left out is checked all the same: a mistake in it makes the file broken, whatever the call
        // is about.
        if !self.keeps {
            return self.each(|quick| {
                if let Some(text) = quick.cursor.plainest_text() {
                    return text.as_bytes().sounds(kind);
                }
                let text = quick.text()?;
                text.as_bytes().sounds(kind)
            });
        }
        self.each(|quick| {
            let text = quick.text().filter(|text| !text.is_empty())?;
            if matches!(kind, Texts::Flags | Texts::Calls) {
                text.as_bytes().sounds(kind)?;
            }
            if kind == Texts::Patterns && text.bytes().any(is_written_out) {
                list.extend(written_out(vec![text]).ok()?);
            } else {
                list.push(text);
            }
            Some(())
        })
    }

    pub(super) fn words<T>(&mut self, known: &[&str], meaning: fn(&str) -> T) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.each(|quick| {
            let text = quick.text()?;
            let word = known.iter().find(|word| ***word == *text)?;
            all.push(meaning(word));
            Some(())
        })?;
        Some(all)
    }

    /// Examples are passed over; their form is looked at.
    pub(super) fn examples(&mut self) -> Option<()> {
        (self.cursor.peek() == Some(b'[')).then_some(())?;
        self.each(|quick| match quick.cursor.peek() {
            Some(b'"' | b'\'') => match quick.cursor.plainest_text() {
                Some(_) => Some(()),
                None => quick.text().map(|_| ()),
            },
            Some(b'{') => quick.cursor.value().map(|_| ()),
            _ => None,
        })
    }

    /// Each key of `{ … }`.
    pub(super) fn inline(&mut self, mut each: impl FnMut(&mut Self, &'f [u8]) -> Option<()>) -> Option<()> {
        (self.cursor.peek() == Some(b'{')).then_some(())?;
        self.cursor.at += 1;
        loop {
            self.cursor.space();
            if self.cursor.peek() == Some(b'}') {
                self.cursor.at += 1;
                return Some(());
            }
            let key = self.cursor.plain_key()?;
            each(self, key)?;
            self.cursor.space();
            match self.cursor.peek() {
                Some(b',') => self.cursor.at += 1,
                Some(b'}') => {}
                _ => return None,
            }
        }
    }
}
