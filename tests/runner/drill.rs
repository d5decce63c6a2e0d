//! What people do at their desk is not an incident: the log and the approvals stay as they were.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use support::call::Call;
use support::programs::{approval_gate, audit_logger, command_blocker};

use super::{Machine, shipped};

/// Every file below a folder, with its bytes.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn explaining_trying_and_examining_leave_the_log_and_the_approvals_as_they_were() {
    let machine = Machine::new().with(".claude/settings.json", &shipped("claude-code/settings.json"));
    // Built, so that they are on the PATH.
    for program in [audit_logger(), approval_gate(), command_blocker()] {
        assert!(program.is_file());
    }
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": machine.project(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force origin main"},
        "tool_use_id": "1",
    })
    .to_string();
    // A real call first, so that there is a log, an offer and everything else that a call makes.
    for program in [audit_logger(), approval_gate(), command_blocker()] {
        machine.prepare(Call::new(program)).input(payload.as_str()).run();
    }
    let state = || {
        let mut all = bytes(&machine.home().join("state"));
        all.extend(bytes(&machine.home().join(".local/state")));
        all
    };
    let before = state();
    assert!(before.len() >= 2, "{:?}", before.keys());
    for arguments in [
        &["explain", "git push --force origin main"][..],
        &["explain", "rm -rf /"],
        &["doctor"],
        &["doctor", "--json"],
        &["run", "--host", "claude", "--command", "git push --force origin main"],
        &["check"],
    ] {
        machine.runner(arguments.iter().copied());
        assert_eq!(state(), before, "{arguments:?}");
    }
    // The very payload of the real call, given once more.
    machine.call(["run", "--host", "claude"]).input(payload.as_str()).run();
    assert_eq!(state(), before);
}

#[test]
fn one_command_has_one_reason_and_no_code() {
    let machine = Machine::new();
    for program in [approval_gate(), command_blocker()] {
        assert!(program.is_file());
    }
    let answer = machine.runner(["explain", "git push --force origin main"]);
    assert_eq!(answer.stdout.matches("overwrites branches").count(), 1, "{}", answer.stdout);
    assert!(!answer.stdout.contains("hook-runner approve"), "{}", answer.stdout);
    assert!(answer.stdout.contains("Not set up for VS Code"), "{}", answer.stdout);
    let rows = |line: &&str| line.contains("command-blocker: ");
    let widest = answer.stdout.lines().filter(|line| !rows(line)).map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{}", answer.stdout);
}

#[test]
fn mistakes_in_our_own_files_are_named_with_place_and_mend() {
    let machine = Machine::new().with(".github/hooks/context.toml", "[context]\nmax_char = 7\n").with(
        ".github/hooks/policy.toml",
        "schema = 1\n[[rule]]\nid = \"a\"\ndecision = \"block\"\nreason = \"r\"\nrun = { program = \"x\" }\nmatch = [\"x\"]\n",
    );
    let user = machine.home().join(".config/policy-hooks");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("audit.toml"), "levl = \"full\"\n").unwrap();
    fs::write(user.join("format.toml"), "exclude = 3\n").unwrap();
    fs::create_dir(user.join("stop.toml")).unwrap();
    let expected = [
        (".github/hooks/context.toml", 2, "did you mean `max_chars`?"),
        (".github/hooks/policy.toml", 4, "did you mean `deny`?"),
        ("~/.config/policy-hooks/audit.toml", 1, "did you mean `level`?"),
        ("~/.config/policy-hooks/format.toml", 1, ""),
        ("~/.config/policy-hooks/stop.toml", 1, "put a regular file there, or remove it"),
    ];
    let answer = machine.runner(["check", "--format", "json"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let found = report["findings"].as_array().unwrap();
    for (file, line, help) in expected {
        let finding = found.iter().find(|finding| finding["file"] == file);
        let finding = finding.unwrap_or_else(|| panic!("{file}: {report:#}"));
        assert_eq!(
            (&finding["code"], &finding["line"]),
            (&"settings.broken".into(), &line.into()),
            "{finding:#}"
        );
        assert!(finding["help"].as_str().unwrap().contains(help), "{finding:#}");
    }
    let doctor = machine.runner(["doctor"]);
    assert_eq!(doctor.exit, Some(1));
    for (file, _, help) in expected {
        assert!(doctor.stdout.contains(file) && doctor.stdout.contains(help), "{file}: {}", doctor.stdout);
    }
    let one = machine.runner(["check", ".github/hooks/context.toml"]);
    assert!(one.stdout.contains("settings.broken") && one.exit == Some(1), "{one:?}");
    let fine = Machine::new().with(".github/hooks/policy.toml", "schema = 1 # for hooks\n").runner(["check"]);
    assert_eq!(fine.exit, Some(0), "{fine:?}");
}
