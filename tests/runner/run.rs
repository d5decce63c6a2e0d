//! `run`, `replay` and `trust`.

use std::fs;

use serde_json::Value;

use super::{Machine, shipped};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A project with the shipped configurations.
fn guarded() -> Machine {
    Machine::new()
        .with(".github/hooks/10-command-blocker.json", &shipped("10-command-blocker.json"))
        .with(".claude/settings.json", &shipped("claude-code/settings.json"))
}

#[test]
fn the_shipped_hooks_need_no_trust_and_deny() {
    let machine = guarded();
    for host in ["vscode", "copilot", "copilot-cloud", "claude"] {
        let denied = machine.runner(["run", "--host", host, "--command", "rm -rf /"]);
        assert_eq!(denied.exit, Some(1), "{host}: {denied:?}");
        assert!(denied.stdout.contains("=> the tool does not run"), "{host}: {denied:?}");
        let fine = machine.runner(["run", "--host", host, "--command", "ls"]);
        assert_eq!(fine.exit, Some(0), "{host}: {fine:?}");
        assert!(fine.stdout.contains("=> the tool runs"), "{host}: {fine:?}");
    }
}

#[test]
fn machines_get_one_object() {
    let answer = guarded().runner(["run", "--host", "claude", "--command", "rm -rf /", "--json"]);
    let report = json(&answer.stdout);
    assert_eq!(report["then"], "refused");
    assert_eq!(report["hooks"][0]["effect"], "deny");
    assert_eq!(report["hooks"][0]["file"], ".claude/settings.json");
    assert_eq!(report["version"], 1);
}

#[test]
fn a_payload_on_stdin_tells_its_host() {
    let payload =
        r#"{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{"command":"rm -rf /"}}"#;
    let answer = guarded().call(["run", "--json", "--event", "PreToolUse"]).input(payload).run();
    let report = json(&answer.stdout);
    assert_eq!((&report["host"], &report["then"]), (&"copilot".into(), &"refused".into()), "{answer:?}");
}

#[test]
fn usage_is_explained() {
    let machine = guarded();
    for (arguments, input, expected) in [
        (&["run"][..], "", "payload"),
        (&["run", "--command", "ls"], "", "--host"),
        (&["run", "--host", "emacs", "--command", "ls"], "", "unknown host"),
        (&["run", "--host", "claude", "--tool", "shell"], "", "--command"),
        (&["run", "--host", "claude", "--tool", "X", "--input", "{"], "", "not JSON"),
        (
            &["run", "--host", "gemini", "--event", "PermissionRequest", "--command", "ls"],
            "",
            "no event like",
        ),
        (&["run", "--host", "claude"], "nonsense", "payload"),
        (&["replay", "nowhere.jsonl"], "", "cannot be read"),
        (&[], "", "Usage"),
    ] {
        let answer = machine.call(arguments.iter().copied()).input(input).run();
        assert_eq!(answer.exit, Some(2), "{arguments:?}: {answer:?}");
        assert!(answer.stderr.contains(expected), "{arguments:?}: {answer:?}");
        assert_eq!(answer.stdout, "", "{arguments:?}");
    }
}

