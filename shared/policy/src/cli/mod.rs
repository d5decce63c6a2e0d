//! The commands for people: `policy check|explain|test|diff|schema` and `trust`.

mod check;
mod diff;
mod examples;
mod explain;
mod learn;
mod reference;
mod respell;
mod schema;
mod test;
mod trusting;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
pub(crate) use payload::one_line;

use crate::layers::Source;
use crate::model::Layer;

pub use check::{Report, check};
pub use diff::{Change, Changes, diff};
pub use explain::explain;
pub use learn::{Learner, Learnt, Proposal};
pub use reference::reference;
pub use respell::respellings;
pub use schema::schema;
pub use test::{Outcome, Tested, test};

/// How a command for people ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine = 0,
    /// There is something to look at.
    Findings = 1,
    /// The command cannot be understood, or a file cannot be read.
    Usage = 2,
}

/// Adds `policy` and `trust` to a program's command line.
pub fn commands(program: Command) -> Command {
    let policy = Command::new("policy").about("Checks, explains, tests and compares policies");
    program.subcommand(policy_tasks(policy)).subcommand(trust_task())
}

/// Adds `check`, `explain`, `test`, `diff`, `schema` and `trust` to a command line of their own.
pub fn policy_tasks(command: Command) -> Command {
    let files = || Arg::new("file").num_args(1..).required(true).value_name("FILE").help("Policy files");
    let json = || Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON");
    let text = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let days =
        text("fail-expiring", "Also report exceptions that expire within this many days").value_name("DAYS");
    command
        .subcommand_required(true)
        .subcommand(
            Command::new("check").about("Finds mistakes in policy files").arg(files()).arg(days).arg(json()),
        )
        .subcommand(
            Command::new("explain")
                .about("Shows what the policies decide about a command, and why")
                .arg(Arg::new("command").required(true).last(true).help("The command line, after `--`"))
                .arg(text("policy", "Only this file, instead of those in effect here").value_name("FILE"))
                .arg(text("cwd", "The folder in which it would run").value_name("FOLDER"))
                .arg(json()),
        )
        .subcommand(
            Command::new("test")
                .about("Runs the examples of policy files, and scenario files")
                .arg(files())
                .arg(
                    Arg::new("mutate")
                        .long("mutate")
                        .action(ArgAction::SetTrue)
                        .help("Respell each example in at least 20 ways"),
                )
                .arg(
                    text("scenarios", "A file of scenarios with payloads")
                        .value_name("FILE")
                        .action(ArgAction::Append),
                )
                .arg(text("junit", "Write the results to this file as JUnit XML").value_name("FILE"))
                .arg(json()),
        )
        .subcommand(
            Command::new("diff")
                .about("Shows what changes for recorded calls between two policies")
                .arg(Arg::new("old").required(true).value_name("OLD"))
                .arg(Arg::new("new").required(true).value_name("NEW"))
                .arg(
                    Arg::new("calls").required(true).num_args(1..).value_name("CALLS").help(
                        "Files with a command, a payload (JSON) or a record of the audit log on each line",
                    ),
                )
                .arg(
                    Arg::new("fail-on-loosening")
                        .long("fail-on-loosening")
                        .action(ArgAction::SetTrue)
                        .help("Exit 1 only if a call is held back less"),
                )
                .arg(json()),
        )
        .subcommand(Command::new("schema").about("Prints the JSON Schema of policy files, for editors"))
        .subcommand(trust_task())
}

fn trust_task() -> Command {
    Command::new("trust")
        .about("Lets `allow` and exceptions of a project's policy count, until the file changes; on a terminal only")
        .arg(Arg::new("file").value_name("FILE").default_value(".github/hooks/policy.toml").help("The policy file"))
        .arg(Arg::new("revoke").long("revoke").action(ArgAction::SetTrue).help("Withdraw the trust"))
}

/// Runs the sub-command that was given.
pub fn run(matches: &ArgMatches) -> ExitCode {
    let (output, exit) = match matches.subcommand() {
        Some(("policy", matches)) => policy(matches),
        Some(("trust", matches)) => trusting::trust(matches),
        _ => (String::new(), Exit::Usage),
    };
    // A reader that has seen enough, such as `head`, is not a fault.
    let _ = screen::print(&output);
    ExitCode::from(exit as u8)
}

/// Runs one of the [`policy_tasks`]: what there is to print, and how it ends.
pub fn policy(matches: &ArgMatches) -> (String, Exit) {
    let Some((name, matches)) = matches.subcommand() else { return (String::new(), Exit::Usage) };
    let done = match name {
        "check" => check::command(matches),
        "explain" => explain::command(matches),
        "test" => test::command(matches),
        "diff" => diff::command(matches),
        "trust" => return trusting::trust(matches),
        _ => Ok((format!("{:#}\n", schema()), Exit::Fine)),
    };
    done.unwrap_or_else(|problem| (format!("error: {problem}\n"), Exit::Usage))
}

/// What a task prints and how it ends, or why it cannot.
type Done = Result<(String, Exit), String>;

/// Reads a policy file that a person named. The layer follows from the path.
fn open(path: &Path) -> Result<Source, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    // Whoever checks a file wants to know what it says, whether or not it is trusted here.
    Ok(Source { trusted: true, ..Source::of(layer_of(path), path, text) })
}

fn layer_of(path: &Path) -> Layer {
    // By the folders that such files lie in; a file anywhere else is being tried out.
    let parts = || path.components().filter_map(|part| part.as_os_str().to_str());
    if parts().any(|part| part == "policy.d") {
        Layer::System
    } else if parts().any(|part| part == ".github" || part == ".claude") {
        Layer::Project
    } else {
        Layer::User
    }
}

fn paths(matches: &ArgMatches, name: &str) -> Vec<PathBuf> {
    matches.get_many::<String>(name).into_iter().flatten().map(PathBuf::from).collect()
}
