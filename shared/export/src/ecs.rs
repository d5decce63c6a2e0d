//! Elastic Common Schema 8.17: one document per record. What it does not name is below `policy_hooks`.

use serde_json::{Map, Value, json};

use crate::entry::{Entry, Weight};

const VERSION: &str = "8.17.0";

/// Fields that are strings: their name, and where the record has them.
const TEXTS: [(&str, &str); 18] = [
    ("event.id", "id"),
    ("event.hash", "hash"),
    ("event.reason", "decision.reason"),
    ("event.provider", "by.name"),
    ("rule.id", "decision.rule"),
    ("rule.version", "by.policy"),
    ("process.working_directory", "cwd"),
    ("error.message", "error"),
    ("user.email", "email"),
    ("host.name", "machine_name"),
    ("policy_hooks.host", "host"),
    ("policy_hooks.session", "session"),
    ("policy_hooks.call", "call"),
    ("policy_hooks.event", "event"),
    ("policy_hooks.tool.name", "tool.name"),
    ("policy_hooks.tool.kind", "tool.kind"),
    ("policy_hooks.decision", "decision.value"),
    ("policy_hooks.model", "model"),
];

pub(crate) fn event(entry: &Entry<'_>) -> Value {
    let mut event = Map::new();
    let mut add = |name: &str, value: Value| {
        if !value.is_null() {
            put(&mut event, name, value);
        }
    };
    add("@timestamp", entry.record.ts().into());
    add("ecs.version", VERSION.into());
    add("message", entry.summary().into());
    add("event.kind", if entry.is_held() { "alert" } else { "event" }.into());
    let is_process = entry.command().is_some();
    add("event.category", json!([if is_process { "process" } else { "api" }]));
    add("event.type", types(entry, is_process));
    add("event.action", entry.action().into());
    add("event.outcome", outcome(entry).into());
    add("event.dataset", "policy_hooks.audit".into());
    add("event.module", "policy_hooks".into());
    add("event.sequence", entry.seq().into());
    add("event.severity", severity(entry.weight()).into());
    add("event.original", entry.line.into());
    add("process.command_line", entry.command().into());
    add("user.name", entry.user().into());
    add("user.id", entry.user_id().into());
    add("host.id", Some(entry.machine()).filter(|machine| !machine.is_empty()).into());
    add("file.path", entry.first("paths").into());
    add("url.original", entry.first("urls").into());
    for (name, path) in TEXTS {
        add(name, entry.text(path).into());
    }
    for (key, value) in entry.value("resource").as_object().into_iter().flatten() {
        // Names below `labels` have no dots.
        add(&format!("labels.{}", key.replace('.', "_")), value.clone());
    }
    event.into()
}

/// Puts a value under a dotted name, as nested objects.
fn put(object: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        Some((first, rest)) => {
            let below = object.entry(first).or_insert_with(|| Map::new().into());
            if let Value::Object(below) = below {
                put(below, rest, value);
            }
        }
        None => {
            object.insert(name.to_owned(), value);
        }
    }
}

/// `event.type` as `event.category` allows it.
fn types(entry: &Entry<'_>, is_process: bool) -> Value {
    let own = if is_process { "start" } else { "info" };
    match entry.record.decision() {
        _ if entry.is_held() => json!(["denied"]),
        "allow" | "approved" | "granted" => json!(["allowed"]),
        _ => json!([own]),
    }
}

fn outcome(entry: &Entry<'_>) -> &'static str {
    if entry.is_held() || entry.text("error").is_some() {
        "failure"
    } else if entry.text("event") == Some("PostToolUse") {
        "success"
    } else {
        "unknown"
    }
}

fn severity(weight: Weight) -> u8 {
    match weight {
        Weight::Routine => 1,
        Weight::Notable => 3,
        Weight::Held => 6,
        Weight::Trouble => 8,
    }
}
