//! `ArcSight`'s Common Event Format, version 25 of its standard: one event, without a syslog header.
//!
//! The exact line is in a field of ours: the dictionary's `rawEvent` ends at 4,000 characters, and a record does not.

use std::fmt::Write as _;

use crate::entry::{Entry, Weight};

/// The field with the record's exact line; named as the standard wants own fields: vendor, product, what it is.
pub const EXTENSION: &str = "PolicyHooksAuditRecord";

/// Fields that are strings: their key, how many characters the dictionary gives them, where the record has them.
const TEXTS: [(&str, usize, &str); 13] = [
    ("externalId", 40, "id"),
    ("act", 63, "decision.value"),
    ("reason", 1023, "decision.reason"),
    ("sourceServiceName", 1023, "host"),
    ("dvchost", 100, "machine_name"),
    ("cs1", 4000, "decision.rule"),
    ("cs2", 4000, "session"),
    ("cs3", 4000, "tool.name"),
    ("cs4", 4000, "hash"),
    ("cs5", 4000, "cwd"),
    ("cs6", 4000, "repo.root"),
    ("deviceProcessName", 1023, "by.name"),
    ("deviceFacility", 1023, "kind"),
];

/// What the numbered fields are.
const LABELS: [(&str, &str); 7] = [
    ("cs1", "rule"),
    ("cs2", "session"),
    ("cs3", "tool"),
    ("cs4", "hash"),
    ("cs5", "workingDirectory"),
    ("cs6", "repository"),
    ("cn1", "sequence"),
];

pub(crate) fn event(entry: &Entry<'_>) -> String {
    let severity = match entry.weight() {
        Weight::Routine => 1,
        Weight::Notable => 4,
        Weight::Held => 7,
        Weight::Trouble => 9,
    };
    let version = entry.text("by.version").unwrap_or("1");
    let mut out = String::from("CEF:0|policy-hooks|audit-log|");
    for part in [version, entry.action()] {
        header(&mut out, part);
    }
    header(&mut out, &entry.summary());
    let _ = write!(out, "{severity}|rt={}", entry.micros().div_euclid(1000));
    let mut add = |key: &str, room: usize, value: &str| {
        let _ = write!(out, " {key}=");
        extension(&mut out, value.chars().take(room));
        if let Some((_, label)) = LABELS.iter().find(|(known, _)| *known == key) {
            let _ = write!(out, " {key}Label={label}");
        }
    };
    for (key, room, path) in TEXTS {
        if let Some(value) = entry.text(path) {
            add(key, room, value);
        }
    }
    add("cn1", 20, &entry.seq().to_string());
    let rest = [
        ("dproc", 1023, entry.command()),
        ("suser", 1023, entry.user().map(str::to_owned)),
        ("suid", 1023, entry.user_id().map(str::to_owned)),
        ("deviceExternalId", 255, Some(entry.machine().to_owned()).filter(|machine| !machine.is_empty())),
        ("filePath", 1023, entry.first("paths").map(str::to_owned)),
        ("request", 1023, entry.first("urls").map(str::to_owned)),
    ];
    for (key, room, value) in rest {
        if let Some(value) = value {
            add(key, room, &value);
        }
    }
    add(EXTENSION, usize::MAX, entry.line);
    out
}

/// A part of the head: bars and backslashes are escaped, and there are no lines.
fn header(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '|' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('|');
}

/// A value of the extension: equals signs, backslashes and line ends are escaped.
fn extension(out: &mut String, text: impl Iterator<Item = char>) {
    for c in text {
        match c {
            '=' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
}

/// The line that [`EXTENSION`] holds; it is the last field, and what a value says of it has its `=` escaped.
pub(crate) fn line_of(event: &str) -> Option<String> {
    let (_, text) = event.rsplit_once(&format!("{EXTENSION}="))?;
    let mut line = String::with_capacity(text.len());
    let mut chars = text.trim_end_matches(['\r', '\n']).chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => line.extend(match chars.next()? {
                'n' => Some('\n'),
                'r' => Some('\r'),
                other => Some(other),
            }),
            c => line.push(c),
        }
    }
    Some(line)
}
