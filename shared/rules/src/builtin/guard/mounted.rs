//! Files of this machine that a container changes through a folder that it shares: `docker run -v .:/w IMAGE rm /w/x`.

use shell::{Mount, Place, path};

use super::super::containers::mounts;
use super::files::counts;
use super::touch;
use crate::command::Command;
use crate::protected::{self, Owner};

/// The strictest owner of what a command in a container touches on this machine.
pub(super) fn owner(command: &Command<'_>) -> Option<Owner> {
    if command.atom.place != Place::Container {
        return None;
    }
    let atoms = &command.analysis.atoms;
    let mut via = command.atom.via;
    while let Some(known) = via {
        let atom = atoms.get(usize::try_from(known.parent).ok()?)?;
        if atom.place == Place::Here {
            let starter = Command::new(command.analysis, atom, command.facts);
            let mounts = mounts(&starter);
            return if mounts.is_empty() { None } else { through(command, &starter, &mounts) };
        }
        via = atom.via;
    }
    None
}

fn through(command: &Command<'_>, starter: &Command<'_>, mounts: &[Mount<'_>]) -> Option<Owner> {
    let mut strictest = None;
    touch::each(command, &mut |inside, touch| {
        for mount in mounts {
            let target = mount.target.trim_end_matches('/');
            if !path::is_within(&inside, if target.is_empty() { "/" } else { target }) {
                continue;
            }
            let source = starter.target(mount.source).path;
            let rest = inside.get(target.len()..).unwrap_or("").trim_start_matches('/');
            let outside = if rest.is_empty() { source } else { path::join(&source, rest) };
            let kept = protected::find(&outside, command.facts).filter(|kept| counts(*kept, touch));
            strictest = strictest.max(kept.map(|kept| kept.owner));
        }
    });
    strictest
}
