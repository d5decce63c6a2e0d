//! Devin CLI, by its documents (docs.devin.ai/cli/extensibility/hooks) and a public skill for it: Claude's form, without a
//! folder, which a variable names.

use super::late::LIKE_CLAUDE;
use super::traits::{Kept, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    kept: Kept {
        program: "devin",
        words: "devin",
        user: "
            .config/devin/**
            AppData/Roaming/devin/**
",
        project: "
            whole .devin/hooks*.json
            switches .devin/config*.json
            whole .devin/hooks/**
",
        switches: "
devin off value --permission-mode dangerous bypass
",
        ..NOTHING_KEPT
    },
    ..LIKE_CLAUDE
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.dialect == Dialect::Strict
        && clues.has(Field::EventName)
        && !clues.has(Field::Cwd)
        && !clues.has(Field::TranscriptPath)
        && matches!(&*clues.tool(), "exec" | "edit" | "write" | "read" | "grep" | "glob" | "")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::late::read(from, run)
}
