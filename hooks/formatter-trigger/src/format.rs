//! One file: read, formatted, and written back if nothing speaks against it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Ended, Job, Output, Ran};
use store::session::{SessionError, Store};

use crate::choose::{Moment, Plan, plans, with_path};
use crate::eligible::{self, File};
use crate::folder::{joined, real};
use crate::layout;
use crate::locate;
use crate::skip::Skip;
use crate::swap::{self, Original, SwapError};
use crate::workspace::Workspace;

/// How long another call may work on the same file.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was as the formatter wants it.
    Unchanged,
    /// It was rewritten, from this line to that.
    Rewrote { by: String, lines: (usize, usize) },
    /// The formatter objects to what is in it.
    Failed { by: String, output: Vec<u8> },
    /// Something is wrong with the formatter: what.
    Trouble { by: String, why: String },
    /// It changed while it was being formatted; what was written then stays.
    Changed,
    /// It was left alone.
    Skipped(Skip),
}

/// Formats the file that `path` of a payload means.
pub(crate) fn format(workspace: &Workspace, path: &Path, moment: Moment) -> Outcome {
    format_at(workspace, real(&workspace.folder.join(path)).ok(), moment)
}

/// The same for a path without links, `None` where there is nothing.
pub(crate) fn format_at(workspace: &Workspace, path: Option<PathBuf>, moment: Moment) -> Outcome {
    let outcome = eligible::at(workspace, path).and_then(|file| {
        let plans = plans(workspace, &file, moment)?;
        run(workspace, &file, plans)
    });
    outcome.unwrap_or_else(Outcome::Skipped)
}

fn run(workspace: &Workspace, file: &File, plans: Vec<Plan>) -> Result<Outcome, Skip> {
    // Locks of its own: what others wait for must not wait for a formatter.
    let locks = Store::at(joined(&workspace.home, ".local/state/policy-hooks/formatting"));
    // The budget is for all files of a call: a slow one shortens the time of those after it.
    let left = workspace.until.saturating_duration_since(Instant::now());
    let _lock = match locks.hold(&file.path, PATIENCE.min(left)) {
        Ok(lock) => Some(lock),
        Err(SessionError::Busy { .. }) => return Err(Skip::Busy),
        // Without a lock, comparing before the writing still holds.
        Err(_) => None,
    };
    let limit = workspace.settings.max_file;
    let unreadable = |error: std::io::Error| Skip::Unreadable(error.to_string());
    let original = Original::read(&file.path, limit).map_err(unreadable)?;
    let text = eligible::text(&original.bytes, limit)?;
    let mut formatted = Cow::Borrowed(text);
    let mut by = String::new();
    for plan in plans {
        let name = plan.name.clone();
        let next = match after(workspace, file, plan, &formatted) {
            Ok(next) => next,
            Err(outcome) => return Ok(outcome),
        };
        if next != formatted {
            by = if by.is_empty() { name.into_owned() } else { format!("{by} and {name}") };
        }
        formatted = Cow::Owned(next);
    }
    if formatted == text {
        return Ok(Outcome::Unchanged);
    }
    match original.replace(formatted.as_bytes()) {
        Ok(()) => Ok(Outcome::Rewrote { by, lines: layout::changed_lines(text, &formatted) }),
        Err(SwapError::Changed) => Ok(Outcome::Changed),
        Err(SwapError::Io(error)) => {
            Ok(Outcome::Trouble { by, why: format!("its result could not be written: {error}") })
        }
    }
}

/// The text after one formatter.
fn after(workspace: &Workspace, file: &File, plan: Plan, text: &str) -> Result<String, Outcome> {
    let Plan { name, program, arguments, folder, stdin, python, .. } = plan;
    let trouble = |why: String| Outcome::Trouble { by: name.clone().into_owned(), why };
    let left = workspace.until.saturating_duration_since(Instant::now());
    if left.is_zero() || text.is_empty() {
        // There is nothing to format, and an empty result would be taken for a failure.
        return if text.is_empty() {
            Ok(String::new())
        } else {
            Err(trouble("there was no time left for it".to_owned()))
        };
    }
    let limit = workspace.settings.limit.min(left);
    let start = |arguments, input| {
        // Formatting can make a file longer, but not four times as long.
        let most = usize::try_from(workspace.settings.max_file).unwrap_or(usize::MAX).saturating_mul(4);
        process::run(Job {
            program: program.clone().into(),
            arguments,
            folder: &folder,
            environment: locate::environment(workspace, python.then_some(&*program)),
            input,
            stays_open: false,
            output: Output::Used(most),
            limit,
        })
    };
    let (mut ran, copied) = if stdin {
        (start(arguments, Some(text.into())), None)
    } else {
        on_a_copy(workspace, file, arguments, text, start)
            .map(|(ran, changed)| (ran, Some(changed)))
            .map_err(|error| trouble(format!("its copy could not be made: {error}")))?
    };
    match ran.ended {
        Ended::Code(0) => {}
        // A shell's codes for what it cannot start: a wrapper script without its program, and not a bad file.
        Ended::Code(code @ (126 | 127)) => {
            return Err(trouble(format!("it exited with code {code}, as when a program is missing")));
        }
        Ended::Code(_) => {
            // Some formatters write their complaints to stdout.
            let output = if ran.errors.iter().all(u8::is_ascii_whitespace) { ran.output } else { ran.errors };
            return Err(Outcome::Failed { by: name.into_owned(), output });
        }
        Ended::Signalled => return Err(trouble("it was killed by a signal".to_owned())),
        Ended::TooLate | Ended::StillOpen => {
            return Err(trouble(format!("it did not finish within {:.1} s", limit.as_secs_f64())));
        }
        Ended::TooMuch => return Err(trouble("its output is far longer than the file".to_owned())),
        Ended::NotStarted(error) => return Err(trouble(format!("it does not start: {error}"))),
    }
    let output = copied.unwrap_or_else(|| std::mem::take(&mut ran.output));
    let output = String::from_utf8(output).map_err(|_| trouble("its output is not UTF-8 text".to_owned()))?;
    // Whoever edits on Windows keeps CRLF, whatever the formatter prefers.
    let output = layout::with_endings_of(text, output);
    match layout::is_refused(text, &output) {
        Some(why) => Err(trouble(why.to_owned())),
        None => Ok(output),
    }
}

/// Lets a program that knows no stdin change a copy beside the file. What became of it comes back, too.
fn on_a_copy(
    workspace: &Workspace,
    file: &File,
    arguments: Vec<OsString>,
    text: &str,
    start: impl FnOnce(Vec<OsString>, Option<Vec<u8>>) -> Ran,
) -> std::io::Result<(Ran, Vec<u8>)> {
    // Beside the file, as formatters look for their settings from the path upwards.
    let copy = swap::beside(&file.path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).open(&copy)?.write_all(text.as_bytes())?;
    let words =
        arguments.into_iter().map(|word| word.to_str().map(|word| with_path(word, &copy)).unwrap_or(word));
    let ran = start(words.collect(), None);
    let changed = Original::read(&copy, workspace.settings.max_file.saturating_mul(4)).map(|copy| copy.bytes);
    // Whatever came of it: no copy may stay in the project.
    let _ = fs::remove_file(&copy);
    Ok((ran, changed?))
}
