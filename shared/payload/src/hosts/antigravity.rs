//! Antigravity, by its documents (antigravity.google/docs/hooks) and adapters that were tried with `agy` 1.1.2.
//!
//! Before a tool it wants a decision and takes a missing one for a denial: `ask` leaves the call to its own rules, `force_ask` asks
//! whatever the person has allowed for good. Payloads do not name their event.

use super::late::CAREFUL;
use super::traits::{Answers, Ask, Envelope, Kept, NOTHING_KEPT, Own, PLAIN, Traits, Word};
use crate::address::Address;
use crate::asking::Asking;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::model::{Effect, Ended, Outcome, Run, decision, filled, member, object};

static OWN: Own = Own {
    nothing: &[Word::Is("decision", "ask")],
    deny: &[Word::Is("decision", "deny"), Word::Reason("reason")],
    ask: &[Word::Is("decision", "force_ask"), Word::Reason("reason")],
    blocks: &[],
    context: "",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    asking: &[("*", Asking::AtTerminal, "docs, and tried by others with agy 1.1.2: force_ask asks a person")],
    answers: Answers { ask: Ask::Top, own: Some(&OWN), ..CAREFUL },
    envelope: Some(&Envelope {
        fields: &[
            (Field::ToolName, "toolCall.name"),
            (Field::ToolInput, "toolCall.args"),
            (Field::Cwd, "toolCall.args.Cwd"),
            (Field::TranscriptPath, "transcriptPath"),
        ],
        ..Envelope::NONE
    }),
    kept: Kept {
        program: "agy",
        package: "antigravity",
        words: "antigravity",
        user: "
            .gemini/config/**
            .gemini/antigravity*/*.json
",
        project: "
            whole .agents/hooks.json
            whole .agents/hooks/**
            whole .antigravitycli/**
",
        switches: "
antigravity off flag --dangerously-skip-permissions
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("toolCall") || clues.key("conversationId") && clues.key("workspacePaths")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    if !from.kind.is_before_tool() {
        return Outcome::default();
    }
    let json = if matches!(run.ended, Ended::Exited(_)) { object(run.stdout) } else { None };
    let word = member(json, "decision").unwrap_or_default();
    let reason = member(json, "reason");
    match &*word {
        // As if there were no hook.
        "ask" => Outcome::default(),
        "force_ask" => Outcome::of(Effect::Ask, reason),
        "allow" => Outcome::of(Effect::Allow, reason),
        word => {
            // What is not a decision is a denial.
            Outcome::of(decision(word).unwrap_or(Effect::Deny), reason.or_else(|| filled(run.stderr)))
        }
    }
}
