//! Comma-separated values (RFC 4180). The last column is the record's exact line.

use serde_json::Value;

use crate::entry::Entry;

/// The columns, by their path in the record.
const COLUMNS: [&str; 24] = [
    "seq",
    "id",
    "ts",
    "kind",
    "host",
    "session",
    "event",
    "tool.name",
    "tool.kind",
    "call",
    "cwd",
    "repo.root",
    "repo.branch",
    "command",
    "decision.value",
    "decision.rule",
    "decision.reason",
    "decision.enforced",
    "user",
    "email",
    "machine",
    "machine_name",
    "by.name",
    "hash",
];

/// The head, with its line end.
pub fn head() -> String {
    format!("{},line\r\n", COLUMNS.join(","))
}

pub(crate) fn row(entry: &Entry<'_>) -> String {
    let mut row = String::with_capacity(entry.line.len() * 2);
    for path in COLUMNS {
        let value = path.split('.').fold(entry.record.value(), |value, key| &value[key]);
        match value {
            Value::Null => {}
            Value::String(text) => field(&mut row, &formula_free(text)),
            other => field(&mut row, &other.to_string()),
        }
        row.push(',');
    }
    field(&mut row, entry.line);
    row.push_str("\r\n");
    row
}

/// Spreadsheets take a string that begins like a formula for one: it gets a `'`.
fn formula_free(text: &str) -> String {
    let quote = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    // On one line: many readers take line feeds inside quotes for the next row.
    format!("{quote}{}", text.replace(['\r', '\n'], "\u{23ce}"))
}

fn field(row: &mut String, text: &str) {
    if text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') {
        row.push('"');
        row.push_str(&text.replace('"', "\"\""));
        row.push('"');
    } else {
        row.push_str(text);
    }
}
