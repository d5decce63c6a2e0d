//! Windsurf, by its documents (docs.windsurf.com, Cascade hooks) and a public adapter.
//!
//! An event for each kind of action. Only exit code 2 holds one back, with the reason on stderr.

use super::late::CAREFUL;
use super::traits::{Answers, Envelope, Kept, NOTHING_KEPT, Own, PLAIN, Traits};
use crate::address::Address;
use crate::detect::Clues;
use crate::field::Field;
use crate::host::Dialect;
use crate::kind::EventKind as E;
use crate::model::{Outcome, Run};
use crate::own;

static OWN: Own =
    Own { nothing: &[], deny: &[], ask: &[], blocks: &[(E::UserPromptSubmit, &[])], context: "" };

pub(super) static TRAITS: Traits = Traits {
    dialects: &[Dialect::Own],
    answers: Answers { blocks: &[E::UserPromptSubmit], own: Some(&OWN), exits: true, ..CAREFUL },
    envelope: Some(&Envelope {
        fields: &[
            (Field::EventName, "agent_action_name"),
            (Field::ToolName, "tool_info.mcp_tool_name"),
            (Field::McpServer, "tool_info.mcp_server_name"),
            (Field::ToolInput, "tool_info.mcp_tool_arguments"),
            (Field::ToolInput, "tool_info"),
            (Field::ToolResult, "tool_info.mcp_result"),
            (Field::Prompt, "tool_info.user_prompt"),
            (Field::Cwd, "tool_info.cwd"),
        ],
        tools: &[
            ("pre_run_command", r#""run_command""#),
            ("post_run_command", r#""run_command""#),
            ("pre_write_code", r#""Edit""#),
            ("post_write_code", r#""Edit""#),
            ("pre_read_code", r#""Read""#),
            ("post_read_code", r#""Read""#),
        ],
        ..Envelope::NONE
    }),
    kept: Kept {
        program: "windsurf",
        words: "windsurf",
        machine: "
            /etc/windsurf/**
            /Library/Application Support/Windsurf/**
            C:/ProgramData/Windsurf/**
",
        user: "
            .codeium/windsurf/hooks.json
            .codeium/windsurf/mcp_config.json
            .codeium/hooks.json
            .config/Windsurf/User/settings.json
            Library/Application Support/Windsurf/User/settings.json
            AppData/Roaming/Windsurf/User/settings.json
",
        project: "
            whole .windsurf/hooks.json
            whole .windsurf/hooks/**
",
        ..NOTHING_KEPT
    },
    ..PLAIN
};

pub(super) fn wrote(clues: &Clues<'_>) -> bool {
    clues.key("agent_action_name")
}

pub(super) fn read(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    own::read(&OWN, from, run, true)
}
