//! The built-in rules on pages, one per family, and in the table of docs/rules.md.

use std::fmt::Write as _;
use std::fs;

use rules::{Family, Language, Rule, Severity};
use support::programs::root;

use super::{renew, renew_between};

/// Where the pages are.
const FOLDER: &str = "shared/rules/rules";

/// The severities, the worst first, with what the profiles make of them.
const SEVERITIES: [(Severity, &str); 3] = [
    (Severity::Catastrophic, "denied; a policy of a user or a project cannot loosen it"),
    (Severity::Destructive, "denied"),
    (Severity::Risky, "asked about; denied where no one can answer, and with `--profile strict`"),
];

/// How many examples of each kind a page shows.
const EXAMPLES: usize = 8;

/// The families of rules, as docs/rules.md lists them.
fn table() -> String {
    let mut table = String::from("| Family | About | Rules |\n|---|---|---|\n");
    for family in rules::families() {
        let words: Vec<String> = SEVERITIES
            .iter()
            .map(|(severity, _)| {
                (severity, family.rules.iter().filter(|rule| rule.severity == *severity).count())
            })
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}", severity.name()))
            .collect();
        let _ = writeln!(
            table,
            "| [`{id}`](../{FOLDER}/{id}.md) | {} | {} |",
            family.title,
            words.join(", "),
            id = family.id
        );
    }
    table
}

fn page(family: &Family) -> String {
    let mut page = format!(
        "<!-- Written from the rules by `UPDATE_README=1 cargo test -p tests docs`: change the rules instead. -->\n\n\
         # {}: {}\n\n| Rule | Severity | What happens |\n|---|---|---|\n",
        family.id, family.title
    );
    for rule in family.rules {
        let (_, happens) = SEVERITIES.iter().find(|(severity, _)| *severity == rule.severity).unwrap();
        let link = rule.id.replace('.', "");
        let _ = writeln!(page, "| [`{}`](#{link}) | {} | {happens} |", rule.id, rule.severity.name());
    }
    for rule in family.rules {
        let _ = write!(page, "\n## {}\n\n{} {}\n", rule.id, rule.reason, rule.instead);
        examples(&mut page, "Matches, for example", rule.matches);
        examples(&mut page, "Leaves alone", rule.spares);
        if let Some(table) = rule.when.table() {
            lines(&mut page, table);
        }
    }
    page
}

/// The rule's table, whose lines a policy may have as well.
fn lines(page: &mut String, table: &rules::calls::Table) {
    page.push_str(
        "\nIt looks for these [lines of calls](../../../docs/policy-reference.md#lines-of-calls):\n\n````text\n",
    );
    for row in table.rows() {
        let _ = writeln!(page, "{}{row}", if row.ends_with(':') { "" } else { "    " });
    }
    page.push_str("````\n");
}

/// Examples, each after the prompt of its shell; lines of one command follow each other.
fn examples(page: &mut String, title: &str, text: &'static str) {
    let all: Vec<(Language, String)> = Rule::examples(text).collect();
    if all.is_empty() {
        return;
    }
    let shown = spread(&all);
    let _ = write!(page, "\n{title}:\n\n````text\n");
    for (language, command) in shown {
        let prompt = match language {
            Language::PowerShell => "PS> ",
            Language::Cmd => "C:\\> ",
            _ => "$ ",
        };
        let _ = writeln!(page, "{prompt}{}", command.replace('\n', "\n  "));
    }
    page.push_str("````\n");
}

/// At most [`EXAMPLES`], from all over the list: neighbours resemble each other.
fn spread<T>(all: &[T]) -> Vec<&T> {
    let count = all.len().min(EXAMPLES);
    (0..count).map(|index| &all[index * all.len() / count]).collect()
}

#[test]
fn the_table_is_the_rules_own() {
    renew_between("docs/rules.md", "families", &table());
}

#[test]
fn every_family_has_a_page_and_every_page_a_family() {
    for family in rules::families() {
        renew(&format!("{FOLDER}/{}.md", family.id), |_| page(family));
    }
    for entry in fs::read_dir(root().join(FOLDER)).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let known = rules::families().iter().any(|family| name == format!("{}.md", family.id));
        assert!(known, "{FOLDER}/{name}: unknown family; remove the page");
    }
}

#[test]
fn examples_come_from_all_over_the_list() {
    let all: Vec<usize> = (0..80).collect();
    assert_eq!(spread(&all), [&0, &10, &20, &30, &40, &50, &60, &70]);
    assert_eq!(spread(&all[..3]), [&0, &1, &2]);
}
