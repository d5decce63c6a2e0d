//! Files that git brings back, fetches or takes away.

use shell::path;

use super::book::{self, values_of};
use super::patches;
use super::touch::{Touch, texts};
use crate::command::Command;

pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let folder = command.value(&["-C", "--work-tree"]);
    let below = |text: &str| {
        let text = match text.strip_prefix(":(").and_then(|text| text.split_once(')')) {
            Some((_, path)) => path,
            None => text.strip_prefix(":/").unwrap_or(text),
        };
        // git has patterns of its own, in quotes as well.
        let text = &shell::pattern::active(text);
        folder.map_or_else(|| text.to_owned(), |folder| format!("{folder}/{text}"))
    };
    book::each(command, &mut |text, touch| add(&below(text), touch));
    let operands = texts(command);
    let Some((sub, rest)) = operands.split_first() else { return };
    let touch = match *sub {
        "rm" | "mv" => Touch::Away,
        "checkout" | "restore"
            if !command.has(&["--staged", "-S", "-b", "-B"]) || command.has(&["--worktree", "-W"]) =>
        {
            Touch::Pour
        }
        "clone" | "worktree" | "submodule" | "subtree" | "read-tree" | "checkout-index" => {
            return fetched(command, sub, rest, &mut |text| add(&below(text), Touch::Pour));
        }
        "stash" if !matches!(rest.first(), Some(&("push" | "save")) | None) => return,
        "clean" if command.has(&["-n", "--dry-run"]) => return,
        "stash" | "clean" => Touch::Away,
        "apply" | "am" => return patches::each(command, add),
        "config" => return configured(command, &mut |text| add(&below(text), Touch::Write)),
        _ => return,
    };
    if *sub == "rm" && command.has(&["--cached"]) {
        return;
    }
    for text in rest {
        let text = below(text);
        // `.` is the everyday case, and the files of git's own rules.
        if path::join(&command.atom.cwd, &text) != *command.atom.cwd {
            add(&text, touch);
            add(&text, Touch::Write);
        }
    }
}

/// The file that `git config -f FILE NAME VALUE` writes.
fn configured(command: &Command<'_>, add: &mut dyn FnMut(&str)) {
    let files: Vec<&str> =
        ["-f", "--file"].into_iter().flat_map(|option| values_of(command, option)).collect();
    let reads = command.has(&["--get", "--get-all", "--get-regexp", "--list", "-l"]);
    let words = texts(command).len();
    let writes = words > 2 || command.has(&["--unset", "--unset-all", "--remove-section", "--edit", "-e"]);
    if writes && !reads {
        files.into_iter().for_each(add);
    }
}

/// The folders that git fills with what it fetches or brings back.
fn fetched(command: &Command<'_>, sub: &str, rest: &[&str], add: &mut dyn FnMut(&str)) {
    let folder = match (sub, rest) {
        ("clone", [_, folder, ..])
        | ("worktree", ["add", folder, ..])
        | ("submodule", ["add", _, folder, ..]) => Some(*folder),
        ("subtree" | "read-tree" | "checkout-index", _) => command.value(&["--prefix", "-P"]),
        _ => None,
    };
    if let Some(folder) = folder {
        add(folder);
    }
}
