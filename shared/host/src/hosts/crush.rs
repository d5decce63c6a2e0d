//! Crush, Charm's agent.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::{Value, json};

use super::documented::{DOCUMENTED, failing, like_claude};
use crate::failing::{Fate, Row};
use crate::matcher::Engine;
use crate::place::{Base, Scope, settings};
use crate::record::{Counts, Nesting, Order, Quirk, Record, Said, Speech, Unit, Variable, Written, fact};
use crate::tools::{Deed, Use};

const DOCS: &str = "docs: charmbracelet/crush docs/hooks, 2026-11; charmbracelet/crush#3156";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it. Sub-agents call no hooks; the tool that starts one does.
pub(super) static HOST: Record = Record {
    name: "crush",
    title: "Crush",
    host: Host::Crush,
    program: Some("crush"),
    traces: &[(Base::ConfigHome, "crush"), (Base::Home, ".local/share/crush")],
    configs: Some("crush"),
    quirks: &[Quirk::DecidesAtTop],
    written: Written { payload: Some(payload), ..Written::USUAL },
    places: &[
        settings(Scope::User, Base::ConfigHome, "crush/crush.json", DOCS),
        settings(Scope::Project, Base::Project, ".crush.json", DOCS),
        settings(Scope::Project, Base::Project, "crush.json", DOCS),
    ],
    marks: &[("crush.json", "crush.json")],
    nesting: fact(Nesting::Either, DOCS),
    keys: &["name"],
    unit: fact(Unit::Seconds, DOCS),
    limit: fact(Duration::from_secs(30), DOCS),
    // Its newest documents name more; those of the release before name this one.
    events: &["PreToolUse"],
    speech: Speech::One(Dialect::Strict),
    tools: &[
        (Use::Shell, &["bash"]),
        (Use::Edit, &["write", "edit", "multiedit"]),
        (Use::Other, &["view", "grep", "glob", "ls", "fetch", "agent"]),
    ],
    server_tools: ("mcp_", "_"),
    engine: Engine::Rust,
    variables: &[("CRUSH_PROJECT_DIR", Variable::Project), ("CRUSH_SESSION_ID", Variable::Session)],
    call: |deed| match deed {
        Deed::Shell(command) => ("bash", json!({ "command": command })),
        Deed::Write(path, text) => ("write", json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            ("edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        }
        Deed::Read(path) => ("view", json!({ "file_path": path })),
        Deed::Delegate(task) => ("agent", json!({ "prompt": task })),
    },
    order: fact(Order::AtOnce, DOCS),
    refusal: fact(Counts::First, DOCS),
    once: fact(true, DOCS),
    failing: &FAILING,
    ..DOCUMENTED
};

fn payload(said: &Said<'_>) -> Value {
    let mut payload = like_claude(said);
    if let Some(payload) = payload.as_object_mut() {
        payload.remove("hook_event_name");
    }
    payload["event"] = said.key.into();
    payload["session_id"] = said.session.into();
    payload["cwd"] = said.cwd.into();
    payload
}
