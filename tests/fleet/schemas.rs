//! Exports, read by the schemas of the formats' own authors: opentelemetry-proto, OCSF's, `ArcSight`'s dictionary; of ECS
//! the fields that we use are in `ecs-fields.csv`, from elastic/ecs (`generated/csv/fields.csv`, 8.x).

use std::fs;
use std::process::Command;

use serde_json::json;
use support::payloads;
use support::programs::{audit_logger, command_blocker, root};

use super::{Laptop, receivers};

#[test]
fn every_format_is_what_its_authors_say_it_is() {
    let Some(home) = receivers() else { return };
    let laptop = Laptop::new(300);
    laptop.settings(
        "identity = \"name\"\nresource = { team = \"x\", \"cost.center\" = \"17\" }\nlevel = \"full\"\n",
    );
    // What hosts really send, through the programs that really write.
    for payload in payloads::all() {
        let _ = laptop.call(audit_logger()).input(payload.text.as_str()).run();
    }
    for (number, command) in ["rm -rf /", "git push --force origin main"].iter().enumerate() {
        let payload = json!({
            "session_id": "s", "transcript_path": "/tmp/t", "cwd": "/tmp", "hook_event_name": "PreToolUse",
            "permission_mode": "default", "tool_name": "Bash", "tool_use_id": format!("t{number}"),
            "tool_input": { "command": command },
        });
        let _ = laptop.call(command_blocker()).input(payload.to_string()).run();
        let _ = laptop.call(audit_logger()).input("not a payload").run();
    }
    let folder = tempfile::tempdir().unwrap();
    for format in ["jsonl", "otlp", "otlp-protobuf", "ocsf", "ecs", "cef", "cloudevents"] {
        fs::write(folder.path().join(format), laptop.export(&["--format", format])).unwrap();
    }
    let checked = Command::new(home.join("python/bin/python"))
        .arg(root().join("tests/fleet/check_formats.py"))
        .arg(folder.path())
        .arg(root().join("tests/fleet/ecs-fields.csv"))
        .output()
        .unwrap();
    let said =
        String::from_utf8_lossy(&checked.stdout).into_owned() + &String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{said}");
    for name in ["otlp", "ocsf", "ecs", "cef", "cloudevents"] {
        assert!(said.contains(name), "{said}");
    }
}
