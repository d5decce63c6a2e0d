//! Cline 3.0.65: driven by hand, and by its documents.
//!
//! A call stands in an object of its own, and again, for older hooks, in another. It reads no exit code; `cancel` ends the
//! run, and the message stands only in its log. By its program: it waits for hooks before and after a tool, and for no other;
//! what they add for the model is `contextModification`.

use super::late::CAREFUL;
use super::traits::{Agents, Answers, Envelope, Kept, NO_AGENTS, NOTHING_KEPT, Own, PLAIN, Traits, Word};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};
use crate::own;

static OWN: Own = Own {
    nothing: &[],
    deny: &[Word::Flag("cancel", true), Word::Reason("errorMessage")],
    ask: &[],
    blocks: &[],
    context: "contextModification",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers { context: &[E::PreToolUse, E::PostToolUse], own: Some(&OWN), ..CAREFUL },
    envelope: Some(&Envelope {
        fields: &[
            (Field::ToolName, "tool_call.name"),
            (Field::ToolName, "tool_result.name"),
            (Field::ToolName, "preToolUse.toolName"),
            (Field::ToolName, "preToolUse.tool"),
            (Field::ToolInput, "tool_call.input"),
            (Field::ToolInput, "tool_result.input"),
            (Field::ToolInput, "preToolUse.parameters"),
            (Field::ToolUseId, "tool_call.id"),
            (Field::ToolUseId, "tool_result.id"),
            (Field::ToolName, "postToolUse.toolName"),
            (Field::ToolName, "postToolUse.tool"),
            (Field::ToolInput, "postToolUse.parameters"),
            (Field::ToolResult, "tool_result.output"),
            (Field::ToolResult, "postToolUse.result"),
            (Field::Prompt, "userPromptSubmit.prompt"),
            (Field::LastMessage, "turn.outputText"),
        ],
        names_main_agent: true,
        ..Envelope::NONE
    }),
    kept: Kept {
        program: "cline",
        package: "cli",
        words: "cline",
        user: "
            .cline/hooks/**
            .cline/data/settings/**
            .cline/*.json
            Documents/Cline/Hooks/**
",
        project: "
            whole .clinerules/hooks/**
",
        switches: "
cline off flag --yolo -y --auto-approve-all
cline off value --hooks-dir|--config|--data-dir *
",
        ..NOTHING_KEPT
    },
    // Driven: `spawn_agent` takes a prompt, no name, and starts one of its own.
    agents: Agents { has_default: true, ..NO_AGENTS },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("clineVersion")
        || clues.has(Field::EventName) && clues.key("taskId") && clues.key("workspaceRoots")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, false)
}
