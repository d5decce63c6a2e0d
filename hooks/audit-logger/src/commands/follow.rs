//! `audit-logger tail`: the last records, and those that come.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

use audit::Record;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::filter::{self, Filter};
use super::text::colours;
use super::{Ended, FINE, files, log, reading, say, table};

/// How often the file is looked at.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn command() -> Command {
    let command = Command::new("tail")
        .about("Shows the last records, one per line, and new ones as they arrive with --follow");
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
            .help("How many records to show"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let follow = matches.get_flag("follow");
    let path = log(matches)?;
    let lines = matches.get_one::<usize>("lines").copied().unwrap_or_default();
    // Where to go on is known before the last records are read: what comes meanwhile is shown once.
    let mut file = File::open(&path).ok();
    let mut end = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |about| about.len());
    let mut last = std::collections::VecDeque::new();
    // Someone who follows sees what waits as soon as a writer takes it in; shown now, it would come twice.
    let known = match files(matches, !follow) {
        Ok(files) => files,
        // Someone who follows may be earlier than the first record.
        Err(_) if follow => Vec::new(),
        Err(trouble) => return Err(trouble),
    };
    let layout = table::Layout::of_stdout(colours());
    let keep = |record: Record| {
        if record.is_about_agents() && filter.takes(&record) {
            last.push_back(layout.record(&record));
            if last.len() > lines {
                last.pop_front();
            }
        }
        std::ops::ControlFlow::Continue(())
    };
    reading("reading the log", &known, |done| audit::each_counted(&known, done, keep))?;
    say(&(format!("{}\n", layout.head()) + &Vec::from(last).concat()))?;
    if !follow {
        return Ok(FINE);
    }
    loop {
        if let Some(open) = &mut file {
            end = catch_up(open, end, &filter, layout)?;
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

/// Shows what follows `end`, and returns where whole lines end now.
fn catch_up(
    file: &mut File,
    mut end: u64,
    filter: &Filter,
    layout: table::Layout,
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
        if let Some(record) = Record::parse(&line)
            && record.is_about_agents()
            && filter.takes(&record)
        {
            say(&layout.record(&record))?;
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
