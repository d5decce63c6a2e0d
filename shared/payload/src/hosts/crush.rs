//! Crush, by its documents and source (charmbracelet/crush, docs/hooks): an event before tools, and Claude's answers beside
//! its own. Sub-agents call no hooks.

use super::late::{CAREFUL, LIKE_CLAUDE};
use super::traits::{Answers, Envelope, Kept, NOTHING_KEPT, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::model::{Outcome, Run};

pub(super) static TRAITS: Traits = Traits {
    answers: Answers { exits: true, ..CAREFUL },
    envelope: Some(&Envelope { fields: &[(Field::EventName, "event")], ..Envelope::NONE }),
    posix_tools: &["bash"],
    kept: Kept {
        program: "crush",
        words: "crush",
        variables: "CRUSH_GLOBAL_CONFIG CRUSH_GLOBAL_DATA",
        user: "
            .config/crush/crush.json
            .local/share/crush/crush.json
",
        project: "
            whole .crush.json
            whole crush.json
",
        switches: "
crush off flag --yolo -y
",
        ..NOTHING_KEPT
    },
    ..LIKE_CLAUDE
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("event") && clues.has(Field::ToolName) && !clues.has(Field::EventName)
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    super::late::read(from, run)
}
