//! Exactly one answer leaves a hook, in time, whatever happens inside.
//!
//! No test depends on how fast the machine is: [`Call::run`] gives up after a minute, and work that never ends would
//! take longer.

use payload::model::Effect;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::command_blocker;

const MISBEHAVING: &str = env!("CARGO_BIN_EXE_misbehaving-hook");

/// Calls before a tool runs, in one dialect each.
const CALLS: [(Target, &str, &str); 4] = [
    (
        Target::Claude,
        "PreToolUse",
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"COMMAND"}}"#,
    ),
    (
        Target::Codex,
        "PreToolUse",
        r#"{"session_id":"s","turn_id":"t","model":"m","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"COMMAND"}}"#,
    ),
    (
        Target::CopilotCamel,
        "preToolUse",
        r#"{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{"command":"COMMAND"}}"#,
    ),
    (
        Target::VsCode,
        "PreToolUse",
        r#"{"session_id":"s","timestamp":"2026-11-21T10:30:00.000Z","transcript_path":"/t","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"COMMAND"},"tool_use_id":"u"}"#,
    ),
];

#[cfg(unix)]
const STOP: &str = r#"{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":false}"#;

fn misbehave(payload: &str, command: &str) -> Call {
    Call::new(MISBEHAVING).args(["--deadline-ms", "300"]).input(payload.replace("COMMAND", command))
}

/// Asserts that `answer` blocks the call on its host, with a reason that contains `why`.
#[track_caller]
fn blocked(target: Target, event: &str, answer: &Answer, why: &str) {
    let outcome = target.reads(event, answer);
    assert_eq!(outcome.effect, Effect::Deny, "{target:?}: {answer:?}");
    assert!(outcome.reason.unwrap_or_default().contains(why), "{target:?}: {answer:?}");
}

#[track_caller]
fn nothing_said(answer: &Answer) {
    assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{answer:?}");
}

#[test]
fn work_that_sleeps_is_answered_at_the_deadline() {
    for (target, event, payload) in CALLS {
        let answer = misbehave(payload, "sleep").run();
        blocked(target, event, &answer, "misbehaving-hook could not finish in 300 ms");
    }
}

#[test]
fn work_that_computes_for_ever_is_answered_at_the_deadline() {
    for (target, event, payload) in CALLS {
        blocked(target, event, &misbehave(payload, "spin").run(), "could not finish in 300 ms");
    }
}

/// The kernel stops a write when its process ends: a record would be torn.
#[test]
fn the_deadline_does_not_cut_a_write_in_two() {
    let (target, event, payload) = CALLS[0];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written");
    let call = misbehave(payload, "write slowly").args(["--deadline-ms", "1000"]);
    let answer = call.env("MISBEHAVE_IN", &file).run();
    blocked(target, event, &answer, "could not finish in 1,000 ms");
    // On a machine so slow that the deadline came first, nothing was begun.
    assert_ne!(std::fs::read_to_string(file).unwrap_or_default(), "begun");
}

#[test]
fn the_record_of_an_answer_at_the_deadline_is_not_lost_when_the_work_comes_back() {
    let (target, event, payload) = CALLS[0];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written");
    let call = misbehave(payload, "come back late").env("MISBEHAVE_AS", "witnessed");
    let answer = call.env("MISBEHAVE_IN", &file).run();
    blocked(target, event, &answer, "could not finish in 300 ms");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "hook.deadline");
}

#[test]
fn bounded_work_can_ask_for_the_watchdog() {
    for (target, event, payload) in CALLS {
        let answer = misbehave(payload, "watched sleep").env("MISBEHAVE_AS", "bounded").run();
        blocked(target, event, &answer, "could not finish");
    }
}

