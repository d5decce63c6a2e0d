//! The people's side: `--help`, `--version`, sub-commands, and what is wrong with an argument.

use std::ffi::OsString;
use std::fmt::{Display, Write as _};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use screen::Stream;
use store::settings::nearest;

use payload::{EventKind, Host, Reply, UnknownEvent, UnknownHost};

use crate::arguments::{self, Mode, Options};
use crate::failure::Failures;
use crate::input::INPUT_LIMIT;
use crate::panics;
use crate::run::Program;

/// The exit code of a wrong argument. A host takes it as "stop", so that a mistyped configuration does not go unseen.
const USAGE: u8 = 2;

/// The exit code of a mistake in the program itself.
pub(crate) const INTERNAL: u8 = 3;

/// What clap made of the arguments.
pub(crate) enum Wish {
    /// To work as a hook.
    Hook(Options),
    /// It has been served.
    Served(ExitCode),
}

/// A variable with the words that a person typed for this program: `hook-runner log`. Help shows them.
pub const TYPED: &str = "POLICY_HOOKS_TYPED";

/// Serves a person, or explains to one what is wrong with the arguments.
pub(crate) fn serve(program: &'static Program, mut arguments: Vec<OsString>) -> Wish {
    // Until this is known to be a call, a panic is a person's to read.
    panics::tell_a_person(program.name);
    let given = arguments.clone();
    if let (Some(name), Some(typed)) = (arguments.first_mut(), std::env::var_os(TYPED)) {
        *name = typed;
    }
    // Not `get_matches`: it ends the process by itself, with exit codes of its own choice.
    let matches = match command(program).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let text = error.render().to_string() + &mode_tip(&error).unwrap_or_default();
            explain_usage(&error, &text);
            if called_by_a_host(program, &error, &given) {
                return Wish::Served(open_answer());
            }
            let fine = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return Wish::Served(if fine { ExitCode::SUCCESS } else { USAGE.into() });
        }
    };
    match (&program.cli, matches.subcommand()) {
        (Some(cli), Some(_)) => Wish::Served((cli.run)(&matches)),
        _ => Wish::Hook(options(program, &matches)),
    }
}

/// Writes what clap says, as `text`: help that was asked for, or what is wrong with the arguments. Only a program that is
/// for people alone is built with clap's colours, so whoever calls this renders it.
pub fn explain_usage(error: &clap::Error, text: &str) {
    let stream = if error.use_stderr() { Stream::Remark } else { Stream::Answer };
    // Where it cannot be written, the exit code still says it.
    let _ = stream.say(text, None);
}

/// What to write where the value of another option is one of `--mode`.
fn mode_tip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
    let (mode, _) = arguments::MODES.iter().find(|(mode, _)| mode == value)?;
    // Only where another option has that value: a wrong value of `--mode` itself is explained by clap.
    Some(format!("  tip: that is `--mode {mode}`\n"))
}

/// What a person reads who typed a hook's name at a terminal, where no host is.
pub(crate) fn at_a_terminal(program: &'static Program) -> ExitCode {
    let name = program.name;
    let example = program.cli.map(|cli| format!("Try `{name} {}`, or `{name} --help`.", cli.example));
    let example = example.unwrap_or_else(|| format!("Try `{name} --help`."));
    screen::remark(&format!("{name}: This is a hook; a host calls it. {example}\n"));
    USAGE.into()
}

/// Whether a mistaken argument stands in a host's configuration of a hook that is never in the way: exit code 2, which
/// tells people of it, would hold an agent back on every stop.
fn called_by_a_host(program: &'static Program, error: &clap::Error, arguments: &[OsString]) -> bool {
    let for_people = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
        || command(program)
            .get_subcommands()
            .any(|known| arguments.iter().any(|argument| argument.to_str() == Some(known.get_name())));
    program.on_failure == Failures::OPEN
        && !for_people
        && !std::io::IsTerminal::is_terminal(&std::io::stdin())
}

/// `{}` and exit 0.
fn open_answer() -> ExitCode {
    let nothing = Reply::nothing();
    let _ = screen::data(&nothing.stdout);
    nothing.exit.into()
}

