//! Calls that run in another form than the agent wrote, by a policy: where a host takes that, and what else becomes of them.

use payload::model::Effect;
use serde_json::Value;
use support::hosts::Target;
use support::payloads;

use super::Machine;

const POLICY: &str = r#"
schema = 1

[[rule]]
id = "test.swap"
decision = "rewrite"
reason = "It has another name."
instead = "Use the other name."
run = { program = "frob", args_any = ["wanted"] }
rewrite = { swap = { "wanted" = "made" } }

[[rule]]
id = "test.denied"
decision = "deny"
reason = "No."
run = { program = "frob", args_any = ["made"], flags_any = ["--evil"] }

[[rule]]
id = "test.added"
decision = "rewrite"
reason = "It only shows what would happen."
run = { program = "ship", flags_none = ["--dry-run"] }
rewrite = { add = ["--dry-run"], otherwise = "ask" }

[[rule]]
id = "test.trash"
decision = "rewrite"
reason = "What is in the trash can be had back."
run = { program = "rm" }
rewrite = { trash = true }
"#;

fn call(command: &str) -> String {
    let recorded = payloads::all()
        .into_iter()
        .find(|recorded| {
            recorded.target == Target::Claude
                && recorded.event() == "PreToolUse"
                && recorded.with_command("x").is_some()
        })
        .unwrap();
    recorded.with_command(command).unwrap()
}

fn answer(machine: &Machine, command: &str) -> Value {
    serde_json::from_str(&machine.hook(call(command)).stdout).unwrap()
}

/// The command that runs instead, if one does.
fn instead(answer: &Value) -> Option<&str> {
    answer["hookSpecificOutput"]["updatedInput"]["command"].as_str()
}

#[test]
fn a_command_is_written_anew_in_its_own_place_and_said() {
    let machine = Machine::new().user(POLICY);
    for (command, expected) in [
        ("frob wanted", "frob made"),
        ("cd . && frob -x wanted | cat", "cd . && frob -x made | cat"),
        ("frob wanted; frob 'wanted' x", "frob made; frob made x"),
        ("ship it", "ship it --dry-run"),
        ("ship -- it", "ship --dry-run -- it"),
        ("ship \"a b\" c && ls", "ship \"a b\" c --dry-run && ls"),
    ] {
        let answer = answer(&machine, command);
        assert_eq!(instead(&answer), Some(expected), "{command}: {answer}");
        let output = &answer["hookSpecificOutput"];
        // Nothing that could skip the host's own question.
        assert!(output.get("permissionDecision").is_none() && answer.get("decision").is_none(), "{answer}");
        for said in [&answer["systemMessage"], &output["additionalContext"]] {
            let said = said.as_str().unwrap();
            assert!(said.contains("runs as `") && said.contains("(rule test."), "{said}");
        }
        // The rest of the call stays what it was.
        let before: Value = serde_json::from_str(&call(command)).unwrap();
        let (mut before, mut after) = (before["tool_input"].clone(), output["updatedInput"].clone());
        before["command"] = Value::Null;
        after["command"] = Value::Null;
        assert_eq!(before, after);
    }
}

#[test]
fn what_cannot_be_rewritten_for_sure_is_what_the_rule_says_otherwise() {
    let machine = Machine::new().user(POLICY);
    for command in [
        "frob wanted $X",
        "frob \"$X\" wanted",
        "frob $(cat x) wanted",
        "sudo frob wanted",
        "bash -c 'frob wanted'",
        "f() { frob wanted; }; f; f",
        "for i in 1 2; do frob wanted; done",
        "X=wanted; frob $X",
        "eval frob wanted",
        "frob wanted --evil",
        "frob wanted > out",
        "frob wanted; rm $X",
        "rm -i x",
        "rm --one-file-system x",
        "rm x; eval \"$Y\"",
    ] {
        let answer = answer(&machine, command);
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{command}: {answer}");
        assert_eq!(instead(&answer), None, "{command}: {answer}");
    }
    let asked = answer(&machine, "ship $X");
    assert_eq!(asked["hookSpecificOutput"]["permissionDecision"], "ask", "{asked}");
}

/// What a repository says does not choose what runs: its rule decides otherwise, until a person trusts it.
#[test]
fn a_project_rewrites_nothing() {
    let machine = Machine::new();
    super::write(&machine.policy(), POLICY);
    let answer = answer(&machine, &format!("cd {} && frob wanted", machine.project().display()));
    assert_eq!(instead(&answer), None, "{answer}");
}

#[test]
fn hosts_that_rewrite_only_with_an_approval_or_not_at_all_deny_with_the_advice() {
    let machine = Machine::new().user(POLICY);
    let mut seen = 0;
    for recorded in payloads::all().into_iter().filter(support::payloads::Recorded::asks_before_a_call) {
        let Some(payload) = recorded.with_command("frob wanted") else { continue };
        let event = recorded.event();
        let answer = machine.hook(payload);
        let outcome = recorded.target.reads(&event, &answer);
        let takes =
            !matches!(recorded.target, Target::Codex) && !event.eq_ignore_ascii_case("PermissionRequest");
        seen += 1;
        if let Some(input) = outcome.input.as_ref().filter(|_| takes) {
            assert_eq!(outcome.effect, Effect::None, "{}: {answer:?}", recorded.name());
            let input: Value = serde_json::from_str(input).unwrap();
            assert!(input.to_string().contains("frob made"), "{}: {input}", recorded.name());
        } else {
            assert_eq!(
                (outcome.effect, outcome.input),
                (Effect::Deny, None),
                "{}: {answer:?}",
                recorded.name()
            );
        }
    }
    assert!(seen > 20, "{seen}");
}
