//! What the hosts tell their hooks, held against what was recorded: the first to see what a new version changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use payload::Hints;
use real_hosts::Turn;
use serde_json::Value;
use support::payloads;

use super::{Cell, Programs, Promise, Session, kept, says, shell, when, write};
use crate::real_hosts::scene::Scene;

pub(super) const SESSIONS: &[Session] = &[Session {
    hooks: &["audit-logger"],
    programs: Programs::Recording,
    is_brief: true,
    script: || {
        vec![
            shell("echo hello"),
            shell("exit 3"),
            write("new.txt", "new"),
            Turn::Edit("new.txt".to_owned(), "new".to_owned(), "old".to_owned()),
            Turn::Read("new.txt".to_owned()),
            says("done"),
        ]
    },
    promises: &[Promise {
        hook: "every hook",
        title: "receives exactly the payloads recorded in `tests/payloads`: no event or field is new, none is missing",
        cell: |_, scene| as_recorded(scene),
        expected: kept,
    }],
    ..Session::USUAL
}];

/// Fields of the payloads of one event, and one tool: those of any, and those of all.
struct Fields {
    any: BTreeSet<String>,
    all: BTreeSet<String>,
}

type Spoken = BTreeMap<String, Fields>;

fn as_recorded(scene: &Scene) -> Cell {
    let mut said = Vec::new();
    for entry in fs::read_dir(&scene.payloads).map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.to_string())?;
        said.push(fs::read_to_string(entry.path()).map_err(|error| error.to_string())?);
    }
    let recorded = spoken(payloads::of_folder(scene.setup.recorded()).into_iter().map(|(_, text)| text));
    let said = spoken(said.into_iter());
    when(said.keys().any(|event| event.starts_with("PreToolUse ")), || "no call was reported".to_owned())?;
    let mut changes = Vec::new();
    for (event, now) in &said {
        let Some(known) = recorded.get(event) else {
            changes.push(format!("{event} is new: {:?}", now.any));
            continue;
        };
        changes.extend(now.any.difference(&known.any).map(|field| format!("{event}: {field} is new")));
        changes.extend(known.all.difference(&now.any).map(|field| format!("{event}: {field} is gone")));
    }
    when(changes.is_empty(), || changes.join("; "))
}

/// The fields of every event.
fn spoken(payloads: impl Iterator<Item = String>) -> Spoken {
    let mut spoken = Spoken::new();
    for text in payloads {
        let Ok(event) = payload::parse(text.as_bytes(), Hints::default()) else { continue };
        let tool = event.tool().map(|tool| tool.name.to_string()).unwrap_or_default();
        let name = format!("{:?} {tool}", event.kind);
        let now = fields(&text);
        spoken
            .entry(name)
            .and_modify(|fields| {
                fields.any.extend(now.iter().cloned());
                fields.all.retain(|field| now.contains(field));
            })
            .or_insert_with(|| Fields { any: now.clone(), all: now });
    }
    spoken
}

/// The names of a payload's fields, and of those of the call's arguments.
fn fields(text: &str) -> BTreeSet<String> {
    let Ok(Value::Object(payload)) = serde_json::from_str(text) else { return BTreeSet::new() };
    let mut fields: BTreeSet<String> = payload.keys().cloned().collect();
    for (name, value) in &payload {
        let within = match value {
            Value::Object(within) if name != "tool_response" => within.clone(),
            _ => continue,
        };
        fields.extend(within.keys().map(|key| format!("{name}.{key}")));
    }
    fields
}
