//! Files that are copied, unpacked or fetched to where they count.

use shell::{mark, path};

use super::super::has;
use super::touch::{Touch, texts, within};
use crate::command::Command;
use crate::protected;

pub(super) fn copied(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.has(&["--dry-run"]) || command.is(&["rsync"]) && command.has(&["-n"]) {
        return;
    }
    let mut operands = texts(command);
    // For rsync and scp `-t` means something else.
    let folder = command.value(&["-t", "--target-directory"]).filter(|_| !command.is(&["rsync", "scp"]));
    let robocopy = command.is(&["robocopy"]);
    let to = match folder {
        Some(to) => to,
        // `robocopy FROM TO [FILE…]`: the target is the second, whatever follows.
        None if robocopy && operands.len() > 1 => operands.swap_remove(1),
        None if operands.len() > 1 => operands.pop().unwrap_or(""),
        None => return,
    };
    // `host:path` and `host::module` lie on another machine; `C:\x` only looks so.
    if to.contains("::")
        || command.is(&["rsync", "scp"]) && to.contains(':') && !shell::windows::has_drive(to)
    {
        return;
    }
    add(to, Touch::Write);
    let deep = command.has(&["-r", "-R", "-a", "--recursive", "--archive"])
        || command.is(&["ditto"])
        // The switches with which xcopy and robocopy take sub-folders along.
        || command.args().iter().any(|arg| has("/s /e /mir", &arg.text.to_ascii_lowercase()));
    let mirrors = command.args().iter().any(|arg| {
        arg.text.starts_with("--del")
            || arg.text.eq_ignore_ascii_case("/mir")
            || arg.text.eq_ignore_ascii_case("/purge")
    });
    // What the source does not have is deleted at the target.
    if mirrors {
        add(to, Touch::Away);
    }
    let exact = command.is(&["cp", "gcp"]) && command.has(&["-T", "--no-target-directory"]);
    for from in operands {
        // The content goes into the target itself, not into a folder of the source's name below it.
        let whole = exact || from.ends_with(['/', '\\', '*', mark::STAR]) || from.ends_with("/.");
        if whole || robocopy || command.is(&["xcopy"]) {
            add(to, if deep && may_bring(command, from, to) { Touch::Pour } else { Touch::Fill });
            if deep {
                bring_ours(command, Some(from), to, add);
            }
        } else if !is_backup(command, from, to) {
            let copy = within(to, from);
            add(&copy, Touch::Write);
            // A folder brings along what is in it.
            if deep && may_bring(command, from, &copy) {
                add(&copy, Touch::Pour);
            }
        }
        // A hard link is a second name: a write through it changes the source as well.
        if command.has(&["-l", "--link"]) && command.is(&["cp", "gcp"]) {
            add(from, Touch::Away);
        }
    }
}

/// Where a folder of ours lies right in `to`, such as `~/.local/state`, and what comes there has one, too. Of an archive,
/// and of what is not there yet, no one knows: then only the folder counts in which people put nothing by hand.
pub(super) fn bring_ours(
    command: &Command<'_>,
    from: Option<&str>,
    to: &str,
    add: &mut dyn FnMut(&str, Touch),
) {
    const OURS: &str = "policy-hooks";
    let facts = command.facts;
    let folder = command.target(to).path;
    let folder = folder.trim_end_matches('/');
    let source = from.map(|from| command.target(from.trim_end_matches(['/', '*', '.', mark::STAR])).path);
    let brings = match source {
        Some(source) if facts.exists(&source) => facts.exists(&format!("{source}/{OURS}")),
        _ => path::file_name(folder) == "state",
    };
    if brings {
        add(&format!("{folder}/{OURS}"), Touch::Pour);
    }
}

/// Whether a folder may hold what counts in a folder like `to`: never, where the disk shows that it does not.
fn may_bring(command: &Command<'_>, from: &str, to: &str) -> bool {
    let folder = command.target(to).path;
    let source = command.target(from.trim_end_matches(['/', '*', mark::STAR])).path;
    let mut counts = protected::inside(path::file_name(&folder)).peekable();
    counts.peek().is_none()
        || !command.facts.exists(&source)
        || counts.any(|name| name.contains('*') || command.facts.exists(&format!("{source}/{name}")))
}

/// Words in the name of a folder for copies.
const COPIES: [&str; 7] = ["bak", "backup", "old", "orig", "save", "copy", "archive"];

/// Whether what is in force here is only copied to where someone keeps copies: the same settings in a place that
/// no one loads.
pub(super) fn is_backup(command: &Command<'_>, from: &str, to: &str) -> bool {
    let facts = command.facts;
    let folder = command.target(to).path;
    let name = path::file_name(&folder).to_ascii_lowercase();
    COPIES.iter().any(|word| name.contains(word))
        && protected::find(&folder, facts).is_none()
        && protected::find(&command.target(from).path, facts).is_some()
        && !facts.exists(&within(&folder, from))
}

pub(super) fn fetched(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let curl = command.is(&["curl"]);
    // curl takes the name of the address only if asked to, wget unless it is given another.
    if curl && !command.has(&["-O", "--remote-name", "--remote-name-all"])
        || !curl && command.has(&["-O", "--output-document", "--spider"])
    {
        return;
    }
    let folder = command.value(&["--output-dir", "-P", "--directory-prefix", "-d", "--dir"]).unwrap_or(".");
    for address in command.args().iter().filter(|arg| arg.text.contains("://")) {
        let name = address.text.split(['?', '#']).next().unwrap_or("");
        add(&format!("{folder}/{}", path::file_name(name)), Touch::Write);
    }
}
