//! A record on one line.

use audit::Record;

use super::clock;
use super::text::{of_decision, one_line, short};

/// How records are laid out.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    colours: bool,
    /// The width of a terminal that is too narrow for a record on one line: what happened then has a line of its own.
    folded: Option<usize>,
    /// How much of what happened is shown, in characters.
    what: usize,
}

/// A terminal below this folds: what happened would have less than half a line.
const WIDE: usize = 130;

impl Layout {
    /// For what stdout is. A pipe has no width: a record stays a line there.
    pub(super) fn of_stdout(colours: bool) -> Self {
        let fold = screen::fold();
        let folded = fold.filter(|width| *width < WIDE).map(|width| width.max(60));
        Self { colours, folded, what: fold.map_or(WHAT, |width| WHAT.min(width.saturating_sub(BEFORE))) }
    }

    /// The columns' heads.
    pub(super) fn head(self) -> String {
        let time = clock::head();
        if self.folded.is_some() {
            format!("{time:<19} HOST     EVENT          TOOL            DECISION")
        } else {
            format!("{time:<20} HOST     SESSION   EVENT               TOOL              DECISION  WHAT")
        }
    }

    /// A record, with the columns of [`Layout::head`].
    pub(super) fn record(self, record: &Record) -> String {
        match self.folded {
            Some(width) => folded(record, self.colours, width),
            None => wide(record, self.colours, self.what),
        }
    }
}

/// The columns before what happened.
const BEFORE: usize = 88;

/// How much of what happened is shown where lines do not end, in characters.
const WHAT: usize = 160;

/// The parts that both layouts show.
struct Parts {
    time: String,
    event: String,
    decision: String,
    what: String,
}

impl Parts {
    fn of(record: &Record, width: usize) -> Self {
        let time = clock::local(record.ts());
        let event = match record.text("kind") {
            "event" | "decision" => record.text("event"),
            kind => kind,
        };
        // What a program only observed did not happen to the call.
        let decision = if record.is_enforced() {
            record.decision().to_owned()
        } else {
            format!("({})", record.decision())
        };
        let mut what = short(&record.gist(), width);
        if !record.rule().is_empty() {
            what = format!("[{}] {what}", short(record.rule(), 40));
        }
        let decision = format!("{:<9}", short(&decision, 10));
        Self { time: one_line(&time), event: event.to_owned(), decision, what }
    }
}

/// A record on one line.
pub(super) fn line(record: &Record, colours: bool) -> String {
    wide(record, colours, WHAT)
}

fn wide(record: &Record, colours: bool, what: usize) -> String {
    let parts = Parts::of(record, what);
    let line = format!(
        "{:<20} {:<8} {:<9} {:<19} {:<17} {} {}",
        parts.time,
        short(record.text("host"), 8),
        short(record.text("session"), 8),
        short(&parts.event, 19),
        short(record.text("tool.name"), 17),
        of_decision(record.decision(), &parts.decision, colours && record.is_enforced()),
        short(&parts.what, what),
    );
    line.trim_end().to_owned() + "\n"
}

/// A record whose last column stands below, cut to the width.
fn folded(record: &Record, colours: bool, width: usize) -> String {
    let parts = Parts::of(record, WHAT);
    let line = format!(
        "{:<19} {:<8} {:<14} {:<15} {}",
        parts.time,
        short(record.text("host"), 8),
        short(&parts.event, 14),
        short(record.text("tool.name"), 15),
        of_decision(record.decision(), &parts.decision, colours && record.is_enforced()),
    );
    let what = short(&parts.what, width - 4);
    let below = if what.is_empty() { String::new() } else { format!("    {what}\n") };
    format!("{}\n{below}", line.trim_end())
}
