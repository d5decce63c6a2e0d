//! Pages that have to be there, and what has to stand on them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use host::Product;
use support::programs::root;

use super::{programs, read, renew_between};

/// The hosts with a folder in `configs`, after those that share the files beside it.
fn hosts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = Product::ALL.into_iter().filter_map(|product| Some((product.title, product.configs?)));
    std::iter::once(("VS Code, Copilot CLI", "")).chain(own)
}

/// The configuration of a hook in a host's folder; Claude Code's, Codex's and Gemini's first hook has the name that
/// the host gives the whole file.
fn configuration(hook: &str, folder: &str) -> String {
    if folder.is_empty() {
        let entries = fs::read_dir(root().join("configs")).unwrap().flatten();
        let mut names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let name = names.find(|name| name.ends_with(&format!("-{hook}.json"))).unwrap();
        return format!("configs/{name}");
    }
    let own = format!("configs/{folder}/{hook}.json");
    let whole = if folder == "codex" { "hooks.json" } else { "settings.json" };
    if root().join(&own).exists() { own } else { format!("configs/{folder}/{whole}") }
}

/// What calls a hook, by host.
fn events(hook: &str) -> String {
    let mut table = String::from("| Host | Events | Configuration |\n|---|---|---|\n");
    for (title, folder) in hosts() {
        let path = configuration(hook, folder);
        let json: serde_json::Value = serde_json::from_str(&read(&path)).unwrap();
        let events: Vec<String> = json["hooks"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, entries)| entries.to_string().contains(hook))
            .map(|(event, _)| format!("`{event}`"))
            .collect();
        assert!(!events.is_empty(), "{path}");
        let _ = writeln!(table, "| {title} | {} | [{path}](../../{path}) |", events.join(", "));
    }
    table
}

/// One line for each host, from what is recorded of it.
fn host_table() -> String {
    let mut table = String::from("| Host | `--host` | As recorded with |\n|---|---|---|\n");
    for product in Product::ALL {
        let _ = writeln!(table, "| {} | `{}` | {} |", product.title, product.name, product.version);
    }
    table
}

#[test]
fn the_readme_is_short_and_lists_the_hosts() {
    renew_between("README.md", "hosts", &host_table());
    let lines = read("README.md").lines().count();
    assert!(lines < 120, "{lines} lines");
}

#[test]
fn every_hook_has_a_page_with_its_events() {
    for (hook, _) in programs() {
        let page = read(&format!("hooks/{hook}/README.md"));
        assert!(page.contains(&format!("$ {hook} --help\n")), "{hook}: its options are not shown");
        assert!(
            read("README.md").contains(&format!("(hooks/{hook}/README.md)")),
            "{hook}: no link leads there"
        );
        if hook != "hook-runner" {
            renew_between(&format!("hooks/{hook}/README.md"), "events", &events(hook));
        }
    }
}

/// A page a person finds: every family, and every page of docs/, is one click away.
#[test]
fn the_readme_is_short_and_leads_everywhere() {
    let readme = read("README.md");
    assert!(readme.lines().count() < 120, "{} lines", readme.lines().count());
    for family in rules::families() {
        assert!(readme.contains(&format!("(shared/rules/rules/{}.md)", family.id)), "{}", family.id);
    }
    let summary = read("docs/SUMMARY.md");
    for entry in fs::read_dir(root().join("docs")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") && name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "docs/SUMMARY.md leaves {name} out");
        }
    }
}

#[test]
fn the_tests_command_is_what_ci_runs() {
    assert!(read("README.md").contains("cargo test --workspace"));
    assert!(read(".ci/run").contains("\ncargo test --workspace\n"));
}

#[test]
fn the_table_of_failures_names_every_rule_of_the_harness() {
    let page = read("shared/program/README.md");
    let rules = [
        "input-unreadable",
        "input-too-large",
        "deadline",
        "internal-error",
        "arguments-unreadable",
        "host-unrecognised",
    ];
    for rule in rules {
        assert!(page.contains(&format!("`hook.{rule}`")), "{rule}");
    }
}
