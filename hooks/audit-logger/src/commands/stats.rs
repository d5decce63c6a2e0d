//! `audit-logger stats`: what was denied, by rule and by day, and who did what how often.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use audit::Record;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

use super::clock::local;
use super::filter::{self, Filter};
use super::text::short;
use super::{Ended, FINE, each, files, say};
use screen::several;

/// The longest bar, in characters: with its name and number it fits 80 columns.
const BAR: usize = 36;

/// How many rows a list shows.
const ROWS: usize = 15;

pub(super) fn command() -> Command {
    let command = Command::new("stats").about("Counts calls and denials, by rule, day, tool and host");
    filter::arguments(command)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// What was counted. A call is counted once, whichever records are about it: the event's, and those of all programs
/// that decided.
#[derive(Default)]
struct Counts {
    records: u64,
    sessions: BTreeSet<String>,
    calls: BTreeSet<(String, String)>,
    denied: BTreeSet<(String, String)>,
    asked: BTreeSet<(String, String)>,
    would_deny: BTreeSet<(String, String)>,
    would_ask: BTreeSet<(String, String)>,
    would_by_rule: BTreeMap<String, BTreeSet<(String, String)>>,
    by_rule: BTreeMap<String, BTreeSet<(String, String)>>,
    by_day: BTreeMap<String, BTreeSet<(String, String)>>,
    by_tool: BTreeMap<String, BTreeSet<(String, String)>>,
    by_host: BTreeMap<String, BTreeSet<(String, String)>>,
    redactions: u64,
    /// Whether days are those of the clock on the wall, for people; machines join them with the records' own times.
    local_days: bool,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        self.records += 1;
        let session = record.text("session").to_owned();
        if !session.is_empty() {
            self.sessions.insert(session.clone());
        }
        let taken_out = record.value()["redactions"].as_array();
        self.redactions += taken_out.into_iter().flatten().filter_map(|one| one["n"].as_u64()).sum::<u64>();
        let before = record.text("event") == "PreToolUse";
        // A record without a call counts as a call of its own.
        let id = if record.text("call").is_empty() { record.text("id") } else { record.text("call") };
        let call = (session, id.to_owned());
        if before {
            self.calls.insert(call.clone());
            self.by_tool.entry(record.text("tool.name").to_owned()).or_default().insert(call.clone());
            self.by_host.entry(record.text("host").to_owned()).or_default().insert(call.clone());
        }
        if record.text("kind") != "decision" {
            // Events are what was tried; only decisions say what became of it.
            return;
        }
        if !record.is_enforced() {
            return self.add_observed(record, call);
        }
        match record.decision() {
            "deny" | "block" => {
                let time = if self.local_days { local(record.ts()) } else { record.ts().to_owned() };
                let day = time.get(..10).unwrap_or_default().to_owned();
                self.by_rule.entry(record.rule().to_owned()).or_default().insert(call.clone());
                self.by_day.entry(day).or_default().insert(call.clone());
                self.denied.insert(call);
            }
            "ask" => {
                self.asked.insert(call);
            }
            _ => {}
        }
    }
}

impl Counts {
    /// What a program that only observes would have done.
    fn add_observed(&mut self, record: &Record, call: (String, String)) {
        let calls = match record.decision() {
            "deny" | "block" => &mut self.would_deny,
            "ask" => &mut self.would_ask,
            _ => return,
        };
        calls.insert(call.clone());
        self.would_by_rule.entry(record.rule().to_owned()).or_default().insert(call);
    }

    /// What is only asked about by one program and denied by another is denied.
    fn only_asked(asked: &BTreeSet<(String, String)>, denied: &BTreeSet<(String, String)>) -> usize {
        asked.difference(denied).count()
    }
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let json = matches.get_flag("json");
    let mut counts = Counts { local_days: !json, ..Counts::default() };
    let files = files(matches, true)?;
    each("counting", &files, |record| {
        if record.is_about_agents() && filter.takes(&record) {
            counts.add(&record);
        }
        ControlFlow::Continue(())
    })?;
    if json {
        say(&machine(&counts))?;
    } else {
        screen::print(&people(&counts))?;
    }
    Ok(FINE)
}

fn people(counts: &Counts) -> String {
    let mut text = format!(
        "{} of {}: {}, {} denied, {} asked about; {} removed\n",
        several(counts.records, "record"),
        several(counts.sessions.len() as u64, "session"),
        several(counts.calls.len() as u64, "call"),
        counts.denied.len(),
        counts.asked.len(),
        several(counts.redactions, "secret"),
    );
    if !counts.would_by_rule.is_empty() {
        let asked = Counts::only_asked(&counts.would_ask, &counts.would_deny);
        let _ = writeln!(text, "would have been denied: {}, asked about: {asked}", counts.would_deny.len());
    }
    list(&mut text, "Denied, by rule", &counts.by_rule, true);
    list(&mut text, "Would have been denied or asked about, by rule", &counts.would_by_rule, true);
    list(&mut text, "Denied, by day", &counts.by_day, false);
    list(&mut text, "Calls, by tool", &counts.by_tool, true);
    list(&mut text, "Calls, by host", &counts.by_host, true);
    text
}

fn list(
    text: &mut String,
    title: &str,
    counts: &BTreeMap<String, BTreeSet<(String, String)>>,
    by_size: bool,
) {
    if counts.is_empty() {
        return;
    }
    let mut rows: Vec<(&str, usize)> =
        counts.iter().map(|(name, calls)| (name.as_str(), calls.len())).collect();
    if by_size {
        // From the largest count down; equal ones keep the order of their names.
        rows.sort_by_key(|(_, count)| usize::MAX - count);
    }
    let left_out = rows.len().saturating_sub(ROWS);
    // Of the days the last ones, of everything else the most.
    let rows = if by_size { &rows[..rows.len() - left_out] } else { &rows[left_out..] };
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let _ = writeln!(text, "\n{title}");
    for (name, count) in rows {
        let bar = "█".repeat((count * BAR).div_ceil(most));
        let name = if name.is_empty() { "(none)" } else { name };
        let _ = writeln!(text, "  {:<32}{count:>7}  {bar}", short(name, 31));
    }
    if left_out > 0 {
        let _ = writeln!(text, "  and {left_out} more");
    }
}

fn machine(counts: &Counts) -> String {
    let sizes = |counts: &BTreeMap<String, BTreeSet<(String, String)>>| -> BTreeMap<String, usize> {
        counts.iter().map(|(name, calls)| (name.clone(), calls.len())).collect()
    };
    let report = json!({
        "version": 1,
        "records": counts.records,
        "sessions": counts.sessions.len(),
        "calls": counts.calls.len(),
        "denied": counts.denied.len(),
        "asked": counts.asked.len(),
        "would_deny": counts.would_deny.len(),
        "would_ask": Counts::only_asked(&counts.would_ask, &counts.would_deny),
        "redactions": counts.redactions,
        "denied_by_rule": sizes(&counts.by_rule),
        "would_by_rule": sizes(&counts.would_by_rule),
        "denied_by_day": sizes(&counts.by_day),
        "calls_by_tool": sizes(&counts.by_tool),
        "calls_by_host": sizes(&counts.by_host),
    });
    format!("{report:#}\n")
}
