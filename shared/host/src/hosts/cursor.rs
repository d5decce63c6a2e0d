//! Cursor: the editor, and its agent in the terminal.

use std::time::Duration;

use payload::Host;
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing, named};
use crate::failing::{Fate, Row};
use crate::place::{Base, Scope, hooks};
use crate::record::{Failures, Nesting, Quirk, Record, Said, Unit, Variable, Written, fact};
use crate::tools::Use;

const DOCS: &str = "docs: cursor.com/docs/agent/hooks, 2026-11; npm cursor-hooks 1.1.6";

/// Two sources: the documents, and stbenjam/skillsaw docs/rules/cursor-hooks-valid.md.
static FAILING: [Row; 3] = failing(Fate::Denied, DOCS);

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "cursor",
    title: "Cursor",
    host: Host::Cursor,
    program: Some("cursor-agent"),
    traces: &[(Base::Home, ".cursor")],
    configs: Some("cursor"),
    quirks: &[Quirk::OnDesktop],
    written: Written {
        version: Some(1),
        closes: Some("failClosed"),
        // One for every tool, and one beside it for each of these.
        of_tools: &[
            ("beforeShellExecution", &["Shell"]),
            ("afterShellExecution", &["Shell"]),
            ("beforeMCPExecution", &["MCP:*"]),
            ("afterMCPExecution", &["MCP:*"]),
            ("beforeReadFile", &["Read"]),
            ("afterFileEdit", &["Write", "StrReplace"]),
            // Completion in the editor, which a person does.
            ("beforeTabFileRead", &["TabRead"]),
            ("afterTabFileEdit", &["TabWrite"]),
        ],
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".cursor/hooks.json", DOCS),
        hooks(Scope::Project, Base::Project, ".cursor/hooks.json", DOCS),
    ],
    marks: &[(".cursor/", "hooks.json")],
    nesting: fact(Nesting::Either, DOCS),
    keys: &["failClosed", "loop_limit", "prompt", "model"],
    kinds: &["command", "prompt"],
    unit: fact(Unit::Seconds, DOCS),
    limit: fact(Duration::from_mins(1), "assumed: its documents say \"platform default\""),
    events: &[
        "preToolUse",
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
        "postToolUse",
        "postToolUseFailure",
        "afterShellExecution",
        "afterMCPExecution",
        "afterFileEdit",
        "beforeSubmitPrompt",
        "sessionStart",
        "sessionEnd",
        "stop",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "afterAgentResponse",
        "afterAgentThought",
        "beforeTabFileRead",
        "afterTabFileEdit",
    ],
    failures: Failures::Tool,
    tools: &[
        (Use::Shell, &["Shell"]),
        (Use::Edit, &["Write", "StrReplace", "Delete"]),
        (Use::Other, &["Read", "Grep", "Glob", "LS", "Task", "WebFetch", "WebSearch"]),
    ],
    server_tools: ("MCP:", ":"),
    variables: &[("CURSOR_PROJECT_DIR", Variable::Project), ("CURSOR_VERSION", Variable::Version)],
    call: |deed| named(deed, ["Shell", "Write", "StrReplace", "Read", "Task"]),
    // [docs] `loop_limit`, 5 by default.
    stop_limit: fact(Some(5), DOCS),
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let (name, input) = said.tool;
    let mut payload = json!({
        "conversation_id": said.session, "generation_id": "1", "hook_event_name": said.key,
        "cursor_version": "2.0.77", "workspace_roots": [said.cwd],
    });
    let more = match said.key {
        "beforeShellExecution" => json!({"command": input["command"], "cwd": said.cwd}),
        "afterShellExecution" => json!({"command": input["command"], "output": said.result, "duration": 1}),
        "beforeReadFile" | "beforeTabFileRead" => {
            json!({"file_path": input["file_path"], "content": "", "attachments": []})
        }
        "afterFileEdit" | "afterTabFileEdit" => {
            json!({"file_path": input["file_path"], "edits": [{"old_string": "", "new_string": ""}]})
        }
        "beforeMCPExecution" | "afterMCPExecution" => {
            json!({"tool_name": name.trim_start_matches("MCP:"), "tool_input": input.to_string()})
        }
        "beforeSubmitPrompt" => json!({"prompt": said.prompt, "attachments": []}),
        "stop" | "subagentStop" => json!({"status": "completed", "loop_count": i32::from(said.goes_on)}),
        "postToolUse" | "postToolUseFailure" => {
            json!({"tool_name": name, "tool_input": input, "tool_output": said.result, "cwd": said.cwd})
        }
        "preToolUse" => {
            json!({"tool_name": name, "tool_input": input, "tool_use_id": "call_1", "cwd": said.cwd})
        }
        _ => json!({}),
    };
    if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
        payload.extend(more);
    }
    payload
}
