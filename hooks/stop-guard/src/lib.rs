//! The agent may finish when the work is fit to hand over, and never loops.
//!
//! Each block costs the user a round of the model, and two hosts would go on for ever. So everything here leans to
//! letting the agent stop: bad input, no session, broken state, a check that cannot run, the second stop of a prompt.

mod check;
mod cli;
mod guard;
mod passes;
mod place;
mod reason;
mod settings;
mod tail;
mod turn;

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use payload::{Event, EventKind, Verdict};
use program::{Cli, Context, Failures, Outcome, Program, Work};

use guard::World;

pub static PROGRAM: Program = Program {
    name: "stop-guard",
    about: "Lets a coding agent finish when the work is fit to hand over, and never makes it loop.",
    version: program::VERSION,
    on_failure: Failures::OPEN,
    // Checks run programs. The shipped configurations give the hook 120 s.
    deadline: Duration::from_secs(100),
    // Looking at the repository takes a second or two; a FIFO in `.git` would take for ever. Checks lift the limit.
    work_limit: Some(Duration::from_secs(10)),
    linger: Duration::ZERO,
    work: Work::Bounded,
    decide,
    witness: Some(record),
    settings: &[],
    cli: Some(Cli { commands: cli::commands, run: cli::run, example: "check" }),
};

/// What is kept of the deadline for ending checks and writing the answer.
const RESERVE: Duration = Duration::from_secs(5);

/// Records that the agent was held back, where an audit log is set up.
fn record(outcome: &Outcome<'_>) -> Result<(), String> {
    audit::decision(outcome, concat!("built-in ", env!("CARGO_PKG_VERSION")), "stop.toml")
}

/// What a stop, and what leads to it, calls for.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !matches!(
        event.kind,
        EventKind::Stop
            | EventKind::SubagentStop
            | EventKind::UserPromptSubmit
            | EventKind::PostToolUse
            | EventKind::PostToolUseFailure
    ) {
        return Verdict::NoOpinion;
    }
    // From here on, files are touched.
    context.may_block();
    let Some(home) = context.home().map(PathBuf::from) else {
        context.trouble("HOME is not set, so nothing can be counted; the agent may stop.".to_owned());
        return Verdict::NoOpinion;
    };
    let deadline = context.deadline();
    let left = deadline.saturating_duration_since(std::time::Instant::now());
    let world = World {
        store: store::session::Store::of(&home),
        home,
        now: SystemTime::now(),
        // Half of it where little is left: checks still get some time, and the answer, too.
        until: deadline.checked_sub(RESERVE.min(left / 2)).unwrap_or(deadline),
    };
    let said = match event.kind {
        EventKind::Stop | EventKind::SubagentStop => {
            with_room(|| guard::stop(event, &world, &|| context.takes_longer()))
        }
        EventKind::UserPromptSubmit => guard::prompt(event, &world),
        _ => guard::touched(event, &world),
    };
    process::end_leftovers();
    let (verdict, trouble) = said.for_host(event);
    if let Some(trouble) = trouble {
        context.trouble(trouble);
    }
    verdict
}

/// The stack for what libgit2 does: the process may have been given a small one.
const ROOM: usize = 2 * 1024 * 1024;

/// What `work` returns, on a stack of its own where a thread can be had.
fn with_room<T: Send>(work: impl Fn() -> T + Sync) -> T {
    thread::scope(|scope| match thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, &work) {
        // A panic has answered the host before it gets here.
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => work(),
    })
}
