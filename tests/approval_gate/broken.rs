//! A policy that cannot be read: what could do harm is held, reading stays possible, and the reason says where.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use payload::model::Effect;
use payload::{Hints, parse};
use policy::layers::Places;
use serde_json::json;
use support::hosts::Target;
use support::payloads;

use super::{Machine, POLICY, write};

/// Mistakes, each with what the reason has to say.
const BROKEN: [(&str, &str); 5] = [
    (
        "schema = 1\n[[rule]]\nid = \"x\"\ndecision = \"dney\"\nreason = \"r\"\nrun = { program = \"x\" }\n",
        "policy.toml:4:12: `decision` cannot be `dney` (did you mean `deny`?)",
    ),
    ("schema = 1\nrules = []\n", "policy.toml:2:1: unknown key `rules`"),
    ("[[rule]\n", "policy.toml:1:1"),
    ("", "policy.toml:1:1"),
    ("schema = 2\n", "policy.toml:1:10"),
];

fn effect(machine: &Machine, tool: &str, input: &serde_json::Value) -> (Effect, String) {
    let answer = machine.hook(machine.claude(tool, input));
    let outcome = Target::Claude.reads("PreToolUse", &answer);
    (outcome.effect, outcome.reason.unwrap_or_default())
}

/// Everything but reading is asked about, with the place of the mistake.
fn holds(machine: &Machine, says: &str) {
    for (tool, input) in [
        ("Bash", json!({"command": "ls"})),
        ("Write", json!({"file_path": "/home/user/project/a", "content": "x"})),
        ("Edit", json!({"file_path": "/home/user/project/a", "old_string": "x", "new_string": "y"})),
        ("NewTool", json!({"anything": 1})),
        ("mcp__server__tool", json!({})),
    ] {
        let (effect, reason) = effect(machine, tool, &input);
        assert_eq!(effect, Effect::Ask, "{tool}: {reason}");
        assert!(reason.contains(says), "{tool}: {reason}\nnot: {says}");
    }
    for (tool, input) in
        [("Read", json!({"file_path": "/home/user/project/a"})), ("Grep", json!({"pattern": "x"}))]
    {
        assert_eq!(effect(machine, tool, &input), (Effect::None, String::new()), "{tool}");
    }
    let (effect, _) = effect(machine, "Bash", &json!({"command": "rm -rf /"}));
    assert_eq!(effect, Effect::Deny, "other layers still hold");
}

#[test]
fn a_broken_user_policy_asks() {
    for (text, says) in BROKEN {
        holds(&Machine::new().user(text), says);
    }
}

#[test]
fn a_broken_project_policy_asks() {
    for (text, says) in BROKEN {
        for name in [".github/hooks/policy.toml", ".claude/hooks/policy.toml"] {
            let machine = Machine::new();
            write(&machine.project().join(name), text);
            holds(&machine, says);
        }
    }
}

#[test]
fn what_is_not_a_file_is_broken() {
    let machine = Machine::new();
    fs::create_dir_all(machine.policy()).unwrap();
    holds(&machine, "it is not a file");
    let machine = Machine::new();
    fs::create_dir_all(machine.policy().parent().unwrap()).unwrap();
    fs::write(machine.policy(), b"schema = 1 # \xff\n").unwrap();
    holds(&machine, "the file is not UTF-8 text");
    let machine = Machine::new().user(&format!("schema = 1\n#{}", "x".repeat(policy::MAX_FILE)));
    holds(&machine, "larger than 1 MiB");
}

