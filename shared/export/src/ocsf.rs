//! Open Cybersecurity Schema Framework 1.5.0: *Process Activity* (1007) for what runs commands, *API Activity* (6003) for
//! everything else, with the profile of security controls.

use serde_json::{Map, Value, json};

use crate::entry::{Entry, Weight};

const VERSION: &str = "1.5.0";

pub(crate) fn event(entry: &Entry<'_>) -> Value {
    let command = entry.command();
    let is_process = command.is_some();
    // Launch of a process, or an activity of an interface that is none of create, read, update and delete.
    let (class_uid, class_name, category_uid, category_name, activity_id) = if is_process {
        (1007, "Process Activity", 1, "System Activity", 1)
    } else {
        (6003, "API Activity", 6, "Application Activity", 99)
    };
    let mut event = json!({
        "activity_id": activity_id,
        "category_name": category_name,
        "category_uid": category_uid,
        "class_name": class_name,
        "class_uid": class_uid,
        "type_uid": class_uid * 100 + activity_id,
        "time": entry.micros().div_euclid(1000),
        "severity_id": severity(entry.weight()),
        "message": entry.summary(),
        "metadata": metadata(entry),
        "actor": actor(entry),
        "raw_data": entry.line,
        "unmapped": { "policy_hooks": unmapped(entry) },
    });
    let machine = Some(entry.machine()).filter(|machine| !machine.is_empty()).unwrap_or("unknown");
    if let Value::Object(event) = &mut event {
        let named = entry.text("machine_name");
        let with_name = |mut place: Value| {
            if let Some(name) = named {
                place["hostname"] = name.into();
            }
            place
        };
        if let Some(command) = command {
            event.insert("activity_name".to_owned(), "Launch".into());
            let mut process = json!({ "uid": entry.text("call").unwrap_or(entry.id()), "cmd_line": command });
            if let Some(folder) = entry.text("cwd") {
                process["working_directory"] = folder.into();
            }
            event.insert("process".to_owned(), process);
            event.insert("device".to_owned(), with_name(json!({ "type_id": 0, "uid": machine })));
        } else {
            event.insert("activity_name".to_owned(), entry.action().into());
            let service = json!({ "name": entry.text("host").unwrap_or("policy-hooks") });
            let operation = entry.text("tool.name").or_else(|| entry.text("event")).unwrap_or(entry.kind());
            event.insert("api".to_owned(), json!({ "operation": operation, "service": service }));
            event.insert("src_endpoint".to_owned(), with_name(json!({ "uid": machine })));
        }
        control(entry, event);
    }
    event
}

/// Informational, low, medium, high.
fn severity(weight: Weight) -> u8 {
    match weight {
        Weight::Routine => 1,
        Weight::Notable => 2,
        Weight::Held => 3,
        Weight::Trouble => 4,
    }
}

fn metadata(entry: &Entry<'_>) -> Value {
    let mut metadata = json!({
        "version": VERSION,
        "profiles": ["security_control"],
        "product": { "name": "policy-hooks", "vendor_name": "policy-hooks" },
        "uid": entry.id(),
        "sequence": entry.seq(),
        "event_code": entry.action(),
        "log_name": "audit",
        "log_version": audit::VERSION.to_string(),
    });
    if let Some(version) = entry.text("by.version") {
        metadata["product"]["version"] = version.into();
    }
    if let Some(session) = entry.text("session") {
        metadata["correlation_uid"] = session.into();
    }
    metadata
}

fn actor(entry: &Entry<'_>) -> Value {
    let mut actor = json!({ "app_name": entry.text("host").unwrap_or("policy-hooks") });
    let mut user = Map::new();
    for (key, value) in
        [("name", entry.user()), ("uid", entry.user_id()), ("email_addr", entry.text("email"))]
    {
        if let Some(value) = value {
            user.insert(key.to_owned(), value.into());
        }
    }
    if user.contains_key("name") || user.contains_key("uid") {
        actor["user"] = user.into();
    }
    if let Some(session) = entry.text("session") {
        actor["session"] = json!({ "uid": session });
    }
    actor
}

/// The profile of security controls: what a policy did about it.
fn control(entry: &Entry<'_>, event: &mut Map<String, Value>) {
    let decision = entry.record.decision();
    if decision.is_empty() {
        return;
    }
    // Denied and blocked; allowed and allowed; or without an effect on the call.
    let (action, disposition) = match decision {
        _ if entry.is_held() => (2, 2),
        "allow" | "approved" | "granted" => (1, 1),
        "deny" | "block" | "keep" => (1, 17),
        _ => (0, 0),
    };
    event.insert("action_id".to_owned(), action.into());
    event.insert("disposition_id".to_owned(), disposition.into());
    event.insert("is_alert".to_owned(), entry.is_held().into());
    if let Some(rule) = entry.text("decision.rule") {
        let mut policy = json!({ "uid": rule });
        if let Some(reason) = entry.text("decision.reason") {
            policy["desc"] = reason.into();
        }
        if let Some(version) = entry.text("by.policy") {
            policy["version"] = version.into();
        }
        event.insert("policy".to_owned(), policy);
    }
}

fn unmapped(entry: &Entry<'_>) -> Value {
    let mut rest = json!({ "seq": entry.seq(), "hash": entry.hash(), "kind": entry.kind() });
    for (key, path) in [
        ("prev", "prev"),
        ("event", "event"),
        ("tool", "tool.name"),
        ("tool_kind", "tool.kind"),
        ("call", "call"),
        ("model", "model"),
        ("repository", "repo.root"),
        ("branch", "repo.branch"),
        ("decision", "decision.value"),
        ("level", "level"),
    ] {
        if let Some(value) = entry.text(path) {
            rest[key] = value.into();
        }
    }
    for key in ["paths", "urls", "resource", "guard"] {
        if !entry.value(key).is_null() {
            rest[key] = entry.value(key).clone();
        }
    }
    rest
}
