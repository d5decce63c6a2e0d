//! What the README claims is proved by a test, and a new sentence needs one, too.

use std::collections::BTreeSet;
use std::fs;

use support::programs::root;

use super::read;

/// Why a reader may rely on a sentence.
enum Ground {
    /// A test of this file, or what CI measures there.
    Test(&'static str, &'static str),
    /// It claims nothing of what the programs do: it says where to read on, or what the reader should do.
    Guide,
}

use Ground::{Guide, Test};

/// How a sentence of the README begins, and what it rests on.
const SENTENCES: &[(&str, Ground)] = &[
    (
        "Hooks that stop coding agents",
        Test("tests/real_hosts/mod.rs", "the_real_hosts_keep_what_is_promised"),
    ),
    (
        "They work out what a command line",
        Test("shared/rules/tests/cases.rs", "every_case_is_decided_as_expected"),
    ),
    (
        "If no rule applies, the answer is `{}`",
        Test(
            "shared/payload/tests/fixtures.rs",
            "a_hook_without_an_opinion_answers_every_payload_with_an_empty_object",
        ),
    ),
    (
        "The first command finds the agents",
        Test(
            "tests/real_hosts/newcomer.rs",
            "one_command_protects_a_newcomer_and_the_line_that_it_prints_shows_it",
        ),
    ),
    ("What to type instead of", Guide),
    (
        "`hook-runner init --user --host claude`",
        Test("tests/runner/init.rs", "every_host_gets_its_file_and_denies_then"),
    ),
    (
        "`init` shows what would change, asks",
        Test("tests/runner/init.rs", "a_summary_is_shown_first_and_nothing_is_written_without_a_yes"),
    ),
    ("[More](docs/install.md)", Guide),
    (
        "What is *catastrophic* or *destructive* is denied",
        Test("shared/rules/src/builtin/mod.rs", "every_rule_matches_its_examples_and_spares_the_others"),
    ),
    (
        "Rules judge what a command would do",
        Test("shared/rules/tests/cases.rs", "every_case_is_decided_as_expected"),
    ),
    // One family each, with the examples of its rules.
    ("- [", Test("tests/docs/families.rs", "every_family_has_a_page_and_every_page_a_family")),
    ("- Windows: [files]", Test("tests/docs/families.rs", "every_family_has_a_page_and_every_page_a_family")),
    ("[All families]", Guide),
    ("Or [keep it]", Test("tests/kept.rs", "what_a_reset_loses_is_saved_and_brought_back")),
    (
        "Rules of your own: [a policy]",
        Test("shared/policy/tests/spellings.rs", "sixty_rules_hold_in_every_spelling"),
    ),
    ("Every promise is tested", Test("tests/real_hosts/mod.rs", "the_real_hosts_keep_what_is_promised")),
    (
        "To judge a command, the command blocker takes fewer",
        Test("tests/benches/instruction_counts/main.rs", "calls"),
    ),
    ("- **Against an attacker**", Guide),
    ("The agent runs as you", Guide),
    ("[What is defended]", Guide),
    ("- **Backups and permissions**", Guide),
    (
        "- **Programs are not looked into**",
        Test("shared/rules/tests/files.rs", "what_a_file_does_is_decided_as_if_it_were_typed"),
    ),
    (
        "[Scripts and build files are read]",
        Test("shared/rules/tests/files.rs", "what_a_file_does_is_decided_as_if_it_were_typed"),
    ),
    (
        "- **Some hosts call no hook**",
        Test("tests/real_hosts/mod.rs", "the_real_hosts_keep_what_is_promised"),
    ),
    (
        "- **A host lets a call through**",
        Test("tests/harness.rs", "stdin_that_never_closes_is_answered_at_the_deadline"),
    ),
    ("[Install](docs/install.md) ·", Guide),
    (
        "`cargo run --bin demo`",
        Test("tests/runner/screens.rs", "the_demo_fits_a_terminal_and_shows_what_there_is"),
    ),
    ("[CONTRIBUTING.md]", Guide),
];

/// The sentences of a document, without headings, tables, pictures and blocks of code.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if !code && !line.is_empty() && !line.starts_with(['#', '|', '!', '<']) {
            let mut rest = line;
            // A sentence ends at a full stop that a capital letter, code or a link follows.
            while let Some(end) =
                rest.match_indices(". ").map(|(at, _)| at + 2).find(|at| begins_sentence(&rest[*at..]))
            {
                found.push(rest[..end].trim().to_owned());
                rest = &rest[end..];
            }
            found.push(rest.trim().to_owned());
        }
    }
    found
}

fn begins_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase() || matches!(c, '`' | '['))
}

#[test]
fn every_claim_of_the_readme_is_tested() {
    let mut used = BTreeSet::new();
    let mut missing = Vec::new();
    for sentence in sentences(&read("README.md")) {
        match SENTENCES.iter().position(|(begins, _)| sentence.starts_with(begins)) {
            Some(row) => drop(used.insert(row)),
            None => missing.push(sentence),
        }
    }
    assert!(
        missing.is_empty(),
        "add the test that proves it to tests/docs/claims.rs:\n{}",
        missing.join("\n")
    );
    for (row, (begins, ground)) in SENTENCES.iter().enumerate() {
        assert!(used.contains(&row), "the README no longer says: {begins}");
        if let Test(path, name) = ground {
            let source =
                fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(source.contains(&format!("fn {name}(")), "{path} has no {name}, which proves: {begins}");
        }
    }
}

#[test]
fn sentences_end_where_a_reader_ends_them() {
    let text = "# Title\nOne, v1.2 is meant. Two [link](a.md). `three` is code.\n\n```sh\nnot this. Nor this\n```\n- Four\n";
    assert_eq!(sentences(text), ["One, v1.2 is meant.", "Two [link](a.md).", "`three` is code.", "- Four"]);
}
