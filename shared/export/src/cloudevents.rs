//! `CloudEvents` 1.0.2 as JSON: the record is the event's data; its exact line is the extension `auditline`.

use serde_json::{Value, json};

use crate::entry::Entry;

pub(crate) fn event(entry: &Entry<'_>) -> Value {
    let machine = Some(entry.machine()).filter(|machine| !machine.is_empty()).unwrap_or("unknown");
    let mut event = json!({
        "specversion": "1.0",
        "id": entry.id(),
        "source": format!("/policy-hooks/{machine}"),
        "type": format!("policy_hooks.audit.{}", entry.kind()),
        "time": entry.record.ts(),
        "datacontenttype": "application/json",
        // The extension of CloudEvents for sequences: numbers as text that sorts.
        "sequence": format!("{:020}", entry.seq()),
        "audithash": entry.hash(),
        "auditline": entry.line,
        "data": entry.record.value(),
    });
    if let Some(subject) = entry.text("session") {
        event["subject"] = subject.into();
    }
    event
}
