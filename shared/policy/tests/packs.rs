//! `configs/policies/fewer-questions.toml` on commands that it was not written from: what it allows of everyday work, and
//! that it allows nothing that writes, sends, or runs what it is given, in whatever spelling.
//!
//! `approval-gate policy explain --policy configs/policies/fewer-questions.toml -- COMMAND` judges any other line.

use std::fmt::Write as _;

use policy::layers::{Source, Stack};
use policy::{Action, Effect, Layer, decide};
use rules::Facts;

const PACK: &str = include_str!("../../../configs/policies/fewer-questions.toml");
const READS: &str = include_str!("data/packs/reads.txt");
const BUILDS: &str = include_str!("data/packs/builds.txt");
const REFUSED: &str = include_str!("data/packs/refused.txt");

fn rows(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.replace('␤', "\n")).collect()
}

/// What is decided about each command.
fn decisions(commands: &[String]) -> Vec<Option<Effect>> {
    let sources = [Source::of(Layer::User, "/p.toml", PACK)];
    let stack = Stack::of(&sources, 20_779);
    assert!(stack.files[0].errors.is_empty(), "{:?}", stack.files[0].errors);
    let decided = |command: &String| {
        let action = Action::command(command, Some("/home/user/project"));
        decide(&stack, &action, &Facts::on_paper(action.cwd, Some("/home/user"))).decision
    };
    commands.iter().map(decided).collect()
}

/// Commands that are allowed, and the others.
fn parted(commands: Vec<String>) -> (Vec<String>, Vec<String>) {
    let decisions = decisions(&commands);
    let (allowed, others): (Vec<_>, Vec<_>) =
        commands.into_iter().zip(decisions).partition(|(_, decision)| *decision == Some(Effect::Allow));
    let words = |rows: Vec<(String, _)>| rows.into_iter().map(|(command, _)| command).collect();
    (words(allowed), words(others))
}

fn listed(commands: &[String]) -> String {
    let mut text = String::new();
    for command in commands {
        let _ = writeln!(text, "  {}", command.replace('\n', "␤"));
    }
    text
}

#[test]
fn nine_in_ten_commands_that_only_read_are_allowed() {
    let (allowed, others) = parted(rows(READS));
    let all = allowed.len() + others.len();
    assert!(all >= 300 && allowed.len() * 100 >= all * 95, "{} of {all}\n{}", allowed.len(), listed(&others));
}

#[test]
fn most_everyday_builds_and_tests_are_allowed() {
    let (allowed, others) = parted(rows(BUILDS));
    let all = allowed.len() + others.len();
    assert!(all >= 300 && allowed.len() * 100 >= all * 92, "{} of {all}\n{}", allowed.len(), listed(&others));
}

#[test]
fn nothing_dangerous_is_allowed_in_any_spelling() {
    let refused = rows(REFUSED);
    assert!(refused.len() >= 600, "{}", refused.len());
    let (allowed, _) = parted(refused.clone());
    assert!(allowed.is_empty(), "{} of {}\n{}", allowed.len(), refused.len(), listed(&allowed));
    // One of them is enough to hold back a line of harmless commands.
    let spelled = refused.iter().flat_map(|command| policy::cli::respellings(command));
    let (allowed, _) = parted(spelled.map(|(_, text)| text).collect());
    assert!(allowed.is_empty(), "{}\n{}", allowed.len(), listed(&allowed));
}

/// Rules that two people wrote with nothing but `docs/policy-reference.md` at hand.
#[test]
fn what_is_written_from_the_reference_alone_does_what_it_says() {
    for text in [include_str!("data/ten.toml"), include_str!("data/lead.toml")] {
        let source = Source::of(Layer::User, "/ten.toml", text);
        let tested = policy::cli::test(&Source { trusted: true, ..source }, &[], true);
        let faults: Vec<_> = tested.faults().collect();
        assert!(faults.is_empty() && tested.untested.is_empty() && tested.outcomes.len() > 500, "{faults:?}");
    }
}
