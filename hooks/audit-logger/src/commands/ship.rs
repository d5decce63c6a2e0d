//! `audit-logger ship`: handed to `hook-runner` beside this program. This one is a hook, and holds no network.

use std::ffi::OsString;
use std::process::Command as Process;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::{Ended, INTERNAL, Trouble};

pub(super) fn command() -> Command {
    Command::new("ship")
        .about("Sends the log to a collector, from the last acknowledged record on (by hook-runner)")
        .disable_help_flag(true)
        .arg(
            Arg::new("arguments")
                .value_name("ARGUMENT")
                .num_args(0..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true)
                .value_parser(value_parser!(OsString))
                .help("What `hook-runner log ship` takes; --help lists it"),
        )
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let Some(runner) = process::beside("hook-runner") else {
        return Err(Trouble::Usage("hook-runner is not beside audit-logger: install it there".to_owned()));
    };
    let mut command = Process::new(&runner);
    command.args(["log", "ship"]);
    if let Some(log) = matches.get_one::<std::path::PathBuf>("log") {
        command.arg("--log").arg(log);
    }
    command.args(matches.get_many::<OsString>("arguments").into_iter().flatten());
    let status =
        command.status().map_err(|error| Trouble::Failed(format!("{}: {error}", runner.display())))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(INTERNAL))
}
