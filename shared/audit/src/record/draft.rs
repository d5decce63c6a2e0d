//! A record in the making: every text of a host goes through the redactor and is cut to its share of the room.

use std::str::FromStr;

use payload::write::{Letters, Object, escape};
use redact::{Key, Made, Redactor};
use serde::Deserialize;

use crate::chain::short_hex;

/// How much of what happened a record tells. Secrets are taken out at every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Who, when, where and which tool; of commands, paths and addresses only sizes and digests.
    Metadata,
    /// Commands, paths, addresses and reasons as well.
    #[default]
    Redacted,
    /// The beginnings of prompts, arguments and results as well.
    Full,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "metadata" => Ok(Self::Metadata),
            "redacted" => Ok(Self::Redacted),
            "full" => Ok(Self::Full),
            other => Err(format!("unknown level `{other}`: use metadata, redacted or full")),
        }
    }
}

impl Level {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Redacted => "redacted",
            Self::Full => "full",
        }
    }
}

/// How many redactions are listed.
const LISTED: usize = 12;

/// A record in the making.
pub(crate) struct Draft<'k> {
    pub(crate) object: Object,
    pub(crate) level: Level,
    redactor: Redactor<'k>,
    key: &'k Key<'k>,
    made: Vec<(&'static str, Made)>,
    cut: Vec<(&'static str, usize)>,
}

impl<'k> Draft<'k> {
    pub(crate) fn new(kind: &str, level: Level, redactor: Redactor<'k>, key: &'k Key<'k>) -> Self {
        let object = super::start(kind);
        Self { object, level, redactor, key, made: Vec::new(), cut: Vec::new() }
    }

    /// Adds a string of the host, at most `room` bytes long as JSON.
    pub(crate) fn text(&mut self, name: &'static str, text: &str, room: usize) {
        let written = self.written(name, text, room);
        self.object.escaped(name, &written);
    }

    /// Adds a string inside of an object that is being filled.
    pub(crate) fn written(&mut self, name: &'static str, text: &str, room: usize) -> String {
        let redacted = self.redactor.redact(text);
        for made in redacted.made {
            match self.made.iter_mut().find(|(known, old)| *known == name && old.rule == made.rule) {
                Some((_, old)) => old.count += made.count,
                None => self.made.push((name, made)),
            }
        }
        let mut out = String::with_capacity(redacted.text.len().min(room) + 8);
        let used = escape(&mut out, &redacted.text, Letters::Shown, room);
        if used < redacted.text.len() {
            self.cut(name, text.len());
        }
        out
    }

    /// Adds a list of strings, which share `room`.
    pub(crate) fn texts<'t>(
        &mut self,
        name: &'static str,
        texts: impl IntoIterator<Item = &'t str>,
        room: usize,
    ) {
        let mut list = Vec::new();
        let mut left = room;
        for text in texts {
            if left < 16 {
                self.cut(name, text.len());
                break;
            }
            let written = self.written(name, text, left);
            // The quotes around it, and the comma.
            left = left.saturating_sub(written.len() + 3);
            list.push(format!("\"{written}\""));
        }
        if !list.is_empty() {
            self.object.list(name, &list);
        }
    }

    /// Adds the size and digest of what is not written, and its beginning where the level says so.
    pub(crate) fn left_out(&mut self, name: &'static str, text: &str, room: usize) {
        let shown = (self.level == Level::Full).then(|| self.written(name, text, room));
        // Keyed: the bare digest of a short text, such as a PIN, is found by trying them all.
        let digest = short_hex(&self.key.digest(text.as_bytes()), 32);
        self.object.object(name, |object| {
            object.number("bytes", text.len() as u64);
            object.text("digest", &digest);
            if let Some(shown) = shown {
                object.escaped("text", &shown);
            }
        });
    }

    /// A digest of several parts, as far as it is needed to tell things apart.
    pub(crate) fn digest(&self, parts: &[&[u8]]) -> String {
        short_hex(&self.key.digest_of(parts), 20)
    }

    pub(crate) fn cut(&mut self, name: &'static str, bytes: usize) {
        match self.cut.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old += bytes,
            None => self.cut.push((name, bytes)),
        }
    }

    /// The record, with what was taken out and cut off.
    pub(crate) fn finish(mut self) -> String {
        if !self.made.is_empty() {
            let listed = self.made.iter().take(LISTED).map(|(field, made)| {
                let mut one = Object::new(Letters::Shown, 64);
                one.text("rule", made.rule).text("field", field).number("n", made.count as u64);
                one.finish()
            });
            self.object.list("redactions", &listed.collect::<Vec<_>>());
        }
        if !self.cut.is_empty() {
            let cut = std::mem::take(&mut self.cut);
            self.object.object("cut", |object| {
                for (field, bytes) in &cut {
                    object.number(field, *bytes as u64);
                }
            });
        }
        self.object.unfinished()
    }
}
