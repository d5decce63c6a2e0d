//! Pages that have to be there, and what has to stand on them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use host::place::{Format, Scope};
use host::read::Source;
use host::{Product, System};
use support::programs::root;

use super::{programs, read, renew_between};

/// The hosts with a folder in `configs`, after those that share the files beside it.
fn hosts() -> impl Iterator<Item = (&'static str, &'static str, Option<Product>)> {
    let own =
        Product::ALL.into_iter().filter_map(|product| Some((product.title, product.configs?, Some(product))));
    std::iter::once(("VS Code, Copilot CLI", "", None)).chain(own)
}

/// The configuration of a hook in a host's folder, if it has one; Claude Code's, Codex's and Gemini's first hook has the name
/// that the host gives the whole file.
fn configuration(hook: &str, folder: &str) -> Option<String> {
    if folder.is_empty() {
        let entries = fs::read_dir(root().join("configs")).unwrap().flatten();
        let mut names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let name = names.find(|name| name.ends_with(&format!("-{hook}.json"))).unwrap();
        return Some(format!("configs/{name}"));
    }
    let whole = if folder == "codex" { "hooks.json" } else { "settings.json" };
    let names = [".json", ".yaml", ".js", ""].map(|end| format!("{hook}{end}"));
    let names = names.into_iter().chain([whole.to_owned()]);
    names.map(|name| format!("configs/{folder}/{name}")).find(|path| root().join(path).exists())
}

/// The events at which a configuration calls a hook.
fn events_of(product: Option<Product>, path: &str, hook: &str) -> Vec<String> {
    let whole = root().join(path);
    let mut files = if whole.is_dir() {
        fs::read_dir(&whole).unwrap().flatten().map(|entry| entry.path()).collect()
    } else {
        vec![whole]
    };
    files.sort();
    let product = product.unwrap_or(Product::COPILOT_CLI);
    let format = if path.ends_with("settings.json") { Format::Settings } else { Format::Hooks };
    let mut events = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let source = Source { file, scope: Scope::User, format, text: &text };
        let hooks = host::read(product, &source, System::Linux).hooks.into_iter();
        for key in
            hooks.filter(|read| read.action.describe().contains(hook)).map(|read| format!("`{}`", read.key))
        {
            if !events.contains(&key) {
                events.push(key);
            }
        }
    }
    events.sort();
    events
}

/// What calls a hook, by host.
fn events(hook: &str) -> String {
    let mut table = String::from("| Host | Events | Configuration |\n|---|---|---|\n");
    let mut without = Vec::new();
    for (title, folder, product) in hosts() {
        let Some(path) = configuration(hook, folder) else {
            without.push(title);
            continue;
        };
        let events = events_of(product, &path, hook);
        assert!(!events.is_empty(), "{path}");
        let _ = writeln!(table, "| {title} | {} | [{path}](../../{path}) |", events.join(", "));
    }
    if !without.is_empty() {
        let names = without.join(", ");
        let _ = writeln!(table, "\nWithout an event for it, or one whose answer counts: {names}.");
    }
    table
}

/// One line for each host, from what is recorded of it.
fn host_table() -> String {
    let mut table = String::from("| Host | `--host` | As recorded with |\n|---|---|---|\n");
    // Of the newer hosts, those that were run stand in one row, and those that were not in another: the page has to stay short.
    let (late, everyday): (Vec<Product>, Vec<Product>) =
        Product::ALL.into_iter().partition(|product| product.host.is_late());
    for product in everyday {
        let _ = writeln!(table, "| {} | `{}` | {} |", product.title, product.name, product.version);
    }
    let (read, run): (Vec<Product>, Vec<Product>) =
        late.into_iter().partition(|product| product.version.starts_with("documentation"));
    let all = |products: &[Product], of: fn(&Product) -> String| {
        products.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let versions = all(&run, |product| product.version.to_owned());
    let nothing = read[0].version.replace("documentation of", "nothing: by documentation of");
    for (products, version) in [(run, versions), (read, nothing)] {
        let titles = all(&products, |product| product.title.to_owned());
        let names = all(&products, |product| format!("`{}`", product.name));
        let _ = writeln!(table, "| {titles} | {names} | {version} |");
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
