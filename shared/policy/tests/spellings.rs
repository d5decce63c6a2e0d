//! Sixty rules hold in every spelling, and leave harmless commands alone.

use std::path::Path;

use policy::cli::{respellings, test};
use policy::layers::{Source, Stack};
use policy::{Action, Layer, decide};
use rules::Facts;

const SIXTY: &str = include_str!("data/sixty.toml");

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn sixty_rules_hold_in_every_spelling() {
    let source = Source { trusted: true, ..Source::of(Layer::User, "sixty.toml", SIXTY) };
    let (policy, errors) = policy::read(SIXTY, 20_779);
    assert_eq!((policy.rules.len(), errors.len()), (60, 0), "{errors:?}");
    let tested = test(&source, &[], true);
    let faults: Vec<_> = tested.faults().map(|outcome| format!("{}: {}", outcome.of, outcome.what)).collect();
    assert!(
        faults.is_empty(),
        "{} of {} escape:\n{}",
        faults.len(),
        tested.outcomes.len(),
        faults.join("\n")
    );
    assert!(tested.outcomes.len() >= 60 * 22, "{}", tested.outcomes.len());
    println!("{} spellings and look-alikes of 60 rules", tested.outcomes.len());
}

#[test]
fn harmless_commands_are_left_alone() {
    let mut commands = Vec::new();
    for entry in std::fs::read_dir(root().join("tests/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "tsv") {
            let text = std::fs::read_to_string(path).unwrap();
            let none = text
                .lines()
                .filter_map(|line| line.strip_prefix("none\t").map(|line| line.replace('␤', "\n")))
                // Those of PowerShell and cmd follow their prompts.
                .filter(|command| !command.starts_with("PS> ") && !command.starts_with(r"C:\> "));
            commands.extend(none);
        }
    }
    let sources = [Source::of(Layer::User, "sixty.toml", SIXTY)];
    let stack = Stack::of(&sources, 20_779);
    let facts = || Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    let mut held = Vec::new();
    let mut harmless = 0;
    for command in &commands {
        harmless += 1;
        let action = Action::command(command, Some("/home/user/project"));
        let ruling = decide(&stack, &action, &facts());
        if ruling.decision.is_some() {
            let rules: Vec<_> = ruling.findings.iter().map(|finding| finding.rule.as_str()).collect();
            held.push(format!("{rules:?} {}", command.replace('\n', "␤")));
        }
    }
    println!("{} of {harmless} harmless commands are held", held.len());
    // Some of what destroys nothing is what these rules are for: installing, publishing, deploying, merging. Each is
    // listed with its rule, so that one more is noticed.
    let meant = std::fs::read_to_string(data("meant.txt")).unwrap();
    let unexpected: Vec<_> =
        held.iter().filter(|line| !meant.lines().any(|meant| meant == *line)).cloned().collect();
    assert!(unexpected.is_empty(), "{} held:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(harmless - held.len() >= 1000, "{} of {harmless} are left alone", harmless - held.len());
}

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn respellings_are_many() {
    assert!(respellings("git push -f").len() >= 40);
}

#[test]
fn shipped_policies_are_sound_and_hold_in_every_spelling() {
    for name in ["starter", "strict", "team-baseline", "ci"] {
        let path = root().join("configs/policies").join(format!("{name}.toml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source { trusted: true, ..Source::of(Layer::System, &path, text) };
        let tested = test(&source, &[], true);
        let faults: Vec<_> = tested
            .faults()
            .map(|outcome| format!("{}: {} {:?}", outcome.of, outcome.what, outcome.fault))
            .collect();
        assert!(faults.is_empty(), "{name}: {} faults\n{}", faults.len(), faults.join("\n"));
        assert_eq!(tested.untested, Vec::<String>::new(), "{name}");
    }
}
