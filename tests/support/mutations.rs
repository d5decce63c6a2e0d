//! What an update of a host may do to its payloads: each change of each single key.

use serde_json::{Map, Value, json};

/// A payload in which one key was changed.
#[derive(Debug)]
pub struct Mutation {
    /// Which key, and what happened to it.
    pub what: String,
    /// The key, with those above it.
    pub path: Vec<String>,
    /// Whether the key and what stood there are gone.
    pub removed: bool,
    /// What came out.
    pub payload: Value,
}

type Change = fn(&str, Value) -> Option<(String, Value)>;

/// The changes, each by its name; `None` takes the key away.
const CHANGES: &[(&str, Change)] = &[
    ("removed", |_, _| None),
    ("renamed with a letter more", |key, value| Some((format!("{key}x"), value))),
    ("renamed with a word more", |key, value| Some((format!("the_{key}"), value))),
    ("renamed", |_, value| Some(("renamed".to_owned(), value))),
    ("in another casing", |key, value| Some((other_casing(key), value))),
    ("one deeper under its own name", |key, value| Some((key.to_owned(), json!({ key: value })))),
    ("one deeper", |key, value| Some((key.to_owned(), json!({ "value": value })))),
    ("moved into a new object", |key, value| Some(("moved".to_owned(), json!({ key: value })))),
    ("made a list", |key, value| Some((key.to_owned(), json!([value])))),
    ("made a JSON string", |key, value| Some((key.to_owned(), Value::String(value.to_string())))),
    ("made a list in a JSON string", |key, value| Some((key.to_owned(), json!([value]).to_string().into()))),
];

/// `session_id` for `sessionId`, and the other way round.
fn other_casing(key: &str) -> String {
    let mut other = String::new();
    let mut up = false;
    for c in key.chars() {
        if c == '_' {
            up = true;
        } else if c.is_uppercase() {
            other.push('_');
            other.extend(c.to_lowercase());
        } else if std::mem::take(&mut up) {
            other.extend(c.to_uppercase());
        } else {
            other.push(c);
        }
    }
    if other == key { key.to_uppercase() } else { other }
}

/// Every change of every key of a payload, at any depth.
pub fn all(payload: &Value) -> Vec<Mutation> {
    let mut paths = Vec::new();
    keys(payload, &mut Vec::new(), &mut paths);
    let mut found = Vec::new();
    for path in paths {
        for (name, change) in CHANGES {
            let mut changed = payload.clone();
            apply(&mut changed, &path, *change);
            found.push(Mutation {
                what: format!("{} {name}", path.join(".")),
                removed: *name == "removed",
                payload: changed,
                path: path.clone(),
            });
        }
    }
    found
}

fn keys(value: &Value, above: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => return,
    };
    for (key, inner) in members {
        above.push(key);
        if value.is_object() {
            found.push(above.clone());
        }
        keys(inner, above, found);
        above.pop();
    }
}

fn apply(value: &mut Value, path: &[String], change: Change) {
    let Some((key, rest)) = path.split_first() else { return };
    match value {
        Value::Object(members) if rest.is_empty() => {
            // The order stays.
            let old = std::mem::take(members);
            let mut new = Map::new();
            for (name, value) in old {
                if name == *key {
                    new.extend(change(&name, value));
                } else {
                    new.insert(name, value);
                }
            }
            *members = new;
        }
        Value::Object(members) => {
            if let Some(inner) = members.get_mut(key) {
                apply(inner, rest, change);
            }
        }
        Value::Array(elements) => {
            if let Some(inner) = key.parse().ok().and_then(|at: usize| elements.get_mut(at)) {
                apply(inner, rest, change);
            }
        }
        _ => {}
    }
}
