//! Our programs and the hosts', where a host or a shell would find them: a file of such a name in a folder of the `PATH`
//! runs in place of the program.

use shell::{mark, path};

use super::relation::{Relation, fits};
use super::{Judged, Kept, Owner, is_temporary, table};
use crate::builtin::has;
use crate::facts::Facts;

/// The programs that protect, by name.
pub(crate) const OURS: &str = "command-blocker hook-runner approval-gate audit-logger stop-guard context-injector \
    formatter-trigger";

/// Names of folders in which programs lie.
const BINS: &str = "bin .bin sbin scripts Scripts shims";

/// Folders in which people install programs, from a home folder.
const INSTALLED: &str = ".local/bin bin .cargo/bin";

/// Whether a name, without what Windows puts at its end, is one of ours.
pub(crate) fn is_ours(name: &str) -> bool {
    has(OURS, bare(name))
}

/// Whether a name, without what Windows puts at its end, is that of a host's program.
pub(crate) fn is_hosts(name: &str) -> bool {
    has(table::PROGRAMS, bare(name))
}

/// A program's name without `.exe` and the like.
fn bare(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((start, end))
            if ["exe", "cmd", "bat", "ps1", "com"].iter().any(|x| x.eq_ignore_ascii_case(end)) =>
        {
            start
        }
        _ => name,
    }
}

/// What an absolute path has to do with a program.
pub(super) fn find(path: &str, facts: &Facts<'_>) -> Option<Kept> {
    let kept = |owner, relation| Some(Kept { owner, relation, judged: Judged::Whole });
    let name = path::file_name(path);
    let folder = path.strip_suffix(name).map_or("", |folder| folder.trim_end_matches('/'));
    let ours = is_ours(name) || mark::any(name) && names_installed(folder, name, facts);
    if (ours || is_hosts(name)) && is_found(folder, ours, facts) {
        return kept(if ours { Owner::Program } else { Owner::HostProgram }, Relation::At);
    }
    let around = facts.own_program().filter(|own| path != "/" && path::is_within(own, path));
    // Whoever develops these programs runs them from the project's own build folder.
    let around = around.filter(|own| !facts.worktree().is_some_and(|tree| path::is_within(own, tree)));
    if around == Some(path) {
        return kept(Owner::Program, Relation::At);
    }
    let holds = || has(BINS, name) && is_usual(path, facts) && has_any(path, facts);
    (around.is_some() || holds()).then_some(Kept {
        owner: Owner::Program,
        relation: Relation::Above { near: false },
        judged: Judged::Whole,
    })
}

/// Whether a host or a shell would find a program in this folder. Ours count anywhere outside the project: an absolute
/// path in a configuration may lead there. In the project that makes them they are files like others.
fn is_found(folder: &str, ours: bool, facts: &Facts<'_>) -> bool {
    let name = path::file_name(folder);
    let inside = facts.worktree().is_some_and(|worktree| path::is_within(folder, worktree));
    if is_usual(folder, facts) || facts.path_folders().iter().any(|on_path| on_path == folder) {
        return true;
    }
    if inside || is_temporary(folder) {
        return ours && has("bin .bin scripts", name);
    }
    // Completions are called like the program.
    if ours { !has("completions vendor_completions.d", name) } else { has(BINS, name) }
}

/// Whether people install programs there, or ours run from there.
fn is_usual(folder: &str, facts: &Facts<'_>) -> bool {
    let inside = facts.home_folder().and_then(|home| folder.strip_prefix(home)?.strip_prefix('/'));
    let own = || facts.own_program().and_then(|own| own.strip_suffix(path::file_name(own)));
    let built = |own: &str| facts.worktree().is_some_and(|worktree| path::is_within(own, worktree));
    inside.is_some_and(|inside| has(INSTALLED, inside))
        || has("/usr/local/bin /opt/homebrew/bin", folder)
        || own().is_some_and(|own| !built(own) && own.trim_end_matches('/') == folder)
}

/// Whether a pattern may mean one of ours in a folder: as far as the disk says, one that is there.
fn names_installed(folder: &str, pattern: &str, facts: &Facts<'_>) -> bool {
    is_usual(folder, facts)
        && OURS.split(' ').any(|name| fits(name, pattern) && !facts.lacks(&format!("{folder}/{name}")))
}

fn has_any(folder: &str, facts: &Facts<'_>) -> bool {
    OURS.split(' ').any(|name| facts.exists(&format!("{folder}/{name}")))
}
