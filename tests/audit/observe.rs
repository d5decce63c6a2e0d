//! What a program that only observes leaves behind: a record, marked as not enforced, also where no log was set up.

use serde_json::Value;
use support::call::Answer;
use support::programs::{approval_gate, command_blocker};

use super::{Home, claude, silent};

fn observed(home: &Home, id: &str, command: &str) -> Answer {
    home.call(command_blocker()).args(["--mode", "observe"]).input(claude(id, command)).run()
}

#[test]
fn observing_records_without_a_log_that_was_set_up() {
    let home = Home::new();
    let answer = observed(&home, "1", "git push --force origin main");
    silent(&answer);
    assert!(answer.stderr.contains("would deny"), "{answer:?}");
    let records = home.records();
    let decision = &records[1]["decision"];
    assert_eq!((&decision["value"], &decision["enforced"]), (&"deny".into(), &false.into()), "{records:?}");
    assert!(home.verify().intact);
    // What a program that enforces denies makes no log.
    let other = Home::new();
    let _ = other.block(claude("1", "git push --force origin main"));
    assert!(!other.log().exists());
}

#[test]
fn what_was_observed_is_distinguished_from_what_was_enforced() {
    let home = Home::new();
    silent(&observed(&home, "1", "git push --force origin main"));
    silent(&observed(&home, "2", "git push --force origin main"));
    silent(&observed(&home, "3", "npm publish"));
    silent(&observed(&home, "4", "ls"));
    let _ = home.block(claude("5", "rm -rf /"));
    for arguments in [&["tail"][..], &["query"]] {
        let shown = home.people(arguments);
        let lines = |word: &str| shown.stdout.lines().filter(|line| line.contains(word)).count();
        assert_eq!((lines(" (deny) "), lines(" (ask) "), lines(" deny ")), (2, 1, 1), "{shown:?}");
    }
    let stats: Value = serde_json::from_str(&home.people(&["stats", "--json"]).stdout).unwrap();
    assert_eq!(
        (&stats["would_deny"], &stats["would_ask"], &stats["denied"]),
        (&2.into(), &1.into(), &1.into())
    );
    assert_eq!(stats["would_by_rule"]["git.push-force"], 2, "{stats}");
    let text = home.people(&["stats"]).stdout;
    assert!(text.contains("would have been denied: 2, asked about: 1\n"), "{text}");
}

#[test]
fn both_deciders_observe() {
    let home = Home::new();
    let answer = home.call(approval_gate()).args(["--mode=observe"]).input(claude("1", "rm -rf /")).run();
    silent(&answer);
    assert_eq!(home.records()[1]["by"]["name"], "approval-gate");
}
