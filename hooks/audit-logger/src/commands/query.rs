//! `audit-logger query`: the records that are meant, as a table, as JSON, or as CSV.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use audit::Record;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use super::filter::{self, Filter};
use super::text::colours;
use super::{Ended, FINE, FOUND, Trouble, files, reading, say, table};

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
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let format = matches.get_one::<String>("format").map_or("table", String::as_str);
    let layout = table::Layout::of_stdout(colours());
    let write = |record: &Record| match format {
        "json" => format!("{}\n", record.value()),
        "csv" => csv(record),
        _ => layout.record(record),
    };
    let all = matches.get_flag("all");
    let limit = matches.get_one::<usize>("limit").copied();
    let head = match format {
        "csv" => COLUMNS.join(",") + ",what\r\n",
        "table" => format!("{}\n", layout.head()),
        _ => String::new(),
    };
    let mut last: VecDeque<String> = VecDeque::new();
    let mut shown = false;
    let mut trouble = None;
    let files = files(matches, true)?;
    let mut show = |record: Record| {
        if !(filter.takes(&record) && (all || record.is_about_agents())) {
            return ControlFlow::Continue(());
        }
        if let Some(limit) = limit {
            // Which ones are the last is only known at the end.
            last.push_back(write(&record));
            if last.len() > limit {
                last.pop_front();
            }
            return ControlFlow::Continue(());
        }
        // The head only comes with the first record, so that an empty result is empty.
        let said = if shown { say(&write(&record)) } else { say(&(head.clone() + &write(&record))) };
        shown = true;
        match said {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    // Only where the records go elsewhere, as in an export: between rows the line would be in the way.
    if screen::Stream::Answer.is_terminal() {
        audit::each(&files, &mut show)?;
    } else {
        reading("reading the log", &files, |done| audit::each_counted(&files, done, &mut show))?;
    }
    // A closed pipe, as `head` leaves it, ends the reading early; `each` itself has succeeded.
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    if !last.is_empty() {
        shown = true;
        let lines: Vec<String> = last.into();
        say(&(head + &lines.concat()))?;
    }
    if shown {
        return Ok(FINE);
    }
    // Silence about a mistyped name would look like an all-clear.
    if let Some(mistyped) = filter.mistyped() {
        return Err(Trouble::Usage(mistyped));
    }
    nothing(format)
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
