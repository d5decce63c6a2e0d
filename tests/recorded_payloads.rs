//! Every payload that a host was seen to write is answered in the form that this host obeys.

use payload::model::Effect;
use tests::call::Call;
use tests::hosts::Target;
use tests::payloads;
use tests::programs::command_blocker;

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
        let stdout: serde_json::Value = serde_json::from_str(&answer.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {answer:?}", recorded.name()));
        assert!(stdout.is_object(), "{}", recorded.name());
        if !recorded.asks_before_a_call() {
            assert_eq!(answer.stdout, "{}", "{}", recorded.name());
        }
    }
}
