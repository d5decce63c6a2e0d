//! Attempts to get round a policy with rules of every kind, in spellings of no generator.

use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, Programs, decide};
use rules::Facts;

const OWN: &str = include_str!("data/own.toml");
const TODAY: i64 = 20_779;
const CASES: &str = include_str!("data/escapes.txt");

#[test]
fn nothing_gets_round_a_policy_and_nothing_harmless_is_held() {
    let sources = [Source::of(Layer::User, "/home/user/.config/policy-hooks/policy.toml", OWN)];
    let stack = Stack::of(&sources, TODAY);
    assert!(stack.files[0].errors.is_empty(), "{:?}", stack.files[0].errors);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in CASES.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (mark, command) = line.split_once(' ').unwrap_or_else(|| panic!("{line}"));
        let command = command.replace('␤', "\n");
        let action = Action::command(&command, Some("/home/user/project"));
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        let ruling = decide(&stack, &action, &facts);
        // A hook leaves out what is about other programs: that changes nothing.
        let judgement = rules::judge(&action.commands, &facts);
        let about = Stack::about(&Programs::of(&judgement.analyses), &sources, TODAY);
        let short = decide(&about, &action, &facts);
        assert_eq!(format!("{:?}", short.findings), format!("{:?}", ruling.findings), "{line}");
        let fits = match mark {
            "!" => ruling.decision >= Some(Effect::Ask),
            "." => ruling.decision.is_none(),
            "@" => ruling.decision == Some(Effect::Allow),
            _ => panic!("{line}"),
        };
        seen += 1;
        if !fits {
            let rules: Vec<_> = ruling.findings.iter().map(|finding| finding.rule.as_str()).collect();
            wrong.push(format!("{line}   {:?} {rules:?}", ruling.decision));
        }
    }
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}
