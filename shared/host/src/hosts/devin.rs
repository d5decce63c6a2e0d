//! Devin CLI.

use payload::{Dialect, Host};
use serde_json::Value;

use super::documented::{DOCUMENTED, failing, like_claude, named};
use crate::failing::{Fate, Row};
use crate::layout::Layout;
use crate::place::{Base, Scope, hooks, settings};
use crate::record::{Permission, Record, Said, Speech, Unit, Variable, Written, fact};
use crate::tools::Use;

const DOCS: &str =
    "docs: docs.devin.ai/cli/extensibility/hooks, 2026-11; docs.claude-mem.ai/devin-integration";

static FAILING: [Row; 3] = failing(Fate::Runs, DOCS);

/// What is known of it.
pub(super) static HOST: Record = Record {
    name: "devin",
    title: "Devin CLI",
    host: Host::Devin,
    program: Some("devin"),
    traces: &[(Base::Home, ".config/devin")],
    configs: Some("devin"),
    written: Written {
        layout: Layout::EventsAnywhere,
        // Events about no tool look like Claude Code's.
        arguments: " --host devin",
        payload: Some(payload),
        ..Written::USUAL
    },
    places: &[
        settings(Scope::User, Base::Home, ".config/devin/config.json", DOCS),
        hooks(Scope::Project, Base::Project, ".devin/hooks.v1.json", DOCS),
    ],
    marks: &[("devin/", "config.json"), (".devin/", "hooks.v1.json")],
    keys: &["prompt"],
    kinds: &["command", "prompt"],
    unit: fact(Unit::Seconds, DOCS),
    events: &[
        "PreToolUse",
        "PostToolUse",
        "PermissionRequest",
        "UserPromptSubmit",
        "Stop",
        "SessionStart",
        "SessionEnd",
    ],
    speech: Speech::One(Dialect::Strict),
    permission: Permission::Gated,
    tools: &[
        (Use::Shell, &["exec"]),
        (Use::Edit, &["write", "edit"]),
        (Use::Other, &["read", "grep", "glob"]),
    ],
    variables: &[("DEVIN_PROJECT_DIR", Variable::Project)],
    call: |deed| named(deed, ["exec", "write", "edit", "read", "task"]),
    failing: &FAILING,
    ..DOCUMENTED
};

/// Without a folder: a variable has it.
fn payload(said: &Said<'_>) -> Value {
    let mut payload = like_claude(said);
    payload["session_id"] = said.session.into();
    payload
}
