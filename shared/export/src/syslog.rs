//! Messages of syslog: RFC 5424, and the short form for the system's own socket.
//!
//! What is structured carries the id, number and hash; the message is the record's exact line, or an event of another
//! format.

use std::fmt::Write as _;

use crate::entry::{Entry, Weight};

/// Facility 13, "log audit", eight times.
const AUDIT: u8 = 13 * 8;

/// An identifier of structured data needs a registered number. Ours has none: this is the one that IANA keeps for
/// documents (RFC 5612), under a name that no one else uses.
const STRUCTURE: &str = "policyHooks@32473";

fn severity(entry: &Entry<'_>) -> u8 {
    match entry.weight() {
        Weight::Routine => 6,
        Weight::Notable => 5,
        Weight::Held => 4,
        Weight::Trouble => 3,
    }
}

/// A message after RFC 5424, without a line feed or a length in front.
pub fn message(entry: &Entry<'_>, text: &str) -> String {
    let priority = AUDIT + severity(entry);
    let host = entry.text("machine_name").unwrap_or(entry.machine());
    let mut out = String::with_capacity(text.len() + 256);
    let _ = write!(out, "<{priority}>1 {} ", name(entry.record.ts(), 32));
    let _ = write!(out, "{} audit-logger - {} ", name(host, 255), name(entry.action(), 32));
    let _ = write!(
        out,
        "[{STRUCTURE} id=\"{}\" seq=\"{}\" hash=\"{}\"] ",
        plain(entry.id()),
        entry.seq(),
        plain(entry.hash())
    );
    out.push_str(text);
    out
}

/// A message for the system's own socket, whose programs read the old form and add time and host themselves.
pub fn local(entry: &Entry<'_>, text: &str) -> String {
    format!("<{}>audit-logger: {text}", AUDIT + severity(entry))
}

/// A field of the head: printable ASCII without blanks, or a hyphen.
fn name(text: &str, room: usize) -> String {
    let name: String = text.chars().filter(char::is_ascii_graphic).take(room).collect();
    if name.is_empty() { "-".to_owned() } else { name }
}

/// A value in quotes.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | ']')).collect()
}
