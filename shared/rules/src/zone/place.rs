//! Where a path lies.

use shell::{Place, mark, path, pattern};

use super::Zone;
use super::names::{
    HOME_CACHES, LOCAL, SYSTEM, TEMPORARY, holder, is_generated_anywhere, is_generated_dot, is_generated_name,
};
use crate::facts::Facts;

/// Where a folder lies; `text` is how the command names it.
pub(super) fn zone_of(folder: &str, whole: bool, text: &str, place: Place, facts: &Facts<'_>) -> Zone {
    // `$UNSET/…`: without the variable, the path begins at the root.
    if mark::any(folder) && folder.contains(mark::is_hole) {
        return zone_of_hole(folder, text, place, facts);
    }
    if folder == "/" || folder.is_empty() && text.starts_with('/') || is_drive(folder) {
        return Zone::Root;
    }
    if shell::windows::has_drive(folder) {
        return super::windows::zone_of(folder, place, facts);
    }
    if matches!(
        folder,
        "/dev/null"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/tty"
            | "/dev/zero"
            | "/dev/full"
            | "/dev/random"
            | "/dev/urandom"
            | "NUL"
            | "nul"
    ) || folder.starts_with("/dev/fd/")
        || folder.starts_with("/dev/pts/")
        || folder.starts_with("/proc/self/fd/")
    {
        return Zone::Sink;
    }
    // In a container or on another machine, that path is not the user's home.
    let home = facts.home_folder().filter(|_| place == Place::Here);
    if let Some(zone) = worktree_zone(folder, whole, place, facts) {
        return zone;
    }
    // A home is a home wherever it lies, also below `/tmp`; `/` and `/tmp` themselves are not one's.
    let own =
        home.filter(|home| *home != "/" && holder(&TEMPORARY, home).is_none_or(|top| top.len() < home.len()));
    let in_home = own.is_some_and(|home| path::is_within(folder, home));
    if !in_home && let Some(temporary) = holder(&TEMPORARY, folder) {
        // What is in it can be made again, but packages expect the folder.
        return if folder.len() == temporary.len() && temporary == "/var/cache" {
            Zone::System
        } else {
            Zone::Temporary
        };
    }
    if let Some(zone) = home_zone(folder, home) {
        return zone;
    }
    if folder.starts_with("/dev/") {
        return Zone::Device;
    }
    if matches_system(folder) {
        return Zone::System;
    }
    outside(folder, Zone::Elsewhere)
}

/// The zone of something outside the working tree, unless a tool makes it again.
fn outside(inside: &str, zone: Zone) -> Zone {
    // A first part is a place of its own: `~/build` may be anything.
    let generated = |part: &str| is_generated_anywhere(part) || is_generated_dot(part);
    if inside.trim_start_matches('/').split('/').skip(1).any(generated) { Zone::Generated } else { zone }
}

/// Whether the path is a system folder, lies below one, or is a pattern that matches one (`/e??`).
fn matches_system(folder: &str) -> bool {
    if mark::any(folder) && folder.contains(mark::is_glob) {
        let top: String = folder.split('/').take(2).collect::<Vec<_>>().join("/");
        if top.contains(mark::is_glob) {
            return SYSTEM
                .lines()
                .chain(["/home", "/root"])
                .any(|system| shell::pattern::matches(&top, system));
        }
    }
    holder(&SYSTEM, folder).is_some()
        && holder(&LOCAL, folder).is_none_or(|local| folder.len() <= local.len() + 1)
}

fn home_zone(folder: &str, home: Option<&str>) -> Option<Zone> {
    if matches!(folder, "/home" | "/Users" | "/root" | "~" | "/mnt/c/Users" | "/c/Users")
        || Some(folder) == home
    {
        return Some(Zone::Home);
    }
    let users = ["/home/", "/Users/", "/var/home/", "/export/home/"];
    // The user's own home first: it may lie anywhere.
    let inside = if let Some(home) = home.filter(|home| path::is_within(folder, home)) {
        &folder[home.len() + 1..]
    } else if let Some(rest) = folder.strip_prefix("~/").or_else(|| folder.strip_prefix("/root/")) {
        rest
    } else if let Some(rest) = users.iter().find_map(|users| folder.strip_prefix(users)) {
        match rest.split_once('/') {
            Some((_, inside)) => inside,
            None => return Some(Zone::Home),
        }
    } else if let Some(user) = folder.strip_prefix('~') {
        // `~alice`: that user's home, wherever it is.
        return Some(if user.contains('/') { Zone::HomeInside } else { Zone::Home });
    } else {
        return None;
    };
    if holder(&HOME_CACHES, inside).is_some() {
        return Some(Zone::Generated);
    }
    // On macOS, settings are in ~/Library.
    if inside.starts_with('.') || inside.starts_with("Library") {
        return Some(Zone::HomeSettings);
    }
    Some(outside(inside, Zone::HomeInside))
}

