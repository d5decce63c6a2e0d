//! Whatever a table of a built-in rule says, a policy can say: each table as a rule of one policy, held against the
//! built-in matcher on every case.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::use_debug, reason = "TOML reads a string that Rust writes as Debug")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use policy::layers::{Source, Stack};
use policy::{Action, Layer, decide};
use rules::calls::{Table, fits};
use rules::{Command, Facts};

fn tables() -> Vec<(String, &'static Table)> {
    let rules = rules::families().iter().flat_map(|family| family.rules);
    rules.filter_map(|rule| Some((format!("own.{}", rule.id), rule.when.table()?))).collect()
}

/// The tables as a policy: a rule for each, a matcher for each head.
fn policy() -> String {
    let mut text = String::from("schema = 1\n");
    for (id, table) in tables() {
        let _ = write!(text, "[[rule]]\nid = \"{id}\"\ndecision = \"ask\"\nreason = \"r\"\nrun = [");
        let mut open = false;
        for row in table.rows() {
            match row.strip_suffix(':') {
                Some(names) => {
                    let end = if open { "] }, " } else { "" };
                    let names: Vec<_> = names.split(' ').map(|name| format!("{name:?}")).collect();
                    let _ = write!(text, "{end}{{ program = [{}], calls = [", names.join(", "));
                    open = true;
                }
                None => {
                    let _ = write!(text, "{row:?}, ");
                }
            }
        }
        text.push_str("] }]\n");
    }
    text
}

fn cases() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|extension| extension == "tsv"));
    let rows = tables.flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let rows = text.lines().filter_map(|line| line.split('\t').nth(1)).map(|row| row.replace('␤', "\n"));
        rows.collect::<Vec<_>>()
    });
    rows.filter(|command| !command.starts_with("PS> ") && !command.starts_with(r"C:\> ")).collect()
}

#[test]
fn a_policy_says_what_a_table_says() {
    let policy = policy();
    let sources = [Source::of(Layer::User, "own.toml", &policy)];
    let stack = Stack::of(&sources, 20_779);
    assert!(stack.files[0].errors.is_empty(), "{:?}", stack.files[0].errors);
    let tables = tables();
    let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    let (mut both, mut differ) = (0, Vec::new());
    for text in cases() {
        let ruling = decide(&stack, &Action::command(&text, Some("/home/user/project")), &facts);
        let said: BTreeSet<&str> =
            ruling.findings.iter().filter(|one| !one.maybe).map(|one| one.rule.as_str()).collect();
        let mut built_in = BTreeSet::new();
        for analysis in &ruling.analyses {
            for atom in &analysis.atoms {
                let command = Command::new(analysis, atom, &facts);
                built_in.extend(tables.iter().filter(|(_, table)| fits(&command, table)).map(|(id, _)| id));
            }
        }
        for (id, _) in &tables {
            match (built_in.contains(id), said.contains(id.as_str())) {
                (true, true) => both += 1,
                (false, false) => {}
                (of_table, of_policy) => differ.push(format!("{id} {of_table} {of_policy}: {text}")),
            }
        }
    }
    assert!(differ.is_empty(), "{} of {}:\n{}", differ.len(), both, differ.join("\n"));
    assert!(both > 1000, "{both}");
}
