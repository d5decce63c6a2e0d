//! Facts about the repository for the model, from a repository that may be hostile.
//!
//! The agent gets a short block at the start of a session or of a sub-agent: what the project is, which branch is checked
//! out, what is not committed. Everything is read from files and through libgit2; nothing of the repository runs. Each
//! value is quoted as data. It never decides anything, and says nothing where it knows nothing.

mod budget;
mod cli;
mod facts;
mod gather;
mod manifest;
mod settings;
mod tree;
mod untrusted;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use payload::{Event, EventKind, Verdict};
use program::{Cli, Context, Failures, Program, Work};

pub static PROGRAM: Program = Program {
    name: "context-injector",
    about: "Tells a coding agent what the repository is and what state it is in, without running anything of it.",
    version: program::VERSION,
    on_failure: Failures::OPEN,
    // Commands of the settings take their time. The shipped configurations give the hook 10 s.
    deadline: Duration::from_secs(8),
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::Bounded,
    decide,
    witness: None,
    settings: &[],
    cli: Some(Cli { commands: cli::commands, run: cli::run, example: "preview" }),
};

/// What is kept of the deadline for writing the answer.
const RESERVE: Duration = Duration::from_millis(500);

/// As much of the time before the payload was there counts as ours.
const LATE: Duration = Duration::from_millis(30);

/// What the start of a session or of a sub-agent calls for.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !matches!(event.kind, EventKind::SessionStart | EventKind::SubagentStart) {
        return Verdict::NoOpinion;
    }
    // Gemini CLI has no sub-agents' events, and where a host takes no context, none is gathered.
    if payload::render(&Verdict::Context("x".to_owned()), &event.address()).is_err() {
        return Verdict::NoOpinion;
    }
    let Some(folder) = event.cwd().filter(|cwd| !cwd.is_empty()).map(|cwd| PathBuf::from(&*cwd)) else {
        return Verdict::NoOpinion;
    };
    // A relative one would be looked up from the hook's own folder, which may be another project.
    if !folder.is_absolute() {
        return Verdict::NoOpinion;
    }
    // From here on, files are touched.
    context.may_block();
    let home = context.home().map(PathBuf::from);
    let now = Instant::now();
    let deadline = context.deadline();
    let left = deadline.saturating_duration_since(now);
    // Half of it where little is left: the facts still get some time.
    let until = deadline.checked_sub(RESERVE.min(left / 2)).unwrap_or(deadline);
    // A host that was slow to send the payload has not waited for us.
    let begun = now.checked_sub(context.elapsed().min(LATE)).unwrap_or(now);
    let gathered = gather::gather(&folder, home.as_deref(), Some(event.kind), begun, until);
    if !gathered.notes.is_empty() {
        context.trouble(gathered.notes.join("\n"));
    }
    if gathered.wanted && !gathered.block.text.is_empty() {
        Verdict::Context(gathered.block.text)
    } else {
        Verdict::NoOpinion
    }
}
