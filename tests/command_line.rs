//! What people see: help, versions, and what is wrong with an argument.

use support::call::{Answer, Call};
use support::hosts::Target;
use support::payloads;
use support::programs::command_blocker;

fn blocker(arguments: &[&str]) -> Answer {
    Call::new(command_blocker()).args(arguments).run()
}

#[test]
fn help_says_what_happens_when_it_cannot_judge() {
    let answer = blocker(&["--help"]);
    assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(0)));
    for cause in ["not a payload", "too large", "the deadline passes", "the program panics"] {
        let line = answer.stdout.lines().find(|line| line.contains(cause)).unwrap();
        assert!(line.contains("deny"), "{line}");
    }
}

#[test]
fn the_version_is_told() {
    let answer = blocker(&["--version"]);
    assert_eq!(answer.stdout, format!("command-blocker {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(answer.exit, Some(0));
}

#[test]
fn a_wrong_argument_stops_the_call_and_says_why() {
    for (arguments, what) in [
        (&["--hosst", "claude"][..], "--hosst"),
        (&["--host", "emacs"], "unknown host `emacs`"),
        (&["--event", "PreToolUsed"], "unknown event `PreToolUsed`"),
        (&["--deadline-ms", "soon"], "soon"),
        (&["--deadline-ms", "0"], "no time to answer"),
        (&["--mode", "loud"], "`enforce` or `observe`"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let answer = blocker(arguments);
        assert_eq!((answer.stdout.as_str(), answer.exit), ("", Some(2)), "{arguments:?}: {answer:?}");
        assert!(answer.stderr.contains(what), "{arguments:?}: {answer:?}");
    }
}

#[test]
fn the_host_can_be_named_where_the_payload_does_not_tell() {
    let payload = r#"{"cwd":"/p","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}"#;
    let call = |arguments: &[&str]| Call::new(command_blocker()).args(arguments).input(payload).run();
    let answer = call(&["--host", "copilot", "--event", "preToolUse"]);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    // Nothing in it says who wrote it, so the exit code says it as well, and other hosts' keys do.
    assert_eq!((json["permissionDecision"].as_str(), answer.exit), (Some("deny"), Some(2)), "{answer:?}");
    let answer = call(&["--host=claude", "--event=PreToolUse"]);
    let json: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(json["hookSpecificOutput"]["permissionDecision"], "deny", "{answer:?}");
}

#[test]
fn explain_says_why_no_rule_matched() {
    let answer = blocker(&["explain", "rm -rf ./dist /tmp/x", "--cwd", "/home/user/project"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    for part in ["nothing to say", "no rule of files", "./dist: made again by a tool", "/tmp/x: temporary"] {
        assert!(answer.stdout.contains(part), "{part}: {answer:?}");
    }
}

#[test]
fn a_profile_says_how_strict_the_rules_are() {
    let (_, payload) = payloads::shell_call(Target::Claude, "npm publish");
    for (profile, expected) in [("standard", "\"ask\""), ("strict", "\"deny\"")] {
        let answer = Call::new(command_blocker()).args(["--profile", profile]).input(payload.clone()).run();
        assert!(answer.stdout.contains(expected), "{profile}: {answer:?}");
    }
    assert_eq!(blocker(&["--profile", "loose"]).exit, Some(2));
    // There is one way to observe: a configuration with the other one says so, instead of deciding something else.
    let answer = Call::new(command_blocker()).args(["--profile", "observe"]).input(payload).run();
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("--mode observe"), "{answer:?}");
}

#[test]
fn explain_shows_how_each_command_is_reached() {
    let answer = blocker(&["explain", "cd build && sudo rm -rf /"]);
    assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(1)));
    for part in ["deny: cd build && sudo rm -rf /", "3    rm -rf /  (run by 2)", "Instead: "] {
        assert!(answer.stdout.contains(part), "{part}: {answer:?}");
    }
}

#[test]
fn explain_finds_nothing_in_a_harmless_command() {
    let answer = blocker(&["explain", "ls -l | sort"]);
    assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(0)));
    assert!(answer.stdout.starts_with("nothing to say: ls -l | sort\n"), "{answer:?}");
}

#[test]
fn explain_speaks_json() {
    let answer = blocker(&["explain", "--json", "--cwd", "/home/user/project", "sudo rm -rf /"]);
    assert_eq!(answer.exit, Some(1), "{answer:?}");
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["decision"], "deny");
    assert_eq!(report["commands"][1]["program"], "rm");
    assert_eq!(report["commands"][1]["cwd"], "/home/user/project");
    assert_eq!(report["commands"][1]["via"]["parent"], 0);
    assert_eq!(report["findings"][0]["command"], 1);
    let clean = blocker(&["explain", "--json", "ls"]);
    let report: serde_json::Value = serde_json::from_str(&clean.stdout).unwrap();
    assert_eq!((&report["decision"], clean.exit), (&serde_json::Value::Null, Some(0)));
}

#[test]
fn explain_shows_what_turns_the_direction_of_writing_or_is_invisible() {
    let answer = blocker(&["explain", "echo 'txt.\u{202e}hs\u{200b}\u{e0041}'"]);
    assert!(answer.stdout.contains("txt.·hs··"), "{answer:?}");
    assert!(!answer.stdout.chars().any(|c| c != '\n' && payload::is_unsafe(c)), "{answer:?}");
}

#[test]
fn explain_keeps_control_characters_from_the_terminal() {
    let answer = blocker(&["explain", "echo \u{1b}[2J\u{7}; rm -rf /"]);
    assert!(!answer.stdout.contains(['\u{1b}', '\u{7}']), "{answer:?}");
}

#[test]
fn explain_says_what_is_wrong_with_its_arguments() {
    for arguments in [&["explain"][..], &["explain", "--shell", "fish", "ls"], &["explain", "rm", "-rf", "/"]]
    {
        let answer = blocker(arguments);
        assert_eq!((answer.stdout.as_str(), answer.exit), ("", Some(2)), "{arguments:?}: {answer:?}");
        assert!(answer.stderr.starts_with("error: "), "{answer:?}");
    }
}
