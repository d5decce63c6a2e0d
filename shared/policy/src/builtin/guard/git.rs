//! Files that git brings back, takes away or patches.

use shell::path;

use super::touch::{Touch, texts};
use crate::command::Command;

/// Options that take the next argument.
const VALUED: &str = "-C -c --git-dir --work-tree --namespace -m --message -F --file -s --source -b -B";

pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let folder = command.value(&["-C", "--work-tree"]);
    let below = |text: &str| {
        let text = text.strip_prefix(":/").or_else(|| text.strip_prefix(":(top)")).unwrap_or(text);
        folder.map_or_else(|| text.to_owned(), |folder| format!("{folder}/{text}"))
    };
    let operands = texts(command, VALUED);
    let Some((sub, rest)) = operands.split_first() else { return };
    let touch = match *sub {
        "rm" | "mv" => Touch::Away,
        "checkout" | "restore"
            if !command.has(&["--staged", "-S", "-b", "-B"]) || command.has(&["--worktree", "-W"]) =>
        {
            Touch::Fill
        }
        "stash" if !matches!(rest.first(), Some(&("push" | "save")) | None) => return,
        "clean" if command.has(&["-n", "--dry-run"]) => return,
        "stash" | "clean" => Touch::Away,
        "apply" | "am" => return patched(command, add),
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

/// The files of a patch that can be read here.
pub(super) fn patched(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.has(&["--check", "--stat", "--numstat", "--summary", "--dry-run", "--cached"]) {
        return;
    }
    let Some(text) = command.atom.stdin.as_deref() else { return };
    let folder = command.value(&["-d", "--directory", "-C"]).unwrap_or(".");
    for line in text.lines() {
        let file = [
            "+++ ",
            "--- ",
            "rename to ",
            "rename from ",
            "*** Update File: ",
            "*** Add File: ",
            "*** Delete File: ",
        ]
        .iter()
        .find_map(|start| line.strip_prefix(start));
        let Some(file) = file.map(|file| file.split('\t').next().unwrap_or(file).trim()) else { continue };
        let file = file.strip_prefix("a/").or_else(|| file.strip_prefix("b/")).unwrap_or(file);
        if file != "/dev/null" {
            add(&format!("{folder}/{file}"), Touch::Write);
        }
    }
}
