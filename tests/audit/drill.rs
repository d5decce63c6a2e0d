//! A call that a person tries out leaves no record; a variable alone makes no call one.

use payload::model::Effect;
use support::hosts::Target;
use support::programs::{audit_logger, command_blocker};

use super::{Home, claude, silent};

#[test]
fn a_drill_is_judged_as_ever_and_leaves_nothing() {
    let home = Home::new();
    silent(&home.hook(claude("0", "ls")));
    let before = home.text();
    let payload = claude("1", "git push --force origin main");
    let mark = program::drill_mark(payload.as_bytes());
    let answer = home.call(command_blocker()).env(program::DRILL, &mark).input(payload.as_str()).run();
    let outcome = Target::Claude.reads("PreToolUse", &answer);
    assert_eq!(outcome.effect, Effect::Deny, "{answer:?}");
    assert!(!outcome.reason.unwrap_or_default().contains("hook-runner approve"));
    silent(&home.call(audit_logger()).env(program::DRILL, &mark).input(payload.as_str()).run());
    assert_eq!(home.text(), before);
}

#[test]
fn nothing_but_the_digest_of_the_very_payload_keeps_a_call_off_the_record() {
    let payload = claude("1", "git push --force origin main");
    let other = claude("2", "git push --force origin main");
    for mark in ["1", "true", "", &program::drill_mark(other.as_bytes()), &program::drill_mark(b"")] {
        let home = Home::new();
        silent(&home.call(audit_logger()).env(program::DRILL, mark).input(payload.as_str()).run());
        let _ = home.call(command_blocker()).env(program::DRILL, mark).input(payload.as_str()).run();
        let kinds: Vec<String> = home.records().iter().map(|record| record["kind"].to_string()).collect();
        assert_eq!(kinds, ["\"begin\"", "\"event\"", "\"decision\""], "{mark}");
    }
}

#[test]
fn a_drill_still_tells_that_nothing_could_be_recorded() {
    let home = Home::new();
    home.settings("required = true");
    let payload = claude("1", "ls");
    let mark = program::drill_mark(payload.as_bytes());
    let call = home.call(audit_logger()).env("AUDIT_LOG", "/dev/null/audit.jsonl");
    let answer = call.env(program::DRILL, &mark).input(payload.as_str()).run();
    assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Deny, "{answer:?}");
    silent(&home.call(audit_logger()).env(program::DRILL, &mark).input(payload.as_str()).run());
    assert!(!home.log().exists());
}
