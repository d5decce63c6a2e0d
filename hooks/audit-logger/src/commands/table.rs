//! A record on one line.

use audit::Record;

use super::calls::Entry;
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

    /// A record or a call, with the columns of [`Layout::head`].
    pub(super) fn entry(self, entry: &Entry) -> String {
        match self.folded {
            Some(width) => folded(entry, self.colours, width),
            None => wide(entry, self.colours, self.what),
        }
    }

    /// A record by itself.
    pub(super) fn record(self, record: &Record) -> String {
        self.entry(&Entry::of(record))
    }
}

/// The columns before what happened.
const BEFORE: usize = 88;

/// How much of what happened is shown where lines do not end, in characters.
const WHAT: usize = 160;

/// A record on one line.
pub(super) fn line(record: &Record, colours: bool) -> String {
    wide(&Entry::of(record), colours, WHAT)
}

/// The decision as a column shows it: what a program only observed did not happen to the call.
fn decision(entry: &Entry, colours: bool) -> String {
    let value = if entry.enforced { entry.decision.clone() } else { format!("({})", entry.decision) };
    of_decision(&entry.decision, &format!("{:<9}", short(&value, 10)), colours && entry.enforced)
}

fn what(entry: &Entry, width: usize) -> String {
    let what = short(&entry.what, width);
    if entry.rule.is_empty() { what } else { format!("[{}] {what}", short(&entry.rule, 40)) }
}

fn wide(entry: &Entry, colours: bool, width: usize) -> String {
    let line = format!(
        "{:<20} {:<8} {:<9} {:<19} {:<17} {} {}",
        one_line(&clock::local(&entry.ts)),
        short(&entry.host, 8),
        short(&entry.session, 8),
        short(&entry.event, 19),
        short(&entry.tool, 17),
        decision(entry, colours),
        short(&what(entry, width), width),
    );
    line.trim_end().to_owned() + "\n"
}

/// A record whose last column stands below, cut to the width.
fn folded(entry: &Entry, colours: bool, width: usize) -> String {
    let line = format!(
        "{:<19} {:<8} {:<14} {:<15} {}",
        one_line(&clock::local(&entry.ts)),
        short(&entry.host, 8),
        short(&entry.event, 14),
        short(&entry.tool, 15),
        decision(entry, colours),
    );
    let what = short(&what(entry, WHAT), width - 4);
    let below = if what.is_empty() { String::new() } else { format!("    {what}\n") };
    format!("{}\n{below}", line.trim_end())
}
