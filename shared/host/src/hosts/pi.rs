//! Pi, by an extension of ours.

use std::time::Duration;

use payload::Host;
use serde_json::json;

use super::documented::{DOCUMENTED, by_plugin};
use crate::failing::{Failing, Fate, row};
use crate::layout::Layout;
use crate::place::{Base, Folders, Scope, Shape, hooks};
use crate::record::{Nesting, Order, Record, Unit, Written, fact};
use crate::standing::{Remark, Weight, remark, tree_of};
use crate::tools::{Deed, Use};

const RUN: &str = "run: Pi 1.3.0";
const PLUGIN: &str = "source: configs/pi";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "pi",
    title: "Pi",
    host: Host::Pi,
    version: "1.3.0",
    program: Some("pi"),
    traces: &[(Base::Home, ".pi/agent")],
    configs: Some("pi"),
    written: Written {
        layout: Layout::Plugin(include_str!("pi.js")),
        payload: Some(by_plugin),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".pi/agent/extensions", RUN).shaped(Shape::Every("js")),
        hooks(Scope::Project, Base::Project, ".pi/extensions", RUN)
            .shaped(Shape::Every("js"))
            .where_started(),
    ],
    marks: &[(".pi/extensions", ".js"), (".pi/agent/extensions", ".js")],
    standing,
    nesting: fact(Nesting::Either, PLUGIN),
    keys: &["exec", "args"],
    unit: fact(Unit::Seconds, PLUGIN),
    limit: fact(Duration::from_secs(10), PLUGIN),
    events: &[
        "tool_call",
        "tool_result",
        "input",
        "session_start",
        "session_shutdown",
        "agent_before_settle",
    ],
    tools: &[
        (Use::Shell, &["bash", "powershell"]),
        (Use::Edit, &["write", "edit"]),
        (Use::Other, &["read", "grep", "find", "ls", "codemode", "tool_search"]),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => ("bash", json!({ "command": command })),
        Deed::Write(path, text) => ("write", json!({"path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("edit", json!({"path": path, "edits": [{"oldText": old, "newText": new}]}))
        }
        Deed::Read(path) => ("read", json!({ "path": path })),
        // It has none of its own: as the example of an extension names it.
        Deed::Delegate(task) => ("subagent", json!({"agent": "worker", "task": task})),
    },
    order: fact(Order::UntilFirstNo, PLUGIN),
    failing: &[
        row(Failing::Missing, Fate::Denied, RUN),
        row(Failing::Killed, Fate::Denied, RUN),
        row(Failing::Late, Fate::Denied, PLUGIN),
    ],
    ..DOCUMENTED
};

/// [source] 1.3.0, `trust-manager`: what a project brings is loaded where a person trusts it. The nearest folder counts.
fn standing(folders: &Folders, has_hooks: bool, of_project: bool) -> Vec<Remark> {
    if !has_hooks || !of_project {
        return Vec::new();
    }
    let own = folders.home.join(".pi/agent");
    let saved = tree_of(&own.join("trust.json"));
    let decision = |folder: &std::path::Path| saved.as_ref()?.at(folder.to_str()?)?.truth();
    let usual = || {
        let settings = tree_of(&own.join("settings.json"))?;
        Some(settings.at("defaultProjectTrust")?.text() == Some("always"))
    };
    if folders.project.ancestors().find_map(decision).or_else(usual) == Some(true) {
        return Vec::new();
    }
    let text = "this folder is not trusted: the project's extensions are not loaded";
    vec![remark(Weight::Pending, text, "Start `pi` there once and trust the folder, or use `pi --approve`.")]
}
