//! `stop-guard check`, `status` and `trust`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use clap::{Arg, ArgAction, ArgMatches, Command};
use store::session::Store;
use store::trust::Trust;
use store::trust::terminal::{self, Answer};

#[cfg(target_os = "linux")]
use crate::check::supervisor;
use crate::check::{Outcome, Work};
use crate::passes::Passes;
use crate::place::Place;
use crate::settings::{PROJECT_FILE, Settings, checks_of};
use crate::turn::{TURN, Turn, seconds};

const FINE: u8 = 0;
const FOUND: u8 = 1;
const USAGE: u8 = 2;
const INTERNAL: u8 = 3;

/// Adds the sub-commands.
pub(crate) fn commands(command: Command) -> Command {
    let cwd = || {
        Arg::new("cwd").long("cwd").value_name("FOLDER").help("Where to look [default: the current folder]")
    };
    #[cfg(target_os = "linux")]
    let command = command.subcommand(supervisor::command());
    command.subcommands([
        Command::new("check")
            .about("Runs the checks now, and shows how each ended")
            .after_help("Exit codes: 0 all passed, 1 a check failed or could not run, 2 wrong usage, 3 an internal error.")
            .arg(cwd()),
        Command::new("status")
            .about("Shows the settings that hold here, the sessions that were held back, and the remembered passes")
            .after_help("Exit codes: 0 shown, 2 wrong usage, 3 an internal error.")
            .arg(cwd()),
        Command::new("trust")
            .about("Lets checks run the code of this repository, and its .github/hooks/stop.toml as it is now")
            .after_help("Asks on a terminal, and works nowhere else. Exit codes: 0 done, 1 you said no, 2 wrong usage, 3 an internal error.")
            .args([
                cwd(),
                Arg::new("revoke").long("revoke").action(ArgAction::SetTrue).help("Withdraws all trust in this repository"),
            ]),
    ])
}

/// Runs the sub-command that was given.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let Some((name, matches)) = matches.subcommand() else { return INTERNAL.into() };
    // Before the home and the folder are looked up: the supervisor needs neither.
    #[cfg(target_os = "linux")]
    if name == supervisor::NAME {
        return supervisor::run(matches).into();
    }
    let folder = match matches.get_one::<String>("cwd") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from("."),
    };
    let (Some(home), Ok(folder)) = (std::env::home_dir(), std::fs::canonicalize(&folder)) else {
        complain(&format!("{} does not exist, or HOME is not set.", folder.display()));
        return USAGE.into();
    };
    let place = Place::around(&folder);
    let code = match name {
        "check" => run_checks(&home, &place),
        "status" => status(&home, &place),
        _ if matches.get_flag("revoke") => Ok(revoke(&home, &place)),
        _ => Ok(give_trust(&home, &place)),
    };
    code.unwrap_or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { FINE } else { INTERNAL })
        .into()
}

fn complain(text: &str) {
    screen::remark(&format!("stop-guard: {text}\n"));
}

/// A string that came from elsewhere, without what a terminal would act upon.
fn plain(text: &str) -> String {
    text.chars().map(|c| if payload::is_unsafe(c) && c != '\n' { '\u{fffd}' } else { c }).collect()
}

fn run_checks(home: &Path, place: &Place) -> io::Result<u8> {
    // The same settings as at a stop, notes included: a person sees why a check is missing.
    let settings = Settings::of(home, &place.root);
    for note in &settings.notes {
        complain(&plain(note));
    }
    let passes = Passes::of(&Store::of(home), &place.root);
    let until = Instant::now() + settings.budget;
    let now = seconds(SystemTime::now());
    // A note says that something of the settings is not in force, such as checks of a repository without trust.
    let mut code = if settings.notes.is_empty() { FINE } else { FOUND };
    if settings.checks.is_empty() {
        screen::print("Nothing to check.\n")?;
    }
    for check in &settings.checks {
        // The files as they are now: a check before may have changed them.
        let snapshot = place.snapshot(until);
        let work = Work {
            place,
            snapshot: snapshot.as_ref(),
            session: None,
            known: &[],
            passes: &passes,
            afresh: true,
            until,
            now,
        };
        let start = Instant::now();
        let what = format!("  … {}: {}", check.id, payload::one_line(&check.describe()));
        let outcome = screen::transient(&what, || check.run(&work));
        let (mark, text) = match &outcome {
            Outcome::Passed | Outcome::Remembered => ("ok  ", "passed".to_owned()),
            Outcome::Failed(failure) => ("FAIL", failure.how.clone()),
            Outcome::CouldNotRun(why) => ("?   ", format!("could not run: {why}")),
        };
        let seconds = start.elapsed().as_secs_f64();
        let mut said = format!("{mark} {}: {} ({seconds:.1} s)\n", check.id, plain(&text));
        if let Outcome::Failed(failure) = &outcome {
            for line in plain(&failure.output).lines() {
                let _ = writeln!(said, "       {line}");
            }
        }
        screen::print(&said)?;
        if !matches!(outcome, Outcome::Passed | Outcome::Remembered) {
            code = FOUND;
        }
    }
    process::end_leftovers();
    Ok(code)
}

