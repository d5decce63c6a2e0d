//! Paths that a git command overwrites.

use super::super::has;
use shell::mark;

use crate::command::Command;
use crate::zone::{Zone, may_hold_work};

/// Whether the path may hold someone's work: not a lock file or a folder that tools make again.
pub(super) fn is_work(command: &Command<'_>, path: &str) -> bool {
    let name = shell::path::file_name(path);
    let lock = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "lock")
        || matches!(
            name,
            "package-lock.json" | "pnpm-lock.yaml" | "go.sum" | "npm-shrinkwrap.json" | "bun.lockb"
        );
    !lock && !is_exclusion(path) && command.target(path).zone != Zone::Generated
}

/// Whether a pathspec only takes paths out of what others name: `:!path`, `:^path`, `:(exclude)path`.
fn is_exclusion(path: &str) -> bool {
    let Some(magic) = path.strip_prefix(':') else { return false };
    match magic.strip_prefix('(') {
        Some(long) => long.split(')').next().unwrap_or_default().split(',').any(|word| word == "exclude"),
        None => magic.trim_start_matches('/').starts_with(['!', '^']),
    }
}

/// Whether one of the paths may hold someone's work. Where all of them only take some out, they mean all others.
pub(super) fn are_work<'p>(command: &Command<'_>, paths: impl Iterator<Item = &'p str>) -> bool {
    let (mut some, mut named) = (false, false);
    for path in paths {
        some = true;
        named |= !is_exclusion(path);
        if is_work(command, path) {
            return true;
        }
    }
    some && !named
}

/// Whether a path of which the name says that tools make it again holds work all the same, if git tracks it.
pub(super) fn may_be_work(command: &Command<'_>, path: &str) -> bool {
    let target = command.target(path);
    target.zone == Zone::Generated && target.inside(command.facts).is_some_and(may_hold_work)
}

pub(super) fn is_whole_tree(path: &str) -> bool {
    matches!(path, "." | "./" | ":/" | "*" | ":" | ":/." | ":(top)") || path.chars().eq([mark::STAR])
}

/// Whether a path stands for many files.
pub(super) fn is_wide(path: &str) -> bool {
    is_whole_tree(path) || path.ends_with('/') || path.starts_with(':') || path.contains(['*', mark::STAR])
}

/// Whether the only operand of `git checkout` is a path and not a branch.
pub(super) fn is_path(command: &Command<'_>, text: &str) -> bool {
    if is_wide(text) || ["./", "../", "/", "~/"].iter().any(|start| text.starts_with(start)) || text == ".." {
        return true;
    }
    let name = shell::path::file_name(text);
    // Branches have dots, too (`v1.2`), so only endings of files count.
    if let Some((stem, ending)) = name.rsplit_once('.')
        && has(FILE_ENDINGS, ending)
        && !stem.is_empty()
    {
        return true;
    }
    if name.len() > 2 && name.starts_with('.') || has(FILE_NAMES, name) {
        return true;
    }
    // Where a file and a branch have the same name, git refuses to guess.
    !mark::any(text) && command.facts.exists(&command.target(text).path)
}

const FILE_NAMES: &str = "\
    Makefile Dockerfile README LICENSE Gemfile Rakefile Procfile Jenkinsfile";

const FILE_ENDINGS: &str = "\
    rs py js ts tsx jsx mjs cjs json toml yaml yml md txt go java kt c h cc cpp hpp cs rb php sh html \
    css scss sql xml ini cfg conf vue svelte swift dart lua ex exs gradle proto tf ipynb lock env csv";
