//! `audit-logger show ID`: one record in full, and the others about the same call.

use std::ops::ControlFlow;

use audit::Record;
use clap::{Arg, ArgMatches, Command};

use super::text::{colours, one_line};
use super::{Ended, FINE, FOUND, files, say, table};

pub(super) fn command() -> Command {
    Command::new("show").about("Shows one record in full, and the others about the same call").arg(
        Arg::new("id")
            .value_name("ID")
            .required(true)
            .help("A record's id, number or call, or the beginning of its id or call"),
    )
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let wanted = matches.get_one::<String>("id").map_or("", String::as_str);
    let files = files(matches, true)?;
    let mut found: Option<Record> = None;
    let number: Option<u64> = wanted.parse().ok();
    audit::each(&files, |record| {
        let by_number = number.is_some() && record.value()["seq"].as_u64() == number;
        let by_name = ["id", "call"].iter().any(|path| record.text(path).starts_with(wanted));
        if by_number || (by_name && found.is_none()) {
            found = Some(record);
        }
        if by_number { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let Some(record) = found else {
        say(&format!("No record is called {}.\n", one_line(wanted)))?;
        return Ok(FOUND);
    };
    let whole = serde_json::to_string_pretty(record.value()).unwrap_or_default();
    say(&(whole.lines().map(one_line).collect::<Vec<_>>().join("\n") + "\n"))?;
    let key = |record: &Record| [record.text("session").to_owned(), record.text("call").to_owned()];
    if !record.text("call").is_empty() {
        let mut others = Vec::new();
        audit::each(&files, |other| {
            if key(&other) == key(&record) && other.text("id") != record.text("id") {
                others.push(table::line(&other, colours()));
            }
            ControlFlow::Continue(())
        })?;
        if !others.is_empty() {
            say(&format!("\nAbout the same call:\n{}", others.concat()))?;
        }
    }
    Ok(FINE)
}
