//! Cursor, by its documents (cursor.com/docs/agent/hooks, November 2026) and the public adapters for it.
//!
//! Events of its own before commands, MCP tools and reads, and one before every tool. `permission` decides, with a message for the
//! person and one for the agent; a stop goes on with a `followup_message`.

use super::late::CAREFUL;
use super::traits::{
    AgentForm, Agents, Answers, Compared, Envelope, Kept, NO_AGENTS, NOTHING_KEPT, Own, PLAIN, Traits, Word,
};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};
use crate::own;

static OWN: Own = Own {
    nothing: &[],
    deny: &[Word::Is("permission", "deny"), Word::Reason("user_message"), Word::Reason("agent_message")],
    // Documented for commands and MCP tools alone, and reported to be passed over where its own list allows the command.
    ask: &[],
    blocks: &[
        (E::UserPromptSubmit, &[Word::Flag("continue", false), Word::Reason("user_message")]),
        (E::Stop, &[Word::Reason("followup_message")]),
        (E::SubagentStop, &[Word::Reason("followup_message")]),
    ],
    context: "additional_context",
};

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers {
        blocks: &[E::Stop, E::SubagentStop, E::UserPromptSubmit],
        context: &[E::SessionStart, E::PostToolUse],
        own: Some(&OWN),
        ..CAREFUL
    },
    envelope: Some(&Envelope {
        fields: &[
            (Field::ToolInput, ""),
            (Field::StopHookActive, "loop_count"),
            (Field::AgentType, "subagent_type"),
            (Field::ToolResult, "tool_output"),
            (Field::ToolResult, "result_json"),
            (Field::ToolResult, "output"),
        ],
        tools: &[
            ("beforeShellExecution", r#""Shell""#),
            ("afterShellExecution", r#""Shell""#),
            ("beforeReadFile", r#""Read""#),
            ("beforeTabFileRead", r#""Read""#),
            ("afterFileEdit", r#""Edit""#),
            ("afterTabFileEdit", r#""Edit""#),
        ],
        ..Envelope::NONE
    }),
    agents: Agents {
        compared: Compared::AnyCase,
        places: &[
            AgentForm::Markdown.of_repository(".cursor/agents"),
            AgentForm::Markdown.of_user(".cursor/agents"),
        ],
        ..NO_AGENTS
    },
    kept: Kept {
        program: "cursor-agent",
        words: "cursor",
        machine: "
            /etc/cursor/**
            /Library/Application Support/Cursor/**
            C:/ProgramData/Cursor/**
",
        user: "
            .cursor/*.json
            .cursor/hooks/**
            .config/Cursor/User/settings.json
            Library/Application Support/Cursor/User/settings.json
            AppData/Roaming/Cursor/User/settings.json
",
        project: "
            whole .cursor/hooks.json
            whole .cursor/hooks/**
            whole .cursor/mcp.json
            whole .cursor/cli.json
",
        switches: "
cursor off flag --yolo --force -f
cursor looser run mcp enable|disable
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("cursor_version") || clues.key("conversation_id") && clues.key("generation_id")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, true)
}
