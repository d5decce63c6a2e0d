//! Stops destructive commands before they run, whatever the agent was prompted with. Needs no configuration.

mod explain;
mod judge;

use std::time::Duration;

use payload::{Decision, Event, Reason, ToolKind, Verdict};
use program::{Context, Failures, Outcome, People, Program, Work};

/// The hook, as a value.
pub static PROGRAM: Program = Program {
    name: "command-blocker",
    about: "Stops destructive commands of coding agents before they run. Needs no configuration.",
    version: env!("CARGO_PKG_VERSION"),
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    // Analysis counts its steps; before a rule looks at the disk, it asks for the watchdog.
    work: Work::Bounded,
    decide,
    witness: Some(record),
    settings: &[judge::PROFILE],
    people: Some(People { commands: explain::commands, run: explain::run, example: "explain 'rm -rf /'" }),
};

/// What the built-in rules say about the commands of a tool call, or about the files that it touches.
pub fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    if !event.kind.is_before_tool() {
        return Verdict::NoOpinion;
    }
    if event.input_unreadable() {
        return unreadable(event);
    }
    let commands = event.commands();
    let sql = event.sql();
    if commands.is_empty() && sql.is_empty() {
        return judge::on_files(event, context);
    }
    judge::verdict(&commands, &sql, event, context)
}

/// Records what was denied or asked about, where an audit log is set up.
fn record(outcome: &Outcome<'_>) -> Result<(), String> {
    let profile = outcome.setting(judge::PROFILE.name).unwrap_or("standard");
    audit::decision(outcome, concat!("built-in ", env!("CARGO_PKG_VERSION")), profile)
}

/// A call whose arguments have a shape that no host writes: certainly a shell's, perhaps another tool's.
fn unreadable(event: &Event<'_>) -> Verdict {
    let tool = event.tool().map_or("a tool", |tool| &*tool.name);
    let decision = if event.tool_kind() == ToolKind::Shell { Decision::Deny } else { Decision::Ask };
    let reason = Reason {
        text: format!("The arguments of `{tool}` hold no command that can be read, so it cannot be judged."),
        advice: "call the tool with its command as one string.".to_owned(),
        rule: "hook.arguments-unreadable".to_owned(),
    };
    Verdict::Decide { decision, reason }
}
