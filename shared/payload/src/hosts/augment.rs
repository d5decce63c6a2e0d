//! Augment Code's Auggie, by its documents (docs.augmentcode.com/cli/hooks) and public adapters: Claude's form, with names
//! for the session and the folder that are Cursor's.

use super::late::LIKE_CLAUDE;
use super::traits::{Kept, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    kept: Kept {
        program: "auggie",
        words: "augment",
        machine: "
            /etc/augment/**
            C:/ProgramData/Augment/**
",
        user: "
            .augment/settings*.json
            .augment/hooks/**
            .augment/agents/**
            .augment/commands/**
",
        project: "
            switches .augment/settings*.json
            whole .augment/hooks/**
            agent .augment/agents/**
            agent .augment/commands/**
",
        switches: "
augment looser value --permission *
augment looser value --mcp-config *
",
        ..NOTHING_KEPT
    },
    ..LIKE_CLAUDE
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("conversation_id") && clues.key("workspace_roots")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::late::read(from, run)
}
