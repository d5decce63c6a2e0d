//! `context-injector preview` and `trust`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::store::settings::Layer;
use ::store::settings::context::Context;
use clap::{Arg, ArgAction, ArgMatches, Command};
use payload::{Address, Dialect, EventKind, Host, Verdict};
use store::trust::TrustError;
use store::trust::terminal::{self, Answer};

use crate::facts::Sources;
use crate::gather::gather;
use crate::settings::{self, PROJECT_FILE};

const FINE: u8 = 0;
const USAGE: u8 = 2;
const INTERNAL: u8 = 3;

/// A person waits longer than a host.
const PATIENCE: Duration = Duration::from_mins(1);

/// Adds the sub-commands.
pub(crate) fn commands(command: Command) -> Command {
    let cwd = || {
        Arg::new("cwd").long("cwd").value_name("FOLDER").help("Where to look [default: the current folder]")
    };
    let host = Arg::new("host")
        .long("host")
        .value_name("HOST")
        .value_parser(program::host)
        .help(format!("Only for this host: {}", Host::one_of()));
    command.subcommands([
        Command::new("preview")
            .about("Shows what a model would read here, and the answer that each host gets")
            .after_help("Exit codes: 0 shown, 2 wrong usage, 3 an internal error.")
            .args([cwd(), host]),
        Command::new("trust")
            .about("Lets this project's .github/hooks/context.toml count as it is now, and its commands run here")
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
    let folder = matches.get_one::<String>("cwd").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let (Some(home), Ok(folder)) = (std::env::home_dir(), std::fs::canonicalize(&folder)) else {
        complain(&format!("{} does not exist, or HOME is not set.", folder.display()));
        return USAGE.into();
    };
    let code = match name {
        "preview" => preview(&home, &folder, matches.get_one("host").copied()),
        _ => Ok(trust(&home, &folder, matches.get_flag("revoke"))),
    };
    // A closed pipe is a reader that has seen enough.
    code.unwrap_or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { FINE } else { INTERNAL })
        .into()
}

fn complain(text: &str) {
    screen::remark(&format!("context-injector: {}\n", plain(text)));
}

/// A string that came from elsewhere, without what a terminal would act upon.
fn plain(text: &str) -> String {
    text.lines().map(payload::one_line).collect::<Vec<_>>().join("\n")
}

/// Every way in which a host is answered: its name, the event, and where the answer goes.
fn addresses(only: Option<Host>) -> Vec<(String, Address<'static>)> {
    let mut found = Vec::new();
    for host in Host::NAMED.into_iter().filter(|host| only.is_none_or(|only| only == *host)) {
        for dialect in host.dialects() {
            // The agent host inside VS Code is answered as Copilot is.
            if host == Host::VsCode && *dialect == Dialect::Flat {
                continue;
            }
            for kind in [EventKind::SessionStart, EventKind::SubagentStart] {
                let form = if *dialect == Dialect::Flat { " (camelCase)" } else { "" };
                let address = Address { host, dialect: *dialect, kind, name: kind.as_str().into() };
                found.push((format!("{host}{form}, {kind}"), address));
            }
        }
    }
    found
}

fn preview(home: &Path, folder: &Path, host: Option<Host>) -> io::Result<u8> {
    let start = Instant::now();
    // As at a call, only with more patience: what a person sees is what a model would read.
    let gathered = gather(folder, Some(home), None, start, start + PATIENCE);
    for note in &gathered.notes {
        complain(note);
    }
    let mut text = String::new();
    let block = &gathered.block;
    if block.text.is_empty() {
        text.push_str("There is nothing to report here.\n");
    } else {
        let _ = writeln!(
            text,
            "{}\n\n{} characters; facts: {}, left out: {}; {} ms\n",
            block.text,
            block.text.chars().count(),
            block.facts,
            block.left_out,
            start.elapsed().as_millis()
        );
        for (title, address) in addresses(host) {
            let said = match payload::render(&Verdict::Context(block.text.clone()), &address) {
                Ok(reply) => reply.stdout,
                Err(_) => "{}".to_owned(),
            };
            let _ = writeln!(text, "{title}:\n{said}\n");
        }
    }
    screen::print(&text)?;
    Ok(FINE)
}

fn trust(home: &Path, folder: &Path, revoke: bool) -> u8 {
    let Some(sources) = Sources::around(folder, Some(home)) else {
        complain(&format!("{} is not a folder.", folder.display()));
        return USAGE;
    };
    if revoke {
        return settle(terminal::take_back(home, &sources.root));
    }
    let file = sources.root.join(PROJECT_FILE);
    let said = ::store::settings::read::<Context>(&file, Layer::Project);
    for mistake in &said.mistakes {
        complain(&mistake.to_string());
    }
    // A file with mistakes is not trusted: what it says once they are fixed, no one has read yet.
    let Some(document) = said.document.filter(|_| said.mistakes.is_empty()) else {
        if said.mistakes.is_empty() {
            complain(&format!("{} does not exist, so there is nothing to trust.", file.display()));
        }
        return USAGE;
    };
    let (commands, bytes) = (settings::commands_of(document), said.bytes);
    let mut question =
        format!("{} decides what models read here, as long as it does not change:\n", file.display());
    // The bytes themselves, not what was understood of them: these are what is trusted.
    question.push_str(&String::from_utf8_lossy(&bytes));
    if !commands.is_empty() {
        let _ = writeln!(question, "\nCode of {} may run then:", sources.root.display());
        for command in &commands {
            let _ = writeln!(question, "  {}: `{}`", command.id, command.argv.join(" "));
        }
    }
    let question = plain(&question) + "\n";
    settle(terminal::give(home, &sources.root, !commands.is_empty(), Some((&file, &bytes)), &question))
}

/// Says how it ended.
fn settle(result: Result<Answer, TrustError>) -> u8 {
    let (code, text) = terminal::outcome(result);
    complain(&text);
    code
}
