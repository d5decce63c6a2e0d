//! A policy says the same on every host, in every dialect, and no `ask` is sent where it means `yes`.

use payload::model::Effect;
use support::hosts::Target;
use support::payloads::{self, Recorded};

use super::{Machine, POLICY};

/// The recorded calls of shells, each with its event.
fn shells() -> Vec<(Recorded, String)> {
    let shells: Vec<_> = payloads::all()
        .into_iter()
        .filter(|recorded| recorded.asks_before_a_call() && recorded.with_command("x").is_some())
        .map(|recorded| {
            let event = recorded.event();
            (recorded, event)
        })
        .collect();
    for target in Target::ALL {
        assert!(shells.iter().any(|(recorded, _)| recorded.target == target), "{target:?}");
    }
    shells
}

fn is_permission(event: &str) -> bool {
    event.eq_ignore_ascii_case("PermissionRequest")
}

/// Whether an `ask` in answer to this call reaches a person, by what was driven. Copilot CLI 1.0.102 has none in a
/// permission request, which comes only where no hook has asked before.
fn asks(recorded: &Recorded) -> bool {
    let copilot = matches!(recorded.target, Target::CopilotCamel | Target::CopilotPascal);
    if copilot && is_permission(&recorded.event()) {
        return false;
    }
    let mode = recorded.json()["permission_mode"].as_str().map(str::to_owned);
    !matches!(recorded.target, Target::Codex | Target::Gemini)
        && !matches!(mode.as_deref(), Some("auto" | "dontAsk"))
}

#[test]
fn the_same_policy_says_the_same_in_every_dialect() {
    let machine = Machine::new().user(POLICY);
    let mut wrong = Vec::new();
    for (recorded, event) in shells() {
        for program in ["deny", "ask", "ask-always", "ask-or-not", "allow", "note", "nothing"] {
            let payload = recorded.with_command(&format!("frob-{program} x")).unwrap();
            let answer = machine.hook(payload);
            let outcome = recorded.target.reads(&event, &answer);
            let can_allow = !matches!(recorded.target, Target::Codex | Target::Gemini);
            let expected = match (program, asks(&recorded)) {
                ("deny", _) | ("ask" | "ask-always", false) => Effect::Deny,
                // The host is asking already.
                ("ask" | "ask-always" | "ask-or-not", true) if is_permission(&event) => Effect::None,
                ("ask" | "ask-always" | "ask-or-not", true) => Effect::Ask,
                ("allow", _) if can_allow => Effect::Allow,
                _ => Effect::None,
            };
            if outcome.effect != expected || answer.exit != Some(0) {
                wrong.push(format!(
                    "{} {program}: {:?}, not {expected:?}: {answer:?}",
                    recorded.name(),
                    outcome.effect
                ));
            }
            let told =
                outcome.reason.is_some_and(|reason| reason.contains(&format!("(rule test.{program})")));
            if expected == Effect::Deny && !told {
                wrong.push(format!("{} {program}: no reason: {answer:?}", recorded.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_ask_is_left_where_no_one_answers() {
    let machine = Machine::new().user(POLICY);
    let mut wrong = Vec::new();
    for (recorded, event) in shells() {
        for mode in
            ["default", "plan", "acceptEdits", "bypassPermissions", "auto", "dontAsk", "", "something-new"]
        {
            let payload = recorded.with_command("frob-ask x").unwrap();
            let mut payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
            payload["permission_mode"] = mode.into();
            let answer = machine.hook(payload.to_string());
            let effect = recorded.target.reads(&event, &answer).effect;
            let unheard = matches!(recorded.target, Target::Codex | Target::Gemini)
                || recorded.target == Target::Claude && matches!(mode, "auto" | "dontAsk");
            if unheard && effect != Effect::Deny || effect == Effect::Allow {
                wrong.push(format!("{} {mode}: {effect:?}: {answer:?}", recorded.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the tool: a default that denies reaches every host.
#[test]
fn every_recorded_call_of_every_host_can_be_denied() {
    let machine = Machine::new().user("schema = 1\n[defaults]\nunmatched = \"deny\"\n");
    for recorded in payloads::all().into_iter().filter(Recorded::asks_before_a_call) {
        let answer = machine.hook(recorded.text.as_str());
        let effect = recorded.target.reads(&recorded.event(), &answer).effect;
        assert_eq!(effect, Effect::Deny, "{}: {answer:?}", recorded.name());
    }
}

#[test]
fn every_other_event_is_left_alone() {
    let machine = Machine::new().user("schema = 1\n[defaults]\nunmatched = \"deny\"\n");
    // Copilot's is judged, though the host does not read what comes of it.
    let judged = |recorded: &Recorded| recorded.name().to_lowercase().contains("premcptoolcall");
    let others = payloads::all().into_iter().filter(|recorded| !recorded.asks_before_a_call());
    for recorded in others.filter(|recorded| !judged(recorded)) {
        let answer = machine.hook(recorded.text.as_str());
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{}: {answer:?}", recorded.name());
    }
}

#[test]
fn without_a_policy_only_the_built_in_rules_speak() {
    let machine = Machine::new();
    for target in Target::ALL {
        let (event, payload) = payloads::shell_call(target, "frob-deny x");
        let answer = machine.hook(payload);
        assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{target:?}: {answer:?}");
        let (_, payload) = payloads::shell_call(target, "rm -rf /");
        let answer = machine.hook(payload);
        assert_eq!(target.reads(&event, &answer).effect, Effect::Deny, "{target:?}: {answer:?}");
    }
}
