//! Whose protected files a command touches.

use payload::Change;

use super::super::writes::{is_writer, writes};
use super::touch::{self, Touch};
use super::{mounted, patches, scripts, searches};
use crate::command::Command;
use crate::edits;
use crate::protected::{self, Kept, Owner, Relation};
use shell::mark;

/// The strictest owner of what a command touches; looked up once.
pub(super) fn owner(command: &Command<'_>) -> Option<Owner> {
    *command.owner.get_or_init(|| find(command))
}

fn find(command: &Command<'_>) -> Option<Owner> {
    // In a container or on another machine, only what is mounted from here is ours.
    if !command.is_here() {
        return mounted::owner(command);
    }
    // Before the quick look: what a search goes through need not be named.
    let mut strictest = searches::owner(command);
    if !names_any(command) {
        return strictest.max(unnamed(command));
    }
    for edit in patches::edits(command) {
        strictest = strictest.max(edits::owner(&edit, &command.atom.cwd, command.facts));
    }
    touch::each(command, &mut |path, touch| {
        for (path, kept) in protected::touched(&path, command.facts) {
            if counts(kept, touch) && !is_fine(command, &path, kept, touch) {
                strictest = strictest.max(Some(kept.owner));
            }
        }
    });
    strictest
}

/// Of a command that names nothing protected: links that lead there, what guarded links lead to, and folders around what
/// is protected.
fn unnamed(command: &Command<'_>) -> Option<Owner> {
    let facts = command.facts;
    let mut strictest = None;
    let mut add = |kept: Kept, touch: Touch| {
        if counts(kept, touch) {
            strictest = strictest.max(Some(kept.owner));
        }
    };
    if touch::redirects(command) || is_writer(command) {
        for write in writes(command).iter().filter(|write| !mark::any(&write.target.path)) {
            let path = &write.target.path;
            let real = facts.leads_to(path);
            for (_, kept) in protected::led_to(real.as_deref().unwrap_or(path), facts) {
                add(kept, Touch::Write);
            }
            // A variable has moved the settings there, so that the path itself does not look like them.
            let moved = facts.moved_folders().iter().any(|(folder, _)| path.starts_with(folder));
            let named = if moved {
                Some(path.as_str())
            } else {
                real.as_deref().filter(|real| protected::may_name(real))
            };
            if let Some(kept) = named.and_then(|path| protected::find(path, facts)) {
                add(kept, Touch::Write);
            }
        }
    }
    // Folders matter only to what takes them away with all that is in them.
    if takes_folders(&command.name) {
        let far = |text: &str| text.starts_with(['/', '~', '.']) || shell::windows::has_drive(text);
        let far = command.args().iter().any(|arg| far(&arg.text));
        let around = Kept {
            owner: Owner::Protection,
            relation: Relation::Above { near: false },
            judged: protected::Judged::Whole,
        };
        touch::each(command, &mut |path, touch| {
            if touch == Touch::Away {
                if far && protected::is_around(&path, facts) {
                    add(around, touch);
                }
                for (_, kept) in protected::led_to(&path, facts) {
                    add(kept, touch);
                }
            }
        });
    }
    strictest
}

/// Programs that take a folder with all that is in it. A home folder that is deleted or moved is the business of other
/// rules.
fn takes_folders(name: &str) -> bool {
    matches!(
        name,
        "rm" | "mv"
            | "unlink"
            | "shred"
            | "chmod"
            | "mount"
            | "umount"
            | "chattr"
            | "setfacl"
            | "rsync"
            | "Remove-Item"
            | "Move-Item"
    )
}

/// Whether a command changes files that it need not name: through links, or with the folder around them.
pub(super) fn may_change(command: &Command<'_>) -> bool {
    touch::redirects(command)
        || is_writer(command)
        || takes_folders(&command.name)
        || searches::may_be(command)
}

/// Whether a string of the command may name something protected, or it runs in a folder that is; looked up once.
pub(super) fn names_any(command: &Command<'_>) -> bool {
    *command.names_kept.get_or_init(|| {
        let atom = command.atom;
        command.facts.is_kept_folder(&atom.cwd)
            || atom.args.iter().skip(1).any(|arg| protected::may_name(&arg.text))
            || atom.redirects.iter().any(|redirect| protected::may_name(&redirect.target))
            || scripts::reads(command).is_some_and(protected::may_name)
            || patches::applies(command)
    })
}

/// Whether a command adds a line that counts to a file that is about something else.
pub(super) fn carries(command: &Command<'_>) -> bool {
    if !command.is_here() || !(touch::redirects(command) || is_writer(command)) {
        return false;
    }
    let facts = command.facts;
    let written = writes(command).iter().filter(|write| !mark::any(&write.target.path));
    let mut carriers = written
        .filter_map(|write| {
            Some((write.target.path.as_str(), protected::carrier(&write.target.path, facts)?))
        })
        .peekable();
    if carriers.peek().is_none() {
        return false;
    }
    // `echo`, `printf` and `sed` have their text in arguments, the others read it.
    let mut texts: Vec<&str> = command.args().iter().map(|arg| arg.text.as_str()).collect();
    let line = texts.join(" ");
    if command.is(&["echo"]) {
        texts.clear();
    }
    texts.push(&line);
    texts.extend(command.atom.stdin.as_deref());
    let text = texts.join("\n").replace("\\n", "\n");
    // A whole file comes with what no one sees here, and there are few reasons to bring these.
    let brings = command.is(&["cp", "gcp", "mv", "gmv", "install", "ln", "gln", "rsync", "curl", "wget"]);
    carriers.any(|(path, carrier)| {
        brings && (path.contains("/environment.d/") || path.ends_with("/.pam_environment"))
            || edits::counts(carrier, &text, facts)
    })
}

/// Whether touching a path in this way touches what is protected.
pub(super) fn counts(kept: Kept, touch: Touch) -> bool {
    match (kept.relation, touch) {
        (Relation::At, _) | (Relation::Above { .. }, Touch::Away) => true,
        (Relation::Above { near }, Touch::Fill) => near,
        // What is unpacked in someone's home seldom has folders of ours.
        (Relation::Above { near }, Touch::Pour) => near || kept.owner == Owner::Project,
        // A folder cannot be written like a file.
        (Relation::Above { .. }, Touch::Write) => false,
    }
}

/// Whether all that is written is known, and switches nothing.
fn is_fine(command: &Command<'_>, path: &str, kept: Kept, touch: Touch) -> bool {
    if touch != Touch::Write || kept.owner != Owner::Project || kept.relation != Relation::At {
        return false;
    }
    // What was there before stays, so the new text alone says too little.
    let appends = command.atom.redirects.iter().any(|redirect| redirect.flow != shell::Flow::Write);
    let text = match &*command.name {
        _ if appends => None,
        "cat" if command.args().is_empty() => command.atom.stdin.as_deref().map(str::to_owned),
        "tee" if command.args().len() == 1 => command.atom.stdin.as_deref().map(str::to_owned),
        "echo" => Some(command.args().iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ")),
        _ => None,
    };
    let Some(text) = text.filter(|text| !mark::any(text)) else { return false };
    edits::is_fine(kept.judged, path, &Change::Whole(text.into()), command.facts)
}
