//! `audit-logger export`: the log in a format that collectors read.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use audit::queue::{self, Limit};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use export::{Entry, Format};

use super::filter::{self, Filter};
use super::{Ended, FINE, FOUND, Trouble, log};

/// How often the log is looked at with `--follow`.
const PAUSE: Duration = Duration::from_millis(500);

/// How much is in memory at once.
const LIMIT: Limit = Limit { records: 512, bytes: 1 << 20 };

pub(super) fn command() -> Command {
    let command = Command::new("export")
        .about("Writes the log in a format that collectors read; exits with 1 if no record matches");
    filter::arguments(command).args([
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .default_value("jsonl")
            .value_parser(PossibleValuesParser::new(Format::NAMES))
            .help("Output format; each holds the records' exact lines, which `verify --copy` proves"),
        Arg::new("into")
            .long("into")
            .value_name("FOLDER")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with("follow")
            .help("Writes a file for each day below this folder (day=2026-11-22), for Parquet and its like"),
        Arg::new("follow")
            .long("follow")
            .short('f')
            .action(ArgAction::SetTrue)
            .help("Keep running until interrupted"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let filter = Filter::new(matches)?;
    let format: Format = matches
        .get_one::<String>("format")
        .map_or("jsonl", String::as_str)
        .parse()
        .map_err(|error: export::UnknownFormat| Trouble::Usage(error.to_string()))?;
    let path = log(matches)?;
    let follow = matches.get_flag("follow");
    let mut to = match matches.get_one::<PathBuf>("into") {
        Some(folder) => Sink::Folder(Days { folder: folder.clone(), format, drafts: BTreeSet::new() }),
        None => Sink::Stdout,
    };
    if !follow && audit::files(&path).map_err(failed)?.is_empty() {
        return Err(Trouble::Usage(format!("{}: no log exists yet", path.display())));
    }
    let (mut cursor, mut machine, mut written) = (None, String::new(), 0u64);
    loop {
        let batch = queue::next(&path, cursor.as_ref(), LIMIT).map_err(failed)?;
        let (Some(end), mut lines) = (batch.end, batch.lines) else {
            if !follow {
                break;
            }
            thread::sleep(PAUSE);
            continue;
        };
        cursor = Some(end);
        lines.retain(|(_, record)| filter.takes(record));
        let entries = export::entries(&lines, &mut machine);
        if format == Format::Csv && written == 0 && !entries.is_empty() && matches!(to, Sink::Stdout) {
            out(export::csv_head().as_bytes())?;
        }
        written += entries.len() as u64;
        to.write(format, &entries)?;
    }
    to.finish()?;
    let waiting = audit::waiting(&path).len();
    if waiting > 0 {
        let what = screen::several(u64::try_from(waiting).unwrap_or(u64::MAX), "file");
        screen::remark(&format!(
            "audit-logger: {what} beside the log hold records without a place in the chain yet; they are not exported\n"
        ));
    }
    if written > 0 {
        return Ok(FINE);
    }
    // Silence about a mistyped name would look like an all-clear.
    filter.mistyped().map_or(Ok(FOUND), |mistyped| Err(Trouble::Usage(mistyped)))
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` gives it away")]
fn failed(error: audit::LogError) -> Trouble {
    Trouble::Failed(error.to_string())
}

/// Where records are written.
enum Sink {
    Stdout,
    Folder(Days),
}

impl Sink {
    fn write(&mut self, format: Format, entries: &[Entry<'_>]) -> Result<(), Trouble> {
        match self {
            Self::Stdout => {
                let mut bytes = Vec::new();
                export::write(format, entries, &mut bytes);
                out(&bytes)
            }
            Self::Folder(days) => days.write(entries),
        }
    }

    fn finish(self) -> Result<(), Trouble> {
        match self {
            Self::Stdout => Ok(()),
            Self::Folder(days) => days.finish(),
        }
    }
}

/// Bytes for a program, as they are.
fn out(bytes: &[u8]) -> Result<(), Trouble> {
    let mut stdout = io::stdout().lock();
    Ok(stdout.write_all(bytes).and_then(|()| stdout.flush())?)
}

/// A file for each day. They have other names until all are whole.
struct Days {
    folder: PathBuf,
    format: Format,
    drafts: BTreeSet<(PathBuf, PathBuf)>,
}

impl Days {
    fn write(&mut self, entries: &[Entry<'_>]) -> Result<(), Trouble> {
        let mut rest = entries;
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|entry| entry.day() == first.day()).count();
            let (day, others) = rest.split_at(length);
            self.add(first.day(), first.machine, day)?;
            rest = others;
        }
        Ok(())
    }

    fn add(&mut self, day: &str, machine: &str, entries: &[Entry<'_>]) -> Result<(), Trouble> {
        let folder = self.folder.join(format!("day={day}"));
        let machine: String = machine.chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("audit-{machine}.{}", self.format.ending());
        let draft = folder.join(format!(".{name}.draft"));
        let wrong = |path: &Path| {
            let path = path.display().to_string();
            move |error: io::Error| Trouble::Failed(format!("{path}: {error}"))
        };
        let mut bytes = Vec::new();
        let is_new = self.drafts.insert((draft.clone(), folder.join(name)));
        if is_new {
            fs::create_dir_all(&folder).map_err(wrong(&folder))?;
            // What a run that was killed left behind.
            let _ = fs::remove_file(&draft);
            if self.format == Format::Csv {
                bytes.extend_from_slice(export::csv_head().as_bytes());
            }
        }
        export::write(self.format, entries, &mut bytes);
        let mut file = OpenOptions::new().create(true).append(true).open(&draft).map_err(wrong(&draft))?;
        file.write_all(&bytes).map_err(wrong(&draft))
    }

    fn finish(self) -> Result<(), Trouble> {
        for (draft, name) in &self.drafts {
            fs::rename(draft, name)
                .map_err(|error| Trouble::Failed(format!("{}: {error}", name.display())))?;
        }
        Ok(())
    }
}
