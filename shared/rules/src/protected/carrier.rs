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

/// What the lines of a file are in which some count.
pub(crate) fn carrier(path: &str, facts: &Facts<'_>) -> Option<Carrier> {
    // Most files do not carry such lines, and every file that is written is looked at.
    let name = path::file_name(path);
    let bytes = path.as_bytes();
    let telling = bytes.windows(2).enumerate().any(|(at, pair)| match pair {
        [b'/', b'.'] => true,
        [b'/', b'e' | b'L' | b'D'] => {
            let rest = &bytes[at + 1..];
            [&b"etc/"[..], b"Library/", b"Documents/"].iter().any(|folder| rest.starts_with(folder))
        }
        _ => false,
    }) || name.ends_with("ps1");
    if !telling {
        return None;
    }
    let all = names(path);
    let at = |table: &'static Table, path: &[&str]| {
        table.lines().any(|line| relation(line, path) == Some(Relation::At))
    };
    if path.starts_with("/etc/") || path.starts_with("/Library/") {
        return at(&table::MACHINE_ENVIRONMENTS, &all)
            .then_some(Carrier::Variables)
            .or_else(|| at(&table::MACHINE_PROFILES, &all).then_some(Carrier::Profile));
    }
    if let Some(inside) = inside_home(path, facts) {
        let inside = names(&inside);
        if at(&table::ENVIRONMENTS, &inside) {
            return Some(Carrier::Variables);
        }
        if at(&table::PROFILES, &inside) {
            return Some(Carrier::Profile);
        }
    }
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
