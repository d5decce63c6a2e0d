//! With both hooks that decide installed, one finding is said once, on hosts that join what hooks say; and neither is ever
//! silent because the other speaks.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use payload::model::Effect;
use serde_json::Value;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::payloads;
use support::programs::{approval_gate, command_blocker};

/// What both deny by the same rule, and in the same words.
const DENIED: &str = "git push --force origin main";
const RULE: &str = "git.push-force";

struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(machine.home()).unwrap();
        machine
    }

    fn home(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("home")
    }

    fn call(&self, program: &Path, payload: &str) -> Answer {
        let call = Call::new(program).env("HOME", self.home()).folder(self.0.path());
        ["AUDIT_LOG"].iter().fold(call, |call, name| call.env(name, "")).input(payload).run()
    }
}

/// The reason that a host receives for a call that does not run.
#[track_caller]
fn denial(target: Target, event: &str, answer: &Answer) -> String {
    let outcome = target.reads(event, answer);
    assert_eq!(outcome.effect, Effect::Deny, "{target:?}: {answer:?}");
    outcome.reason.unwrap_or_default()
}

/// The same call, made another time: hosts that name calls give each a name of its own.
fn again(payload: &str, time: u32) -> String {
    let mut payload: Value = serde_json::from_str(payload).unwrap();
    if let Some(id) = payload.get_mut("tool_use_id") {
        *id = format!("call_again_{time}").into();
    }
    payload.to_string()
}

/// Whether a host joins what several hooks say.
fn joins(target: Target) -> bool {
    matches!(target, Target::VsCode | Target::Gemini)
}

#[test]
fn the_second_says_that_it_denies_as_well_where_reasons_are_joined() {
    for target in Target::ALL {
        let (event, payload) = payloads::shell_call(target, DENIED);
        for [first, second] in [[command_blocker(), approval_gate()], [approval_gate(), command_blocker()]] {
            let machine = Machine::new();
            let full = denial(target, &event, &machine.call(first, &payload));
            assert!(full.contains(RULE), "{target:?}: {full}");
            let said = denial(target, &event, &machine.call(second, &payload));
            let name = second.file_stem().unwrap().to_string_lossy();
            let short = format!("{name} denies it as well.");
            assert_eq!(said, if joins(target) { short } else { full.clone() }, "{target:?}");
            // The model tries it again.
            let again = again(&payload, 1);
            assert_eq!(denial(target, &event, &machine.call(first, &again)), full, "{target:?}");
        }
    }
}

#[test]
fn hooks_of_the_user_and_of_the_project_say_it_once_where_calls_have_names() {
    let machine = Machine::new();
    let (event, payload) = payloads::shell_call(Target::VsCode, DENIED);
    let said: Vec<String> = [command_blocker(), approval_gate(), command_blocker(), approval_gate()]
        .iter()
        .map(|program| denial(Target::VsCode, &event, &machine.call(program, &payload)))
        .collect();
    assert!(said[0].contains(RULE), "{said:?}");
    assert!(said[1..].iter().all(|said| said.ends_with(" denies it as well.")), "{said:?}");
}

#[test]
fn one_alone_always_speaks_in_full() {
    for target in Target::ALL {
        let (event, payload) = payloads::shell_call(target, DENIED);
        for program in [command_blocker(), approval_gate()] {
            let machine = Machine::new();
            for time in 0..3 {
                let said = denial(target, &event, &machine.call(program, &again(&payload, time)));
                assert!(said.contains(RULE), "{target:?}: {said}");
            }
        }
    }
}

#[test]
fn of_two_at_once_one_speaks_in_full() {
    for target in [Target::VsCode, Target::Gemini] {
        let (event, payload) = payloads::shell_call(target, DENIED);
        let mut shortened = 0;
        for _ in 0..10 {
            let machine = Machine::new();
            let said = thread::scope(|scope| {
                [command_blocker(), approval_gate()]
                    .map(|program| scope.spawn(|| machine.call(program, &payload)))
                    .map(|thread| denial(target, &event, &thread.join().unwrap()))
            });
            let full = said.iter().filter(|said| said.contains(RULE)).count();
            let short = said.iter().filter(|said| said.ends_with(" denies it as well.")).count();
            // On a machine so crowded that a lock is held for long, both rather speak.
            assert!(full >= 1 && full + short == 2, "{target:?}: {said:?}");
            shortened += short;
        }
        assert!(shortened > 0, "{target:?}");
    }
}

#[test]
fn what_differs_is_said_by_both() {
    let machine = Machine::new();
    let policy = machine.home().join(".config/policy-hooks/policy.toml");
    fs::create_dir_all(policy.parent().unwrap()).unwrap();
    let rule = "schema = 1\n[[rule]]\nid = \"team.no-git\"\ndecision = \"deny\"\nreason = \"No git here.\"\nrun = { program = \"git\" }\n";
    fs::write(policy, rule).unwrap();
    let (event, payload) = payloads::shell_call(Target::VsCode, DENIED);
    for program in [command_blocker(), approval_gate()] {
        let said = denial(Target::VsCode, &event, &machine.call(program, &payload));
        assert!(said.contains(RULE), "{said}");
    }
}

#[test]
fn without_a_place_for_claims_both_speak_in_full() {
    for broken in ["no home", "no folder"] {
        let machine = Machine::new();
        if broken == "no home" {
            fs::remove_dir(machine.home()).unwrap();
        } else {
            fs::write(machine.home().join(".local"), "").unwrap();
        }
        let (event, payload) = payloads::shell_call(Target::VsCode, DENIED);
        for program in [command_blocker(), approval_gate()] {
            let said = denial(Target::VsCode, &event, &machine.call(program, &payload));
            assert!(said.contains(RULE), "{broken}: {said}");
        }
    }
}

#[test]
fn who_only_watches_leaves_no_claim() {
    let machine = Machine::new();
    let (event, payload) = payloads::shell_call(Target::VsCode, DENIED);
    let watching = Call::new(command_blocker()).args(["--mode", "observe"]).env("HOME", machine.home());
    assert_eq!(watching.input(payload.clone()).run().stdout, "{}");
    let said = denial(Target::VsCode, &event, &machine.call(approval_gate(), &payload));
    assert!(said.contains(RULE), "{said}");
}