#[test]
fn hooks_of_a_repository_run_only_when_they_are_trusted() {
    let machine =
        Machine::new().with(".github/hooks/a.json", r#"{"hooks":{"PreToolUse":[{"bash":"touch ran"}]}}"#);
    let ran = || machine.project().join("ran").exists();
    let run = || machine.runner(["run", "--host", "copilot", "--command", "ls"]);
    let refused = run();
    assert_eq!((refused.exit, ran()), (Some(2), false), "{refused:?}");
    assert!(refused.stderr.contains("touch ran") && refused.stderr.contains("--trust"), "{refused:?}");

    for nobody in [&["trust"][..], &["trust", "--yes"], &["trust", "--revoke"]] {
        assert_eq!(machine.runner(nobody.iter().copied()).exit, Some(2), "no one can be asked");
    }
    let Some(trusted) = machine.at_a_terminal(&["trust"], "yes\n") else { return };
    assert_eq!(trusted.exit, Some(0), "{trusted:?}");
    assert_eq!((run().exit, ran()), (Some(0), true));

    // A hook that changed has to be trusted again.
    let machine = machine.with(".github/hooks/a.json", r#"{"hooks":{"PreToolUse":[{"bash":"touch ran2"}]}}"#);
    assert_eq!(machine.runner(["run", "--host", "copilot", "--command", "ls"]).exit, Some(2));
    assert!(!machine.project().join("ran2").exists());
    assert_eq!(machine.at_a_terminal(&["trust", "--revoke"], "").unwrap().exit, Some(0));
}

#[test]
fn what_is_different_since_it_was_trusted_is_found() {
    let machine = Machine::new()
        .with(
            ".github/hooks/a.json",
            r#"{"version":1,"hooks":{"PreToolUse":[{"type":"command","bash":"sh ./check.sh"}]}}"#,
        )
        .with(".github/hooks/policy.toml", "schema = 1\n")
        .with("check.sh", "echo '{}'\n");
    let drift = || -> serde_json::Value {
        let answer = machine.runner(["doctor", "--host", "copilot", "--json"]);
        serde_json::from_str::<serde_json::Value>(&answer.stdout).unwrap()["drift"].take()
    };
    assert!(drift().is_null(), "no one looked at it");
    let agent = machine.call(["trust", "--yes"]).env("CLAUDECODE", "1").run();
    assert!(agent.exit == Some(2) && agent.stderr.contains("an agent's shell"), "{agent:?}");
    let Some(trusted) = machine.at_a_terminal(&["trust", "--yes"], "") else { return };
    assert_eq!(trusted.exit, Some(0), "{trusted:?}");
    for file in ["sh ./check.sh", "  .github/hooks/a.json", "  .github/hooks/policy.toml", "  check.sh"] {
        assert!(trusted.stdout.contains(file), "{file}: {trusted:?}");
    }
    assert!(drift().is_null(), "all is as it was");
    fs::write(machine.project().join("check.sh"), "echo '[]'\n").unwrap();
    fs::remove_file(machine.project().join(".github/hooks/policy.toml")).unwrap();
    let new = r#"{"version":1,"hooks":{"PreToolUse":[{"type":"command","bash":"sh ./new.sh"}]}}"#;
    fs::write(machine.project().join(".github/hooks/b.json"), new).unwrap();
    let expected = serde_json::json!({
        "unknown": [".github/hooks/b.json"], "changed": ["check.sh"], "gone": [".github/hooks/policy.toml"], "hooks_gone": 0,
    });
    assert_eq!(drift(), expected);
    let told = machine.runner(["doctor", "--host", "copilot"]);
    assert!(told.exit == Some(1) && told.stdout.contains("changed: check.sh"), "{told:?}");
    machine.at_a_terminal(&["trust", "--yes"], "");
    assert!(drift().is_null(), "taken as it is");
}

#[test]
fn a_program_of_the_repository_is_not_ours_whatever_its_name() {
    for hook in [
        r#"{"bash":"./command-blocker"}"#,
        r#"{"bash":"command-blocker; touch ran"}"#,
        r#"{"bash":"command-blocker","env":{"PATH":"."}}"#,
        r#"{"bash":"command-blocker","cwd":"sub"}"#,
        r#"{"exec":"command-blocker"}"#,
    ] {
        let machine =
            Machine::new().with(".github/hooks/a.json", &format!(r#"{{"hooks":{{"PreToolUse":[{hook}]}}}}"#));
        let answer = machine.runner(["run", "--host", "copilot", "--command", "ls"]);
        assert_eq!(answer.exit, Some(2), "{hook}: {answer:?}");
    }
}

#[test]
fn hooks_of_the_user_need_no_trust() {
    let machine = Machine::new();
    let file = machine.home().join(".claude/settings.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}"#)
        .unwrap();
    let answer = machine.runner(["run", "--host", "claude", "--stop"]);
    assert!(answer.stdout.contains("the agent goes on"), "{answer:?}");
}

#[test]
fn what_a_host_silently_does_not_do_is_said() {
    let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    let entry = serde_json::json!({"bash": format!("echo '{deny}'")});
    let machine = Machine::new()
        .with(".github/hooks/a.json", &serde_json::json!({"hooks": {"preToolUse": [entry]}}).to_string());
    let answer = machine.runner(["run", "--host", "copilot", "--command", "ls", "--trust"]);
    assert!(answer.stdout.contains("error[answer.form]"), "{answer:?}");
    assert!(answer.stdout.contains("=> the tool runs"), "{answer:?}");
    assert_eq!(answer.exit, Some(1));
}

#[test]
fn copilot_stops_at_the_first_denial_and_hands_changed_input_on() {
    let rewrite = r#"cat >/dev/null; echo '{"modifiedArgs":{"command":"echo changed"}}'"#;
    let second =
        r#"grep -q 'echo changed' && echo '{"permissionDecision":"deny","permissionDecisionReason":"seen"}'"#;
    let config = serde_json::json!({"hooks": {"preToolUse": [{"bash": rewrite}, {"bash": second}, {"bash": "touch late"}]}});
    let machine = Machine::new().with(".github/hooks/a.json", &config.to_string());
    let answer = machine.runner(["run", "--host", "copilot", "--command", "ls", "--trust", "--json"]);
    let report = json(&answer.stdout);
    assert_eq!(report["then"], "refused", "{answer:?}");
    assert_eq!(report["told_model"], serde_json::json!(["seen"]));
    assert_eq!(report["not_reached"][0]["run"], "touch late");
    assert!(!machine.project().join("late").exists());
}

#[test]
fn recordings_are_played_again() {
    let machine = guarded();
    let run = ["run", "--host", "claude", "--command", "rm -rf /", "--record", "r.jsonl"];
    assert_eq!(machine.runner(run).exit, Some(1));
    assert_eq!(
        machine.runner(["run", "--host", "claude", "--command", "ls", "--record", "r.jsonl"]).exit,
        Some(0)
    );
    let again = machine.runner(["replay", "r.jsonl", "--json"]);
    assert_eq!(again.exit, Some(0), "{again:?}");
    let report = json(&again.stdout);
    assert_eq!(report["events"].as_array().unwrap().len(), 2);
    assert_eq!(report["events"][0]["now"]["then"], "refused");

    // With the answers alone, on a host that does not read them so.
    let other = machine.runner(["replay", "r.jsonl", "--answers", "--host", "codex", "--json"]);
    assert_eq!(json(&other.stdout)["events"][0]["now"]["then"], "refused", "{other:?}");

    // Without the hook, it is different.
    std::fs::remove_file(machine.project().join(".claude/settings.json")).unwrap();
    let without = machine.runner(["replay", "r.jsonl"]);
    assert_eq!(without.exit, Some(1), "{without:?}");
    assert!(without.stdout.contains("different"), "{without:?}");
    // The answers alone need no hook.
    assert_eq!(machine.runner(["replay", "r.jsonl", "--answers"]).exit, Some(1));
}

#[test]
fn colours_are_for_those_who_want_them() {
    let machine = guarded();
    let run = || machine.call(["run", "--host", "claude", "--command", "rm -rf /"]);
    assert!(!run().run().stdout.contains('\u{1b}'));
    assert!(run().env("FORCE_COLOR", "1").run().stdout.contains('\u{1b}'));
    assert!(run().args(["--color", "always"]).run().stdout.contains('\u{1b}'));
    assert!(!run().env("FORCE_COLOR", "1").env("NO_COLOR", "1").run().stdout.contains('\u{1b}'));
    assert!(!run().env("FORCE_COLOR", "1").args(["--color", "never"]).run().stdout.contains('\u{1b}'));
}

#[test]
fn text_of_hooks_does_nothing_to_the_terminal() {
    let hook = r"printf '\033[2J\033]0;x\007' >&2; exit 1";
    let config = serde_json::json!({"hooks": {"PreToolUse": [{"bash": hook}]}});
    let machine = Machine::new().with(".github/hooks/a.json", &config.to_string());
    let answer = machine.runner(["run", "--host", "copilot", "--command", "ls\u{1b}[2J", "--trust"]);
    assert!(!answer.stdout.contains('\u{1b}') && !answer.stdout.contains('\u{7}'), "{answer:?}");
}
