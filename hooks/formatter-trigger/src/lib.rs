//! The edited file, formatted by the project's own formatter, and nothing else touched.
//!
//! An agent edits a file; the formatter that the project is configured for gets it on stdin, and what it prints
//! replaces the file if that is still what was read. The hook observes: it never denies, never blocks a turn, and where
//! it cannot work the file stays as it is.

mod choose;
mod cli;
mod code;
mod eligible;
mod evidence;
mod folder;
mod format;
mod hook;
mod installed;
mod layout;
mod locate;
mod memory;
mod report;
mod settings;
mod skip;
mod swap;
mod table;
mod workspace;

use std::time::{Duration, Instant};

use payload::{Event, EventKind, Verdict};
use program::{Cli, Context, Failures, Program, Setting, Work};

use installed::Caller;
use workspace::Workspace;

pub static PROGRAM: Program = Program {
    name: "formatter-trigger",
    about: "Formats the files that a coding agent edited, each with the formatter that its project is configured for.",
    version: program::VERSION,
    on_failure: Failures::OPEN,
    // Formatters take 20 s together at most. The shipped configurations give the hook 30 s.
    deadline: Duration::from_secs(25),
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::Bounded,
    decide,
    witness: None,
    settings: &[Setting {
        name: "when",
        values: &["edit", "stop"],
        help: "Format after every edit, or once when the agent stops",
    }],
    cli: Some(Cli { commands: cli::commands, run: cli::run, example: "which src/main.rs" }),
};

/// What is kept of the deadline for writing the answer.
const RESERVE: Duration = Duration::from_secs(3);

/// Whether the host goes on while hooks after a tool run. What it writes then, and what we write, would meet: it was seen to
/// lose an edit by that. A stop it waits for.
fn writes_late(event: &Event<'_>) -> bool {
    event.host.traits().unawaited && event.host.dialects().first() == Some(&event.dialect)
}

/// What an edit, a stop and a prompt call for.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    let edited = match event.kind {
        EventKind::PostToolUse => event.edited_files(),
        EventKind::Stop | EventKind::SubagentStop | EventKind::UserPromptSubmit => Vec::new(),
        _ => return Verdict::NoOpinion,
    };
    if event.kind == EventKind::PostToolUse && edited.is_empty() {
        return Verdict::NoOpinion;
    }
    // From here on, files are touched.
    context.may_block();
    let Some(home) = context.home() else {
        context.trouble("HOME is not set, so there are no settings; nothing is formatted.".to_owned());
        return Verdict::NoOpinion;
    };
    let Some(cwd) = event.cwd().filter(|cwd| !cwd.is_empty()) else { return Verdict::NoOpinion };
    let deadline = context.deadline();
    let until = deadline.checked_sub(RESERVE).unwrap_or_else(Instant::now);
    let caller = Caller::of(event, home.as_ref());
    let Some(workspace) = Workspace::around(cwd.as_ref().as_ref(), home.as_ref(), caller, Some(until)) else {
        return Verdict::NoOpinion;
    };
    // It lives as long as the process: taking it apart would be work for no one.
    let workspace: &Workspace = Box::leak(Box::new(workspace));
    let at_stop = context.setting("when") == Some("stop") || writes_late(event);
    let said = match event.kind {
        EventKind::PostToolUse => hook::edited(event, workspace, &edited, at_stop),
        EventKind::UserPromptSubmit => hook::prompt(event, workspace),
        _ => hook::stop(event, workspace),
    };
    let (verdict, trouble) = said.for_host(event);
    if let Some(trouble) = trouble {
        context.trouble(trouble);
    }
    verdict
}
