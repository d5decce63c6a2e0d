//! The hooks themselves, on a disk: what a file holds, and where links lead.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use payload::model::Effect;
use serde_json::{Value, json};
use tests::call::Call;
use tests::hosts::Target;
use tests::programs::{approval_gate, command_blocker};

const SETTINGS: &str = "{\n  \"model\": \"a\",\n  \"hooks\": {\"PreToolUse\": []}\n}\n";

/// What Claude Code makes of the answer of a hook to a call.
fn asked(program: &Path, home: &Path, project: &Path, tool: &str, input: &Value) -> (Effect, String) {
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": project, "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
    });
    let call = Call::new(program).env("HOME", home).env("AUDIT_LOG", "").input(payload.to_string());
    let answer = call.run();
    let outcome = Target::Claude.reads("PreToolUse", &answer);
    (outcome.effect, outcome.reason.unwrap_or_default())
}

#[test]
fn edits_are_judged_by_what_stands_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (home, project) = (root.join("home"), root.join("project"));
    for name in [".claude", ".git", ".vscode", "src"] {
        fs::create_dir_all(project.join(name)).unwrap();
    }
    fs::create_dir_all(home.join(".claude")).unwrap();
    fs::write(project.join(".claude/settings.json"), SETTINGS).unwrap();
    symlink(project.join(".claude"), project.join("src/link")).unwrap();
    symlink(project.join(".claude/settings.json"), project.join("plain.json")).unwrap();
    symlink(home.join(".claude"), project.join("mine")).unwrap();
    let edit = |file: &str, old: &str, new: &str| {
        ("Edit", json!({"file_path": project.join(file), "old_string": old, "new_string": new}))
    };
    let shell = |command: &str| ("Bash", json!({"command": command}));
    let (ask, deny, none) = (Effect::Ask, Effect::Deny, Effect::None);
    for ((tool, input), expected, rule) in [
        (edit(".claude/settings.json", "\"a\"", "\"b\""), none, ""),
        (edit(".claude/settings.json", "PreToolUse", "Nothing"), ask, "guard.project-settings"),
        (edit("src/link/settings.json", "PreToolUse", "Nothing"), ask, "guard.project-settings"),
        (edit("plain.json", "PreToolUse", "Nothing"), ask, "guard.project-settings"),
        (edit("mine/settings.json", "a", "b"), deny, "guard.host-settings"),
        (edit(".vscode/launch.json", "a", "b"), none, ""),
        (edit("src/main.rs", "a", "b"), none, ""),
        (shell("echo x > src/link/settings.json"), ask, "guard.project-settings"),
        (shell("echo x > plain.json"), ask, "guard.project-settings"),
        (shell("rm mine/settings.json"), deny, "guard.host-settings"),
        (shell("cat plain.json"), none, ""),
    ] {
        for program in [command_blocker(), approval_gate()] {
            let (effect, reason) = asked(program, &home, &project, tool, &input);
            assert_eq!(effect, expected, "{} {tool} {input}: {reason}", program.display());
            assert!(reason.contains(rule), "{tool} {input}: {reason}");
        }
    }
}
