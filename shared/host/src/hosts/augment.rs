//! Auggie, Augment Code's agent.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing, like_claude};
use crate::failing::{Fate, Row};
use crate::place::{Base, Scope, settings};
use crate::record::{Record, Said, Speech, Unit, Variable, Written, fact};
use crate::tools::{Deed, Use};

const DOCS: &str = "docs: docs.augmentcode.com/cli/hooks, 2026-11; clevrsecurity-io/Plugins clevr-augment";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it. The administrator's file is written by `init --machine`.
pub(super) static HOST: Record = Record {
    name: "augment",
    title: "Augment",
    host: Host::Augment,
    program: Some("auggie"),
    traces: &[(Base::Home, ".augment")],
    configs: Some("augment"),
    written: Written {
        // A command is the path of a `.sh` file.
        scripts: Some(".augment/hooks"),
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        settings(Scope::User, Base::Home, ".augment/settings.json", DOCS),
        settings(Scope::Project, Base::Project, ".augment/settings.json", DOCS),
        settings(Scope::Project, Base::Project, ".augment/settings.local.json", DOCS),
    ],
    marks: &[(".augment/", "settings.json")],
    keys: &["metadata"],
    unit: fact(Unit::Milliseconds, DOCS),
    limit: fact(Duration::from_mins(1), DOCS),
    events: &["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "Notification"],
    speech: Speech::One(Dialect::Strict),
    tools: &[
        (Use::Shell, &["launch-process"]),
        (Use::Edit, &["save-file", "str-replace-editor", "remove-files"]),
        (Use::Other, &["view", "codebase-retrieval"]),
    ],
    server_tools: ("mcp:", "_"),
    variables: &[("AUGMENT_PROJECT_DIR", Variable::Project)],
    call: |deed| match deed {
        Deed::Shell(command) => ("launch-process", json!({ "command": command })),
        Deed::Write(path, text) => ("save-file", json!({"path": path, "file_content": text})),
        Deed::Edit(path, old, new) => (
            "str-replace-editor",
            json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new}),
        ),
        Deed::Read(path) => ("view", json!({"path": path, "type": "file"})),
        // Its hooks say nothing of sub-agents.
        Deed::Delegate(task) => ("agent", json!({ "prompt": task })),
    },
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let mut payload = like_claude(said);
    payload["conversation_id"] = said.session.into();
    payload["workspace_roots"] = json!([said.cwd]);
    payload
}
