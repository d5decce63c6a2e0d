//! `audit-logger report`: the counts, and a page for the browser.
//!
//! The page is made by `hook-runner`, which lies beside this program: a hook holds neither its text nor a server.

use std::path::PathBuf;
use std::process::Command as Child;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{Ended, FINE, FOUND, INTERNAL, Trouble, USAGE, filter, logs, stats};

/// Where the runner is that was installed together with this program.
fn runner() -> Result<PathBuf, Trouble> {
    process::beside("hook-runner").ok_or_else(|| {
        Trouble::Failed(
            "the page is made by hook-runner, which does not lie beside this program: install it there (`stats` shows the counts)"
                .to_owned(),
        )
    })
}

pub(super) fn command() -> Command {
    let command = Command::new("report")
        .about("Counts, and a page for the browser: sessions, denials, people, the proof");
    filter::arguments(command).args([
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print the counts as JSON, and write no page"),
        Arg::new("out")
            .long("out")
            .short('o')
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with_all(["json", "serve"])
            .help("The page's file, or - for stdout [default: report.html beside the log's folder]"),
        Arg::new("serve")
            .long("serve")
            .action(ArgAction::SetTrue)
            .conflicts_with("json")
            .help("Show it live, on this machine only, at an address with a token"),
        Arg::new("port")
            .long("port")
            .value_name("N")
            .requires("serve")
            .value_parser(value_parser!(u16))
            .hide_short_help(true)
            .help("The port of --serve [default: a free one]"),
        Arg::new("limit")
            .long("limit")
            .value_name("N")
            .default_value("20000")
            .value_parser(value_parser!(usize))
            .help("How many records the page shows, the last ones"),
        Arg::new("anchor")
            .long("anchor")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .help("A file with anchors: the page says how far they vouch for the log"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    if matches.get_flag("json") {
        return stats::run(matches);
    }
    let logs = logs(matches)?;
    let to_stdout = matches.get_one::<PathBuf>("out").is_some_and(|out| out.as_os_str() == "-");
    let runner = runner()?;
    if !to_stdout && !matches.get_flag("serve") {
        stats::run(matches)?;
    }
    let mut command = Child::new(runner);
    command.arg("page");
    for log in &logs {
        command.arg("--log").arg(log);
    }
    for (option, name) in [("--out", "out"), ("--anchor", "anchor")] {
        for file in matches.get_many::<PathBuf>(name).into_iter().flatten() {
            command.arg(option).arg(file);
        }
    }
    if matches.get_flag("serve") {
        command.arg("--serve");
    }
    if let Some(port) = matches.get_one::<u16>("port") {
        command.arg("--port").arg(port.to_string());
    }
    if let Some(limit) = matches.get_one::<usize>("limit") {
        command.arg("--limit").arg(limit.to_string());
    }
    command.arg("--").args(filter::given(matches));
    // It writes to this terminal by itself.
    let status = command.status()?;
    Ok(match status.code() {
        Some(0) => FINE,
        Some(1) => FOUND,
        Some(2) => USAGE,
        _ => INTERNAL,
    })
}
