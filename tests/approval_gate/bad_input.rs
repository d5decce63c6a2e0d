//! Whatever is on stdin, the gate answers: with a denial that every host obeys where it cannot judge.

use payload::model::Effect;
use serde_json::json;
use support::call::Answer;
use support::hosts::Target;

use super::Machine;

#[track_caller]
fn denied_on_every_host(answer: &Answer, rule: &str) {
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains(rule), "{answer:?}");
    for target in Target::ALL {
        let event = if target == Target::Gemini { "BeforeTool" } else { "PreToolUse" };
        assert_eq!(target.reads(event, answer).effect, Effect::Deny, "{target:?}: {answer:?}");
    }
}

#[test]
fn what_is_not_a_payload_is_denied() {
    let machine = Machine::new();
    let whole = machine.claude("Bash", &json!({"command": "ls"}));
    let mut not_text = whole.clone().into_bytes();
    not_text[20] = 0xff;
    let nested = "[".repeat(100_000);
    for input in [
        Vec::new(),
        b" \r\n".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        whole.as_bytes()[..whole.len() / 2].to_vec(),
        whole.repeat(2).into_bytes(),
        nested.into_bytes(),
        not_text,
    ] {
        denied_on_every_host(&machine.hook(input), "hook.input-unreadable");
    }
    let huge = machine.claude("Bash", &json!({"command": "ls", "more": "x".repeat(9_000_000)}));
    denied_on_every_host(&machine.hook(huge), "hook.input-too-large");
}

#[test]
fn arguments_that_cannot_be_read_are_held() {
    let machine = Machine::new();
    for input in
        [json!(null), json!(1), json!([]), json!({}), json!({"command": 1}), json!({"command": {"a": 7}})]
    {
        let answer = machine.hook(machine.claude("Bash", &input));
        assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Deny, "{input}: {answer:?}");
    }
    let answer = machine.hook(machine.claude("mcp__server__run", &json!({"command": [{}]})));
    assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Ask, "{answer:?}");
}

#[test]
fn a_wrong_argument_is_reported_and_decides_nothing() {
    let machine = Machine::new();
    let answer = machine.people(&["--polcy", "x"]);
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("--polcy"), "{answer:?}");
}
