//! What a model reads when it writes a script that would not be let run. The write itself goes through.

use payload::{Decision, Event, EventKind, Reason, Verdict};

/// Whether the model can be told something before a call that goes through.
pub fn hears(event: &Event<'_>) -> bool {
    let probe = Verdict::Context(String::from("x"));
    event.kind == EventKind::PreToolUse && payload::render(&probe, &event.address()).is_ok()
}

/// The denial of a script that would be run, as context; `text` is what the script will be.
pub fn foretold(reason: Reason, text: &str) -> Verdict {
    let verdict = Verdict::Decide { decision: Decision::Deny, reason };
    match approvals::without_secrets_of(verdict, std::iter::once(text)) {
        Verdict::Decide { reason, .. } => Verdict::Context(format!(
            "You may write this script, but a call that runs it will be denied. {}",
            reason.render()
        )),
        verdict => verdict,
    }
}
