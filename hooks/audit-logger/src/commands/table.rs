//! A record on one line.

use audit::Record;

use super::text::{of_decision, one_line, short};

/// The columns' heads.
pub(super) const HEAD: &str =
    "TIME (UTC)           HOST     SESSION   EVENT               TOOL              DECISION  WHAT";

/// How much of what happened is shown, in characters.
const WHAT: usize = 160;

/// A record on one line, with the columns of [`HEAD`].
pub(super) fn line(record: &Record, colours: bool) -> String {
    let time = record.ts().get(..19).unwrap_or_default().replace('T', " ");
    let event = match record.text("kind") {
        "event" | "decision" => record.text("event"),
        kind => kind,
    };
    // What a program only observed did not happen to the call.
    let decision =
        if record.is_enforced() { record.decision().to_owned() } else { format!("({})", record.decision()) };
    let decision = format!("{:<9}", short(&decision, 10));
    let mut what = short(&record.gist(), WHAT);
    if !record.rule().is_empty() {
        what = format!("[{}] {what}", short(record.rule(), 40));
    }
    let line = format!(
        "{:<20} {:<8} {:<9} {:<19} {:<17} {} {}",
        one_line(&time),
        short(record.text("host"), 8),
        short(record.text("session"), 8),
        short(event, 19),
        short(record.text("tool.name"), 17),
        of_decision(record.decision(), &decision, colours && record.is_enforced()),
        what,
    );
    line.trim_end().to_owned() + "\n"
}
