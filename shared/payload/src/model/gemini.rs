//! Gemini CLI 0.61.0.
//!
//! A JSON object beats the exit code; any other text is a decision by the exit code.

use super::{Effect, Ended, Outcome, Run, block_effect, filled, member, object};
use crate::address::Address;
use crate::kind::EventKind as E;

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let kind = from.kind;
    let decides = matches!(kind, E::PreToolUse | E::PostToolUse | E::UserPromptSubmit | E::Stop);
    let Some(json) = object(run.stdout) else {
        let text = filled(run.stdout).or_else(|| filled(run.stderr));
        return match (run.ended, text) {
            (Ended::Exited(0 | 1), Some(text)) => Outcome { notice: Some(text), ..Outcome::default() },
            (Ended::Exited(0), None) => Outcome::default(),
            (Ended::Exited(_), Some(text)) if decides => Outcome::of(block_effect(kind), Some(text)),
            // The shell's own message is the text.
            (Ended::NotStarted, _) if decides => Outcome::of(block_effect(kind), None),
            _ => Outcome::ignored("the hook failed"),
        };
    };
    let nested = json.get("hookSpecificOutput");
    let mut outcome = Outcome { notice: member(Some(json), "systemMessage"), ..Outcome::default() };
    if matches!(kind, E::SessionStart | E::UserPromptSubmit | E::PostToolUse) {
        outcome.context = member(nested, "additionalContext");
    }
    if kind == E::PreToolUse {
        outcome.input =
            nested.and_then(|nested| nested.get("tool_input")).map(|input| input.text().to_owned());
    }
    if !decides {
        return outcome;
    }
    match json.get_str("decision").as_deref() {
        Some("block" | "deny") => {
            outcome.effect = block_effect(kind);
            outcome.reason = member(Some(json), "reason");
        }
        // The person reads the `systemMessage`; with `-p` the run ends.
        Some("ask") if kind == E::PreToolUse => outcome.effect = Effect::Ask,
        _ if json.get("continue").is_some_and(|value| value.text() == "false") => {
            outcome.effect = Effect::Abort;
        }
        _ => {}
    }
    outcome
}
