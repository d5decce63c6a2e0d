//! Kiro CLI 3. Version 2 reads hooks of an agent's own file only, in other words; its payloads are understood, too.

use payload::Host;
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing, like_claude};
use crate::failing::{Fate, Row};
use crate::layout::Layout;
use crate::place::{Base, Scope, Shape, hooks};
use crate::record::{Nesting, Quirk, Record, Said, Unit, Written, fact};
use crate::tools::{Deed, Use};

const DOCS: &str = "docs: kiro.dev/docs/cli/v3/hooks, 2026-11; iamaanahmad/everything-kiro hooks/README.md";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "kiro",
    title: "Kiro CLI",
    host: Host::Kiro,
    program: Some("kiro-cli"),
    traces: &[(Base::Home, ".kiro")],
    configs: Some("kiro"),
    after_init: Some("Kiro CLI 2 reads hooks of agents only: `kiro-cli agent migrate` moves to version 3's."),
    quirks: &[Quirk::ExitNeedsText],
    written: Written {
        layout: Layout::List,
        // Events about no tool look like Claude Code's.
        arguments: " --host kiro",
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".kiro/hooks", DOCS).shaped(Shape::Folder),
        hooks(Scope::Project, Base::Project, ".kiro/hooks", DOCS).shaped(Shape::Folder),
    ],
    marks: &[(".kiro/hooks/", ".json")],
    nesting: fact(Nesting::Either, DOCS),
    keys: &["name", "prompt"],
    kinds: &["command", "agent"],
    unit: fact(Unit::Seconds, DOCS),
    events: &[
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "SessionStart",
        "Stop",
        "PreTaskExec",
        "PostTaskExec",
        "PostFileSave",
        "PostFileCreate",
        "PostFileDelete",
    ],
    tools: &[
        (Use::Shell, &["shell", "execute_bash"]),
        (Use::Edit, &["write", "fs_write"]),
        (Use::Other, &["read", "fs_read", "grep", "glob", "web_fetch", "web_search"]),
    ],
    server_tools: ("@", "/"),
    call: |deed| match deed {
        Deed::Shell(command) => ("shell", json!({ "command": command })),
        Deed::Write(path, text) => ("write", json!({"command": "create", "path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("write", json!({"command": "strReplace", "path": path, "oldStr": old, "newStr": new}))
        }
        Deed::Read(path) => ("read", json!({"operations": [{"mode": "Line", "path": path}]})),
        Deed::Delegate(task) => ("subagent", json!({ "prompt": task })),
    },
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let mut payload = like_claude(said);
    payload["cwd"] = said.cwd.into();
    payload["session_id"] = said.session.into();
    payload
}