fn status(home: &Path, place: &Place) -> io::Result<u8> {
    let settings = Settings::of(home, &place.root);
    let store = Store::of(home);
    let now = SystemTime::now();
    let mut text = String::new();
    let _ = writeln!(text, "Folder      {}", place.root.display());
    // A record that cannot be read trusts nothing, here as at a stop.
    let trusted = Trust::read(&store::trust::file(home)).is_ok_and(|trust| trust.has_repository(&place.root));
    let _ = writeln!(text, "Trusted     {}", if trusted { "yes" } else { "no" });
    let _ = writeln!(
        text,
        "Limits      {} {} per prompt, {} s for all checks",
        settings.max_blocks,
        if settings.max_blocks == 1 { "block" } else { "blocks" },
        settings.budget.as_secs()
    );
    for check in &settings.checks {
        let what = check.describe();
        let what = if what == check.id { String::new() } else { format!(": {what}") };
        let _ = writeln!(text, "Check       {}{what}", check.id);
    }
    for note in &settings.notes {
        let _ = writeln!(text, "Note        {note}");
    }
    for record in store.records(TURN) {
        let Some(turn) = record.read().ok().flatten().and_then(|bytes| Turn::parse(&bytes)) else {
            let _ = writeln!(text, "Session     {} is damaged", record.path().display());
            continue;
        };
        let last =
            turn.failed.as_ref().map_or(String::new(), |failed| format!(", last by `{}`", failed.check));
        let _ = writeln!(
            text,
            "Session     {} {}: held back {} of {} in this turn{last} ({}, {})",
            turn.host,
            turn.session.replace('\0', " "),
            turn.blocks + turn.pending,
            settings.max_blocks,
            turn.folder,
            ago(record.written().map_or(0, seconds), now),
        );
    }
    for pass in Passes::of(&store, &place.root).all() {
        let _ = writeln!(text, "Passed      {} ({})", pass.check, ago(pass.at, now));
    }
    screen::print(&plain(&text))?;
    Ok(FINE)
}

fn ago(then: u64, now: SystemTime) -> String {
    match seconds(now).saturating_sub(then) {
        age @ 0..60 => format!("{age} s ago"),
        age @ 60..3600 => format!("{} min ago", age / 60),
        age @ 3600..86_400 => format!("{} h ago", age / 3600),
        age => format!("{} days ago", age / 86_400),
    }
}

fn give_trust(home: &Path, place: &Place) -> u8 {
    let project = place.root.join(PROJECT_FILE);
    let said =
        store::settings::read::<store::settings::stop::Stop>(&project, store::settings::Layer::Project);
    if !said.mistakes.is_empty() {
        for mistake in &said.mistakes {
            complain(&plain(&mistake.to_string()));
        }
        return USAGE;
    }
    let mut question = format!("Checks may run the code of {}.\n", place.root.display());
    // The bytes that were read and shown are the ones that are trusted: the file may change while the person reads.
    let bytes = said.document.is_some().then(|| said.bytes.clone());
    if bytes.is_some() {
        let _ = writeln!(question, "Its {PROJECT_FILE} may run, as long as it does not change:");
        for check in checks_of(said) {
            let _ = writeln!(question, "  {}: {}", check.id, check.describe());
        }
    }
    let exact = bytes.as_deref().map(|bytes| (project.as_path(), bytes));
    settle(terminal::give(home, &place.root, true, exact, &plain(&question)))
}

fn revoke(home: &Path, place: &Place) -> u8 {
    settle(terminal::take_back(home, &place.root))
}

/// Says how it ended.
fn settle(result: Result<Answer, store::trust::TrustError>) -> u8 {
    let (code, text) = terminal::outcome(result);
    complain(&text);
    code
}