fn worktree_zone(folder: &str, whole: bool, place: Place, facts: &Facts<'_>) -> Option<Zone> {
    if place != Place::Here {
        return None;
    }
    let worktree = match facts.worktree() {
        Some(worktree) if worktree != "/" => worktree,
        // Without a folder of its own, a relative path lies in the working tree.
        _ if !folder.starts_with('/') && !folder.starts_with('~') => {
            return Some(relative_zone(folder, whole));
        }
        _ => return None,
    };
    if Some(worktree) == facts.home_folder() {
        // Someone works right in the home folder: it stays a home folder.
        return None;
    }
    if path::is_within(worktree, folder)
        && !matches_system(folder)
        && !TEMPORARY.lines().any(|temporary| temporary == folder)
    {
        let home = facts.home_folder().is_some_and(|home| path::is_within(home, folder));
        // The folder contains the working tree: to delete it is to delete the tree, and more.
        return (!home && !matches!(folder, "/home" | "/Users")).then_some(Zone::Worktree);
    }
    // A working tree that is itself a system folder, or a folder for temporary files, is what that is.
    let inside = folder.strip_prefix(worktree)?.strip_prefix('/')?;
    Some(relative_zone(inside, whole))
}

/// The zone of a path inside the working tree.
pub(super) fn relative_zone(inside: &str, whole: bool) -> Zone {
    let _ = whole;
    if matches!(inside, "" | "." | "..") || inside.starts_with("../") {
        return Zone::Worktree;
    }
    let first = inside.split('/').next().unwrap_or(inside);
    // `.g?t`
    let may_be =
        || first.starts_with('.') && first.contains(mark::is_glob) && pattern::matches(first, ".git");
    if first == ".git" || may_be() {
        return Zone::Repository;
    }
    if inside.split('/').any(is_generated) { Zone::Generated } else { Zone::Inside }
}

/// Whether a folder or file of this name is generated by a tool.
pub(crate) fn is_generated(name: &str) -> bool {
    is_generated_name(name)
        || is_generated_dot(name)
        || name.starts_with("cmake-build")
        || name.starts_with("bazel-")
        || [".egg-info", ".pyc", ".pyo", ".o", ".log", ".tmp", ".bak", ".orig", ".swp", ".class", ".cache"]
            .iter()
            .any(|suffix| name.ends_with(suffix))
}

/// Whether a path that tools make again in one project may hold sources in another one: `logs`, but not `dist`.
pub(crate) fn may_be_tracked(inside: &str) -> bool {
    let may = |part: &str| !is_generated(part) || is_generated_name(part) && !is_generated_anywhere(part);
    inside.split('/').all(may)
}

/// Whether git may track a file where tools make them again, which someone names to overwrite it: in `dist`, but not in
/// `node_modules`.
pub(crate) fn may_hold_work(inside: &str) -> bool {
    let never = |part: &str| {
        matches!(
            part,
            "node_modules" | "__pycache__" | "target" | "venv" | "bower_components" | "DerivedData"
        ) || is_generated_dot(part)
            || [".egg-info", ".pyc", ".pyo", ".class", ".o"].iter().any(|ending| part.ends_with(ending))
    };
    !inside.split('/').any(never)
}

fn zone_of_hole(folder: &str, text: &str, place: Place, facts: &Facts<'_>) -> Zone {
    let first = folder.chars().next().unwrap_or(' ');
    let bare = text.trim_end_matches('/');
    // Everything is unknown: it may be anything.
    if bare.chars().all(mark::is_hole) {
        return Zone::Unknown;
    }
    if let Some(rest) = text.strip_prefix(mark::UNSET) {
        // An unset variable leaves what follows it: `/`, `/*` or `/name`.
        let rest = rest.trim_start_matches(mark::UNSET);
        if rest.starts_with('/') {
            // `"$A/$B"/*`: neither may be set.
            let emptied =
                if rest.ends_with(mark::is_glob) { rest.replace(mark::UNSET, "") } else { String::new() };
            let is_bare =
                !emptied.is_empty() && emptied.chars().all(|c| matches!(c, '/' | '.') || mark::is_glob(c));
            let rest = if is_bare { emptied.as_str() } else { rest };
            let full = path::join("/", rest);
            let (folder, whole, _) = super::folder_and_reach(&full);
            return match zone_of(folder, whole, rest, place, facts) {
                without @ (Zone::Root | Zone::System | Zone::Home) => without,
                _ => Zone::Inside,
            };
        }
        return Zone::Unknown;
    }
    if mark::is_hole(first) {
        return if folder.contains('/') { Zone::Inside } else { Zone::Unknown };
    }
    // The path is known up to the hole: it lies below that folder.
    let at = folder.find(mark::is_hole).unwrap_or(folder.len());
    let known = &folder[..at];
    let parent = known.rfind('/').map_or("", |slash| &known[..slash]);
    let parent = if parent.is_empty() && known.starts_with('/') { "/" } else { parent };
    if parent == "/" {
        return Zone::Elsewhere;
    }
    let zone = zone_of(parent, false, parent, place, facts);
    match zone {
        Zone::Worktree => Zone::Inside,
        Zone::Home => Zone::HomeInside,
        zone => zone,
    }
}

fn is_drive(folder: &str) -> bool {
    let bytes = folder.as_bytes();
    bytes.len() <= 3 && bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
        || matches!(folder, "/c" | "/mnt/c" | "/d" | "/mnt/d" | "/cygdrive/c")
}
