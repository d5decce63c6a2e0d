//! The harness around a hook's `main`.
//!
//! A host starts a hook, writes one JSON object to its stdin, and obeys one JSON object on its stdout. What can go
//! wrong on that way goes wrong in the host's favour: a crash, a stray line or a late answer lets the tool call
//! through on most hosts and locks up others. So every hook is a library value, a [`Program`], and [`run`] makes
//! sure that exactly one answer leaves the process, in time, whatever happens inside.
//!
//! - stdin is read up to [`input::INPUT_LIMIT`] and no longer than the deadline;
//! - a hang, a panic and an unreadable payload become the answers that [`Program::on_failure`] declares;
//! - stdout carries one JSON object in one write, everything else goes to stderr;
//! - people's arguments (`--help`, sub-commands) are served by clap, which the hook's own path never touches.

mod answer;
mod arguments;
mod cli;
mod drill;
mod ending;
mod failure;
mod input;
mod outcome;
mod panics;
mod person;
mod run;
mod stream;
mod unreadable;
mod wait;
mod watchdog;

pub use arguments::{DEFAULT_DEADLINE, Mode, Options, Setting};
pub use cli::{TYPED, command, event, explain_usage, host, with_help};
pub use drill::{DRILL, drill_mark};
pub use ending::undivided;
pub use failure::{Failures, OnFailure};
pub use outcome::{Approval, JudgedFile, Outcome};
pub use run::{BOUNDED_INPUT, Cli, Context, Program, Witness, Work, run};
pub use unreadable::{note_unknown_event, unless_read};
pub use wait::wait;

/// What programs say to `--version`. A release adds its commit and day, as a report of a mistake needs them.
pub const VERSION: &str = match option_env!("POLICY_HOOKS_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The allocator of every program of ours. musl's own is made for long lives and many threads; a hook lives for
/// half a millisecond, in which it would spend every fourth instruction there.
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