/// Dotfiles that are not unpacked, and whatever else is there and no file: the denials that it held are not gone.
#[test]
fn what_leads_nowhere_is_broken_and_not_absent() {
    for place in [".config/policy-hooks/policy.toml", ".config/policy-hooks", "project"] {
        let machine = Machine::new();
        let (path, says) = match place {
            "project" => (machine.project().join(".github/hooks/policy.toml"), "a link to something"),
            place => (machine.home().join(place), "a link to something"),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", &path).unwrap();
        holds(&machine, says);
    }
    let machine = Machine::new();
    fs::create_dir_all(machine.policy().parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(machine.policy()).status().unwrap().success());
    holds(&machine, "it is not a file");
    let machine = Machine::new();
    fs::create_dir_all(machine.policy().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(machine.policy(), machine.policy()).unwrap();
    holds(&machine, "it cannot be read");
}

/// Where nothing is, nothing holds anyone back: neither without a folder, nor behind links that lead somewhere.
#[test]
fn what_is_not_there_is_absent() {
    let machine = Machine::new();
    fs::create_dir_all(machine.home().join("dotfiles")).unwrap();
    fs::remove_dir_all(machine.home().join(".config")).ok();
    std::os::unix::fs::symlink(machine.home().join("dotfiles"), machine.home().join(".config")).unwrap();
    fs::write(machine.project().join(".claude"), "a file of someone").unwrap();
    assert_eq!(effect(&machine, "Bash", &json!({"command": "ls"})), (Effect::None, String::new()));
}

#[test]
fn a_folder_of_the_machine_that_is_none_denies() {
    let machine = Machine::new();
    for (name, says) in [("link", "a link to something"), ("file", "not a folder")] {
        let folder = machine.home().join(name);
        match name {
            "link" => std::os::unix::fs::symlink("/nowhere/at/all", &folder).unwrap(),
            _ => fs::write(&folder, "").unwrap(),
        }
        let ruling = with_system(&machine, &folder, "Bash", &json!({"command": "ls"}));
        assert_eq!(ruling.answer, Some(policy::Effect::Deny), "{name}: {:?}", ruling.findings);
        assert!(ruling.findings[0].reason.contains(says), "{name}: {:?}", ruling.findings);
    }
}

#[test]
fn where_no_one_can_be_asked_a_broken_policy_denies() {
    let machine = Machine::new().user("x");
    for target in [Target::Codex, Target::Gemini] {
        let (event, payload) = payloads::shell_call(target, "ls");
        let answer = machine.hook(payload);
        assert_eq!(target.reads(&event, &answer).effect, Effect::Deny, "{target:?}: {answer:?}");
    }
}

#[test]
fn the_rules_beside_a_mistake_still_hold() {
    let machine = Machine::new().user(&format!("{POLICY}\n[[rule]]\nid = \"x\"\n"));
    let (effect, reason) = effect(&machine, "Bash", &json!({"command": "frob-deny"}));
    assert_eq!(effect, Effect::Deny);
    assert!(reason.contains("(rule test.deny)"), "{reason}");
}

/// What the gate says about a call, with the machine's policies in `folder`.
fn with_system(
    machine: &Machine,
    folder: &std::path::Path,
    tool: &str,
    input: &serde_json::Value,
) -> policy::Ruling {
    let payload = machine.claude(tool, input);
    let event = parse(payload.as_bytes(), Hints::default()).unwrap();
    let places = Places { system: Some(folder.to_owned()), ..Places::default() };
    approval_gate::judge(&event, &places, Some("/home/user"))
}

#[test]
fn a_system_policy_that_others_can_write_denies_and_reading_stays_possible() {
    let machine = Machine::new();
    let folder = machine.home().join("policy.d");
    write(&folder.join("10-policy.toml"), POLICY);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    for (tool, input, expected) in [
        ("Bash", json!({"command": "ls"}), Some(policy::Effect::Deny)),
        ("Write", json!({"file_path": "/a", "content": "x"}), Some(policy::Effect::Deny)),
        ("Read", json!({"file_path": "/home/user/project/a"}), None),
    ] {
        let ruling = with_system(&machine, &folder, tool, &input);
        assert_eq!(ruling.answer, expected, "{tool}: {:?}", ruling.findings);
        if expected.is_some() {
            assert!(ruling.findings[0].reason.contains("can be written by others"), "{:?}", ruling.findings);
        }
    }
}

#[test]
fn a_system_policy_that_is_not_roots_denies() {
    let machine = Machine::new();
    let folder = machine.home().join("policy.d");
    write(&folder.join("10-policy.toml"), POLICY);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    // Root gives it away; anyone else owns it already.
    let _ = std::os::unix::fs::chown(&folder, Some(1), None);
    let ruling = with_system(&machine, &folder, "Bash", &json!({"command": "ls"}));
    assert_eq!(ruling.answer, Some(policy::Effect::Deny), "{:?}", ruling.findings);
    assert!(ruling.findings[0].reason.contains("does not belong to root"), "{:?}", ruling.findings);
}

#[test]
fn a_folder_of_the_system_that_is_not_there_costs_nothing() {
    let machine = Machine::new();
    let ruling = with_system(&machine, &machine.home().join("nothing"), "Bash", &json!({"command": "ls"}));
    assert!(ruling.findings.is_empty(), "{:?}", ruling.findings);
}
