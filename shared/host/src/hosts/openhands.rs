//! OpenHands, in the terminal.

use std::time::Duration;

use payload::Host;
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing};
use crate::failing::{Fate, Row};
use crate::layout::Layout;
use crate::matcher::{Engine, Matcher};
use crate::place::{Base, Scope, hooks};
use crate::record::{Order, Quirk, Record, Said, Syntax, Unit, Variable, Written, fact};
use crate::tools::{Deed, Use};

const RUN: &str = "run: OpenHands 1.16.0";
const SOURCE: &str = "source: openhands-sdk 1.21.0, openhands/sdk/hooks";

static FAILING: [Row; 3] = failing(Fate::Runs, RUN);

/// Where its hooks are, below the project or the home.
const FILE: &str = ".openhands/hooks.json";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "openhands",
    title: "OpenHands",
    host: Host::OpenHands,
    version: "1.16.0",
    program: Some("openhands"),
    traces: &[(Base::Home, ".openhands")],
    configs: Some("openhands"),
    // [source] `HookConfig.load`.
    quirks: &[Quirk::ReadsFirstFile],
    written: Written { layout: Layout::EventsAnywhere, payload: Some(payload), ..Written::USUAL },
    places: &[
        hooks(Scope::Project, Base::Project, FILE, RUN).where_started(),
        hooks(Scope::User, Base::Home, FILE, RUN),
    ],
    marks: &[(".openhands/", "hooks.json")],
    syntax: fact(Syntax::Strict, SOURCE),
    unit: fact(Unit::Seconds, SOURCE),
    limit: fact(Duration::from_mins(1), SOURCE),
    events: &["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop"],
    tools: &[
        (Use::Shell, &["terminal"]),
        (Use::Edit, &["file_editor"]),
        (Use::Other, &["task_tracker", "task", "think", "finish", "grep", "glob"]),
    ],
    server_tools: ("", "_"),
    matcher: |text, _, _| match text {
        "" | "*" => (Matcher::All, None),
        text => {
            let inner = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
            (Matcher::whole(inner.filter(|inner| !inner.is_empty()).unwrap_or(text), Engine::Rust), None)
        }
    },
    engine: Engine::Rust,
    variables: &[("OPENHANDS_PROJECT_DIR", Variable::Project), ("OPENHANDS_SESSION_ID", Variable::Session)],
    call: |deed| match deed {
        Deed::Shell(command) => ("terminal", json!({"command": command, "kind": "TerminalAction"})),
        Deed::Write(path, text) => {
            ("file_editor", json!({"command": "create", "path": path, "file_text": text}))
        }
        Deed::Edit(path, old, new) => {
            ("file_editor", json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new}))
        }
        Deed::Read(path) => ("file_editor", json!({"command": "view", "path": path})),
        Deed::Delegate(task) => {
            ("task", json!({"description": "A task.", "prompt": task, "subagent_type": "general-purpose"}))
        }
    },
    order: fact(Order::UntilFirstNo, SOURCE),
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let (name, input) = said.tool;
    let about_tool = said.kind.is_about_tool();
    let after = about_tool && !said.kind.is_before_tool();
    json!({
        "event_type": said.key,
        "tool_name": about_tool.then_some(name),
        "tool_input": about_tool.then_some(input),
        "tool_response": after.then_some(said.result),
        "message": Some(said.prompt).filter(|prompt| !prompt.is_empty()),
        "session_id": said.session,
        "working_dir": said.cwd,
        "metadata": {},
    })
}
