//! Droid, Factory's agent.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::json;

use super::documented::{DOCUMENTED, failing};
use crate::failing::{Fate, Row};
use crate::layout::Layout;
use crate::place::{Base, Folders, Scope, hooks, settings};
use crate::record::{Record, Speech, Unit, Variable, Written, fact};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::{Deed, Use};
use crate::tree::Node;

const DOCS: &str = "docs: docs.factory.ai/harness/hooks, 2026-11; rtk-ai/rtk#2267";
const SETTINGS: &str =
    "docs: docs.factory.ai/reference/hooks-reference, 2026-11; Factory-AI/factory#3, 0.186.0";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "droid",
    title: "Factory Droid",
    host: Host::Droid,
    program: Some("droid"),
    traces: &[(Base::Home, ".factory")],
    configs: Some("droid"),
    written: Written { layout: Layout::EventsAnywhere, ..Written::USUAL },
    // Settings come first: 0.186.0 was seen to read no other hooks.
    places: &[
        settings(Scope::User, Base::Home, ".factory/settings.json", SETTINGS),
        settings(Scope::Project, Base::Project, ".factory/settings.json", SETTINGS),
        settings(Scope::Project, Base::Project, ".factory/settings.local.json", SETTINGS),
        hooks(Scope::User, Base::Home, ".factory/hooks.json", DOCS),
        hooks(Scope::Project, Base::Project, ".factory/hooks.json", DOCS),
    ],
    marks: &[(".factory/", "settings.json"), (".factory/", "hooks.json")],
    unit: fact(Unit::Seconds, DOCS),
    limit: fact(Duration::from_mins(1), DOCS),
    standing,
    events: &[
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "Notification",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "SessionStart",
        "SessionEnd",
    ],
    speech: Speech::One(Dialect::Strict),
    tools: &[
        (Use::Shell, &["Execute"]),
        (Use::Edit, &["Create", "Edit", "ApplyPatch"]),
        (Use::Other, &["Read", "Grep", "Glob", "LS", "Task", "FetchUrl", "WebSearch"]),
    ],
    variables: &[("FACTORY_PROJECT_DIR", Variable::Project)],
    call: |deed| match deed {
        Deed::Shell(command) => ("Execute", json!({ "command": command })),
        Deed::Write(path, text) => ("Create", json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => ("Edit", json!({"file_path": path, "old_str": old, "new_str": new})),
        Deed::Read(path) => ("Read", json!({ "file_path": path })),
        Deed::Delegate(task) => ("Task", json!({"description": "A task.", "prompt": task})),
    },
    fields: &[("transcript_path", "/home/user/.factory/sessions/1.jsonl")],
    failing: &FAILING,
    ..DOCUMENTED
};

/// [docs] A switch in the settings; and where there is a file of hooks, those of the settings beside it are not read.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let home = folders.home.join(".factory");
    let path = home.join("settings.json");
    if let Some(root) = tree_of(&path)
        && let Some(switch) = root.get("hooksDisabled").filter(|switch| switch.node.truth() == Some(true))
    {
        let off = remark(Weight::Off, "`hooksDisabled` is on", "Remove it.");
        remarks.push(off.at(&path, switch.key_span.clone()));
    }
    let in_settings = |folder: &std::path::Path| {
        tree_of(&folder.join("settings.json"))
            .is_some_and(|root| root.at("hooks").is_some_and(Node::is_object))
    };
    for folder in [Some(home), of_project.then(|| folders.project.join(".factory"))].into_iter().flatten() {
        if has_hooks && folder.join("hooks.json").is_file() && in_settings(&folder) {
            let text =
                "hooks.json is there: by its documents Droid then reads no hooks of the settings beside it";
            remarks.push(remark(Weight::Pending, text, "Move its hooks into the settings."));
        }
    }
    remarks
}
