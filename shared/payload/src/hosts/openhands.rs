//! OpenHands 1.16.0, driven.
//!
//! By its source (`openhands.sdk.hooks`): JSON is read at every exit code, and 2 holds back by itself. It takes context with a
//! prompt alone, and does not say that a stop hook has made it go on.

use super::late::CAREFUL;
use super::traits::{
    AgentForm, Agents, Answers, Compared, Envelope, Kept, NOTHING_KEPT, Own, PLAIN, Traits, Word,
};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};
use crate::own;

const DENIED: &[Word] = &[Word::Is("decision", "deny"), Word::Reason("reason")];

static OWN: Own = Own {
    nothing: &[],
    deny: DENIED,
    ask: &[],
    blocks: &[(E::Stop, DENIED), (E::UserPromptSubmit, DENIED)],
    context: "additionalContext",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers {
        blocks: &[E::Stop, E::UserPromptSubmit],
        context: &[E::UserPromptSubmit],
        own: Some(&OWN),
        exits: true,
        ..CAREFUL
    },
    envelope: Some(&Envelope {
        fields: &[
            (Field::EventName, "event_type"),
            (Field::Cwd, "working_dir"),
            (Field::Prompt, "message"),
            (Field::StopReason, "metadata.reason"),
        ],
        ..Envelope::NONE
    }),
    posix_tools: &["terminal"],
    // Read, 1.21.0 of its SDK: `register_builtins_agents` and `subagent/load.py`.
    agents: Agents {
        own: "general-purpose bash-runner code-explorer web-researcher default",
        compared: Compared::Exactly,
        has_default: true,
        places: &[
            AgentForm::Markdown.of_repository(".agents/agents"),
            AgentForm::Markdown.of_repository(".openhands/agents"),
            AgentForm::Markdown.of_user(".agents/agents"),
            AgentForm::Markdown.of_user(".openhands/agents"),
        ],
    },
    kept: Kept {
        program: "openhands",
        words: "openhands",
        variables: "OPENHANDS_WORK_DIR OPENHANDS_PERSISTENCE_DIR",
        user: "
            .openhands/*.json
            .openhands/hooks/**
            .openhands/agents/**
            .openhands/skills/**
",
        project: "
            whole .openhands/hooks.json
            whole .openhands/hooks/**
            agent .openhands/agents/**
            agent .openhands/skills/**
",
        switches: "
openhands off flag --always-approve --yolo
openhands looser run mcp add|remove|disable|enable
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.is_foreign() && clues.key("event_type") && clues.key("working_dir")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, true)
}
