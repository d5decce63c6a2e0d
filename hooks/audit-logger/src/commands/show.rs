//! `audit-logger show ID`: one record in full, and the others about the same call.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use audit::Record;
use clap::{Arg, ArgMatches, Command};

use super::text::{colours, one_line};
use super::{Ended, FINE, FOUND, Trouble, each, files, say, table};

pub(super) fn command() -> Command {
    Command::new("show").about("Shows one record in full, and the others about the same call").arg(
        Arg::new("id")
            .value_name("ID")
            .required(true)
            .help("A record's id, number or call, or the beginning of its id or call"),
    )
}

/// As many candidates are shown.
const SHOWN: usize = 10;

/// The records that a beginning may mean.
#[derive(Default)]
struct Found {
    /// The first of them. Of the records about one call, which share its id, only the first.
    records: Vec<Record>,
    /// How many more there are.
    others: usize,
}

impl Found {
    fn add(&mut self, record: Record, wanted: &str) {
        let begins = |record: &Record, path| record.text(path).starts_with(wanted);
        if !begins(&record, "id") && !begins(&record, "call") {
            return;
        }
        // Events, decisions and results of one call share its id: a beginning of it means one thing, not several.
        let same = |known: &Record| {
            begins(&record, "call")
                && ["session", "call"].iter().all(|path| known.text(path) == record.text(path))
        };
        if self.records.iter().any(same) {
            return;
        }
        if self.records.len() < SHOWN { self.records.push(record) } else { self.others += 1 }
    }
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let wanted = matches.get_one::<String>("id").map_or("", String::as_str);
    let files = files(matches, true)?;
    let mut found = Found::default();
    let number: Option<u64> = wanted.parse().ok();
    let search = |record: Record| {
        let exact = number.is_some() && record.value()["seq"].as_u64() == number
            || ["id", "call"].iter().any(|path| record.text(path) == wanted);
        if exact {
            found = Found { records: vec![record], others: 0 };
            return ControlFlow::Break(());
        }
        found.add(record, wanted);
        ControlFlow::Continue(())
    };
    each("looking for it", &files, search)?;
    let others = found.records.len() + found.others;
    let mut records = found.records.into_iter();
    let Some(record) = records.next() else {
        say(&format!("Unknown record {}.\n", one_line(wanted)))?;
        return Ok(FOUND);
    };
    if others > 1 {
        let mut text =
            format!("{} matches {others} records; give more of the id, or one of these:\n", one_line(wanted));
        for record in std::iter::once(record).chain(records) {
            let _ = write!(text, "{}  {}", one_line(record.text("id")), table::line(&record, false));
        }
        if found.others > 0 {
            let _ = writeln!(text, "and {} more", found.others);
        }
        return Err(Trouble::Ambiguous(text));
    }
    let whole = serde_json::to_string_pretty(record.value()).unwrap_or_default();
    // Line by line: the strings in it are escaped by JSON, but not against a terminal.
    // For people: on a terminal a long string is broken, which no program reads there.
    screen::Stream::Answer.say(&(whole.lines().map(one_line).collect::<Vec<_>>().join("\n") + "\n"), None)?;
    let key = |record: &Record| [record.text("session").to_owned(), record.text("call").to_owned()];
    if !record.text("call").is_empty() {
        let layout = table::Layout::of_stdout(colours());
        let mut others = Vec::new();
        let gather = |other: Record| {
            if key(&other) == key(&record) && other.text("id") != record.text("id") {
                others.push(layout.record(&other));
            }
            ControlFlow::Continue(())
        };
        each("looking for others", &files, gather)?;
        if !others.is_empty() {
            say(&format!("\nAbout the same call:\n{}", others.concat()))?;
        }
    }
    Ok(FINE)
}
