//! What VS Code's settings say about where it looks for hooks.

use std::path::PathBuf;

use crate::hook::System;
use crate::place::{Base, Folders, Format, Found, Place, Scope, When, hooks, listed, settings};
use crate::standing::tree_of;

/// How this is known.
const RUN: &str = "run: VS Code 1.139.1, `chat.hookFilesLocations`";

/// What is added to the places: of the user and of the project, of its own form and of Claude Code's.
static ADDED: [Place; 4] = [
    hooks(Scope::User, Base::Home, "", RUN),
    hooks(Scope::Project, Base::Project, "", RUN),
    settings(Scope::User, Base::Home, "", RUN),
    settings(Scope::Project, Base::Project, "", RUN),
];

/// What VS Code's settings say about places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Locations {
    /// Whether `chat.useClaudeHooks` is on.
    claude_hooks: bool,
    /// `chat.hookFilesLocations`: files and folders, and whether each counts.
    listed: Vec<(String, bool)>,
}

impl Locations {
    /// What these files say, each more than those before it.
    pub(crate) fn of(files: &[PathBuf]) -> Self {
        let mut locations = Self::default();
        for root in files.iter().filter_map(|file| tree_of(file)) {
            // Wherever it is on: hooks that may run are looked at.
            locations.claude_hooks |=
                root.at("chat.useClaudeHooks").and_then(crate::tree::Node::truth) == Some(true);
            let members = root.at("chat.hookFilesLocations").map_or(&[][..], crate::tree::Node::members);
            for member in members {
                let Some(counts) = member.node.truth() else { continue };
                let key = member.key.trim();
                locations.listed.retain(|(known, _)| known != key);
                locations.listed.push((key.to_owned(), counts));
            }
        }
        locations
    }

    /// Whether a place of the host counts.
    pub(crate) fn count(&self, place: &Place) -> bool {
        let left_out = || self.listed.iter().any(|(listed, counts)| !counts && *listed == key(place));
        match place.when {
            When::Always => true,
            When::Listed => !left_out(),
            When::ListedWithClaudeHooks => self.claude_hooks && !left_out(),
        }
    }

    /// The files that they add to the places, in the order of the settings.
    pub(crate) fn added(&self, places: &[Place], folders: &Folders) -> Vec<Found> {
        let mut found = Vec::new();
        for (listed_as, _) in self.listed.iter().filter(|(_, counts)| *counts) {
            if places.iter().any(|place| key(place) == *listed_as) {
                continue;
            }
            let (path, of_project) = match listed_as.strip_prefix("~/") {
                Some(rest) => (folders.home.join(rest), false),
                None => (folders.project.join(listed_as), true),
            };
            let files =
                if path.is_dir() { listed(&path).0 } else { Vec::from_iter(path.is_file().then_some(path)) };
            for path in files {
                let claude =
                    path.ends_with(".claude/settings.json") || path.ends_with(".claude/settings.local.json");
                if claude && !self.claude_hooks {
                    continue;
                }
                let format = if claude { Format::Settings } else { Format::Hooks };
                let is_it =
                    |place: &&Place| (place.scope == Scope::Project) == of_project && place.format == format;
                found.extend(
                    ADDED.iter().find(is_it).map(|place| Found { path: path.clone(), place: *place }),
                );
            }
        }
        found
    }
}

/// A place as the setting names it.
fn key(place: &Place) -> String {
    match place.base {
        Base::Home => format!("~/{}", place.path.on(System::HERE)),
        _ => place.path.on(System::HERE).to_owned(),
    }
}
