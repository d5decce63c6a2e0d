//! What the README shows is what the programs do.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;

use policy::Severity;
use tests::call::Call;
use tests::programs::{command_blocker, hook_runner, root};

/// One writer at a time: two tests may renew the README.
static README: Mutex<()> = Mutex::new(());

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// A console block as it should read: each command with what it prints, in a folder of its own.
fn played(console: &str) -> String {
    let folder = command_blocker().parent().unwrap().display().to_string();
    assert_eq!(hook_runner().parent(), command_blocker().parent());
    let scratch = tempfile::tempdir().unwrap();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let mut text = String::new();
    for example in console.split("$ ").filter(|example| !example.is_empty()) {
        let command = example.lines().next().unwrap();
        let answer =
            Call::new("/bin/sh").args(["-c", command]).folder(scratch.path()).env("PATH", &path).run();
        let printed = format!("{}{}", answer.stderr, answer.stdout);
        text += &["$ ", command, "\n", printed.trim_end(), "\n"].concat();
    }
    text
}

/// With `UPDATE_README` set, writes what the programs print into the README instead.
#[test]
fn consoles_show_what_the_programs_print() {
    const OPEN: &str = "```console\n";
    let _writer = README.lock();
    let readme = read("README.md");
    let mut updated = String::new();
    for (index, part) in readme.split(OPEN).enumerate() {
        if index == 0 {
            updated.push_str(part);
            continue;
        }
        let (console, rest) = part.split_once("```").unwrap();
        updated += &[OPEN, &played(console), "```", rest].concat();
    }
    assert!(readme.contains(OPEN));
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(root().join("README.md"), updated).unwrap();
    } else {
        assert_eq!(readme, updated, "UPDATE_README=1 cargo test -p tests readme writes the new text");
    }
}

#[test]
fn its_commands_are_what_ci_runs() {
    let ci = read(".ci/run");
    assert!(read("README.md").contains("cargo test --workspace"));
    assert!(ci.contains("\ncargo test --workspace\n"));
}

#[test]
fn its_links_lead_somewhere() {
    for document in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] {
        let text = read(document);
        for (before, _) in text.match_indices("](").map(|(at, _)| text[at + 2..].split_once(')').unwrap()) {
            let file = before.split('#').next().unwrap();
            assert!(file.contains("://") || root().join(file).exists(), "{document}: {before}");
        }
    }
}

#[test]
fn its_table_of_failures_names_every_rule_of_the_harness() {
    let readme = read("README.md");
    let rules = ["input-unreadable", "input-too-large", "deadline", "internal-error", "arguments-unreadable"];
    for rule in rules {
        assert!(readme.contains(&format!("`hook.{rule}`")), "{rule}");
    }
}

/// The families of rules, as the README lists them.
fn families() -> String {
    let mut table = String::from("| Family | About | Rules |\n|---|---|---|\n");
    for family in policy::families() {
        let severities = [Severity::Catastrophic, Severity::Destructive, Severity::Risky];
        let counts =
            severities.map(|severity| family.rules.iter().filter(|rule| rule.severity == severity).count());
        let words: Vec<String> = severities
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}", severity.name()))
            .collect();
        let _ = writeln!(table, "| `{}` | {} | {} |", family.id, family.title, words.join(", "));
    }
    table
}

/// With `UPDATE_README` set, writes the table into the README instead.
#[test]
fn its_table_of_families_is_the_rules_own() {
    const OPEN: &str = "<!-- families -->\n";
    const CLOSE: &str = "<!-- end of families -->";
    let _writer = README.lock();
    let readme = read("README.md");
    let (before, rest) = readme.split_once(OPEN).unwrap();
    let (shown, after) = rest.split_once(CLOSE).unwrap();
    if std::env::var_os("UPDATE_README").is_some() {
        let updated = [before, OPEN, &families(), CLOSE, after].concat();
        fs::write(root().join("README.md"), updated).unwrap();
    } else {
        assert_eq!(shown, families(), "UPDATE_README=1 cargo test -p tests readme writes the new table");
    }
}
