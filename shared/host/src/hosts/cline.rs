//! Cline's CLI; its extension for editors reads the same scripts.

use std::time::Duration;

use payload::Host;
use serde_json::{Map, Value, json};

use super::documented::{DOCUMENTED, failing};
use crate::failing::{Fate, Row};
use crate::layout::{Layout, MUST_ANSWER};
use crate::place::{Base, Scope, Shape, hooks};
use crate::record::{Nesting, Order, Patience, Record, Said, Written, fact};
use crate::tools::{Deed, Use};

const RUN: &str = "run: Cline 3.0.65";
const SOURCE: &str = "source: @cline/cli-linux-x64 3.0.65, its program";

/// Our scripts deny where their program does not answer.
static FAILING: [Row; 3] = {
    let mut rows = failing(Fate::Denied, RUN);
    rows[2] = Row { shipped: Fate::Runs, source: SOURCE, ..rows[2] };
    rows
};

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "cline",
    title: "Cline",
    host: Host::Cline,
    version: "3.0.65",
    program: Some("cline"),
    traces: &[(Base::Home, ".cline")],
    configs: Some("cline"),
    written: Written {
        layout: Layout::Scripts,
        closes: Some(MUST_ANSWER),
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".cline/hooks", RUN).shaped(Shape::Every("")),
        hooks(Scope::User, Base::Home, "Documents/Cline/Hooks", SOURCE).shaped(Shape::Every("")),
        hooks(Scope::Project, Base::Project, ".clinerules/hooks", RUN).shaped(Shape::Every("")),
    ],
    marks: &[(".cline/hooks/", ""), (".clinerules/hooks/", ""), ("Cline/Hooks/", "")],
    nesting: fact(Nesting::Either, SOURCE),
    keys: &[MUST_ANSWER],
    // Twice what a tool may take; the file cannot say another.
    limit: fact(Duration::from_mins(2), SOURCE),
    limit_keys: fact(&[], SOURCE),
    // It waits for the first two alone.
    events: &[
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "TaskStart",
        "TaskResume",
        "TaskCancel",
        "TaskComplete",
        "TaskError",
        "SessionShutdown",
    ],
    tools: &[
        (Use::Shell, &["run_commands"]),
        (Use::Edit, &["editor", "apply_patch"]),
        (
            Use::Other,
            &["read_files", "search_codebase", "fetch_web_content", "ask_question", "skills", "spawn_agent"],
        ),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => ("run_commands", json!({ "commands": [command] })),
        Deed::Write(path, text) => ("editor", json!({"path": path, "new_text": text})),
        Deed::Edit(path, old, new) => ("editor", json!({"path": path, "old_text": old, "new_text": new})),
        Deed::Read(path) => ("read_files", json!({"files": [{ "path": path }]})),
        Deed::Delegate(task) => ("spawn_agent", json!({ "task": task })),
    },
    order: fact(Order::EachInTurn, SOURCE),
    patience: fact(Patience::ForTheProcess, SOURCE),
    failing: &FAILING,
    ..DOCUMENTED
};

/// Its own names of events, which are not those of the files.
const NAMES: [(&str, &str); 9] = [
    ("PreToolUse", "tool_call"),
    ("PostToolUse", "tool_result"),
    ("UserPromptSubmit", "prompt_submit"),
    ("TaskStart", "agent_start"),
    ("TaskResume", "agent_resume"),
    ("TaskCancel", "agent_abort"),
    ("TaskComplete", "agent_end"),
    ("TaskError", "agent_error"),
    ("SessionShutdown", "session_shutdown"),
];

fn payload(said: &Said<'_>) -> Value {
    let name = NAMES.iter().find(|(key, _)| *key == said.key).map_or(said.key, |(_, name)| name);
    let mut payload = json!({
        "clineVersion": "", "timestamp": "2026-11-23T02:14:37.993Z", "taskId": said.session,
        "workspaceRoots": [said.cwd], "userId": "unknown", "agent_id": "agent_1", "parent_agent_id": null,
        "hookName": name,
    });
    let (tool, input) = said.tool;
    // Each parameter as text.
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parameters: Map<String, Value> = input
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone(), text(value).into()))
        .collect();
    match name {
        "tool_call" => {
            payload["tool_call"] = json!({"id": "call_1", "name": tool, "input": input});
            payload["preToolUse"] = json!({"toolName": tool, "parameters": parameters});
        }
        "tool_result" => {
            payload["tool_result"] =
                json!({"id": "call_1", "name": tool, "input": input, "output": said.result, "durationMs": 1});
            payload["postToolUse"] = json!({"toolName": tool, "parameters": parameters, "result": text(said.result), "success": true});
        }
        "prompt_submit" => payload["userPromptSubmit"] = json!({"prompt": said.prompt, "attachments": []}),
        _ => {}
    }
    payload
}
