//! What a bundle says of itself.

use chrono::{DateTime, NaiveDate, Utc};
use semver::Version;
use serde::Deserialize;
use std::fmt::Write as _;

/// The archive's first entry.
pub const MANIFEST: &str = "bundle.toml";

/// What a bundle says of itself: the archive's first entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Which line of bundles it belongs to; serial numbers count within one.
    pub name: String,
    pub serial: u64,
    /// From when on, in seconds since 1970.
    pub not_before: u64,
    /// Until when it may be pulled. What is in force then stays in force.
    pub not_after: u64,
    /// The oldest version of the programs that understands it.
    pub requires: Option<Version>,
}

/// As it is written: versions and times are strings that people read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    schema: u32,
    name: String,
    serial: u64,
    not_before: String,
    not_after: String,
    requires: Option<String>,
}

/// Letters, digits, `-`, `_` and `.`, at most 64, and not a dot in front: what a name of a bundle or of a file may be.
pub fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&text.len())
        && text.chars().all(fits)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// A time as it is written: `2026-11-25T22:45:00Z`. None is beyond what the calendar has.
pub fn stamp(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0));
    time.map_or_else(|| format!("{seconds} s"), |time| time.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Reads a time, or a day: its first second.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let time = match DateTime::parse_from_rfc3339(text) {
        Ok(time) => time.with_timezone(&Utc),
        Err(_) => text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?.and_utc(),
    };
    u64::try_from(time.timestamp()).ok()
}

impl Manifest {
    /// Reads a day or a time that a person wrote.
    ///
    /// # Errors
    ///
    /// What to write.
    pub fn time(text: &str) -> Result<u64, String> {
        seconds(text)
            .ok_or_else(|| format!("`{text}` is not a day: write 2027-03-01 or 2027-03-01T12:00:00Z"))
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let Written { schema, name, serial, not_before, not_after, requires } = written;
        if schema != 1 {
            return Err(format!("its schema is {schema}, and this program reads schema 1"));
        }
        let requires =
            requires.map(|text| Version::parse(&text).map_err(|error| format!("`{text}`: {error}")));
        let read = Self {
            name,
            serial,
            not_before: Self::time(&not_before)?,
            not_after: Self::time(&not_after)?,
            requires: requires.transpose()?,
        };
        read.mistake().map_or(Ok(read), Err)
    }

    /// What makes no sense in it.
    pub fn mistake(&self) -> Option<String> {
        // TOML has no larger integers.
        const MOST: u64 = i64::MAX as u64;
        if !is_name(&self.name) {
            return Some(format!("`{}` is not a name: use letters, digits, `-`, `_` and `.`", self.name));
        }
        if self.not_before >= self.not_after {
            return Some(format!("it ends at {}, before it begins", stamp(self.not_after)));
        }
        let far = stamp(self.not_after).ends_with('s');
        (far || self.serial > MOST).then(|| "its serial number or last day is too large".to_owned())
    }

    /// The text of the archive's first entry.
    pub fn render(&self) -> String {
        let mut text = format!("schema = 1\nname = \"{}\"\nserial = {}\n", self.name, self.serial);
        let _ = writeln!(text, "not_before = \"{}\"", stamp(self.not_before));
        let _ = writeln!(text, "not_after = \"{}\"", stamp(self.not_after));
        if let Some(version) = &self.requires {
            let _ = writeln!(text, "requires = \"{version}\"");
        }
        text
    }
}
