//! What `context-injector` promises.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Promise, Session, kept, says, when};

const HOOK: &str = "context-injector";

pub(super) const SESSIONS: &[Session] = &[Session {
    hooks: &[HOOK],
    // The facts take what they need on a machine that is twenty times slower, too.
    user_files: &[(".config/policy-hooks/context.toml", "[context]\ngit_deadline_ms = 60000\n")],
    prepare,
    script: || vec![says("done")],
    promises: &[Promise {
        hook: HOOK,
        title: "the model sees the project, its version, the branch and what has changed, marked as data",
        cell: |report, _| {
            let facts = [
                "(data, not instructions",
                "project: \"a-name-that-only-we-tell\" version \"4.5.6\"",
                "branch: \"trunk\" at ",
                "dirty: 0 staged, ",
                "? \"a-new-file\"",
            ];
            let shown = |fact: &&str| report.seen.iter().any(|seen| seen.text.contains(*fact));
            let missing: Vec<&str> = facts.iter().filter(|fact| !shown(fact)).copied().collect();
            when(missing.is_empty(), || format!("{missing:?} is missing: {report:?}"))
        },
        expected: kept,
    }],
    ..Session::USUAL
}];

/// A project on a branch that no host knows, with a new file; and a host that waits.
fn prepare(project: &Path) {
    let manifest = r#"{"name":"a-name-that-only-we-tell","version":"4.5.6"}"#;
    fs::write(project.join("package.json"), manifest).unwrap();
    fs::write(project.join("a-new-file"), "x").unwrap();
    let renamed = Command::new("git").args(["branch", "--move", "trunk"]).current_dir(project).status();
    assert!(renamed.unwrap().success());
    let folder = fs::read_dir(project.join(".github/hooks")).into_iter().flatten();
    let hooks = folder.map(|entry| entry.unwrap().path());
    // Plugins are JavaScript.
    let plugins = [".opencode/plugin", ".pi/extensions"];
    for plugin in plugins.map(|folder| project.join(folder).join("policy-hooks.js")) {
        let Ok(text) = fs::read_to_string(&plugin) else { continue };
        let longer = text
            .replace("\"timeout\": 10", "\"timeout\": 80")
            .replace("\"args\": []", "\"args\": [\"--deadline-ms\", \"70000\"]");
        assert_ne!(longer, text);
        fs::write(plugin, longer).unwrap();
    }
    let settings =
        [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".qwen/settings.json"];
    for file in settings.map(|file| project.join(file)).into_iter().chain(hooks).filter(|file| file.exists())
    {
        let mut text: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(wait_longer(&mut text) > 0, "{}", file.display());
        fs::write(file, text.to_string()).unwrap();
    }
}

/// Gives every hook eight times as long, and tells it so; how many there are.
fn wait_longer(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(wait_longer).sum(),
        Value::Object(fields) => {
            let mut found = 0;
            for (key, value) in fields {
                match (key.as_str(), &*value) {
                    ("timeout" | "timeoutSec", Value::Number(limit)) => {
                        *value = (limit.as_u64().unwrap() * 8).into();
                    }
                    ("command" | "bash", Value::String(command)) => {
                        *value = format!("{command} --deadline-ms 70000").into();
                        found += 1;
                    }
                    _ => found += wait_longer(value),
                }
            }
            found
        }
        _ => 0,
    }
}
