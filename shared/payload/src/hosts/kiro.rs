//! Kiro CLI 2 and 3, by its documents (kiro.dev/docs/cli/hooks and /v3/hooks) and public adapters.
//!
//! Only exit code 2 holds a call back, with the reason on stderr. What a hook prints when a session starts and after a prompt is
//! context as it stands, so that nothing of ours can be said there: our answers are JSON.

use super::late::CAREFUL;
use super::traits::{Answers, Kept, NOTHING_KEPT, Own, PLAIN, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::model::{Outcome, Run};
use crate::own;

static OWN: Own = Own { nothing: &[], deny: &[], ask: &[], blocks: &[], context: "" };

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers { own: Some(&OWN), exits: true, ..CAREFUL },
    kept: Kept {
        program: "kiro-cli",
        words: "kiro",
        user: "
            .kiro/hooks/**
            .kiro/agents/**
            .kiro/settings/**
",
        project: "
            whole .kiro/hooks/**
            whole .kiro/agents/**
            whole .kiro/settings/**
",
        switches: "
kiro off flag --trust-all-tools -a
kiro looser value --trust-tools *
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

/// Version 2 names no session, and its events in camelCase; version 3 names one, and Claude's events, but neither a
/// transcript nor a mode.
pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    if !clues.has(Field::Cwd) || clues.has(Field::TranscriptPath) || clues.has(Field::PermissionMode) {
        return false;
    }
    if clues.dialect == Dialect::Strict {
        return clues.name.starts_with(|c: char| c.is_ascii_uppercase()) && is_its_tool(&clues.tool());
    }
    let camel = clues.name.starts_with(|c: char| c.is_ascii_lowercase()) && !clues.name.contains('_');
    clues.dialect == Dialect::Unknown && !clues.has(Field::SessionId) && camel
}

fn is_its_tool(name: &str) -> bool {
    matches!(
        name,
        "shell"
            | "read"
            | "write"
            | "grep"
            | "glob"
            | "aws"
            | "web_fetch"
            | "web_search"
            | "subagent"
            | "code"
    ) || matches!(name, "execute_bash" | "execute_cmd" | "fs_read" | "fs_write" | "use_aws")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, true)
}
