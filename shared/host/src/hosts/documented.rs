//! Hosts that are known by their documents: what is taken for granted of them, and said so.

use std::time::Duration;

use payload::{Dialect, Host};
use serde_json::{Value, json};

use crate::failing::{Failing, Fate, Row};
use crate::matcher::{Engine, Matcher};
use crate::record::{
    ASSUMED, BadEntry, Counts, Disable, Failures, LimitValue, Nesting, Order, Patience, Permission, Permits,
    Record, Said, Speech, Start, Syntax, Unit, Written, fact,
};
use crate::tools::Deed;

/// What people read in the place of a version.
pub(super) const VERSION: &str = "documentation of 2026-11";

/// A host of which nothing is known: a file of a host says what is.
pub(super) const DOCUMENTED: Record = Record {
    name: "",
    title: "",
    host: Host::Unknown,
    version: VERSION,
    program: None,
    traces: &[],
    start: Start::Desktop,
    configs: None,
    after_init: None,
    quirks: &[],
    written: Written::USUAL,
    places: &[],
    managed: None,
    store: None,
    strays: &[],
    marks: &[],
    schema: None,
    shares: &[],
    syntax: fact(Syntax::Comments, ASSUMED),
    top_keys: None,
    disable: |_, _| Disable::Unknown,
    bad_entry: fact(BadEntry::Skipped, ASSUMED),
    nesting: fact(Nesting::Groups, ASSUMED),
    keys: &[],
    kinds: &["command"],
    unserved: &[],
    unit: fact(Unit::Seconds, ASSUMED),
    limit: fact(Duration::from_mins(1), ASSUMED),
    limits: &[],
    limit_keys: fact(&["timeout"], ASSUMED),
    limit_value: fact(LimitValue::Number, ASSUMED),
    standing: |_, _, _| Vec::new(),
    events: &["PreToolUse"],
    silent: &[],
    speech: Speech::One(Dialect::Own),
    both_casings: None,
    failures: Failures::None,
    permission: Permission::Never,
    reading: &[],
    modes: &[],
    tools: &[],
    other_names: &[],
    server_tools: ("mcp__", "__"),
    translated: &[],
    matcher: |text, _, _| match text.trim() {
        "" | "*" | ".*" => (Matcher::All, None),
        text => (Matcher::part(text, Engine::JavaScript), None),
    },
    engine: Engine::JavaScript,
    shell: fact(&["sh", "-c"], ASSUMED),
    variables: &[],
    call: claudes,
    fields: &[],
    event_fields: &[],
    call_id: Some("call_1"),
    source: None,
    result: |text| ("tool_response", text.clone()),
    order: fact(Order::EachInTurn, ASSUMED),
    refusal: fact(Counts::First, ASSUMED),
    objection: fact(Counts::First, ASSUMED),
    changed: fact(Counts::Last, ASSUMED),
    permits: fact(Permits::Strictest, ASSUMED),
    once: fact(false, ASSUMED),
    patience: fact(Patience::ForItsOutput, ASSUMED),
    input_key: "updatedInput",
    stop_limit: fact(None, ASSUMED),
    text_limit: fact(None, ASSUMED),
    failing: &[],
};

/// A call as Claude Code's tools take it, in names of the host's own.
pub(super) fn named(
    deed: Deed<'_>,
    [shell, write, edit, read, delegate]: [&'static str; 5],
) -> (&'static str, Value) {
    match deed {
        Deed::Shell(command) => (shell, json!({ "command": command })),
        Deed::Write(path, text) => (write, json!({"file_path": path, "content": text})),
        Deed::Edit(path, old, new) => {
            (edit, json!({"file_path": path, "old_string": old, "new_string": new}))
        }
        Deed::Read(path) => (read, json!({ "file_path": path })),
        Deed::Delegate(task) => (delegate, json!({"description": "A task.", "prompt": task})),
    }
}

fn claudes(deed: Deed<'_>) -> (&'static str, Value) {
    named(deed, ["Bash", "Write", "Edit", "Read", "Task"])
}

/// What a payload in Claude Code's form says, but for the session and the folder.
pub(super) fn like_claude(said: &Said<'_>) -> Value {
    let mut payload = json!({ "hook_event_name": said.key });
    let (name, input) = said.tool;
    if said.kind.is_about_tool() {
        payload["tool_name"] = name.into();
        payload["tool_input"] = input.clone();
        if !said.kind.is_before_tool() {
            payload["tool_response"] = said.result.clone();
        }
    }
    if !said.prompt.is_empty() {
        payload["prompt"] = said.prompt.into();
    }
    payload
}

/// What a plugin of ours sends.
pub(super) fn by_plugin(said: &Said<'_>) -> Value {
    let mut payload = json!({"event": said.key, "session_id": said.session, "cwd": said.cwd});
    let (name, input) = said.tool;
    if said.kind.is_about_tool() {
        payload["tool_name"] = name.into();
        payload["tool_input"] = input.clone();
        payload["tool_use_id"] = "call_1".into();
    }
    if !said.kind.is_before_tool() && !said.result.is_null() {
        payload["tool_response"] = said.result.clone();
    }
    if !said.prompt.is_empty() {
        payload["prompt"] = said.prompt.into();
    }
    payload
}

/// What becomes of a call where a hook fails, if the host lets it run unless the entry says otherwise.
pub(super) const fn failing(shipped: Fate, source: &'static str) -> [Row; 3] {
    const fn one(failing: Failing, shipped: Fate, source: &'static str) -> Row {
        Row { failing, shipped, plain: Fate::Runs, source }
    }
    [
        one(Failing::Missing, shipped, source),
        one(Failing::Killed, shipped, source),
        one(Failing::Late, shipped, source),
    ]
}
