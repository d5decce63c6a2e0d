//! The shipped configurations: valid for every host that reads them, and denying what they say.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use payload::model::Effect;
use serde_json::Value;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::payloads;
use support::programs::{audit_logger, command_blocker, root};

fn read(name: &str) -> Value {
    let path = root().join("configs").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A PATH on which the built programs come first.
fn path() -> OsString {
    audit_logger();
    let folder = command_blocker().parent().map(PathBuf::from).unwrap();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

/// What the shell of `target` makes of the configuration's command, for a call of `command`.
fn call(target: Target, shell: &[&str], hook: &str, command: &str) -> Answer {
    let (_, payload) = payloads::shell_call(target, command);
    let (shell, flags) = shell.split_first().unwrap();
    Call::new(shell).args(flags).args([hook]).env("PATH", path()).input(payload).run()
}

/// The shipped files but for the audit log's, in their order.
const GUARDS: [&str; 5] = [
    "10-command-blocker.json",
    "20-approval-gate.json",
    "30-context-injector.json",
    "40-formatter-trigger.json",
    "50-stop-guard.json",
];

#[test]
fn the_paired_files_are_valid_for_vs_code_and_copilot_cli() {
    let others = ["at-stop/40-formatter-trigger.json", "90-audit-logger.json", "policy-hooks.json"];
    for name in GUARDS.into_iter().chain(others) {
        let config = read(name);
        assert_eq!(config["version"], 1);
        let events = config["hooks"].as_object().unwrap();
        for (event, entries) in events {
            // PascalCase keys give both hosts one dialect; a second casing would replace or double the first.
            assert!(event.starts_with(char::is_uppercase), "{event}");
            assert!(event.parse::<payload::EventKind>().is_ok(), "{event}");
            for entry in entries.as_array().unwrap() {
                assert_eq!(entry["type"], "command");
                assert!(
                    entry.get("matcher").is_none(),
                    "an empty matcher switches the hook off on Copilot CLI"
                );
                let command = entry["bash"].as_str().unwrap();
                // Windows PowerShell makes 1 of every exit code but 0 without the second half.
                assert_eq!(entry["powershell"], format!("{command}; exit $LASTEXITCODE"));
                let limit = entry["timeoutSec"].as_u64().unwrap();
                assert!(u128::from(limit) * 1000 > 2 * program::DEFAULT_DEADLINE.as_millis());
            }
        }
    }
}

#[test]
fn the_one_file_form_is_the_sum_of_the_others_with_the_audit_first() {
    let whole = read("policy-hooks.json");
    let mut sum = read("90-audit-logger.json");
    for name in GUARDS {
        for (event, entries) in read(name)["hooks"].as_object().unwrap() {
            sum["hooks"][event].as_array_mut().unwrap().extend(entries.as_array().unwrap().iter().cloned());
        }
    }
    assert_eq!(whole, sum);
}

/// The audit logger's configurations, as far as the folder of recorded payloads, and their commands' shells.
const AUDITS: [(Target, &str, &[&str]); 5] = [
    (Target::VsCode, "90-audit-logger.json", &["/bin/sh", "-c"]),
    (Target::CopilotPascal, "90-audit-logger.json", &["/bin/bash", "--norc", "--noprofile", "-c"]),
    (Target::Claude, "claude-code/audit-logger.json", &["/bin/sh", "-c"]),
    (Target::Codex, "codex/audit-logger.json", &["/bin/sh", "-c"]),
    (Target::Gemini, "gemini-cli/audit-logger.json", &["/bin/bash", "-c"]),
];

/// Events whose hooks would do harm or cost more than they tell: Claude Code takes a `WorktreeCreate` hook's output
/// for the work tree; the others fire for every piece of text that streams in, or carry the whole conversation.
const LEFT_OUT: [&str; 5] =
    ["WorktreeCreate", "MessageDisplay", "BeforeModel", "AfterModel", "BeforeToolSelection"];

#[test]
fn every_recorded_event_of_every_host_is_audited_by_its_configuration() {
    for (target, name, shell) in AUDITS {
        let config = read(name);
        let mut seen = Vec::new();
        for recorded in payloads::all().into_iter().filter(|recorded| recorded.target == target) {
            // Copilot asks for permission in camelCase, whatever the key.
            let event = recorded.event();
            let event = event[..1].to_uppercase() + &event[1..];
            if seen.contains(&event) || LEFT_OUT.contains(&event.as_str()) {
                continue;
            }
            let entry = &config["hooks"][&event][0];
            let hook = entry["bash"].as_str().or(entry["hooks"][0]["command"].as_str());
            let hook = hook.unwrap_or_else(|| panic!("{name} has nothing for {event}"));
            let home = tempfile::tempdir().unwrap();
            let (program, flags) = shell.split_first().unwrap();
            let call = Call::new(program).args(flags.iter().copied()).args([hook]).env("PATH", path());
            let call = call.env("HOME", home.path()).env("XDG_STATE_HOME", "").env("AUDIT_LOG", "");
            let answer = call.input(recorded.text.as_str()).run();
            assert_eq!(
                (answer.stdout.as_str(), answer.exit),
                ("{}", Some(0)),
                "{}: {answer:?}",
                recorded.name()
            );
            let log = home.path().join(".local/state/policy-hooks/audit/audit.jsonl");
            let text = fs::read_to_string(&log).unwrap();
            let record: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
            assert_eq!(record["kind"], "event", "{}", recorded.name());
            seen.push(event);
        }
        assert!(seen.len() >= 4, "{name}: {seen:?}");
    }
}

#[test]
fn nested_forms_have_the_units_of_their_hosts_and_never_block() {
    for (name, limits) in [
        ("claude-code/audit-logger.json", 5..=60),
        ("codex/audit-logger.json", 5..=60),
        ("gemini-cli/audit-logger.json", 5_000..=60_000),
    ] {
        for (event, groups) in read(name)["hooks"].as_object().unwrap() {
            assert!(event.parse::<payload::EventKind>().is_ok(), "{name}: {event}");
            assert!(!LEFT_OUT.contains(&event.as_str()), "{name}: {event}");
            for group in groups.as_array().unwrap() {
                let handler = &group["hooks"][0];
                assert_eq!(handler["type"], "command");
                assert!(limits.contains(&handler["timeout"].as_u64().unwrap()), "{name}: {event}");
                // One that watches lets calls through when it is missing.
                assert!(handler.get("onFailure").is_none(), "{name}: {event}");
            }
        }
    }
}

#[test]
fn the_paired_file_denies_on_vs_code_and_copilot_cli() {
    let config = read("10-command-blocker.json");
    let hook = config["hooks"]["PreToolUse"][0]["bash"].as_str().unwrap();
    for (target, shell) in [
        (Target::VsCode, &["/bin/sh", "-c"][..]),
        (Target::CopilotPascal, &["/bin/bash", "--norc", "--noprofile", "-c"]),
    ] {
        let denied = call(target, shell, hook, "rm -rf /");
        assert_eq!(target.reads("PreToolUse", &denied).effect, Effect::Deny, "{denied:?}");
        let silent = call(target, shell, hook, "ls");
        assert_eq!((silent.stdout.as_str(), silent.exit), ("{}", Some(0)), "{silent:?}");
    }
}

#[test]
fn the_claude_file_has_nested_groups_only() {
    let configs = [read("claude-code/settings.json"), read("claude-code/approval-gate.json")];
    for (event, groups) in configs.iter().flat_map(|config| config["hooks"].as_object().unwrap()) {
        assert!(event.starts_with(char::is_uppercase), "{event}");
        for group in groups.as_array().unwrap() {
            // One entry outside a group makes Claude Code drop the whole file.
            assert!(group.get("command").is_none() && group.get("bash").is_none());
            for handler in group["hooks"].as_array().unwrap() {
                assert_eq!(handler["type"], "command");
                assert_eq!(handler["onFailure"], "block");
                assert!(handler["timeout"].as_u64().unwrap() <= 60, "seconds");
            }
        }
    }
}

#[test]
fn the_claude_file_denies() {
    let config = read("claude-code/settings.json");
    let hook = config["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let denied = call(Target::Claude, &["/bin/sh", "-c"], hook, "rm -rf /");
    assert_eq!(Target::Claude.reads("PreToolUse", &denied).effect, Effect::Deny, "{denied:?}");
}

#[test]
fn the_stop_guards_files_give_it_the_time_that_it_takes() {
    let deadline = stop_guard::PROGRAM.deadline;
    let limit = |event: &str, limit: &Value, unit: Duration| {
        let limit = unit * u32::try_from(limit.as_u64().unwrap()).unwrap();
        let stops = matches!(event, "Stop" | "AfterAgent");
        assert!(
            if stops { limit > deadline } else { limit >= Duration::from_secs(10) },
            "{event}: {limit:?}"
        );
    };
    let events = |config: &Value| -> Vec<String> {
        let mut events: Vec<String> = config["hooks"].as_object().unwrap().keys().cloned().collect();
        events.sort();
        events
    };
    let config = read("50-stop-guard.json");
    assert_eq!(config["version"], 1);
    assert_eq!(events(&config), ["PostToolUse", "Stop", "UserPromptSubmit"]);
    for (event, entries) in config["hooks"].as_object().unwrap() {
        for entry in entries.as_array().unwrap() {
            assert_eq!(entry["type"], "command");
            assert!(entry.get("matcher").is_none(), "an empty matcher switches the hook off on Copilot CLI");
            assert_eq!(entry["bash"], "stop-guard");
            assert_eq!(entry["powershell"], "stop-guard; exit $LASTEXITCODE");
            limit(event, &entry["timeoutSec"], Duration::from_secs(1));
        }
    }
    for (file, unit, expected) in [
        (
            "claude-code/stop-guard.json",
            Duration::from_secs(1),
            &["PostToolUse", "PostToolUseFailure", "Stop", "UserPromptSubmit"][..],
        ),
        ("codex/stop-guard.json", Duration::from_secs(1), &["PostToolUse", "Stop", "UserPromptSubmit"]),
        ("gemini-cli/stop-guard.json", Duration::from_millis(1), &["AfterAgent", "AfterTool", "BeforeAgent"]),
    ] {
        let config = read(file);
        assert_eq!(events(&config), expected, "{file}");
        for (event, groups) in config["hooks"].as_object().unwrap() {
            for group in groups.as_array().unwrap() {
                for handler in group["hooks"].as_array().unwrap() {
                    assert_eq!(
                        (&handler["type"], &handler["command"]),
                        (&"command".into(), &"stop-guard".into())
                    );
                    // A guard that fails must not hold an agent back.
                    assert!(handler.get("onFailure").is_none(), "{file}");
                    limit(event, &handler["timeout"], unit);
                }
            }
        }
    }
}

#[test]
fn the_context_injectors_files_give_it_the_time_that_it_takes() {
    let deadline = context_injector::PROGRAM.deadline;
    let flat = read("30-context-injector.json");
    for event in ["SessionStart", "SubagentStart"] {
        let entry = &flat["hooks"][event][0];
        assert!(entry["bash"].as_str().unwrap().starts_with("context-injector"), "{event}");
        assert!(Duration::from_secs(entry["timeoutSec"].as_u64().unwrap()) > deadline, "{event}");
    }
    for (file, unit, expected) in [
        ("claude-code/context-injector.json", Duration::from_secs(1), &["SessionStart", "SubagentStart"][..]),
        ("codex/context-injector.json", Duration::from_secs(1), &["SessionStart", "SubagentStart"]),
        // Gemini CLI 0.61.0 has no event of sub-agents.
        ("gemini-cli/context-injector.json", Duration::from_millis(1), &["SessionStart"]),
    ] {
        let config = read(file);
        let events: Vec<&String> = config["hooks"].as_object().unwrap().keys().collect();
        assert_eq!(events, expected, "{file}");
        for event in expected {
            let group = &config["hooks"][event][0];
            // Claude Code starts sessions by `startup`, `resume`, `clear` and `compact`: all of them are wanted.
            assert!(group.get("matcher").is_none_or(|matcher| matcher == "*"), "{file}");
            let handler = &group["hooks"][0];
            assert_eq!(
                (&handler["type"], &handler["command"]),
                (&"command".into(), &"context-injector".into())
            );
            assert!(handler.get("onFailure").is_none(), "{file}: it only tells");
            assert!(unit * u32::try_from(handler["timeout"].as_u64().unwrap()).unwrap() > deadline, "{file}");
        }
    }
}

#[test]
fn the_formatter_triggers_files_give_it_the_time_that_it_takes() {
    let deadline = formatter_trigger::PROGRAM.deadline;
    for (file, unit, expected) in [
        // In VS Code the note says what was edited, and the formatter runs when the agent stops.
        (
            "40-formatter-trigger.json",
            Duration::from_secs(1),
            &["PostToolUse", "Stop", "UserPromptSubmit"][..],
        ),
        ("claude-code/formatter-trigger.json", Duration::from_secs(1), &["PostToolUse"]),
        ("codex/formatter-trigger.json", Duration::from_secs(1), &["PostToolUse"]),
        ("gemini-cli/formatter-trigger.json", Duration::from_millis(1), &["AfterTool"]),
        (
            "at-stop/40-formatter-trigger.json",
            Duration::from_secs(1),
            &["PostToolUse", "Stop", "UserPromptSubmit"],
        ),
        ("at-stop/claude-code.json", Duration::from_secs(1), &["PostToolUse", "Stop", "UserPromptSubmit"]),
        ("at-stop/codex.json", Duration::from_secs(1), &["PostToolUse", "Stop", "UserPromptSubmit"]),
        ("at-stop/gemini-cli.json", Duration::from_millis(1), &["AfterAgent", "AfterTool", "BeforeAgent"]),
    ] {
        let config = read(file);
        let at_stop = file.starts_with("at-stop");
        let command = if at_stop { "formatter-trigger --when stop" } else { "formatter-trigger" };
        let events = config["hooks"].as_object().unwrap();
        let mut names: Vec<&str> = events.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, expected, "{file}");
        for (event, entries) in events {
            let nested = entries[0]["hooks"].get(0);
            let handler = nested.unwrap_or(&entries[0]);
            let (text, limit) = match nested {
                Some(handler) => (&handler["command"], &handler["timeout"]),
                None => (&handler["bash"], &handler["timeoutSec"]),
            };
            assert_eq!(text, command, "{file}");
            // One that helps lets calls through when it fails.
            assert!(handler.get("onFailure").is_none(), "{file}");
            let limit = unit * u32::try_from(limit.as_u64().unwrap()).unwrap();
            let formats = if at_stop {
                matches!(event.as_str(), "Stop" | "AfterAgent")
            } else {
                event != "UserPromptSubmit"
            };
            assert!(
                if formats { limit > deadline } else { limit >= Duration::from_secs(10) },
                "{file}: {event}"
            );
        }
    }
}

#[test]
fn every_configuration_is_strict_json_that_ends_in_a_line_feed() {
    let mut folders = vec![root().join("configs")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read_to_string(&path).unwrap();
                assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", path.display());
                assert!(text.ends_with("}\n"), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 2);
}
