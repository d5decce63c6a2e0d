//! What becomes of a call when its guard cannot answer, from the table of `host::failing`.

use std::fmt::Write as _;

use host::Product;
use host::failing::{Failing, Fate};

use super::renew_between;

const HOSTS: [Product; 5] =
    [Product::VS_CODE, Product::COPILOT_CLI, Product::CLAUDE, Product::CODEX, Product::GEMINI];

const FAILURES: [(Failing, &str); 4] = [
    (Failing::Missing, "program missing"),
    (Failing::MissingOnWindows, "program missing, Windows form"),
    (Failing::Killed, "killed by a signal"),
    (Failing::Late, "the host's own time limit passes"),
];

/// A cell of the table: what the shipped configuration comes to.
fn cell(product: Product, failing: Failing) -> &'static str {
    match product.when(failing).map(|row| (row.shipped, row.plain)) {
        None => "",
        Some((Fate::Denied, Fate::Denied)) => "**call denied**",
        Some((Fate::Denied, Fate::Runs)) => "**call denied** by `onFailure`, else runs",
        Some((Fate::Runs, _)) => "call runs",
    }
}

#[test]
fn the_table_of_failures_is_generated() {
    let mut table = format!("| |{}\n|---|", HOSTS.map(|host| format!(" {} |", host.title)).concat());
    table += &"---|".repeat(HOSTS.len());
    for (failing, title) in FAILURES {
        let _ = write!(table, "\n| {title} |");
        for host in HOSTS {
            let _ = write!(table, " {} |", cell(host, failing));
        }
    }
    table.push('\n');
    renew_between("shared/program/README.md", "failing", &table);
}

#[test]
fn the_sentence_about_missing_programs_is_generated() {
    let sentence = format!(
        "A configuration whose program is missing is worse than none: {} ([table](../shared/program/README.md)). So `init` refuses where a program is missing.\n",
        Product::without_program(&HOSTS)
    );
    renew_between("docs/install.md", "missing program", &sentence);
}
