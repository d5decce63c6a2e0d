//! Factory's Droid, by its documents (docs.factory.ai/harness/hooks) and a public adapter: Claude's payloads and answers,
//! with tools of its own.

use super::late::LIKE_CLAUDE;
use super::traits::{AgentForm, Agents, Answers, Compared, Kept, NO_AGENTS, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    answers: Answers {
        blocks: &[E::Stop, E::SubagentStop, E::UserPromptSubmit, E::PostToolUse],
        ..LIKE_CLAUDE.answers
    },
    agents: Agents {
        compared: Compared::AnyCase,
        places: &[
            AgentForm::Markdown.of_repository(".factory/droids"),
            AgentForm::Markdown.of_user(".factory/droids"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "droid",
        words: "factory",
        variables: "FACTORY_HOME_OVERRIDE",
        user: "
            .factory/*.json
            .factory/hooks/**
            .factory/droids/**
            .factory/commands/**
",
        project: "
            whole .factory/hooks.json
            switches .factory/settings*.json
            whole .factory/hooks/**
            agent .factory/droids/**
            agent .factory/commands/**
",
        switches: "
droid off flag --skip-permissions-unsafe
droid off value --auto high
droid off key hooksDisabled true
",
        ..NOTHING_KEPT
    },
    ..LIKE_CLAUDE
};

/// Its tools have names that Claude's have not, and its transcripts lie in a folder of its own.
pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.dialect == Dialect::Strict
        // The transcript tells at once whose nearly every call is.
        && match memchr::memchr(b'.', clues.transcript.as_bytes()).map(|at| &clues.transcript[at + 1..]) {
            Some(folder) if folder.starts_with("claude/") => false,
            Some(folder) if folder.starts_with("factory/") => true,
            _ => matches!(&*clues.tool(), "Execute" | "Create" | "ApplyPatch" | "FetchUrl"),
        }
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::late::read(from, run)
}
