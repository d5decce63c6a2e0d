//! `OpenCode` 1.18.33, driven. It has no hooks but plugins in JavaScript: ours (`configs/opencode`) sends what this file reads, and
//! does what the answer says.
//!
//! By its program: what a plugin throws before a tool is the tool's result; what it adds to the result and to a prompt reaches
//! the model.

use super::late::CAREFUL;
use super::traits::{
    AgentForm, Agents, Answers, Compared, Envelope, Kept, NO_AGENTS, NOTHING_KEPT, Own, PLAIN, Traits, Word,
};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Effect, Ended, Outcome, Run, filled, object};
use crate::own;

static OWN: Own = Own {
    nothing: &[],
    deny: &[Word::Is("decision", "block"), Word::Reason("reason")],
    ask: &[],
    blocks: &[(E::Stop, &[Word::Is("decision", "block"), Word::Reason("reason")])],
    context: "context",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers {
        blocks: &[E::Stop],
        context: &[E::SessionStart, E::UserPromptSubmit, E::PostToolUse],
        own: Some(&OWN),
        ..CAREFUL
    },
    envelope: Some(&Envelope { fields: &[(Field::EventName, "event")], ..Envelope::NONE }),
    posix_tools: &["bash"],
    agents: Agents {
        own: "general explore build plan",
        compared: Compared::Exactly,
        places: &[
            AgentForm::Markdown.of_repository(".opencode/agent"),
            AgentForm::Markdown.of_repository(".opencode/agents"),
            AgentForm::Markdown.of_user(".config/opencode/agent"),
            AgentForm::Markdown.of_user(".config/opencode/agents"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "opencode",
        package: "opencode-ai",
        words: "opencode",
        variables: "OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT OPENCODE_DISABLE_DEFAULT_PLUGINS \
            OPENCODE_PURE",
        user: "
            .config/opencode/**
",
        // Not `opencode.json` beside the sources: it lies in no folder of its own, so that every search in a repository would be
        // about it.
        project: "
            whole .opencode/plugin/**
            whole .opencode/plugins/**
            agent .opencode/agent/**
            agent .opencode/agents/**
            agent .opencode/command/**
            agent .opencode/commands/**
            whole .opencode/opencode.json
            whole .opencode/opencode.jsonc
",
        switches: "
opencode off flag --pure
opencode looser run plugin
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.is_foreign()
        && clues.text("event").is_some_and(|event| {
            ["tool.execute.", "session.", "chat."].iter().any(|start| event.starts_with(start))
        })
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    // Our plugin takes everything but an answer for a denial.
    if from.kind.is_before_tool() && (run.ended != Ended::Exited(0) || object(run.stdout).is_none()) {
        return Outcome::of(Effect::Deny, filled(run.stderr));
    }
    own::read(&OWN, from, run, false)
}