#[test]
fn large_payloads_are_watched_even_when_the_work_is_bounded() {
    let (target, event, payload) = CALLS[0];
    let padding = format!(r#"{{"padding":"{}","#, "x".repeat(program::BOUNDED_INPUT));
    let payload = payload.replacen('{', &padding, 1);
    let answer = misbehave(&payload, "sleep").env("MISBEHAVE_AS", "bounded").run();
    blocked(target, event, &answer, "could not finish");
}

// Elsewhere the watchdog answers while the read still hangs, in the widest form: it cannot see what has arrived.
#[cfg(unix)]
#[test]
fn stdin_that_never_closes_is_answered_at_the_deadline() {
    for (target, event, payload) in CALLS {
        // A whole payload tells in which dialect to answer, a part of one does not.
        for length in [payload.len(), payload.len() / 2, 0] {
            let call = Call::new(command_blocker()).args(["--deadline-ms", "300"]);
            let answer = call.input(&payload.as_bytes()[..length]).stdin_stays_open().run();
            if length == payload.len() {
                blocked(target, event, &answer, "its input was still open");
                assert_eq!(answer.exit, Some(0), "{answer:?}");
            } else {
                // Copilot shows no reason of an answer with exit code 2.
                blocked(target, event, &answer, "");
                assert_eq!(answer.exit, Some(2), "{answer:?}");
                assert!(answer.stderr.contains("its input was still open"), "{answer:?}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn an_event_other_than_a_tool_call_is_not_delayed_by_an_open_stdin() {
    let call = Call::new(command_blocker()).args(["--deadline-ms", "300"]);
    nothing_said(&call.input(STOP).stdin_stays_open().run());
}

#[test]
fn panics_deny() {
    for (target, event, payload) in CALLS {
        for (command, why) in [("panic", "as ordered"), ("overflow", "index out of bounds")] {
            let answer = misbehave(payload, command).run();
            blocked(target, event, &answer, why);
            assert_eq!(answer.exit, Some(0), "{answer:?}");
            // The standard library's message with its backtrace costs 78 ms where RUST_BACKTRACE is set.
            assert!(!answer.stderr.contains("RUST_BACKTRACE"), "{answer:?}");
        }
    }
}

#[test]
fn a_verdict_that_no_host_could_read_is_not_said() {
    for (_, _, payload) in CALLS {
        let answer = misbehave(payload, "unsayable").run();
        nothing_said(&answer);
        assert!(answer.stderr.contains("could not write its answer"), "{answer:?}");
    }
}

#[test]
fn observers_are_never_in_the_way() {
    for (_, _, payload) in CALLS {
        for command in ["sleep", "spin", "panic", "overflow", "unsayable"] {
            let answer = misbehave(payload, command).env("MISBEHAVE_AS", "observer").run();
            nothing_said(&answer);
            assert!(answer.stderr.contains("misbehaving-hook"), "{answer:?}");
        }
    }
    for input in ["", "null", "{", "\u{0}"] {
        nothing_said(&Call::new(MISBEHAVING).env("MISBEHAVE_AS", "observer").input(input).run());
    }
}

#[test]
fn a_closed_stdout_still_says_deny() {
    for (target, _, payload) in CALLS {
        for command in ["deny", "ask", "panic"] {
            let answer = misbehave(payload, command).stdout_is_closed().run();
            assert_eq!(answer.exit, Some(2), "{command}: {answer:?}");
            assert!(!answer.stderr.is_empty(), "{command}: {answer:?}");
        }
        // Codex cannot be told to allow.
        let silent = if target == Target::Codex { &["nothing"][..] } else { &["allow", "nothing"] };
        for command in silent {
            let answer = misbehave(payload, command).stdout_is_closed().run();
            assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(0)), "{command}: {answer:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_stdout_that_no_one_reads_still_says_deny() {
    let (_, _, payload) = CALLS[0];
    for (command, exit) in [("deny", 2), ("nothing", 0), ("sleep", 2)] {
        let answer = misbehave(payload, command).stdout_is_full().run();
        assert_eq!(answer.exit, Some(exit), "{command}: {answer:?}");
    }
}

#[test]
fn observing_says_on_stderr_what_it_would_have_answered() {
    for (target, _, payload) in CALLS {
        for command in ["deny", "ask", "allow"] {
            if (target, command) == (Target::Codex, "allow") {
                continue;
            }
            let answer = misbehave(payload, command).args(["--mode", "observe"]).run();
            nothing_said(&answer);
            assert!(answer.stderr.contains(&format!("would {command}: because")), "{answer:?}");
        }
        let answer = misbehave(payload, "sleep").args(["--mode=observe"]).run();
        nothing_said(&answer);
        assert!(answer.stderr.contains("would deny: misbehaving-hook could not finish"), "{answer:?}");
    }
}

#[test]
fn answers_are_one_line_of_ascii() {
    for (_, _, payload) in CALLS {
        for command in ["deny", "ask", "allow", "nothing", "panic"] {
            let answer = misbehave(payload, command).run();
            assert!(answer.stdout.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{answer:?}");
        }
    }
}
