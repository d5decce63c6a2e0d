//! Whatever is on stdin, the command blocker answers: with a denial that every host obeys where it cannot judge.

use payload::model::Effect;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::{command_blocker, hooks};

/// A call in the form of Claude Code, with `input` as its `tool_input`.
fn payload(input: &str) -> String {
    format!(
        r#"{{"session_id":"s","transcript_path":"/t","cwd":"/home/user/project","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{input},"tool_use_id":"u"}}"#
    )
}

fn answer(input: impl Into<Vec<u8>>) -> Answer {
    // A generous deadline: what is tried here is the input, not the machine.
    Call::new(command_blocker()).args(["--deadline-ms", "30000"]).input(input).run()
}

/// The widest form: exit code 2, the reason on stderr, and a denial in every dialect on stdout.
#[track_caller]
fn denied_on_every_host(answer: &Answer, rule: &str) {
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains(rule), "{answer:?}");
    for target in Target::ALL {
        let event = if target == Target::Gemini { "BeforeTool" } else { "PreToolUse" };
        assert_eq!(target.reads(event, answer).effect, Effect::Deny, "{target:?}: {answer:?}");
    }
}

#[track_caller]
fn denied_in_its_dialect(answer: &Answer) {
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert_eq!(Target::Claude.reads("PreToolUse", answer).effect, Effect::Deny, "{answer:?}");
}

#[track_caller]
fn nothing_to_say(answer: &Answer) {
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str(), answer.exit), ("{}", "", Some(0)));
}

#[test]
fn empty_stdin() {
    denied_on_every_host(&answer(""), "hook.input-unreadable");
}

#[test]
fn white_space_only() {
    denied_on_every_host(&answer(" \r\n\t"), "hook.input-unreadable");
}

#[test]
fn null() {
    denied_on_every_host(&answer("null"), "hook.input-unreadable");
}

