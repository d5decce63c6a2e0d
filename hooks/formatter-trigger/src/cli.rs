//! `formatter-trigger which`, `run` and `trust`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use payload::one_line;
use store::trust::TrustError;
use store::trust::terminal::{self, Answer};

use crate::choose::{self, Moment};
use crate::eligible;
use crate::format::{Outcome, format};
use crate::hook::sentence;
use crate::installed::Caller;
use crate::workspace::Workspace;

const FINE: u8 = 0;
const FOUND: u8 = 1;
const USAGE: u8 = 2;
const INTERNAL: u8 = 3;

/// Adds the sub-commands.
pub(crate) fn commands(command: Command) -> Command {
    let files = || {
        Arg::new("file")
            .value_name("PATH")
            .required(true)
            .num_args(1..)
            .value_parser(clap::value_parser!(PathBuf))
    };
    command.subcommands([
        Command::new("which")
            .about("Shows which formatter would run on a file, how and why, or why none would")
            .after_help("Exit codes: 0 one would run on each, 1 on some none would, 2 wrong usage, 3 an internal error.")
            .arg(files()),
        Command::new("run")
            .about("Formats files now, as after an edit and at a stop")
            .after_help("Exit codes: 0 all are formatted, 1 some are not, 2 wrong usage, 3 an internal error.")
            .arg(files()),
        Command::new("trust")
            .about("Lets formatters run the code of the repository around the current folder, however it changes")
            .after_help("Asks on a terminal, and works nowhere else. Exit codes: 0 done, 1 you said no, 2 wrong usage, 3 an internal error.")
            .arg(Arg::new("revoke").long("revoke").action(ArgAction::SetTrue).help("Withdraws all trust in this repository")),
    ])
}

/// Runs the sub-command that was given.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let Some((name, matches)) = matches.subcommand() else { return INTERNAL.into() };
    let (Some(home), Ok(folder)) = (std::env::home_dir(), std::env::current_dir()) else {
        complain("HOME is not set, or the current folder is gone.");
        return USAGE.into();
    };
    let code = match name {
        "trust" => match Workspace::around(&folder, &home, Caller::Person, None) {
            Some(workspace) if matches.get_flag("revoke") => {
                Ok(settle(terminal::take_back(&workspace.home, &workspace.root)))
            }
            Some(workspace) => Ok(give_trust(&workspace)),
            None => Ok(USAGE),
        },
        name => each(matches, |file| {
            let file = folder.join(file);
            // Each file in the project that it lies in, wherever this was typed.
            let around = file.parent().unwrap_or(&folder);
            let workspace = Workspace::around(around, &home, Caller::Person, None);
            let Some(workspace) = workspace else {
                return (FOUND, sentence(&file, &Outcome::Skipped(crate::skip::Skip::Gone)));
            };
            for note in &workspace.settings.notes {
                complain(&one_line(note));
            }
            if name == "which" { which(&workspace, &file) } else { by_hand(&workspace, &file) }
        }),
    };
    process::end_leftovers();
    code.unwrap_or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { FINE } else { INTERNAL })
        .into()
}

/// The worst code of all files, each with its text.
fn each(matches: &ArgMatches, work: impl Fn(&Path) -> (u8, String)) -> io::Result<u8> {
    let mut worst = FINE;
    for file in matches.get_many::<PathBuf>("file").into_iter().flatten() {
        let (code, text) = work(file);
        worst = worst.max(code);
        screen::print(&(text + "\n"))?;
    }
    Ok(worst)
}

fn complain(text: &str) {
    screen::remark(&format!("formatter-trigger: {text}\n"));
}

fn which(workspace: &Workspace, path: &Path) -> (u8, String) {
    let found = eligible::file(workspace, path).and_then(|file| {
        let limit = workspace.settings.max_file;
        let original = crate::swap::Original::read(&file.path, limit)
            .map_err(|error| crate::skip::Skip::Unreadable(error.to_string()))?;
        eligible::text(&original.bytes, limit)?;
        choose::plans(workspace, &file, Moment::Stop)
    });
    let shown = one_line(&path.to_string_lossy());
    match found {
        Err(skip) => (FOUND, format!("{shown}: nothing, as {}.", one_line(&skip.to_string()))),
        Ok(plans) => {
            let mut text = shown;
            for plan in plans {
                let words = std::iter::once(plan.program.as_os_str())
                    .chain(plan.arguments.iter().map(std::ffi::OsString::as_os_str))
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect::<Vec<_>>();
                let command = process::quoted(words.iter().map(String::as_str));
                let lines = [
                    ("formatter", plan.name.into_owned()),
                    ("because of", plan.because.to_string_lossy().into_owned()),
                    ("runs", command.trim_matches('`').to_owned()),
                    ("in", plan.folder.display().to_string()),
                    ("on", if plan.stdin { "stdin" } else { "a copy" }.to_owned()),
                ];
                for (head, value) in lines {
                    let _ = write!(text, "\n  {head:<10}  {}", one_line(&value));
                }
            }
            (FINE, text)
        }
    }
}

fn by_hand(workspace: &Workspace, path: &Path) -> (u8, String) {
    let outcome = format(workspace, path, Moment::Stop);
    let code = match outcome {
        Outcome::Unchanged | Outcome::Rewrote { .. } => FINE,
        _ => FOUND,
    };
    (code, sentence(path, &outcome))
}

fn give_trust(workspace: &Workspace) -> u8 {
    let root = one_line(&workspace.root.to_string_lossy());
    let question = format!(
        "Formatters may run the code of {root}: configurations, plugins and what is installed in it. So may the checks \
         of stop-guard.\n"
    );
    let given = terminal::give(&workspace.home, &workspace.root, true, None, &question);
    if matches!(given, Ok(Answer::Given)) {
        // The person has looked: what an agent edited before is trusted with the rest.
        let _ = workspace.tools_edited().remove();
    }
    settle(given)
}

/// Says how it ended.
fn settle(result: Result<Answer, TrustError>) -> u8 {
    let (code, text) = terminal::outcome(result);
    complain(&text);
    code
}
