//! The hooks themselves, on a disk: what a file holds, and where links lead.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::Call;
use support::hosts::Target;
use support::programs::{approval_gate, command_blocker};

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

/// Settings that are links into someone's dotfiles.
#[test]
fn what_a_guarded_link_leads_to_is_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (home, project) = (root.join("home"), root.join("home/project"));
    let dotfiles = home.join("dotfiles");
    for name in [".claude", ".config", ".local/bin", "project/.git", "project/.claude", "project/src"] {
        fs::create_dir_all(home.join(name)).unwrap();
    }
    for name in ["claude", "copilot-hooks", "policy", "tools", "shell"] {
        fs::create_dir_all(dotfiles.join(name)).unwrap();
    }
    fs::write(dotfiles.join("claude/settings.json"), SETTINGS).unwrap();
    fs::write(dotfiles.join("shell/bashrc"), "A=1\n").unwrap();
    fs::write(dotfiles.join("tools/hr"), "x").unwrap();
    fs::write(project.join("src/team.json"), SETTINGS).unwrap();
    for (to, place) in [
        ("claude/settings.json", ".claude/settings.json"),
        ("policy", ".config/policy-hooks"),
        ("shell/bashrc", ".bashrc"),
        ("later.json", ".claude/settings.local.json"),
    ] {
        symlink(dotfiles.join(to), home.join(place)).unwrap();
    }
    fs::create_dir_all(home.join(".copilot")).unwrap();
    symlink(dotfiles.join("copilot-hooks"), home.join(".copilot/hooks")).unwrap();
    symlink("../src/team.json", project.join(".claude/settings.json")).unwrap();
    let write = |file: &Path, text: &str| ("Write", json!({"file_path": file, "content": text}));
    let edit = |file: &Path, old: &str, new: &str| {
        ("Edit", json!({"file_path": file, "old_string": old, "new_string": new}))
    };
    let shell = |command: String| ("Bash", json!({"command": command}));
    let at = |name: &str| dotfiles.join(name);
    let (ask, deny, none) = (Effect::Ask, Effect::Deny, Effect::None);
    for ((tool, input), expected, rule) in [
        (write(&at("claude/settings.json"), "{}"), deny, "guard.host-settings"),
        (edit(&at("claude/settings.json"), "a", "b"), deny, "guard.host-settings"),
        (write(&at("copilot-hooks/50-any.json"), "{}"), deny, "guard.host-settings"),
        (write(&at("policy/policy.toml"), "x"), deny, "guard.own-files"),
        (write(&at("later.json"), "{}"), deny, "guard.host-settings"),
        (edit(&at("shell/bashrc"), "A=1", "alias claude=/tmp/x"), ask, "guard.agent-settings"),
        (edit(&at("shell/bashrc"), "A=1", "A=2"), none, ""),
        (edit(&project.join("src/team.json"), "PreToolUse", "Nothing"), ask, "guard.project-settings"),
        (edit(&project.join("src/team.json"), "\"a\"", "\"b\""), none, ""),
        (edit(&project.join("src/team.json"), "\"a\"", "7"), ask, "guard.project-settings"),
        (write(&at("claude/notes.md"), "x"), none, ""),
        (write(&at("README.md"), "x"), none, ""),
        (shell(format!("echo x > {}", at("claude/settings.json").display())), deny, "guard.host-settings"),
        (
            shell("cd ../dotfiles/claude && sed -i s/a/b/ settings.json".to_owned()),
            deny,
            "guard.host-settings",
        ),
        (shell("rm ../dotfiles/claude/settings.json".to_owned()), deny, "guard.host-settings"),
        (shell(format!("rm -rf {}", at("policy").display())), deny, "guard.own-files"),
        (shell(format!("cp x {}", at("policy/policy.toml").display())), deny, "guard.own-files"),
        (shell("echo x > src/team.json".to_owned()), ask, "guard.project-settings"),
        (shell(format!("cat {}", at("claude/settings.json").display())), none, ""),
        (shell(format!("echo x > {}", at("claude/notes.md").display())), none, ""),
        (shell("echo x > src/other.json".to_owned()), none, ""),
    ] {
        for program in [command_blocker(), approval_gate()] {
            let (effect, reason) = asked(program, &home, &project, tool, &input);
            assert_eq!(effect, expected, "{} {tool} {input}: {reason}", program.display());
            assert!(reason.contains(rule), "{tool} {input}: {reason}");
        }
    }
}

/// What Claude Code drops whole, with its hooks: one value of a wrong type, a comment, a comma.
#[test]
fn an_edit_after_which_claude_drops_its_settings_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (home, project) = (root.join("home"), root.join("project"));
    fs::create_dir_all(project.join(".claude")).unwrap();
    fs::create_dir_all(project.join(".git")).unwrap();
    fs::create_dir_all(&home).unwrap();
    let file = project.join(".claude/settings.json");
    fs::write(&file, SETTINGS).unwrap();
    let edit =
        |old: &str, new: &str| ("Edit", json!({"file_path": file, "old_string": old, "new_string": new}));
    let (ask, none) = (Effect::Ask, Effect::None);
    for ((tool, input), expected) in [
        (edit("\"model\": \"a\"", "\"model\": 7"), ask),
        (edit("\"model\": \"a\"", "\"model\": \"a\", \"cleanupPeriodDays\": \"x\""), ask),
        (edit("\"model\": \"a\"", "\"model\": \"a\", \"language\": 7"), ask),
        (edit("\"model\": \"a\"", "\"model\": \"a\", \"outputStyle\": []"), ask),
        (edit("\"model\": \"a\",", "// the model\n\"model\": \"a\","), ask),
        (edit("[]}", "[]},"), ask),
        (edit("\"model\": \"a\"", "\"model\": \"a"), ask),
        (("Write", json!({"file_path": file, "content": SETTINGS.replace("\"a\"", "[]")})), ask),
        (("Write", json!({"file_path": file, "content": format!("\u{feff}{SETTINGS}")})), ask),
        (edit("\"model\": \"a\"", "\"model\": \"b\""), none),
        (edit("\"model\": \"a\"", "\"model\": \"a\", \"language\": \"german\""), none),
        (edit("\"model\": \"a\"", "\"model\": \"a\", \"cleanupPeriodDays\": 30"), none),
        (("Write", json!({"file_path": file, "content": SETTINGS.replace("\"a\"", "\"b\"")})), none),
    ] {
        for program in [command_blocker(), approval_gate()] {
            let (effect, reason) = asked(program, &home, &project, tool, &input);
            assert_eq!(effect, expected, "{} {tool} {input}: {reason}", program.display());
        }
    }
}