#[test]
fn an_array() {
    denied_on_every_host(&answer(format!("[{}]", payload(r#"{"command":"ls"}"#))), "hook.input-unreadable");
}

#[test]
fn truncated_json() {
    let whole = payload(r#"{"command":"ls"}"#);
    for length in [1, 2, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        denied_on_every_host(&answer(&whole[..length]), "hook.input-unreadable");
    }
}

#[test]
fn two_objects() {
    denied_on_every_host(&answer(payload(r#"{"command":"ls"}"#).repeat(2)), "hook.input-unreadable");
}

#[test]
fn invalid_utf8() {
    let mut input = payload(r#"{"command":"ls X"}"#).into_bytes();
    let at = input.iter().position(|byte| *byte == b'X').unwrap();
    input[at] = 0xff;
    denied_on_every_host(&answer(input), "hook.input-unreadable");
}

#[test]
fn a_byte_order_mark() {
    nothing_to_say(&answer(format!("\u{feff}{}\n", payload(r#"{"command":"ls"}"#))));
    denied_in_its_dialect(&answer(format!("\u{feff}{}\n", payload(r#"{"command":"rm -rf /"}"#))));
}

#[test]
fn a_lone_surrogate() {
    nothing_to_say(&answer(payload(r#"{"command":"echo \ud800"}"#)));
    denied_in_its_dialect(&answer(payload(r#"{"command":"rm -rf / \udfff"}"#)));
}

#[test]
fn a_nul_in_the_command() {
    denied_in_its_dialect(&answer(payload(r#"{"command":"rm -rf / #\u0000"}"#)));
}

#[test]
fn nesting_of_64_levels() {
    let nest = |command: &str| {
        payload(&format!(r#"{{"deep":{}{},"command":"{command}"}}"#, "[".repeat(64), "]".repeat(64)))
    };
    nothing_to_say(&answer(nest("ls")));
    denied_in_its_dialect(&answer(nest("rm -rf /")));
}

#[test]
fn nesting_of_100_000_levels() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        denied_on_every_host(&answer(nested.clone()), "hook.input-unreadable");
        denied_on_every_host(&answer(payload(&nested)), "hook.input-unreadable");
        denied_on_every_host(&answer(open.repeat(100_000)), "hook.input-unreadable");
    }
}

#[test]
fn a_command_nested_100_000_levels_deep() {
    for open in ["$(", "(", "{ ", "`", "\\\"$(", "<(", "${a:-", "if ", "[[ ("] {
        let answer = answer(payload(&format!(r#"{{"command":"{}"}}"#, open.repeat(100_000))));
        assert!(matches!(answer.exit, Some(0 | 2)), "{open}: {answer:?}");
    }
}

#[test]
fn duplicate_keys() {
    // Hosts read JSON as JavaScript and serde do: the last one counts.
    denied_in_its_dialect(&answer(payload(r#"{"command":"ls","command":"rm -rf /"}"#)));
    nothing_to_say(&answer(payload(r#"{"command":"rm -rf /","command":"ls"}"#)));
}

#[test]
fn wrong_types_in_every_known_field() {
    let whole: serde_json::Value = serde_json::from_str(&payload(r#"{"command":"ls"}"#)).unwrap();
    let known = [
        "session_id",
        "sessionId",
        "transcript_path",
        "cwd",
        "permission_mode",
        "hook_event_name",
        "hookEventName",
        "tool_name",
        "toolName",
        "tool_input",
        "toolArgs",
        "tool_use_id",
        "timestamp",
        "agent_id",
        "agent_type",
        "stop_hook_active",
        "prompt",
        "source",
        "trigger",
        "tool_response",
        "mcp_server",
        "model",
        "turn_id",
    ];
    for key in known {
        for value in ["null", "true", "0", "-1e999", "\"\"", "[]", "{}", "[[{}]]", r#"{"command":[{}]}"#] {
            let mut payload = whole.clone();
            payload[key] = serde_json::from_str(value).unwrap_or(serde_json::Value::Null);
            let answer = answer(payload.to_string());
            assert!(matches!(answer.exit, Some(0 | 2)), "{key}: {value}: {answer:?}");
            let stdout: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
            assert!(stdout.is_object(), "{key}: {value}: {answer:?}");
        }
    }
}

#[test]
fn arguments_that_cannot_be_read() {
    for input in ["null", "{}", r#"{"command":1}"#, r#"{"command":{"a":"rm -rf /"}}"#] {
        denied_in_its_dialect(&answer(payload(input)));
    }
    // No host writes such arguments: it may be another one.
    for input in ["1", "[]"] {
        denied_on_every_host(&answer(payload(input)), "hook.host-unrecognised");
    }
}

#[test]
fn arguments_of_another_tool_that_cannot_be_read() {
    let payload = payload(r#"{"command":[{}]}"#).replace(r#""Bash""#, r#""mcp__server__run""#);
    let answer = answer(payload);
    assert_eq!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Ask, "{answer:?}");
}

#[test]
fn fifty_megabytes() {
    let huge = payload(&format!(r#"{{"command":"ls","content":"{}"}}"#, "x".repeat(50_000_000)));
    denied_on_every_host(&answer(huge), "hook.input-too-large");
}

#[test]
fn seven_megabytes_are_still_judged() {
    let large = |command: &str| {
        payload(&format!(r#"{{"content":"{}","command":"{command}"}}"#, "x".repeat(7_000_000)))
    };
    nothing_to_say(&answer(large("ls")));
    denied_in_its_dialect(&answer(large("rm -rf /")));
}

#[test]
fn an_unreadable_payload_of_another_event_is_left_alone() {
    for event in ["Stop", "postToolUse", "SessionStart"] {
        let answer = Call::new(command_blocker()).args(["--event", event]).input("{").run();
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{answer:?}");
        assert!(answer.stderr.contains("could not read its input"), "{answer:?}");
    }
}

/// Every hook, under limits of `sh`'s `ulimit`.
#[cfg(unix)]
fn under(limits: &str) -> Vec<(String, Answer)> {
    let home = tempfile::tempdir().unwrap();
    let audit = home.path().join(".local/state/policy-hooks/audit");
    std::fs::create_dir_all(&audit).unwrap();
    let calls = hooks().into_iter().flat_map(|(name, program)| {
        ["PreToolUse", "UserPromptSubmit", "PostToolUse", "Stop"]
            .map(|event| (name.clone(), program.clone(), event))
    });
    let answered = calls.map(|(name, program, event)| {
        let payload = payload(r#"{"command":"rm -rf /","file_path":"a.ts"}"#).replace("PreToolUse", event);
        let answer = Call::new("/bin/sh")
            .args(["-c", &format!("ulimit {limits}; exec \"$0\" --deadline-ms 30000")])
            .args([&program])
            .env("HOME", home.path())
            .folder(home.path())
            .input(payload.replace("/home/user/project", &home.path().display().to_string()))
            .run();
        (format!("{name} on {event}"), answer)
    });
    answered.collect()
}

#[cfg(unix)]
#[test]
fn no_limit_of_the_process_ends_a_hook_by_a_signal() {
    // In blocks of 512 bytes and in KiB: no file may grow, and hardly any stack.
    for limits in ["-f 0", "-s 64"] {
        for (what, answer) in under(limits) {
            assert_eq!(answer.exit, Some(0), "{limits}, {what}: {answer:?}");
            assert!(answer.stdout.starts_with('{'), "{limits}, {what}: {answer:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_whole_payload_is_enough_for_who_is_never_in_the_way() {
    for (name, program) in hooks() {
        if matches!(name.as_str(), "command-blocker" | "approval-gate") {
            continue;
        }
        let home = tempfile::tempdir().unwrap();
        let call = Call::new(program).args(["--deadline-ms", "600000"]).env("HOME", home.path());
        let answer = call.input(payload("{}").replace("PreToolUse", "Notification")).stdin_stays_open().run();
        assert_eq!(answer.exit, Some(0), "{name}: {answer:?}");
        assert!(!answer.stderr.contains("open"), "{name}: {answer:?}");
    }
}
