//! `audit-logger query`: the records that are meant, as a table, as JSON, or as CSV.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;

use audit::Record;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::calls::Calls;
use super::filter::{self, Filter};
use super::text::colours;
use super::{Ended, FINE, FOUND, Trouble, each, files, say, table};

/// The columns of CSV, by their path in the record.
const COLUMNS: [&str; 14] = [
    "ts",
    "kind",
    "host",
    "session",
    "event",
    "tool.name",
    "tool.kind",
    "call",
    "cwd",
    "decision.value",
    "decision.rule",
    "decision.reason",
    "user",
    "id",
];

pub(super) fn command() -> Command {
    let command = Command::new("query").about("Shows matching records; exits with 1 if there are none");
    filter::arguments(command).args([
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .default_value("table")
            .value_parser(PossibleValuesParser::new(["table", "json", "csv"]))
            .help("Output format: human-readable, JSON lines, or CSV for spreadsheets"),
        Arg::new("limit")
            .long("limit")
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Only the last N"),
        Arg::new("all")
            .long("all")
            .action(clap::ArgAction::SetTrue)
            .help("Include records about the log itself"),
        Arg::new("each")
            .long("each")
            .action(clap::ArgAction::SetTrue)
            .help("In a table: every record by itself, not folded to calls"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let format = matches.get_one::<String>("format").map_or("table", String::as_str);
    let all = matches.get_flag("all");
    let limit = matches.get_one::<usize>("limit").copied();
    let files = files(matches, true)?;
    let takes = |record: &Record| filter.takes(record) && (all || record.is_about_agents());
    let shown = if format == "table" {
        table(&files, takes, limit, !matches.get_flag("each"))?
    } else {
        rows(&files, takes, limit, format)?
    };
    if shown {
        return Ok(FINE);
    }
    // Silence about a mistyped name would look like an all-clear.
    if let Some(mistyped) = filter.mistyped() {
        return Err(Trouble::Usage(mistyped));
    }
    nothing(format)
}

/// How many calls are open at once: results come long after calls, and a log of any size is read.
const OPEN: usize = 2_000;

/// For people; whether there was something.
fn table(
    files: &[Vec<PathBuf>],
    takes: impl Fn(&Record) -> bool,
    limit: Option<usize>,
    folds: bool,
) -> Result<bool, Trouble> {
    let layout = table::Layout::of_stdout(colours());
    let mut calls = Calls::new(limit.unwrap_or(OPEN), folds);
    // The head only comes with the first line, so that an empty result is empty.
    let mut head = Some(format!("{}\n", layout.head()));
    visited(files, |record| {
        let closed = if takes(&record) { calls.add(&record) } else { None };
        // Which ones are the last is only known at the end.
        match closed.filter(|_| limit.is_none()) {
            Some(closed) => say(&(head.take().unwrap_or_default() + &layout.entry(&closed))),
            None => Ok(()),
        }
    })?;
    let rest: String = calls.rest().map(|entry| layout.entry(entry)).collect();
    if !rest.is_empty() {
        say(&(head.take().unwrap_or_default() + &rest))?;
    }
    Ok(head.is_none())
}

/// For programs; whether there was something.
fn rows(
    files: &[Vec<PathBuf>],
    takes: impl Fn(&Record) -> bool,
    limit: Option<usize>,
    format: &str,
) -> Result<bool, Trouble> {
    let write = |record: &Record| if format == "csv" { csv(record) } else { format!("{}\n", record.value()) };
    let mut head = Some(if format == "csv" { COLUMNS.join(",") + ",what\r\n" } else { String::new() });
    let mut last: VecDeque<String> = VecDeque::new();
    visited(files, |record| {
        if !takes(&record) {
            return Ok(());
        }
        if let Some(limit) = limit {
            last.push_back(write(&record));
            if last.len() > limit {
                last.pop_front();
            }
            return Ok(());
        }
        say(&(head.take().unwrap_or_default() + &write(&record)))
    })?;
    if !last.is_empty() {
        say(&(head.take().unwrap_or_default() + &Vec::from(last).concat()))?;
    }
    Ok(head.is_none())
}

/// Goes through the records until something goes wrong.
fn visited(
    files: &[Vec<PathBuf>],
    mut show: impl FnMut(Record) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut trouble = None;
    let visit = |record| match show(record) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            trouble = Some(error);
            ControlFlow::Break(())
        }
    };
    // Only where the records go elsewhere, as in an export: between rows the line would be in the way.
    if screen::Stream::Answer.is_terminal() {
        audit::each_merged(files, &AtomicUsize::default(), visit)?;
    } else {
        each("reading the log", files, visit)?;
    }
    // A closed pipe, as `head` leaves it, ends the reading early; the reading itself has succeeded.
    trouble.map_or(Ok(()), Err)
}

fn nothing(format: &str) -> Result<u8, Trouble> {
    if format == "table" {
        say("No matching records.\n")?;
    }
    Ok(FOUND)
}

fn csv(record: &Record) -> String {
    let mut line = String::new();
    for path in COLUMNS {
        line.push_str(&field(record.text(path)));
        line.push(',');
    }
    line.push_str(&field(&record.gist()));
    line.push_str("\r\n");
    line
}

/// A field as RFC 4180 wants it. Spreadsheets take a string that starts like a formula for one: it gets a `'`.
fn field(text: &str) -> String {
    // A field on one line: many readers of CSV take line feeds inside quotes for the next row.
    let text = super::text::one_line(text);
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text };
    if text.contains(['"', ',']) || text.starts_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stay_fields() {
        assert_eq!(field("a,b\"c"), "\"a,b\"\"c\"");
        assert_eq!(field("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(field("two\nlines"), "two⏎lines");
    }
}