/// The whole command line, from which help, completions and manual pages are made.
pub fn command(program: &'static Program) -> Command {
    let command = Command::new(program.name)
        .version(program.version)
        .about(program.about)
        .max_term_width(100)
        .long_about(format!("{}\n\n{HOW_IT_IS_CALLED}", program.about))
        .after_long_help(failures(program.on_failure))
        .args([
            Arg::new("host")
                .long("host")
                .value_name("HOST")
                .value_parser(host)
                .help(format!("The calling host, if the payload does not show it: {}", Host::one_of())),
            Arg::new("event")
                .long("event")
                .value_name("EVENT")
                .value_parser(event)
                .help("The event, if the payload does not name it (Copilot's camelCase payloads do not)"),
            Arg::new("deadline-ms")
                .long("deadline-ms")
                .value_name("N")
                // Leaked, as clap keeps the text for as long as the process lives; people's calls only.
                .default_value(&*program.deadline.as_millis().to_string().leak())
                .value_parser(arguments::deadline)
                .help("Deadline for the answer, in milliseconds; keep it far below the host's own time limit"),
            Arg::new("mode")
                .long("mode")
                .value_name("MODE")
                .default_value("enforce")
                .value_parser(str::parse::<Mode>)
                .help("`enforce`, or `observe`, which answers {} and writes to stderr what it would have answered"),
        ]);
    let command = command.args(program.settings.iter().map(|setting| {
        Arg::new(setting.name)
            .long(setting.name)
            .value_name(setting.name)
            .value_parser(PossibleValuesParser::new(setting.values))
            .default_value(setting.values.first().copied().unwrap_or_default())
            .help(setting.help)
    }));
    with_help(match &program.cli {
        Some(cli) => (cli.commands)(command),
        None => command,
    })
}

/// The value of `--host`, or what was probably meant.
///
/// # Errors
///
/// For people to read.
pub fn host(name: &str) -> Result<Host, String> {
    name.parse().map_err(|error: UnknownHost| {
        instead(&error, name, Host::NAMED.iter().map(|host| host.as_str()), error.hint())
    })
}

/// The value of `--event`, or what was probably meant.
///
/// # Errors
///
/// For people to read.
pub fn event(name: &str) -> Result<EventKind, String> {
    name.parse().map_err(|error: UnknownEvent| {
        instead(&error, name, EventKind::SPELLINGS.iter().map(|(spelling, _)| *spelling), error.hint())
    })
}

fn instead<'k>(
    error: &dyn Display,
    name: &str,
    known: impl Iterator<Item = &'k str> + Clone,
    hint: &str,
) -> String {
    match nearest(name, known) {
        Some(meant) => format!("{error}: did you mean `{meant}`?"),
        None => format!("{error}. {hint}"),
    }
}

/// With `--help`, which fits a screen, and `--help-all`, which says the rest, for a command and what is below it.
pub fn with_help(command: Command) -> Command {
    // What hands everything on hands `--help` on as well.
    if command.is_disable_help_flag_set() {
        return command;
    }
    let flag = |name, help| Arg::new(name).long(name).help(help);
    command
        .disable_help_flag(true)
        .arg(flag("help", "Prints help").short('h').action(ArgAction::HelpShort))
        .arg(flag("help-all", "Prints all there is to say").action(ArgAction::HelpLong))
        .mut_subcommands(with_help)
}

const HOW_IT_IS_CALLED: &str = "\
Without a sub-command it is a hook: it reads one JSON object from stdin and answers with one JSON object on stdout, \
in the dialect of the host that called.";

/// What the hook answers when it cannot do its work.
fn failures(on_failure: Failures) -> String {
    let rows = [
        ("stdin is empty, or not a payload", on_failure.unreadable),
        ("a payload is too large", on_failure.too_large),
        ("the deadline passes", on_failure.deadline),
        ("the program panics", on_failure.panic),
    ];
    let mut text = format!("When it cannot judge (the largest payload is {} MiB):\n", INPUT_LIMIT >> 20);
    for (cause, answer) in rows {
        let _ = writeln!(text, "  {cause:<34}{}", answer.describe());
    }
    text.push_str("Exit codes of a hook: 0 the answer is on stdout; 2 stop, the reason is on stderr too.");
    text
}

fn options(program: &Program, matches: &ArgMatches) -> Options {
    Options {
        host: matches.get_one("host").copied(),
        event: matches.get_one("event").copied(),
        deadline: matches.get_one("deadline-ms").copied().unwrap_or(program.deadline),
        mode: matches.get_one("mode").copied().unwrap_or_default(),
        settings: program
            .settings
            .iter()
            .filter_map(|setting| {
                let given = matches.get_one::<String>(setting.name)?;
                setting.values.iter().find(|value| *value == given).map(|value| (setting.name, *value))
            })
            .collect(),
    }
}
