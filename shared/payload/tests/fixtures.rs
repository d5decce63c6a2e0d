//! Every recorded payload is read, recognised without a hint, and nothing of it is lost.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use payload::{Dialect, Event, EventKind, Field, Hints, Host, Verdict, parse, render};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads")
}

/// All fixtures by `host/file`, without the extension.
fn fixtures() -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for host in
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let files = fs::read_dir(&host).unwrap().map(|entry| entry.unwrap().path());
        for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            let name =
                format!("{}/{}", host.file_name().unwrap().display(), file.file_stem().unwrap().display());
            found.insert(name, fs::read(&file).unwrap());
        }
    }
    assert!(found.len() > 250, "only {} fixtures were found", found.len());
    found
}

/// One line of `expected.tsv`.
fn describe(name: &str, event: &Event<'_>) -> String {
    let commands: Vec<_> =
        event.commands().iter().map(|c| format!("{:?} {:?}", c.language, c.text)).collect();
    let paths: Vec<_> = event.paths().iter().map(|p| format!("{:?} {}", p.access, p.path)).collect();
    let more: Vec<_> = event
        .mcp()
        .map(|call| format!("mcp {} {}", call.server, call.tool))
        .into_iter()
        .chain(event.agent_started().map(|agent| format!("agent {}", agent.name.unwrap_or_default())))
        .chain(event.urls().iter().map(|url| format!("url {url}")))
        .chain(event.agent().map(|agent| format!("inside {}", agent.kind.unwrap_or_default())))
        .chain(event.input_unreadable().then(|| "unreadable".to_owned()))
        .collect();
    let tool = event.tool().map(|tool| format!("{:?}", tool.kind)).unwrap_or_default();
    [
        name,
        event.host.as_str(),
        &format!("{:?}", event.dialect),
        event.kind.as_str(),
        &tool,
        &commands.join(" | "),
        &paths.join(" | "),
        &more.join(" | "),
    ]
    .join("\t")
}

#[test]
fn every_payload_is_recognised_without_a_hint() {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let expected: Vec<_> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let mut actual = Vec::new();
    for (name, bytes) in fixtures() {
        let event = parse(&bytes, Hints::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        actual.push(describe(&name, &event));
    }
    let wrong: Vec<_> = actual.iter().filter(|line| !expected.contains(&line.as_str())).collect();
    assert!(
        wrong.is_empty(),
        "not in expected.tsv:\n{}",
        wrong.iter().map(|l| l.as_str()).collect::<Vec<_>>().join("\n")
    );
    assert_eq!(actual.len(), expected.len(), "expected.tsv names files that do not exist");
}

/// The folder, not the table, says who wrote a payload and in which form it must be answered.
#[test]
fn the_folder_a_payload_lies_in_names_its_host_and_dialect() {
    for (name, bytes) in fixtures() {
        let event = parse(&bytes, Hints::default()).unwrap();
        let (folder, file) = name.split_once('/').unwrap();
        let host = Host::NAMED.into_iter().find(|host| folder.starts_with(host.as_str())).unwrap();
        let hosts = (host, host.dialects()[usize::from(folder.ends_with("-pascal"))]);
        // Some events stay camelCase in Copilot's PascalCase configurations.
        let stays = ["Notification", "PermissionRequest", "PreMcpToolCall", "SubagentStart"]
            .iter()
            .any(|event| file.starts_with(event));
        let dialect = if folder == "copilot-cli-pascal" && stays { Dialect::Flat } else { hosts.1 };
        assert_eq!((event.host, event.dialect), (hosts.0, dialect), "{name}");
        let named: EventKind = file.split('-').next().unwrap().parse().unwrap();
        assert_eq!(event.kind, named, "{name}");
        assert!(event.defects().is_empty(), "{name}: {:?}", event.defects());
    }
}

#[test]
fn known_and_unknown_fields_together_are_the_whole_payload() {
    for (name, bytes) in fixtures() {
        let event = parse(&bytes, Hints::default()).unwrap();
        let whole: Value = serde_json::from_slice(&bytes).unwrap();
        let Value::Object(whole) = whole else { panic!("{name}") };
        assert_eq!(
            serde_json::from_str::<Value>(event.raw()).unwrap(),
            Value::Object(whole.clone()),
            "{name}"
        );

        let mut left = whole.clone();
        for (key, value) in event.unknown_fields() {
            let value: Value = serde_json::from_str(value.text()).unwrap();
            assert_eq!(left.remove(&*key), Some(value), "{name}: {key}");
        }
        for field in Field::ALL {
            // Qwen Code has an id of its own for a call, and the model's.
            let values: Vec<Value> = field.spellings().iter().filter_map(|key| left.remove(*key)).collect();
            let seen =
                event.field(*field).map_or(Value::Null, |json| serde_json::from_str(json.text()).unwrap());
            let same = values.contains(&seen) || values.is_empty() && seen == Value::Null;
            // What it keeps elsewhere is put where others have it.
            let moved = event.host.is_late() && (values.is_empty() || seen == Value::Null);
            assert!(same || moved, "{name}: {field:?}");
        }
        assert!(left.is_empty(), "{name}: lost {left:?}");
    }
}

#[test]
fn a_hook_without_an_opinion_answers_every_payload_with_an_empty_object() {
    for (name, bytes) in fixtures() {
        let event = parse(&bytes, Hints::default()).unwrap();
        let reply = render(&Verdict::NoOpinion, &event.address()).unwrap();
        assert_eq!((reply.stdout.as_str(), reply.stderr.as_str(), reply.exit), ("{}", "", 0), "{name}");
    }
}

/// Older Copilot CLI versions sent `toolArgs` encoded in a string; the views must not see the difference.
#[test]
fn encoded_arguments_are_read_like_plain_ones() {
    let mut compared = 0;
    for (name, bytes) in fixtures() {
        let mut value: Value = serde_json::from_slice(&bytes).unwrap();
        let Some(args) = value.get_mut("toolArgs").filter(|args| args.is_object()) else { continue };
        *args = Value::String(args.to_string());
        let encoded = value.to_string();
        let (plain, encoded) =
            (parse(&bytes, Hints::default()).unwrap(), parse(encoded.as_bytes(), Hints::default()).unwrap());
        assert_eq!(describe(&name, &plain), describe(&name, &encoded));
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
