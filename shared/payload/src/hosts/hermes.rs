//! Hermes, by its documents and source (`NousResearch/hermes-agent`, `agent/shell_hooks.py`): events in snake case, and a
//! `decision` at the top, or exit code 2.

use super::late::CAREFUL;
use super::traits::{Answers, Kept, NOTHING_KEPT, Own, PLAIN, Traits, Word};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};
use crate::own;

static OWN: Own = Own {
    nothing: &[],
    deny: &[Word::Is("decision", "block"), Word::Reason("reason")],
    ask: &[],
    blocks: &[],
    context: "context",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers { context: &[E::UserPromptSubmit], own: Some(&OWN), exits: true, ..CAREFUL },
    kept: Kept {
        program: "hermes",
        moved: Some(("HERMES_HOME", ".hermes")),
        words: "hermes",
        variables: "HERMES_HOME",
        user: "
            .hermes/config.yaml
            .hermes/.env
            .hermes/hooks/**
            .hermes/plugins/**
            .hermes/shell-hooks-allowlist.json
",
        switches: "
hermes off flag --yolo
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.has(Field::EventName)
        && ["pre_", "post_", "on_"].iter().any(|start| clues.name.starts_with(start))
        && !clues.has(Field::TranscriptPath)
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, true)
}
