//! No file lets an agent change the protection; a user may make an exception for what is the user's, for a time.
#![allow(clippy::unwrap_used)]

use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, decide};
use rules::Facts;

const PROJECT: &str = "/home/user/project";

/// 2026-11-23, in days since 1970.
const TODAY: i64 = 20_780;

fn decision(command: &str, layer: Layer, policy: &str) -> Option<Effect> {
    let sources = [Source::of(layer, "/x/policy.toml", policy)];
    let stack = Stack::of(&sources, TODAY);
    assert!(stack.files.iter().all(|file| file.errors.is_empty()), "{:?}", stack.files[0].errors);
    let facts = Facts::on_paper(Some(PROJECT), Some("/home/user"));
    decide(&stack, &Action::command(command, Some(PROJECT)), &facts).decision
}

#[test]
fn only_a_dated_exception_of_the_user_lets_an_agent_change_a_hosts_settings() {
    let exception = |until: &str| {
        format!("schema = 1\n[[exception]]\nrule = \"guard.*\"\nreason = \"r\"\nexpires = {until}\n")
    };
    let off = "schema = 1\n[builtin]\nrules = { guard = \"off\" }\n";
    for (command, usual, excepted) in [
        ("rm ~/.config/policy-hooks/policy.toml", Effect::Deny, false),
        ("rm -rf ~/.local/state/policy-hooks", Effect::Deny, false),
        ("echo x > /etc/github-copilot/policy.d/x.json", Effect::Deny, false),
        ("hook-runner trust", Effect::Deny, false),
        ("pkill command-blocker", Effect::Deny, false),
        ("echo x > ~/.claude/settings.json", Effect::Deny, true),
        ("claude --bare -p hi", Effect::Deny, true),
        ("echo x > .claude/settings.json", Effect::Ask, true),
    ] {
        for (layer, policy, may) in [
            (Layer::User, exception("2026-12-01"), excepted),
            (Layer::User, exception("2020-01-01"), false),
            (Layer::User, off.to_owned(), false),
            (Layer::Project, exception("2026-12-01"), false),
            (Layer::Project, off.to_owned(), false),
        ] {
            let expected = (!may).then_some(usual);
            assert_eq!(decision(command, layer, &policy), expected, "{layer:?} {command}: {policy}");
        }
        let system = decision(command, Layer::System, off);
        assert_eq!(system.is_some(), !excepted, "the machine's: {command}");
    }
}
