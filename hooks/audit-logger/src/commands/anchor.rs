//! `audit-logger anchor`: the log's head, to be kept where the agent cannot write.

use std::path::{Path, PathBuf};

use audit::Anchor;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{Ended, FINE, Trouble, log, say};

/// The socket of the system's log.
const SYSLOG: &str = "/dev/log";

pub(super) fn command() -> Command {
    Command::new("anchor").about("Writes down the log's head: to stdout, a file, or the system's log").args([
        Arg::new("to")
            .long("to")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with("syslog")
            .help("Adds a line to a file, best on another machine or volume"),
        Arg::new("syslog").long("syslog").action(ArgAction::SetTrue).help("Sends it to the system's log"),
        Arg::new("syslog-socket")
            .long("syslog-socket")
            .value_name("PATH")
            .default_value(SYSLOG)
            .value_parser(value_parser!(PathBuf))
            .help("The socket of the system's log"),
    ])
}

pub(super) fn run(matches: &ArgMatches) -> Ended {
    let path = log(matches)?;
    let failed = |error: std::io::Error| Trouble::Failed(format!("{}: {error}", path.display()));
    let anchor = Anchor::take(&path)
        .map_err(failed)?
        .ok_or_else(|| Trouble::Usage(format!("{}: no record exists yet", path.display())))?;
    if let Some(file) = matches.get_one::<PathBuf>("to") {
        anchor.add_to(file).map_err(|error| Trouble::Failed(format!("{}: {error}", file.display())))?;
    } else if matches.get_flag("syslog") {
        let socket = matches.get_one::<PathBuf>("syslog-socket").map_or(Path::new(SYSLOG), PathBuf::as_path);
        send(&anchor, socket)?;
    } else {
        say(&format!("{}\n", anchor.line()))?;
    }
    Ok(FINE)
}

#[cfg(unix)]
fn send(anchor: &Anchor, socket: &Path) -> Result<(), Trouble> {
    anchor.send_to_syslog(socket).map_err(|error| Trouble::Failed(format!("{}: {error}", socket.display())))
}

#[cfg(not(unix))]
fn send(_anchor: &Anchor, _socket: &Path) -> Result<(), Trouble> {
    Err(Trouble::Usage("no syslog found here: use --to".to_owned()))
}
