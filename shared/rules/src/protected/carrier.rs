//! Files that are about something else, in which some lines decide from where agents take their settings, and what starts
//! under their names.

use shell::path;

use super::relation::{Relation, names, relation};
use super::{inside_home, is_scratch, table};
use crate::builtin::has;
use crate::facts::Facts;
use crate::table::Table;

/// What the lines of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// Variables of a project: Gemini CLI reads its `.env`.
    ProjectVariables,
    /// Variables with which everything starts.
    Variables,
    /// Text of a shell.
    Profile,
    /// Settings of a container, with those of the editor in it.
    Container,
}

/// Whether a line of a table may name the path: most do not, and every file that is written is looked at.
pub(crate) fn may_start(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| match pair {
        [b'/', b'.'] => true,
        [b'/', b'e' | b'L' | b'D' | b'A'] => {
            let rest = &bytes[at + 1..];
            [&b"etc/"[..], b"Library/", b"Documents/", b"AppData/"]
                .iter()
                .any(|folder| rest.starts_with(folder))
        }
        _ => false,
    })
}

/// The line of a table that names a path.
fn line_of(table: &'static Table, path: &[&str]) -> Option<&'static str> {
    table.lines().find(|line| relation(line, path) == Some(Relation::At))
}

/// What the lines of a file are with which sessions start, the user's or everyone's, and how a table names it.
fn of_sessions(path: &str, facts: &Facts<'_>) -> Option<(Carrier, &'static str)> {
    let is_of_all = path.starts_with("/etc/") || path.starts_with("/Library/");
    let (variables, profiles) = if is_of_all {
        (&table::MACHINE_ENVIRONMENTS, &table::MACHINE_PROFILES)
    } else {
        (&table::ENVIRONMENTS, &table::PROFILES)
    };
    let inside = if is_of_all { path.into() } else { inside_home(path, facts)? };
    let inside = names(&inside);
    let variables = line_of(variables, &inside).map(|line| (Carrier::Variables, line));
    variables.or_else(|| line_of(profiles, &inside).map(|line| (Carrier::Profile, line)))
}

/// What makes a file start, or decide what starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Started {
    ByName,
    /// It lies in a folder of such files.
    InFolder,
}

/// Whether a file decides what shells and sessions start with, or is started by the system without being asked.
pub(crate) fn starts_by_itself(path: &str, facts: &Facts<'_>) -> Option<Started> {
    let started = |path: &str| line_of(&table::STARTED, &names(path));
    let line = of_sessions(path, facts).map(|(_, line)| line);
    let line = line.or_else(|| started(path)).or_else(|| started(&inside_home(path, facts)?))?;
    Some(if line.ends_with("**") { Started::InFolder } else { Started::ByName })
}

/// What the lines of a file are in which some count.
pub(crate) fn carrier(path: &str, facts: &Facts<'_>) -> Option<Carrier> {
    let name = path::file_name(path);
    if !may_start(path) && !name.ends_with("ps1") {
        return None;
    }
    if let Some((carrier, _)) = of_sessions(path, facts) {
        return Some(carrier);
    }
    let all = names(path);
    let found = match name {
        ".env" | "mise.toml" | ".mise.toml" | "mise.local.toml" | ".mise.local.toml" => {
            Carrier::ProjectVariables
        }
        ".envrc" => Carrier::Profile,
        ".devcontainer.json" => Carrier::Container,
        "devcontainer.json" if all.contains(&".devcontainer") => Carrier::Container,
        name if name.to_ascii_lowercase().ends_with("profile.ps1") => Carrier::Profile,
        _ => return None,
    };
    let outside =
        facts.worktree().filter(|root| path::is_within(path, root)).map_or(0, |root| names(root).len());
    // As for settings: a sample in a project is loaded by no one.
    let sample = all.iter().skip(outside).any(|name| has(table::SAMPLES, name));
    (!sample && !is_scratch(path, facts)).then_some(found)
}
