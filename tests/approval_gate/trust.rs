//! What loosens in a project's policy counts when a person trusted exactly that file, at a terminal.

use std::fs;

use payload::model::Effect;
use serde_json::json;
use support::call::Answer;
use support::hosts::Target;
use support::terminal::{self, has_script};

use super::{Machine, POLICY, write};

fn effect(machine: &Machine, command: &str) -> Effect {
    let answer = machine.hook(machine.claude("Bash", &json!({"command": command})));
    Target::Claude.reads("PreToolUse", &answer).effect
}

/// The gate at a terminal, at which someone types.
fn at_a_terminal(machine: &Machine, arguments: &str, typed: &str, more: &[&str]) -> Answer {
    let line = format!("'{}' {arguments}", support::programs::stand_in("approval-gate").display());
    terminal::at_a_terminal(machine.call("/usr/bin/env".as_ref()), &line, typed, more)
}

#[test]
fn a_project_loosens_nothing_before_it_is_trusted() {
    let machine = Machine::new();
    write(&machine.policy(), POLICY);
    assert_eq!(effect(&machine, "frob-allow x"), Effect::None);
    assert_eq!(effect(&machine, "frob-deny x"), Effect::Deny);
    assert_eq!(effect(&machine, "frob-ask x"), Effect::Ask);
}

#[test]
fn no_one_trusts_without_a_terminal() {
    let machine = Machine::new();
    write(&machine.policy(), POLICY);
    for arguments in [&["trust"][..], &["policy", "trust"], &["trust", "--revoke"]] {
        let answer = machine.people(arguments);
        assert_eq!(answer.exit, Some(2), "{answer:?}");
        assert!(answer.stdout.contains("needs a person at a terminal"), "{answer:?}");
    }
    assert_eq!(effect(&machine, "frob-allow x"), Effect::None);
}

#[test]
fn a_person_trusts_exactly_one_content() {
    if !has_script() {
        return;
    }
    let machine = Machine::new();
    write(&machine.policy(), POLICY);
    let refused = at_a_terminal(&machine, "trust", "y\n", &[]);
    assert!(refused.stdout.contains("not trusted"), "{refused:?}");
    assert_eq!(effect(&machine, "frob-allow x"), Effect::None);
    let agent = at_a_terminal(&machine, "trust", "yes\n", &["CLAUDECODE=1"]);
    assert!(agent.stdout.contains("needs a person"), "{agent:?}");
    let trusted = at_a_terminal(&machine, "trust", "yes\n", &[]);
    assert!(
        trusted.stdout.contains("allows test.allow") && trusted.stdout.contains("Trusted."),
        "{trusted:?}"
    );
    assert_eq!(effect(&machine, "frob-allow x"), Effect::Allow);
    assert_eq!(effect(&machine, "frob-allow x && frob-nothing"), Effect::None, "every part must be allowed");
    fs::write(machine.policy(), format!("{POLICY}\n")).unwrap();
    assert_eq!(effect(&machine, "frob-allow x"), Effect::None, "another content");
    fs::write(machine.policy(), POLICY).unwrap();
    assert_eq!(effect(&machine, "frob-allow x"), Effect::Allow, "the same again");
    let revoked = at_a_terminal(&machine, "trust --revoke", "", &[]);
    assert!(revoked.stdout.contains("No longer trusted"), "{revoked:?}");
    assert_eq!(effect(&machine, "frob-allow x"), Effect::None);
}

#[test]
fn an_agent_cannot_trust_or_write_trust() {
    let machine = Machine::new();
    for command in [
        "approval-gate trust",
        "approval-gate policy trust x",
        "hook-runner policy trust",
        "script -qec 'approval-gate trust' /dev/null",
        "echo x >> ~/.local/state/policy-hooks/trusted",
        "rm -r ~/.local/state",
        "cp x ~/.config/policy-hooks/policy.toml",
    ] {
        assert_eq!(effect(&machine, command), Effect::Deny, "{command}");
    }
    let input = json!({"file_path": machine.home().join(".config/policy-hooks/policy.toml"), "content": ""});
    let answer = machine.hook(machine.claude("Write", &input));
    assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Deny, "{answer:?}");
    let answer =
        machine.hook(machine.claude("Write", &json!({"file_path": machine.policy(), "content": ""})));
    assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Ask, "{answer:?}");
}
