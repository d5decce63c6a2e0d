//! Files that are written, and that would ask one of our programs for what only a person may: what a program does when it is
//! run later, no one reads.

use shell::Flow;

use super::programs::places_of_ours;
use crate::command::Command;

/// What only a person may, as it is typed after a program of ours.
const ORDERS: [&str; 6] = ["approve", "trust", "uninstall", "--remove", "kept drop", "policy pull"];

/// How far from the program's name it may stand, in bytes.
const NEAR: usize = 80;

/// Endings of files that are read, and that no one runs: documents, data, and sources that have to be built first.
const READ: [&str; 20] = [
    "md", "markdown", "txt", "rst", "adoc", "html", "htm", "css", "json", "jsonl", "toml", "yaml", "yml",
    "csv", "tsv", "log", "svg", "lock", "snap", "rs",
];

/// Files with such an ending that hold commands nevertheless.
const RUN: [&str; 2] = ["package.json", "composer.json"];

/// Whether a command writes such a file.
pub(super) fn writes(command: &Command<'_>) -> bool {
    let tees = command.is(&["tee", "sponge"]);
    if command.atom.redirects.is_empty() && !tees {
        return false;
    }
    let redirects = command.atom.redirects.iter().filter(|redirect| redirect.flow != Flow::Read);
    let written = redirects.map(|redirect| redirect.target.as_str());
    let named = command.args().iter().filter(|_| tees).map(|arg| arg.text.as_str());
    let mut texts = command.args().iter().map(|arg| arg.text.as_str()).chain(command.atom.stdin.as_deref());
    written.chain(named).any(is_run) && texts.any(gives_orders)
}

/// Whether a file is one that someone may run, as far as its name tells.
pub(crate) fn is_run(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    RUN.contains(&name) || !READ.contains(&&*ending.to_ascii_lowercase()) && !path.starts_with("/dev/")
}

/// Whether a string names a program of ours, and near it what only a person may. Remarks do not count.
pub(crate) fn gives_orders(text: &str) -> bool {
    places_of_ours(text).any(|(start, end)| orders(text, start, end))
}

fn orders(text: &str, start: usize, end: usize) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    let (before, rest) = (&text[..start], &text[end..]);
    let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let remark = line.starts_with("//") || line.starts_with('#') && !line.starts_with("#!");
    let near = &rest[..rest.floor_char_boundary(NEAR)];
    let ordered = |order: &&str| {
        near.match_indices(*order).any(|(at, _)| {
            ends(near[..at].chars().next_back()) && ends(near[at + order.len()..].chars().next())
        })
    };
    !remark && ends(before.chars().next_back()) && ORDERS.iter().any(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_a_script_are_distinguished_from_prose() {
        for text in [
            "hook-runner approve K7Q2-AAAA",
            "hook-runner uninstall --yes",
            "import pty\npty.spawn([\"hook-runner\", \"approve\", code])",
            "os.execvp('approval-gate', [\n  'approval-gate',\n  'trust',\n])",
            "/home/u/.local/bin/hook-runner --color never init --user --remove --yes",
        ] {
            assert!(gives_orders(text), "{text}");
        }
        for text in [
            "hook-runner doctor",
            "# then run hook-runner trust",
            "x = 1\n// hook-runner approve CODE",
            "my-hook-runner approve",
            "hook-runner run --trust-me",
            "stop-guard check\n\nThis is a long text about something else, which goes on for quite a while, and then: trust",
        ] {
            assert!(!gives_orders(text), "{text}");
        }
        assert!(is_run("check.py") && is_run("bin/go") && is_run("package.json") && is_run("Makefile"));
        assert!(!is_run("README.md") && !is_run("src/approve.rs") && !is_run("/dev/null"));
    }
}
