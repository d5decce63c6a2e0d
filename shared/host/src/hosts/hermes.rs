//! Hermes, Nous Research's agent.

use std::time::Duration;

use payload::Host;
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing, like_claude};
use crate::failing::{Fate, Row};
use crate::layout::Layout;
use crate::place::{Base, Folders, Scope, settings};
use crate::record::{Nesting, Record, Said, Unit, Written, fact};
use crate::standing::{Remark, Weight, remark};
use crate::tools::{Deed, Use};

const DOCS: &str =
    "source: NousResearch/hermes-agent agent/shell_hooks.py, 2026-11; affaan-m/ECC docs/HERMES-HOOKS.md";

static FAILING: [Row; 3] = failing(Fate::Denied, DOCS);

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "hermes",
    title: "Hermes",
    host: Host::Hermes,
    program: Some("hermes"),
    traces: &[(Base::Home, ".hermes")],
    configs: Some("hermes"),
    written: Written {
        layout: Layout::Yaml,
        closes: Some("fail_closed"),
        // Events about no tool look like Claude Code's.
        arguments: " --host hermes",
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[settings(Scope::User, Base::Home, ".hermes/config.yaml", DOCS)],
    marks: &[(".hermes/", "config.yaml")],
    nesting: fact(Nesting::Either, DOCS),
    keys: &["fail_closed", "failClosed"],
    unit: fact(Unit::Seconds, DOCS),
    limit: fact(Duration::from_mins(1), DOCS),
    standing,
    events: &[
        "pre_tool_call",
        "post_tool_call",
        "pre_llm_call",
        "post_llm_call",
        "on_session_start",
        "on_session_end",
        "subagent_stop",
    ],
    tools: &[
        (Use::Shell, &["terminal"]),
        (Use::Edit, &["write_file", "patch"]),
        (Use::Other, &["read_file", "search_files", "delegate_task"]),
    ],
    call: |deed| match deed {
        Deed::Shell(command) => ("terminal", json!({ "command": command })),
        Deed::Write(path, text) => ("write_file", json!({"path": path, "content": text})),
        Deed::Edit(path, old, new) => ("patch", json!({"path": path, "old_string": old, "new_string": new})),
        Deed::Read(path) => ("read_file", json!({ "path": path })),
        Deed::Delegate(task) => ("delegate_task", json!({ "goal": task })),
    },
    failing: &FAILING,
    ..DOCUMENTED
};

/// [source] A hook runs once a person at a terminal, or a setting, has allowed it.
fn standing(folders: &Folders, has_hooks: bool, _: bool) -> Vec<Remark> {
    if !has_hooks || folders.home.join(".hermes/shell-hooks-allowlist.json").is_file() {
        return Vec::new();
    }
    let text = "no hook is allowed yet: Hermes asks for each at its next start, and skips it until then";
    vec![remark(Weight::Pending, text, "Start `hermes` at a terminal and allow them.")]
}

fn payload(said: &Said<'_>) -> Value {
    let mut payload = like_claude(said);
    payload["session_id"] = said.session.into();
    payload["cwd"] = said.cwd.into();
    payload["extra"] = json!({});
    payload
}
