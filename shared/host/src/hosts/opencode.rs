//! `OpenCode`, by a plugin of ours.

use std::time::Duration;

use payload::Host;
use serde_json::json;

use super::documented::{DOCUMENTED, by_plugin};
use crate::failing::{Failing, Fate, row};
use crate::layout::Layout;
use crate::place::{Base, Scope, Shape, hooks};
use crate::record::{Nesting, Order, Record, Unit, Written, fact};
use crate::tools::{Deed, Use};

const RUN: &str = "run: OpenCode 1.18.33";
const PLUGIN: &str = "source: configs/opencode/policy-hooks.js";

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "opencode",
    title: "OpenCode",
    host: Host::OpenCode,
    version: "1.18.33",
    program: Some("opencode"),
    traces: &[(Base::Home, ".config/opencode"), (Base::Home, ".local/share/opencode")],
    configs: Some("opencode"),
    written: Written {
        layout: Layout::Plugin(include_str!("opencode.js")),
        payload: Some(by_plugin),
        ..Written::USUAL
    },
    places: &[
        hooks(Scope::User, Base::Home, ".config/opencode/plugin", RUN).shaped(Shape::Every("js")),
        hooks(Scope::User, Base::Home, ".config/opencode/plugins", RUN).shaped(Shape::Every("js")),
        hooks(Scope::Project, Base::Project, ".opencode/plugin", RUN).shaped(Shape::Every("js")),
        hooks(Scope::Project, Base::Project, ".opencode/plugins", RUN).shaped(Shape::Every("js")),
    ],
    marks: &[("opencode/plugin", ".js")],
    nesting: fact(Nesting::Either, PLUGIN),
    keys: &["exec", "args"],
    unit: fact(Unit::Seconds, PLUGIN),
    limit: fact(Duration::from_secs(10), PLUGIN),
    events: &["tool.execute.before", "tool.execute.after", "chat.message", "session.created", "session.idle"],
    tools: &[
        (Use::Shell, &["bash"]),
        (Use::Edit, &["write", "edit", "patch", "apply_patch", "multiedit"]),
        (Use::Other, &["read", "grep", "glob", "list", "task", "webfetch", "websearch", "skill"]),
    ],
    server_tools: ("", "_"),
    call: |deed| match deed {
        Deed::Shell(command) => ("bash", json!({"command": command, "description": "A command."})),
        Deed::Write(path, text) => ("write", json!({"filePath": path, "content": text})),
        Deed::Edit(path, old, new) => ("edit", json!({"filePath": path, "oldString": old, "newString": new})),
        Deed::Read(path) => ("read", json!({ "filePath": path })),
        Deed::Delegate(task) => {
            ("task", json!({"description": "A task.", "prompt": task, "subagent_type": "general"}))
        }
    },
    order: fact(Order::UntilFirstNo, PLUGIN),
    failing: &[
        row(Failing::Missing, Fate::Denied, RUN),
        row(Failing::Killed, Fate::Denied, RUN),
        row(Failing::Late, Fate::Denied, PLUGIN),
    ],
    ..DOCUMENTED
};
