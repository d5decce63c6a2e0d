//! Every payload that a host was seen to write is answered in the form that this host obeys, and none passes in silence
//! after an update of its host.

use payload::model::Effect;
use serde_json::Value;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::mutations::{self, Mutation};
use support::payloads::{self, Recorded};
use support::programs::{approval_gate, command_blocker};

#[test]
fn a_destructive_command_is_denied_on_every_host() {
    let mut seen = [0; Target::ALL.len()];
    for recorded in payloads::all().iter().filter(|recorded| recorded.asks_before_a_call()) {
        let Some(payload) = recorded.with_command("rm -rf /") else { continue };
        let answer = Call::new(command_blocker()).input(payload).run();
        let outcome = recorded.target.reads(&recorded.event(), &answer);
        assert_eq!(outcome.effect, Effect::Deny, "{}: {answer:?}", recorded.name());
        let reason = outcome.reason.unwrap_or_default();
        assert!(reason.contains("(rule "), "{}: {answer:?}", recorded.name());
        assert_eq!(answer.exit, Some(0), "{}: {answer:?}", recorded.name());
        seen[recorded.target as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "a host without a recorded shell call: {seen:?}");
}

#[test]
fn a_harmless_command_is_none_of_our_business() {
    for recorded in payloads::all() {
        let Some(payload) = recorded.with_command("ls") else { continue };
        let answer = Call::new(command_blocker()).input(payload).run();
        assert_eq!(
            (answer.stdout.as_str(), answer.stderr.as_str(), answer.exit),
            ("{}", "", Some(0)),
            "{}",
            recorded.name()
        );
    }
}

#[test]
fn no_payload_of_any_event_makes_the_program_fail() {
    for recorded in payloads::all() {
        let answer = Call::new(command_blocker()).input(recorded.text.as_str()).run();
        assert_eq!(answer.exit, Some(0), "{}: {answer:?}", recorded.name());
        let stdout: Value = serde_json::from_str(&answer.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {answer:?}", recorded.name()));
        assert!(stdout.is_object(), "{}", recorded.name());
        if !recorded.asks_before_a_call() {
            assert_eq!(answer.stdout, "{}", "{}", recorded.name());
        }
    }
}

/// Calls `judge` for each, on all processors.
fn each<T: Sync>(all: &[T], judge: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let parts: Vec<_> = all
            .chunks(all.len().div_ceil(threads).max(1))
            .map(|part| scope.spawn(|| part.iter().filter_map(&judge).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

fn silent(answer: &Answer) -> bool {
    answer.exit == Some(0) && answer.stdout == "{}"
}

/// Whether the host that wrote the payload holds the call back.
fn held(recorded: &Recorded, answer: &Answer) -> bool {
    matches!(recorded.target.reads(&recorded.event(), answer).effect, Effect::Deny | Effect::Ask)
}

#[test]
fn no_single_change_of_a_calls_payload_makes_a_guard_silent() {
    let mut cases: Vec<(Recorded, Mutation)> = Vec::new();
    for recorded in payloads::all().into_iter().filter(Recorded::asks_before_a_call) {
        let Some(payload) = recorded.with_command("rm -rf /") else { continue };
        let payload: Value = serde_json::from_str(&payload).unwrap();
        for mutation in mutations::all(&payload) {
            let again = Recorded {
                path: recorded.path.clone(),
                target: recorded.target,
                text: recorded.text.clone(),
            };
            cases.push((again, mutation));
        }
    }
    assert!(cases.len() > 2_000, "only {} cases", cases.len());
    let wrong = each(&cases, |(recorded, mutation)| {
        // The gate is slower, and reads payloads with the same code: every fourth.
        let gate = mutation.what.len() % 4 == 0;
        let programs = [Some(command_blocker()), gate.then(approval_gate)];
        programs.into_iter().flatten().find_map(|program| {
            let answer = Call::new(program).input(mutation.payload.to_string()).run();
            // Claude Code reads the answer to a permission request under its event's name only, and here no one says it.
            let unnamed = recorded.name().contains("PermissionRequest")
                && ["hook_event_name removed", "hook_event_name renamed"].contains(&&*mutation.what);
            let fine = held(recorded, &answer) || unnamed && !silent(&answer);
            (!fine)
                .then(|| format!("{}: {}: {} {answer:?}", recorded.name(), mutation.what, mutation.payload))
        })
    });
    assert!(wrong.is_empty(), "{} of {} let the call run:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The same for a call of an MCP server's tool, whose arguments only their keys explain. A key that becomes another word
/// altogether, and one that is gone, take the command out of sight.
#[test]
fn no_single_change_of_an_unknown_tools_payload_makes_a_guard_silent() {
    let payload = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/p", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "mcp__terminal__run",
        "tool_input": { "command": "rm -rf /", "timeout": 5 }, "tool_use_id": "u",
    });
    let hidden = ["tool_input.command removed", "tool_input.command renamed"];
    let cases: Vec<_> =
        mutations::all(&payload).into_iter().filter(|mutation| !hidden.contains(&&*mutation.what)).collect();
    let wrong = each(&cases, |mutation| {
        let answer = Call::new(command_blocker()).input(mutation.payload.to_string()).run();
        let held = matches!(Target::Claude.reads("PreToolUse", &answer).effect, Effect::Deny | Effect::Ask);
        (!held).then(|| format!("{}: {} {answer:?}", mutation.what, mutation.payload))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Puts a catastrophic command wherever a string may be.
fn with_catastrophes(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let free = [
                    "command",
                    "prompt",
                    "message",
                    "title",
                    "text",
                    "last_assistant_message",
                    "error",
                    "result",
                ];
                if value.is_string() && free.iter().any(|word| key.contains(word)) {
                    *value = "rm -rf /".into();
                }
                with_catastrophes(value);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(with_catastrophes),
        _ => {}
    }
}

#[test]
fn no_single_change_of_another_events_payload_holds_anything_back() {
    let mut cases: Vec<(String, Mutation)> = Vec::new();
    // `preMcpToolCall` is about a call, too, though no answer to it stops the call.
    let is_call = |recorded: &payloads::Recorded| {
        recorded.asks_before_a_call() || recorded.name().to_lowercase().contains("premcptoolcall")
    };
    for recorded in payloads::all().into_iter().filter(|recorded| !is_call(recorded)) {
        let mut payload = recorded.json();
        with_catastrophes(&mut payload);
        for mutation in mutations::all(&payload) {
            // Without its result or error, Copilot's camelCase payload after a call is byte for byte that before one.
            let unnamed = recorded.target == Target::CopilotCamel && payload.get("hook_event_name").is_none();
            let told = mutation.path.len() == 1 && ["toolResult", "error"].contains(&&*mutation.path[0]);
            if unnamed && told && (mutation.removed || mutation.what.ends_with(" renamed")) {
                continue;
            }
            cases.push((recorded.name(), mutation));
        }
    }
    assert!(cases.len() > 5_000, "only {} cases", cases.len());
    // Of the many payloads that differ in their strings alone, a part.
    let cases: Vec<_> =
        cases.into_iter().enumerate().filter(|(at, _)| at % 3 == 0).map(|(_, case)| case).collect();
    let wrong = each(&cases, |(name, mutation)| {
        let answer = Call::new(command_blocker()).input(mutation.payload.to_string()).run();
        (!silent(&answer)).then(|| format!("{name}: {}: {} {answer:?}", mutation.what, mutation.payload))
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The payloads of hosts that were not driven: `rm -rf /` by their documents, everyday events, and what Cline was seen to write.
#[test]
fn a_host_that_was_not_driven_is_guarded_all_the_same() {
    let folder = support::programs::root().join("tests/payloads/more-hosts");
    let rows = |file: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let given = ["--host", "claude", "--event", "PreToolUse"];
    let deny = rows("deny.jsonl");
    assert_eq!(deny.len(), 14);
    for row in deny {
        let host = row["host"].as_str().unwrap();
        for (program, arguments) in [
            (command_blocker(), &[][..]),
            (command_blocker(), &given),
            (approval_gate(), &[]),
            (approval_gate(), &given),
        ] {
            let answer =
                Call::new(program).args(arguments.iter().copied()).input(row["payload"].to_string()).run();
            assert!(understood(host, &answer), "{host}: {answer:?}");
        }
    }
    let documented = rows("documented.jsonl");
    assert!(documented.len() > 40, "{}", documented.len());
    for row in documented {
        let host = row["host"].as_str().unwrap();
        for program in [command_blocker(), approval_gate()] {
            let call = Call::new(program).env("HOME", "/home/user").input(row["payload"].to_string());
            let answer = call.run();
            let commands = row["says"].as_str().unwrap().contains("rm -rf /");
            if row["deny"] == true && (commands || answer.stdout != "{}") {
                assert!(understood(host, &answer) || host == "antigravity", "{row}: {answer:?}");
            } else if row["deny"] == false {
                assert!(silent(&answer), "{row}: {answer:?}");
            }
        }
    }
    let rows = rows("cline.jsonl");
    let call =
        |row: &Value| Call::new(command_blocker()).env("HOME", "/home/user").input(row.to_string()).run();
    let answers: Vec<Answer> = rows.iter().map(call).collect();
    let denied = |answer: &&Answer| understood("cline", answer);
    assert_eq!(answers.iter().filter(denied).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| silent(answer)).count(), rows.len() - 1, "{answers:?}");
}

/// Whether a host takes the answer for a denial, by its documents.
fn understood(host: &str, answer: &Answer) -> bool {
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    let code = answer.exit == Some(2) && !answer.stderr.is_empty();
    let claude = said["hookSpecificOutput"]["permissionDecision"] == "deny";
    match host {
        "cline" => said["cancel"] == true && said["errorMessage"].is_string(),
        "cursor" | "cursor-shell" | "cursor-pretool" => {
            said["permission"] == "deny" && said["agent_message"].is_string()
        }
        "antigravity" => said["decision"] == "deny",
        "hermes" | "opencode" | "pi" => said["decision"] == "block",
        "kimi" | "claude" => code || claude,
        "openhands" | "unknown" | "crush" | "droid" | "auggie" | "augment" => code,
        "windsurf" | "kiro" | "kiro2" | "kiro3" | "devin" => code,
        other => panic!("{other}"),
    }
}
