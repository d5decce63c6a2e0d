//! What a guard answers to a call that it cannot read.

use payload::{Decision, Event, EventKind, Reason, Verdict};

use crate::Context;

/// What a guard answers to an event that may be a call: its own verdict, unless the call cannot be read and the verdict
/// would let it run.
///
/// Certainly a shell's call, or one of a host that we do not know, is denied; another is asked about.
pub fn unless_read(verdict: Verdict, event: &Event<'_>) -> Verdict {
    if !event.input_unreadable() {
        return verdict;
    }
    let refusal = unreadable(event);
    let weight = |verdict: &Verdict| match verdict {
        Verdict::Decide { decision: Decision::Deny, .. } => 2,
        Verdict::Decide { decision: Decision::Ask, .. } => 1,
        _ => 0,
    };
    // The stricter of the two: what a policy says about the tool's name holds without its arguments.
    if weight(&verdict) >= weight(&refusal) { verdict } else { refusal }
}

fn unreadable(event: &Event<'_>) -> Verdict {
    let (decision, reason) = if event.is_unfamiliar() {
        (Decision::Deny, unfamiliar(event))
    } else {
        let tool = event.tool().map_or("a tool", |tool| &*tool.name);
        // Where no one can be asked, a question would let the call run or end the session.
        let shell = event.tool_kind() == payload::ToolKind::Shell || !event.address().can_ask();
        let reason = Reason {
            text: format!(
                "The arguments of `{tool}` have a shape that cannot be understood, so the call cannot be judged."
            ),
            advice: "call the tool with its arguments as its description says: a command as one string."
                .to_owned(),
            rule: "hook.arguments-unreadable".to_owned(),
        };
        (if shell { Decision::Deny } else { Decision::Ask }, reason)
    };
    Verdict::Decide { decision, reason }
}

/// Why a payload that no known host writes is refused.
fn unfamiliar(event: &Event<'_>) -> Reason {
    let tool = event.tool().map_or(String::new(), |tool| format!(" (its tool: `{}`)", tool.name));
    Reason {
        text: format!(
            "This host is not recognised: its payload{tool} contains no command, path or arguments that can be read, so the \
             call cannot be judged. What was not judged does not run."
        ),
        advice: "use a host that policy-hooks supports, or update policy-hooks; if the host is supported, report the \
                 payload. `--mode observe` lets calls run until then."
            .to_owned(),
        rule: "hook.host-unrecognised".to_owned(),
    }
}

/// Says on stderr that an event was let pass of which no one knows what it is.
pub fn note_unknown_event(event: &Event<'_>, context: &Context) {
    // Known events that are not calls are every day's business; only those that no one knows are worth a line.
    if event.kind == EventKind::Other {
        let name = if event.name.is_empty() { "without a name" } else { &event.name };
        context.trouble(format!(
            "the event ({name}) is not known, and contains no tool call: nothing was judged."
        ));
    }
}
