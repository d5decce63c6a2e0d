//! Whose protected files a command touches.

use payload::Change;

use super::super::writes::{is_writer, writes};
use super::patches;
use super::touch::{self, Touch};
use crate::command::Command;
use crate::edits;
use crate::kept::{self, Kept, Owner, Relation};
use shell::mark;

/// The strictest owner of what a command touches; looked up once.
pub(super) fn owner(command: &Command<'_>) -> Option<Owner> {
    *command.owner.get_or_init(|| find(command))
}

fn find(command: &Command<'_>) -> Option<Owner> {
    if !command.is_here() {
        return None;
    }
    if !names_any(command) {
        return unnamed(command);
    }
    let mut strictest = None;
    touch::each(command, &mut |path, touch| {
        let real = command.facts.leads_to(&path);
        for path in [Some(path), real].into_iter().flatten() {
            let kept = kept::find(&path, command.facts).filter(|kept| counts(*kept, touch));
            if let Some(kept) = kept.filter(|kept| !is_fine(command, &path, *kept, touch)) {
                strictest = strictest.max(Some(kept.owner));
            }
        }
    });
    strictest
}

/// Of a command that names nothing protected: links that lead there, and folders around what is protected.
fn unnamed(command: &Command<'_>) -> Option<Owner> {
    let facts = command.facts;
    let mut strictest = None;
    let mut look = |path: &str, touch: Touch| {
        let kept = kept::find(path, facts).filter(|kept| counts(*kept, touch));
        strictest = strictest.max(kept.map(|kept| kept.owner));
    };
    if touch::redirects(command) || is_writer(command) {
        for write in writes(command).iter().filter(|write| !mark::any(&write.target.path)) {
            let path = &write.target.path;
            if facts.moved_folders().iter().any(|(folder, _)| path.starts_with(folder)) {
                look(path, Touch::Write);
            } else if let Some(real) = facts.leads_to(path).filter(|real| kept::may_name(real)) {
                look(&real, Touch::Write);
            }
        }
    }
    let far = |text: &str| text.starts_with(['/', '~', '.']) || shell::windows::has_drive(text);
    if takes_folders(&command.name) && command.args().iter().any(|arg| far(&arg.text)) {
        touch::each(command, &mut |path, touch| {
            if touch == Touch::Away && kept::is_around(&path, facts) {
                strictest = Some(Owner::Protection);
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
    touch::redirects(command) || is_writer(command) || takes_folders(&command.name)
}

/// Whether a text of the command may name something protected, or it runs in a folder that is; looked up once.
pub(super) fn names_any(command: &Command<'_>) -> bool {
    *command.names_kept.get_or_init(|| {
        let atom = command.atom;
        command.facts.is_kept_folder(&atom.cwd)
            || atom.args.iter().skip(1).any(|arg| kept::may_name(&arg.text))
            || atom.redirects.iter().any(|redirect| kept::may_name(&redirect.target))
            || patches::applies(command)
    })
}

/// Whether touching a path in this way touches what is protected.
fn counts(kept: Kept, touch: Touch) -> bool {
    match (kept.relation, touch) {
        (Relation::At, _) | (Relation::Above { .. }, Touch::Away) => true,
        (Relation::Above { near }, Touch::Fill) => near,
        // What is unpacked in somebody's home seldom has folders of ours.
        (Relation::Above { near }, Touch::Pour) => near || kept.owner == Owner::Project,
        (Relation::Above { .. }, Touch::Write) => false,
    }
}

/// Whether all that is written is known, and switches nothing.
fn is_fine(command: &Command<'_>, path: &str, kept: Kept, touch: Touch) -> bool {
    if touch != Touch::Write || kept.owner != Owner::Project || kept.relation != Relation::At {
        return false;
    }
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
