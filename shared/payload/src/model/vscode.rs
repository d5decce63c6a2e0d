//! VS Code's local harness, by its source (copilot-chat `31acd00a8`); never run.

use super::{Effect, Ended, Outcome, Run, block_effect, decision, filled, member, object};
use crate::address::Address;
use crate::kind::EventKind as E;

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let kind = from.kind;
    match run.ended {
        Ended::Exited(0) => {}
        // On Windows PowerShell turns 2 into 1, which runs the tool.
        Ended::Exited(2) => {
            let reason = filled(run.stderr);
            return match kind {
                E::PreToolUse | E::PostToolUse | E::UserPromptSubmit => {
                    Outcome::of(block_effect(kind), reason)
                }
                E::Stop | E::SubagentStop if reason.is_some() => Outcome::of(Effect::Block, reason),
                _ => Outcome::ignored("exit 2 has no meaning here"),
            };
        }
        _ => return Outcome::ignored("the hook failed"),
    }
    let Some(json) = object(run.stdout) else { return Outcome::ignored("the answer is not one JSON object") };
    if json.get_str("hookEventName").is_some_and(|name| name != from.event_name()) {
        return Outcome::ignored("hookEventName is another event's");
    }
    let same = |name: &str| {
        name == from.event_name()
            || matches!((kind, name), (E::SubagentStop, "Stop") | (E::SubagentStart, "SessionStart"))
    };
    let nested = json
        .get("hookSpecificOutput")
        .filter(|nested| nested.get_str("hookEventName").is_none_or(|name| same(&name)));
    let top = |key| member(Some(json), key);
    let mut outcome = Outcome { notice: top("systemMessage"), ..Outcome::default() };
    let aborts =
        json.get("continue").is_some_and(|value| value.text() == "false") || top("stopReason").is_some();
    if aborts && !matches!(kind, E::SessionStart | E::SubagentStart) {
        outcome.effect = Effect::Abort;
        return outcome;
    }
    let blocks = top("decision").as_deref() == Some("block");
    match kind {
        E::PreToolUse => {
            outcome.effect =
                member(nested, "permissionDecision").as_deref().and_then(decision).unwrap_or_default();
            outcome.reason = member(nested, "permissionDecisionReason");
            outcome.context = member(nested, "additionalContext");
            outcome.input =
                nested.and_then(|nested| nested.get("updatedInput")).map(|input| input.text().to_owned());
        }
        E::UserPromptSubmit | E::PostToolUse if blocks => {
            outcome.effect = Effect::Block;
            outcome.reason = top("reason");
        }
        E::UserPromptSubmit => {
            outcome.context = member(nested, "additionalContext").or_else(|| top("additionalContext"));
        }
        E::PostToolUse | E::SessionStart | E::SubagentStart => {
            outcome.context = member(nested, "additionalContext");
        }
        E::Stop | E::SubagentStop => {
            let reason = member(nested, "reason").filter(|reason| !reason.is_empty());
            if member(nested, "decision").as_deref() == Some("block") && reason.is_some() {
                outcome.effect = Effect::Block;
                outcome.reason = reason;
            }
        }
        _ => {}
    }
    outcome
}
