//! Guarded places that are links: where `~/.claude/settings.json` leads into someone's dotfiles, an edit there is an
//! edit of the settings.

use std::fs;
use std::path::Path;

use shell::{mark, path};

use super::relation::fits;
use super::table;
use crate::facts::Facts;
use crate::table::Table;

/// Names that are looked at in one folder.
const MAX_NAMES: usize = 128;

/// Names that are looked at in all.
const MAX_ALL: usize = 1024;

/// A guarded place that is a link.
#[derive(Debug)]
pub(crate) struct Linked {
    /// Where it leads.
    real: String,
    place: String,
}

/// What a path is by other names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Alias {
    /// The same file or folder, below a guarded place.
    Same(String),
    /// A folder that holds what this guarded place leads to.
    Holds(String),
}

/// The guarded places that lead to this path, or to something in it.
pub(super) fn aliases(path: &str, facts: &Facts<'_>) -> Vec<Alias> {
    // Who takes away a home or a project is asked about that.
    let wide = facts.home_folder().is_some_and(|home| path::is_within(home, path));
    if wide || mark::any(path) || facts.worktree() == Some(path) {
        return Vec::new();
    }
    let alias = |linked: &Linked| {
        if let Some(rest) = path.strip_prefix(linked.real.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Some(Alias::Same(format!("{}{rest}", linked.place)));
        }
        path::is_within(&linked.real, path).then(|| Alias::Holds(linked.place.clone()))
    };
    facts.linked().iter().filter_map(alias).collect()
}

/// Every guarded place of the machine, the user and the project that is a link. The caller knows that the disk may be
/// asked.
pub(crate) fn find(home: Option<&str>, project: Option<&str>) -> Vec<Linked> {
    let mut walk = Walk { left: MAX_ALL, path: String::new(), found: Vec::new() };
    let parts = |table: &'static Table| table.lines().map(|line| line.trim_start_matches('/'));
    walk.below(parts(&table::MACHINE));
    if let Some(home) = home.filter(|home| home.len() > 1) {
        home.clone_into(&mut walk.path);
        walk.below([&table::OURS, &table::USER, &table::PROFILES].into_iter().flat_map(parts));
    }
    if let Some(project) = project.filter(|project| project.len() > 1) {
        project.clone_into(&mut walk.path);
        walk.below(table::PROJECT.lines().filter_map(|line| Some(line.split_once(' ')?.1)));
    }
    walk.found
}

struct Walk {
    left: usize,
    /// Where it is.
    path: String,
    found: Vec<Linked>,
}

impl Walk {
    /// Follows the lines of a table below the folder where it is, each folder once.
    fn below(&mut self, lines: impl Iterator<Item = &'static str>) {
        let split =
            // Short lines, many of them: a search by words would take longer than one by letters.
            |line: &'static str| match line.bytes().position(|byte| byte == b'/') {
                Some(at) => (&line[..at], Some(&line[at + 1..])),
                None => (line, None),
            };
        let lines: Vec<(&str, Option<&str>)> = lines.map(split).collect();
        let mut done: Vec<&str> = Vec::new();
        // Two letters of each that is done: most are not, and are not searched for.
        let mut begun = [false; 256];
        for (part, _) in &lines {
            let letters = part.bytes().skip(1).take(2).fold(0_u8, |sum, byte| sum.wrapping_mul(31) ^ byte);
            let begun = &mut begun[usize::from(letters)];
            // Those of one folder mostly stand together.
            if *begun && done.iter().rev().any(|known| known == part) {
                continue;
            }
            *begun = true;
            done.push(part);
            if !part.contains('*') {
                self.look(part, (part, &lines));
                continue;
            }
            // Below `**`, only what is itself a link is of interest.
            for name in names(&self.path, *part == "**") {
                if *part == "**" || fits(part, &name) {
                    self.look(&name, (part, &lines));
                }
            }
        }
    }

    /// Looks at one name, for the lines that begin with this part.
    fn look(&mut self, name: &str, (part, lines): (&str, &[(&str, Option<&'static str>)])) {
        // A home folder may be huge, and a call must stay short.
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        let folder = self.path.len();
        self.path.push('/');
        self.path.push_str(name);
        if let Ok(about) = Path::new(&self.path).symlink_metadata() {
            if about.is_symlink() {
                let real = Path::new(&self.path).canonicalize().ok();
                let real = real.and_then(|real| real.to_str().map(str::to_owned));
                if let Some(real) = real.or_else(|| dangling(&self.path)) {
                    self.found.push(Linked { real, place: self.path.clone() });
                }
            } else if about.is_dir() {
                // Most places are not there, and then no one needs the rest of their lines.
                self.below(lines.iter().filter(|line| line.0 == part).filter_map(|line| line.1));
            }
        }
        self.path.truncate(folder);
    }
}

/// Where a link leads at whose end nothing is yet.
fn dangling(link: &str) -> Option<String> {
    let to = fs::read_link(link).ok()?;
    Some(path::join(link.rsplit_once('/')?.0, to.to_str()?))
}

fn names(folder: &str, links: bool) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().take(MAX_NAMES).flatten();
    let wanted = entries.filter(|entry| !links || entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    wanted.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
