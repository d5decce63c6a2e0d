//! Hosts whose payloads are recognised late: what they have in common.
//!
//! Most are known by their documents. A claim is in it only if two sources have it. Nothing is sent that such a host might not understand: no `allow`, no
//! question unless it was seen to ask, and where the exit code is what its documents are sure of, the exit code.

use super::traits::{Allow, Answers, Ask, PLAIN, Traits, USUAL};
use crate::address::Address;
use crate::detect::Clues;
use crate::host::{Dialect, Host};
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, block_effect, decision, filled, member, object};

/// What none of them was seen to obey.
pub(super) const CAREFUL: Answers = Answers {
    ask: Ask::Never,
    allow: Allow::Never,
    requests: false,
    blocks: &[],
    context: &[],
    rewrite: None,
    notices: false,
    ..USUAL
};

/// A host that took over Claude's payloads and answers.
pub(super) const LIKE_CLAUDE: Traits = Traits {
    dialects: &[Dialect::Strict],
    answers: Answers {
        blocks: &[E::Stop, E::UserPromptSubmit],
        context: &[E::SessionStart, E::UserPromptSubmit],
        exits: true,
        ..CAREFUL
    },
    ..PLAIN
};

/// Whether one of them may have written a payload that looks like that of an everyday host.
pub(super) fn may_have_written(host: Host, clues: &Clues<'_>) -> bool {
    host == Host::Unknown || clues.is_foreign() || host == Host::Claude && super::droid::wrote(clues)
}

/// Reads an answer as Claude's documents have it: exit code 2 with the reason on stderr, or JSON with exit code 0.
pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    let (kind, answers) = (from.kind, &from.host.traits().answers);
    match run.ended {
        Ended::Exited(0) => {}
        Ended::Exited(2) if kind.is_before_tool() || answers.blocks.contains(&kind) => {
            return Outcome::of(block_effect(kind), filled(run.stderr));
        }
        _ => return Outcome::ignored("the hook failed"),
    }
    let Some(json) = object(run.stdout) else { return Outcome::ignored("the answer is not one JSON object") };
    let nested = json.get("hookSpecificOutput");
    let top = |key| member(Some(json), key);
    let mut outcome = Outcome::default();
    if kind.is_before_tool() {
        outcome.effect =
            member(nested, "permissionDecision").as_deref().and_then(decision).unwrap_or_default();
        outcome.reason = member(nested, "permissionDecisionReason");
    }
    if outcome.effect == Effect::None
        && top("decision").as_deref() == Some("block")
        && (kind.is_before_tool() || answers.blocks.contains(&kind))
    {
        outcome.effect = block_effect(kind);
        outcome.reason = top("reason");
    }
    if answers.context.contains(&kind) {
        outcome.context = member(nested, "additionalContext");
    }
    outcome
}
