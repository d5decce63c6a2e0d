//! The arguments of tools that only their keys explain: judged where they run or write something, left alone elsewhere.

use payload::model::Effect;
use serde_json::{Value, json};
use support::call::Call;
use support::hosts::Target;
use support::programs::{approval_gate, command_blocker, root};

#[test]
fn arguments_are_judged_by_what_their_keys_mean() {
    let table = std::fs::read_to_string(root().join("tests/cases/calls/arguments.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [expected, tool, input] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let input: Value = serde_json::from_str(input).unwrap_or_else(|error| panic!("{line}: {error}"));
        let payload = json!({
            "session_id": "s", "transcript_path": "/t", "cwd": "/home/user/project", "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        });
        for program in [command_blocker(), approval_gate()] {
            let answer = Call::new(program).args(["--deadline-ms", "30000"]).input(payload.to_string()).run();
            let effect = Target::Claude.reads("PreToolUse", &answer).effect;
            let fits = match expected {
                "deny" => effect == Effect::Deny,
                "held" => matches!(effect, Effect::Deny | Effect::Ask),
                // A script that is written may be spoken of, no more.
                "none" => {
                    let spoken_of = answer.stdout.contains("You may write this script");
                    effect == Effect::None && (answer.stdout == "{}" || spoken_of) && answer.exit == Some(0)
                }
                other => panic!("{other}"),
            };
            if !fits {
                wrong.push(format!("{}: {line}\n    {effect:?} {}", program.display(), answer.stdout));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
