//! What hooks do for the fleet: names, the heartbeat, and a run that ships when a session ends.

use std::fs;

use serde_json::{Value, json};
use support::programs::audit_logger;

use super::{Laptop, lines_of, until};

impl Laptop {
    /// One event of Claude Code through audit-logger; its record.
    fn event(&self, name: &str, cwd: &std::path::Path) -> Value {
        let payload = json!({
            "session_id": "s1", "transcript_path": "/tmp/t.jsonl", "cwd": cwd, "hook_event_name": name,
            "permission_mode": "default", "source": "startup", "reason": "other",
        });
        let answer = self.call(audit_logger()).env("USER", "ann").input(payload.to_string()).run();
        assert_eq!((answer.exit, answer.stdout.trim()), (Some(0), "{}"), "{answer:?}");
        // A slow record is written after the answer.
        let mut last = Value::Null;
        until("the record", || {
            let text = fs::read_to_string(self.log()).unwrap_or_default();
            last = text.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
            last["event"] == name
        });
        last
    }

    /// The start of a session. On a crowded machine the look at what is on may take too long, and the record says nothing
    /// of it: then once more.
    fn start(&self, cwd: &std::path::Path) -> Value {
        let mut record = Value::Null;
        until("a record with what is on", || {
            record = self.event("SessionStart", cwd);
            record.get("guard").is_some()
        });
        record
    }
}

#[test]
fn a_session_starts_with_what_is_on() {
    let laptop = Laptop::new(0);
    let project = tempfile::tempdir().unwrap();
    let bare = laptop.start(project.path());
    assert_eq!((&bare["guard"]["mode"], &bare["guard"]["managed"]), (&"off".into(), &false.into()), "{bare}");
    assert_eq!(bare["guard"]["policy"], json!({ "files": 0 }));

    fs::create_dir_all(project.path().join(".claude")).unwrap();
    let hooks = |command: &str| {
        let text =
            json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": command }] }] } });
        fs::write(project.path().join(".claude/settings.json"), text.to_string()).unwrap();
        laptop.start(project.path())["guard"].clone()
    };
    let enforced = hooks("command-blocker");
    assert_eq!(enforced["mode"], "enforce", "{enforced}");
    let observed = hooks("command-blocker --mode observe");
    assert_eq!(observed["mode"], "observe", "{observed}");
    assert_ne!(enforced["hooks"]["sha256"], observed["hooks"]["sha256"]);
    assert_eq!(enforced["programs"], observed["programs"]);
    let names: Vec<&str> =
        enforced["programs"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"command-blocker") && names.contains(&"hook-runner"), "{names:?}");

    fs::create_dir_all(laptop.path().join(".config/policy-hooks")).unwrap();
    fs::write(laptop.path().join(".config/policy-hooks/policy.toml"), "schema = 1\n").unwrap();
    let policy = laptop.start(project.path())["guard"]["policy"].clone();
    assert_eq!(policy["files"], 1, "{policy}");
    // As a person finds it out: the digest of the line that sha256sum prints, without its name.
    let inner = store::trust::digest(b"schema = 1\n") + "\n";
    assert_eq!(policy["sha256"], store::trust::digest(inner.as_bytes()));
    assert!(laptop.event("Stop", project.path()).get("guard").is_none());
}

#[test]
fn records_name_people_as_the_settings_say() {
    let project = tempfile::tempdir().unwrap();
    let with = |settings: &str| {
        let laptop = Laptop::new(0);
        fs::write(laptop.path().join(".gitconfig"), "[user]\n\temail = ann@example.org\n").unwrap();
        laptop.settings(settings);
        laptop.event("Stop", project.path())
    };
    let usual = with("");
    assert!(usual["user"].as_str().unwrap().starts_with("ann:"), "{usual}");
    for key in ["machine_name", "email", "resource"] {
        assert!(usual.get(key).is_none(), "{usual}");
    }
    let hashed = with("identity = \"hash\"\nemail = true\n");
    let text = hashed.to_string();
    assert!(
        hashed["user"].as_str().unwrap().starts_with("h-") && hashed.get("machine_name").is_none(),
        "{text}"
    );
    assert!(!text.contains("ann:") && !text.contains("example.org"), "{text}");
    let named = with(
        "identity = \"name\"\nemail = true\nresource = { team = \"payments\", \"cost.center\" = \"17\" }\n",
    );
    assert!(named["user"].as_str().unwrap().starts_with("ann:"), "{named}");
    assert!(!named["machine_name"].as_str().unwrap().is_empty());
    assert_eq!(named["email"], "ann@example.org");
    assert_eq!(named["resource"], json!({ "team": "payments", "cost.center": "17" }));
}

#[test]
fn the_end_of_a_session_ships_in_the_background_where_that_is_set() {
    let project = tempfile::tempdir().unwrap();
    let to = tempfile::tempdir().unwrap();
    let arrived = || -> Vec<String> {
        let days = fs::read_dir(to.path()).into_iter().flatten().flatten();
        let files = days.flat_map(|day| fs::read_dir(day.path()).into_iter().flatten().flatten());
        files.flat_map(|file| lines_of(&fs::read(file.path()).unwrap_or_default())).collect()
    };
    let laptop = Laptop::new(5);
    laptop.settings(&format!("[ship]\nto = {:?}\nat_session_end = true\n", to.path().display().to_string()));
    laptop.event("Stop", project.path());
    laptop.event("SessionEnd", project.path());
    let sent = laptop.lines().len();
    until("the records in the folder", || arrived().len() >= sent);
    assert_eq!(laptop.arrived(&arrived()), 0);

    let silent = Laptop::new(5);
    let other = tempfile::tempdir().unwrap();
    silent.settings(&format!("[ship]\nto = {:?}\n", other.path().display().to_string()));
    silent.event("SessionEnd", project.path());
    assert!(!silent.path().join(".local/state/policy-hooks/ship").exists());
}
