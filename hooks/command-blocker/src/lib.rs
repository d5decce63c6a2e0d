//! Stops destructive commands before they run, whatever the agent was prompted with. Needs no configuration.

mod explain;
mod judge;

use std::time::Duration;

use payload::{Event, Verdict};
use program::{Cli, Context, Failures, Outcome, Program, Work};

pub static PROGRAM: Program = Program {
    name: "command-blocker",
    about: "Stops destructive commands of coding agents before they run. Needs no configuration.",
    version: program::VERSION,
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    // Analysis counts its steps; before a rule looks at the disk, it asks for the watchdog.
    work: Work::Bounded,
    decide,
    witness: Some(record),
    settings: &[judge::PROFILE, judge::KEEP],
    cli: Some(Cli { commands: explain::commands, run: explain::run, example: "explain 'rm -rf /'" }),
};

/// What the built-in rules say about the commands of a tool call, or about the files that it touches.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !event.may_be_call() {
        program::note_unknown_event(event, context);
        return Verdict::NoOpinion;
    }
    voice::once(program::unless_read(judge::verdict(event, context), event), event, context)
}

/// Records what was denied or asked about, where an audit log is set up.
fn record(outcome: &Outcome<'_>) -> Result<(), String> {
    let profile = outcome.setting(judge::PROFILE.name).unwrap_or("standard");
    audit::decision(outcome, concat!("built-in ", env!("CARGO_PKG_VERSION")), profile)
}
