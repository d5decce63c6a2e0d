//! The sub-commands for people.

mod anchor;
mod calls;
mod clock;
mod copy;
mod export;
mod filter;
mod follow;
mod query;
mod report;
mod sessions;
mod ship;
mod show;
mod stats;
mod table;
mod text;
mod verify;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicUsize;

use audit::Record;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// Exit code: fine.
const FINE: u8 = 0;
/// Exit code: something was found, or nothing was where something should be.
const FOUND: u8 = 1;
/// Exit code: wrong usage.
const USAGE: u8 = 2;
/// Exit code: the program could not do its work.
const INTERNAL: u8 = 3;

/// How a sub-command ended.
type Ended = Result<u8, Trouble>;

/// Why a sub-command could not do its work.
enum Trouble {
    /// What was asked for makes no sense.
    Usage(String),
    /// What was asked for may be several things, which are listed.
    Ambiguous(String),
    Failed(String),
    /// The reader has seen enough, as `head` does.
    Gone,
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Gone } else { Self::Failed(error.to_string()) }
    }
}

/// Adds the sub-commands.
pub(crate) fn commands(command: Command) -> Command {
    command
        .subcommands([
            follow::command(),
            query::command(),
            sessions::command(),
            stats::command(),
            report::command(),
            show::command(),
            verify::command(),
            anchor::command(),
            export::command(),
            ship::command(),
        ])
        .mut_subcommands(|command| {
            command
                .arg(
                    Arg::new("log")
                        .long("log")
                        .value_name("FILE")
                        .action(ArgAction::Append)
                        .value_parser(clap::value_parser!(PathBuf))
                        .help(
                            "The log, or a folder with copies of several; repeat it for more [default: where the \
                             hook writes it]",
                        ),
                )
                .after_help("Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 an internal error.")
        })
}

/// Runs the sub-command that was given.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let ended = match matches.subcommand() {
        Some(("tail", matches)) => follow::run(matches),
        Some(("query", matches)) => query::run(matches),
        Some(("sessions", matches)) => sessions::run(matches),
        Some(("stats", matches)) => stats::run(matches),
        Some(("report", matches)) => report::run(matches),
        Some(("show", matches)) => show::run(matches),
        Some(("verify", matches)) => verify::run(matches),
        Some(("anchor", matches)) => anchor::run(matches),
        Some(("export", matches)) => export::run(matches),
        Some(("ship", matches)) => ship::run(matches),
        _ => Ok(INTERNAL),
    };
    if let Err(Trouble::Ambiguous(list)) = &ended {
        screen::remark(&format!("audit-logger: {list}"));
    }
    let (code, what) = match ended {
        Err(Trouble::Ambiguous(_)) => (USAGE, None),
        Ok(code) => (code, None),
        Err(Trouble::Gone) => (FINE, None),
        Err(Trouble::Usage(what)) => (USAGE, Some(what)),
        Err(Trouble::Failed(what)) => (INTERNAL, Some(what)),
    };
    if let Some(what) = what {
        screen::remark(&format!("audit-logger: {}\n", text::one_line(&what)));
    }
    code.into()
}

/// The logs that are meant, at least one.
fn logs(matches: &ArgMatches) -> Result<Vec<PathBuf>, Trouble> {
    let mut logs = Vec::new();
    for path in matches.get_many::<PathBuf>("log").into_iter().flatten() {
        if !path.is_dir() {
            logs.push(path.clone());
            continue;
        }
        let found = audit::logs_in(path).map_err(|error| Trouble::Failed(error.to_string()))?;
        if found.is_empty() {
            return Err(Trouble::Usage(format!("{}: no log lies in this folder", path.display())));
        }
        logs.extend(found);
    }
    if !logs.is_empty() {
        return Ok(logs);
    }
    // As the hook itself would choose it: settings and the environment may name another.
    let here = std::env::current_dir().ok();
    let journal = audit::Journal::open(here.as_deref().and_then(std::path::Path::to_str));
    let path = journal.path().map(PathBuf::from);
    path.map(|path| vec![path])
        .ok_or_else(|| Trouble::Failed("no folder for an audit log; set AUDIT_LOG".to_owned()))
}

/// The log that is meant, where only one can be.
fn log(matches: &ArgMatches) -> Result<PathBuf, Trouble> {
    let mut logs = logs(matches)?;
    match (logs.pop(), logs.len()) {
        (Some(log), 0) => Ok(log),
        (_, more) => Err(Trouble::Usage(format!("this needs one log, and {} are named", more + 1))),
    }
}

/// The files of each log in their order, with what waits beside it.
fn files(matches: &ArgMatches, waiting: bool) -> Result<Vec<Vec<PathBuf>>, Trouble> {
    let of_log = |path: PathBuf| {
        let mut files = audit::files(&path).map_err(|error| Trouble::Failed(error.to_string()))?;
        if waiting {
            files.extend(audit::waiting(&path));
        }
        if files.is_empty() {
            return Err(Trouble::Usage(format!("{}: no log exists yet", path.display())));
        }
        Ok(files)
    };
    logs(matches)?.into_iter().map(of_log).collect()
}

/// Reads files of a log, and shows how far it has come once it takes long.
fn reading<T>(what: &str, files: &[PathBuf], read: impl FnOnce(&AtomicUsize) -> T) -> T {
    screen::counted(what, audit::size(files), read)
}

/// Reads the records of all logs, in the order of their times, and shows how far it has come once it takes long.
fn each(
    what: &str,
    logs: &[Vec<PathBuf>],
    visit: impl FnMut(Record) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    let size = logs.iter().map(|files| audit::size(files)).sum();
    screen::counted(what, size, |done| audit::each_merged(logs, done, visit))?;
    Ok(())
}

/// Writes to stdout what was laid out already, or what a program reads.
fn say(text: &str) -> Result<(), Trouble> {
    Ok(screen::data(text)?)
}
