//! Windsurf, which is Devin Desktop now.

use payload::Host;
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing};
use crate::failing::{Fate, Row};
use crate::place::{Base, Scope, hooks};
use crate::record::{Nesting, Quirk, Record, Said, Written, fact};
use crate::tools::{Deed, Use};

const DOCS: &str = "docs: docs.windsurf.com/windsurf/cascade/hooks, 2026-11; AGGIB/Stroq";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it. The administrator's file is written by `init --machine`.
pub(super) static HOST: Record = Record {
    name: "windsurf",
    title: "Windsurf",
    host: Host::Windsurf,
    program: Some("windsurf"),
    traces: &[(Base::Home, ".codeium/windsurf")],
    configs: Some("windsurf"),
    quirks: &[Quirk::OnDesktop, Quirk::ExitNeedsText],
    written: Written {
        of_tools: &[
            ("pre_run_command", &["run_command"]),
            ("pre_write_code", &["Edit"]),
            ("pre_read_code", &["Read"]),
            ("pre_mcp_tool_use", &[]),
            ("post_run_command", &["run_command"]),
            ("post_write_code", &["Edit"]),
            ("post_read_code", &["Read"]),
            ("post_mcp_tool_use", &[]),
        ],
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".codeium/windsurf/hooks.json", DOCS),
        hooks(Scope::Project, Base::Project, ".windsurf/hooks.json", DOCS),
    ],
    marks: &[("windsurf/", "hooks.json")],
    nesting: fact(Nesting::Either, DOCS),
    keys: &["powershell", "show_output", "working_directory"],
    // Its entries have no time limit.
    limit_keys: fact(&[], DOCS),
    events: &[
        "pre_run_command",
        "pre_write_code",
        "pre_read_code",
        "pre_mcp_tool_use",
        "post_run_command",
        "post_write_code",
        "post_read_code",
        "post_mcp_tool_use",
        "pre_user_prompt",
        "post_cascade_response",
    ],
    tools: &[(Use::Shell, &["run_command"]), (Use::Edit, &["Edit"]), (Use::Other, &["Read"])],
    call: |deed| match deed {
        Deed::Shell(command) => ("run_command", json!({ "command_line": command })),
        Deed::Write(path, text) => {
            ("Edit", json!({"file_path": path, "edits": [{"old_string": "", "new_string": text}]}))
        }
        Deed::Edit(path, old, new) => {
            ("Edit", json!({"file_path": path, "edits": [{"old_string": old, "new_string": new}]}))
        }
        Deed::Read(path) => ("Read", json!({ "file_path": path })),
        // It says nothing of sub-agents.
        Deed::Delegate(task) => ("agent", json!({ "prompt": task })),
    },
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let (name, input) = said.tool;
    let info = match said.key {
        "pre_mcp_tool_use" | "post_mcp_tool_use" => {
            let (server, tool) =
                name.trim_start_matches("mcp__").split_once("__").unwrap_or(("server", name));
            json!({"mcp_server_name": server, "mcp_tool_name": tool, "mcp_tool_arguments": input})
        }
        "pre_run_command" | "post_run_command" => {
            json!({"command_line": input["command_line"], "cwd": said.cwd})
        }
        "pre_user_prompt" => json!({"user_prompt": said.prompt}),
        "post_cascade_response" => json!({"response": ""}),
        _ => input.clone(),
    };
    json!({
        "agent_action_name": said.key, "trajectory_id": said.session, "execution_id": "1",
        "timestamp": "2026-11-01T00:00:00Z", "tool_info": info,
    })
}
