//! `command-blocker explain`: what a command would run, how each part was reached, and what the rules say about it.

mod report;

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use rules::{CommandText, Facts, Language, Settings};

use crate::judge::{PROFILE, profile};
use report::Report;

/// Exit code: nothing found.
const CLEAN: u8 = 0;
/// Exit code: a rule matched.
const FOUND: u8 = 1;
/// Exit code: the report could not be written.
const INTERNAL: u8 = 3;

const SHELLS: [(&str, Language); 5] = [
    ("bash", Language::Posix),
    ("powershell", Language::PowerShell),
    ("cmd", Language::Cmd),
    ("sql", Language::Sql),
    ("unknown", Language::Unknown),
];

/// Adds the sub-commands.
pub(crate) fn commands(command: Command) -> Command {
    command.subcommand(
        Command::new("explain")
            .about("Shows what a command would run, and what the rules say about it")
            .after_help("Exit codes: 0 nothing found, 1 something found, 2 wrong usage, 3 an internal error.")
            .args([
                Arg::new("command")
                    .value_name("COMMAND")
                    .required(true)
                    .help("The command line, as one argument"),
                Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"),
                Arg::new("cwd")
                    .long("cwd")
                    .value_name("FOLDER")
                    .help("Where it would run [default: the current folder]"),
                Arg::new("profile")
                    .long("profile")
                    .value_name("PROFILE")
                    .default_value("standard")
                    .value_parser(PossibleValuesParser::new(PROFILE.values))
                    .help("How strict the rules are"),
                Arg::new("shell")
                    .long("shell")
                    .value_name("SHELL")
                    .default_value("bash")
                    .value_parser(PossibleValuesParser::new(SHELLS.map(|(name, _)| name)))
                    .help("The language that it is written in"),
            ]),
    )
}

/// Runs the sub-command that was given.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    match matches.subcommand() {
        Some(("explain", matches)) => explain(matches).into(),
        _ => INTERNAL.into(),
    }
}

fn explain(matches: &ArgMatches) -> u8 {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let command = text("command").unwrap_or_default();
    let here = std::env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
    let home = std::env::home_dir().and_then(|folder| folder.into_os_string().into_string().ok());
    let shell = text("shell").unwrap_or_default();
    let language =
        SHELLS.iter().find(|(name, _)| *name == shell).map_or(Language::Posix, |(_, language)| *language);
    // Unguarded: a person at a terminal can wait for a slow disk, and interrupt it.
    let world = look::Look::new(&|| {});
    let facts = Facts::here(text("cwd").or(here.as_deref()), home.as_deref()).with_world(&world);
    let settings = Settings { profile: profile(text("profile")), ..Settings::default() };
    let judgement = rules::judge_with(&[CommandText { text: command, language }], &facts, settings);
    let report = Report::new(command, &judgement, &facts);
    let written = if matches.get_flag("json") { report.json() } else { report.text() };
    match screen::print(&written) {
        Ok(()) if judgement.findings.is_empty() => CLEAN,
        Ok(()) => FOUND,
        // A reader that has seen enough, such as `head`, is not a fault.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => FOUND,
        Err(_) => INTERNAL,
    }
}
