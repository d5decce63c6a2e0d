//! Writes one tamper-evident record for every event of an agent, and lets people read, question and verify them.
//!
//! It watches: the host sees `{}`, whatever happens, unless the settings say `required = true`.

mod commands;
mod runner;

use std::time::Duration;

use audit::{Journal, LogError, Writer};
use payload::{Decision, Event, EventKind, Reason, Verdict};
use program::{Cli, Context, Failures, Outcome, Program, Work};

pub static PROGRAM: Program = Program {
    name: "audit-logger",
    about: "Records what coding agents do, in a log that shows when it was changed.",
    version: program::VERSION,
    on_failure: Failures::OPEN,
    // A slow disk must not be felt; a record that is still on its way then has the time that follows.
    deadline: program::DEFAULT_DEADLINE,
    work_limit: Some(Duration::from_millis(250)),
    // Below the ten seconds of the shipped configurations, together with the deadline.
    linger: Duration::from_secs(5),
    work: Work::MayBlock,
    decide,
    witness: Some(left_over),
    settings: &[],
    cli: Some(Cli { commands: commands::commands, run: commands::run, example: "tail" }),
};

/// Records an event. Says nothing, unless records are required and this one could not be written.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    let cwd = event.cwd();
    let journal = Journal::open(cwd.as_deref());
    // Only before the call can a denial still stop it.
    let required = journal.required() && event.kind.is_before_tool();
    if required {
        // From here on a panic and a passed deadline deny as well.
        context.close_on_failure();
    }
    if let Some(trouble) = journal.troubles().first() {
        context.trouble(trouble.clone());
    }
    let program = context.program();
    let writer =
        Writer { program: program.name, version: program.version, policy: "", elapsed: context.elapsed() };
    // A drill says whether a record could be written: it must not leave one of a call that never was.
    let kept = if context.is_drill() {
        journal.rehearse()
    } else if event.kind == EventKind::SessionStart {
        // It is recorded when the host has its answer: looking at what is on takes a while.
        Ok(())
    } else {
        journal.event(event, &writer).map(drop)
    };
    match kept {
        Ok(()) => {
            if event.kind == EventKind::SessionEnd && !context.is_drill() {
                ship(&journal, context);
            }
            Verdict::NoOpinion
        }
        Err(error) if required => Verdict::Decide { decision: Decision::Deny, reason: refusal(&error) },
        Err(error) => {
            context.trouble(format!("this event was not recorded: {error}. {}", error.hint()));
            Verdict::NoOpinion
        }
    }
}

/// Starts the run that ships the log, where that is set.
fn ship(journal: &Journal, context: &Context) {
    let (Some(set), Some(log)) = (journal.ship(), journal.path()) else { return };
    if set.at_session_end
        && set.to.is_some()
        && let Err(why) = runner::ship(log)
    {
        context.trouble(format!("the log is not shipped: {why}"));
    }
}

fn refusal(error: &LogError) -> Reason {
    Reason {
        text: format!(
            "Calls must be recorded here (`required` in audit.toml), and this one could not be: {error}."
        ),
        advice: error.hint().to_owned(),
        rule: "audit.required".to_owned(),
    }
}

/// Records what was not recorded yet: a session's start, an event that came late, or an input that was not an event.
fn left_over(outcome: &Outcome<'_>) -> Result<(), String> {
    let start = outcome.event.filter(|event| event.kind == EventKind::SessionStart);
    let why = outcome.failure.filter(|_| !outcome.judged);
    if outcome.is_drill() || (start.is_none() && why.is_none()) {
        return Ok(());
    }
    outcome.may_block();
    let program = outcome.program();
    let writer =
        Writer { program: program.name, version: program.version, policy: "", elapsed: outcome.elapsed() };
    let cwd = outcome.event.and_then(Event::cwd);
    let journal = Journal::open(cwd.as_deref());
    let written = match (outcome.event, start.and_then(runner::guard)) {
        (Some(event), Some(guard)) => journal.heartbeat(event, &guard, &writer),
        (Some(event), None) => journal.event(event, &writer),
        (None, _) => journal.unreadable(why.unwrap_or_default(), outcome.received, &writer),
    };
    written.map(drop).map_err(|error| format!("{error}. {}", error.hint()))
}
