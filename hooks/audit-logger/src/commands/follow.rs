//! `audit-logger tail`: the last records, and those that come.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

use audit::Record;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::calls::{Calls, Entry};
use super::filter::{self, Filter};
use super::text::colours;
use super::{Ended, FINE, each, files, log, say, table};

/// How often the file is looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// How many calls are remembered as shown.
const OPEN: usize = 256;

pub(super) fn command() -> Command {
    let command = Command::new("tail")
        .about("Shows the last calls and events, and new ones as they arrive with --follow");
    filter::arguments(command).args([
        Arg::new("follow")
            .long("follow")
            .short('f')
            .action(ArgAction::SetTrue)
            .help("Keep running until interrupted"),
        Arg::new("lines")
            .long("lines")
            .short('n')
            .value_name("N")
            .default_value("20")
            .value_parser(value_parser!(usize))
            .help("How many lines to show"),
        Arg::new("each")
            .long("each")
            .action(ArgAction::SetTrue)
            .help("Every record by itself, not folded to calls"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let follow = matches.get_flag("follow");
    let lines = matches.get_one::<usize>("lines").copied().unwrap_or_default();
    // Where to go on is known before the last records are read: what comes meanwhile is shown once.
    let path = if follow { Some(log(matches)?) } else { None };
    let mut file = path.as_ref().and_then(|path| File::open(path).ok());
    let mut end = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |about| about.len());
    let mut calls = Calls::new(lines, !matches.get_flag("each"));
    // Someone who follows sees what waits as soon as a writer takes it in; shown now, it would come twice.
    let known = match files(matches, !follow) {
        Ok(files) => files,
        // Someone who follows may be earlier than the first record.
        Err(_) if follow => Vec::new(),
        Err(trouble) => return Err(trouble),
    };
    let layout = table::Layout::of_stdout(colours());
    each("reading the log", &known, |record| {
        if record.is_about_agents() && filter.takes(&record) {
            calls.add(&record);
        }
        std::ops::ControlFlow::Continue(())
    })?;
    let shown: String = calls.rest().map(|entry| layout.entry(entry)).collect();
    say(&(format!("{}\n", layout.head()) + &shown))?;
    let Some(path) = path else { return Ok(FINE) };
    let mut calls = Calls::new(OPEN, !matches.get_flag("each"));
    loop {
        if let Some(open) = &mut file {
            end = catch_up(open, end, |record| {
                if !(record.is_about_agents() && filter.takes(record)) {
                    return Ok(());
                }
                // What stands there already is not shown again: only what is new about it.
                let more = calls.knows(record);
                let entry = Entry::of(record);
                calls.add(record);
                match (more, entry.decision.is_empty(), entry.event.as_str()) {
                    (true, true, "PostToolUse" | "PreToolUse") => Ok(()),
                    (true, ..) => say(&layout.entry(&Entry { event: format!("└ {}", entry.event), ..entry })),
                    (false, ..) => say(&layout.entry(&entry)),
                }
            })?;
        }
        // First the rest of the old file, then the new one from its beginning.
        if replaced(file.as_ref(), &path) {
            file = File::open(&path).ok();
            end = 0;
            continue;
        }
        thread::sleep(PAUSE);
    }
}

/// Hands on the records that follow `end`, and returns where whole lines end now.
fn catch_up(
    file: &mut File,
    mut end: u64,
    mut show: impl FnMut(&Record) -> Result<(), super::Trouble>,
) -> Result<u64, super::Trouble> {
    file.seek(SeekFrom::Start(end))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let size = reader.read_until(b'\n', &mut line)?;
        // Half a line: its writer is not done yet.
        if line.last() != Some(&b'\n') {
            return Ok(end);
        }
        // Counted in whole lines: the half that is there is read again with its rest.
        end += size as u64;
        if let Some(record) = Record::parse(&line) {
            show(&record)?;
        }
    }
}

/// Whether another file stands at `path` now: the log was full, and goes on in a new one.
fn replaced(file: Option<&File>, path: &Path) -> bool {
    let Ok(now) = path.metadata() else { return false };
    let Some(old) = file.and_then(|file| file.metadata().ok()) else { return true };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        (old.dev(), old.ino()) != (now.dev(), now.ino())
    }
    #[cfg(not(unix))]
    {
        // Without identities of files, a shorter one must be another.
        now.len() < old.len()
    }
}
