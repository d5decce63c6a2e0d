//! What another program of ours does better: `log` and `report` are audit-logger's.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::Done;
use crate::command_line::LogOptions;
use crate::fault::{Exit, Fault};
use crate::paint::Screen;
use crate::project::Project;

const AUDIT: &str = "audit-logger";

/// What `log` hands on as it is; anything else is for `tail`.
const TASKS: [&str; 9] =
    ["tail", "query", "sessions", "stats", "report", "show", "verify", "anchor", "export"];

/// The task that talks to the network: it is this program's own, as no hook may.
const SHIP: &str = "ship";

/// `hook-runner log`.
pub(crate) fn log(options: &LogOptions, screen: &Screen) -> Done {
    if let Some((SHIP, rest)) =
        options.arguments.split_first().and_then(|(first, rest)| Some((first.to_str()?, rest)))
    {
        return crate::ship::task(rest, screen);
    }
    let named =
        options.arguments.first().is_some_and(|first| TASKS.iter().any(|task| first.as_os_str() == *task));
    call(AUDIT, if named { None } else { Some("tail") }, &options.arguments, screen)
}

/// `hook-runner report`.
pub(crate) fn report(options: &LogOptions, screen: &Screen) -> Done {
    call(AUDIT, Some("report"), &options.arguments, screen)
}

/// Where a program of ours is, unless the project brought it along: its authors chose that one.
pub(crate) fn program(name: &str, project: &Project) -> Option<PathBuf> {
    let path = host::installed::find(name)?;
    // What lies beside this program is as good as this program, also in a clone of our own repository.
    let beside = std::env::current_exe().is_ok_and(|own| own.parent() == path.parent());
    let brought = path.canonicalize().is_ok_and(|path| path.starts_with(&project.root));
    (beside || !brought).then_some(path)
}

/// Where the audit logger is.
pub(crate) fn logger(project: &Project) -> Result<PathBuf, Fault> {
    found(AUDIT, project)
}

fn found(name: &str, project: &Project) -> Result<PathBuf, Fault> {
    program(name, project).ok_or_else(|| {
        Fault::usage(format!("{name} was not found."), "Install it next to this program, or on the PATH.")
    })
}

/// Runs a program of ours in this terminal.
fn call(name: &str, task: Option<&str>, arguments: &[OsString], screen: &Screen) -> Done {
    let path = found(name, &Project::around(None)?)?;
    let mut command = Command::new(&path);
    // The child writes to this terminal by itself: it follows a log, and is ended with this program.
    command.args(task).args(arguments).envs(screen.wish()).env(program::TYPED, "hook-runner log");
    let status = command.status().map_err(|error| Fault::unreadable(&path, error))?;
    Ok(match status.code() {
        Some(0) => Exit::Fine,
        Some(1) => Exit::Found,
        Some(2) => Exit::Usage,
        _ => Exit::Internal,
    })
}
