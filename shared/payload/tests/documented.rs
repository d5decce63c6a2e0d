//! The payloads of hosts that are known by their documents: who wrote them, what they say, and that an answer is in the form
//! that those documents have.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;

use payload::{Decision, Event, Hints, Host, Reason, Reply, Verdict, parse, render};
use serde_json::{Value, json};

fn rows() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/payloads/more-hosts/documented.jsonl");
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn says(event: &Event<'_>) -> String {
    let commands = event.commands().into_iter().map(|command| format!("run {}", command.text));
    let paths = event.paths().into_iter().map(|path| format!("{:?} {}", path.access, path.path));
    commands.chain(paths).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_payload_is_its_hosts_and_says_what_it_says() {
    for row in rows() {
        let text = row["payload"].to_string();
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        assert_eq!(event.host.as_str(), row["host"], "{text}");
        assert_eq!(event.kind.as_str(), row["event"], "{text}");
        assert_eq!(says(&event), row["says"], "{text}");
        assert!(!event.input_unreadable(), "{text}");
        // What a setting says about the host does not make its answers another's.
        let hints = Hints { host: Some(Host::Gemini), event: None };
        let other = parse(text.as_bytes(), hints).unwrap();
        assert!(
            other.dialect == payload::Dialect::Unknown
                || !event.kind.is_before_tool()
                || event.host == Host::Claude
        );
    }
}

/// The only members that the documents of each host have for a denial, and whether the exit code says it.
fn denial(host: Host) -> (Value, u8) {
    let like_claude = json!({
        "decision": "block",
        "reason": "R",
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "R",
        },
    });
    match host {
        Host::Cursor => (json!({"permission": "deny", "user_message": "R", "agent_message": "R"}), 0),
        Host::Cline => (json!({"cancel": true, "errorMessage": "R"}), 0),
        Host::OpenHands => (json!({"decision": "deny", "reason": "R"}), 2),
        Host::OpenCode | Host::Pi => (json!({"decision": "block", "reason": "R"}), 0),
        Host::Windsurf | Host::Kiro => (json!({}), 2),
        Host::Antigravity => (json!({"decision": "deny", "reason": "R"}), 0),
        Host::Hermes => (json!({"decision": "block", "reason": "R"}), 2),
        Host::Droid | Host::Augment | Host::Devin | Host::Crush => (like_claude, 2),
        other => panic!("{other}"),
    }
}

#[test]
fn a_denial_is_in_the_documented_form() {
    let mut seen = Vec::new();
    for row in rows().into_iter().filter(|row| row["event"] == "PreToolUse") {
        let text = row["payload"].to_string();
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        if !event.host.is_late() {
            continue;
        }
        let deny = Verdict::Decide { decision: Decision::Deny, reason: Reason::new("R") };
        let Reply { stdout, stderr, exit, .. } = render(&deny, &event.address()).unwrap();
        let (form, code) = denial(event.host);
        let mut said: Value = serde_json::from_str(&stdout).unwrap();
        // Version 2 of a host may write its event in another casing.
        if let Some(name) = said.pointer_mut("/hookSpecificOutput/hookEventName") {
            *name = "PreToolUse".into();
        }
        assert_eq!((said, exit, stderr.as_str()), (form, code, if code == 2 { "R" } else { "" }), "{text}");
        seen.push(event.host);
    }
    assert!(Host::NAMED.into_iter().filter(|host| host.is_late()).all(|host| seen.contains(&host)));
}

/// There is no "no opinion" on Antigravity: a missing decision is a denial there, and `ask` leaves it to its own rules.
#[test]
fn nothing_to_say_is_said_where_silence_denies() {
    for row in rows() {
        let text = row["payload"].to_string();
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        let reply = render(&Verdict::NoOpinion, &event.address()).unwrap();
        let wanted = if event.host == Host::Antigravity { r#"{"decision":"ask"}"# } else { "{}" };
        assert_eq!((reply.stdout.as_str(), reply.exit), (wanted, 0), "{text}");
    }
}
