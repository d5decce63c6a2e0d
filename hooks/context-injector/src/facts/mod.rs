//! The facts, one line each. What is not known has no line.

mod branch;
mod commands;
mod commits;
mod date;
mod dirty;
mod hooks;
mod operation;
pub(crate) mod own;
mod packages;
mod policy;
mod project;
mod remotes;
mod todo;
mod toolchain;

use std::path::{Path, PathBuf};

use repository::Repository;

use crate::settings::Settings;
use crate::tree::Tree;

pub(crate) use ::store::settings::context::Fact;

/// What a fact says here, without its name.
pub(crate) fn tell(fact: Fact, sources: &Sources) -> Option<String> {
    let git = sources.repository.as_ref();
    match fact {
        Fact::Project => project::tell(&sources.tree),
        Fact::Branch => git.and_then(branch::tell),
        Fact::Operation => git.and_then(operation::tell),
        Fact::Dirty => git.map(|git| dirty::tell(git, sources.max_index)),
        Fact::Hooks => hooks::tell(sources),
        Fact::Policy => policy::tell(sources),
        Fact::Toolchain => toolchain::tell(&sources.tree),
        Fact::Packages => packages::tell(&sources.tree),
        Fact::Scripts => commands::tell(&sources.tree),
        Fact::Commits => git.and_then(commits::tell),
        Fact::Todo => todo::tell(&sources.tree),
        Fact::Remotes => git.and_then(remotes::tell),
        Fact::Date => Some(date::tell()),
    }
}

/// Why there are no facts of git.
const UNREADABLE: &str = "git's files there cannot be read";

/// What facts are drawn from.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) home: Option<PathBuf>,
    /// The folder in which the agent works.
    pub(crate) folder: PathBuf,
    /// The top folder of the project.
    pub(crate) root: PathBuf,
    pub(crate) tree: Tree,
    pub(crate) repository: Option<Repository>,
    /// Why git's facts are missing although there is a repository.
    pub(crate) refused: Option<&'static str>,
    max_index: u32,
}

impl Sources {
    /// What lies around `folder`; `None` when there is no such folder.
    pub(crate) fn around(folder: &Path, home: Option<&Path>) -> Option<Self> {
        let marked = folder.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok());
        let (repository, refused) = match Repository::around(folder) {
            // A work tree that lies elsewhere would be a way to have other folders listed.
            // Asked of the folder itself: `core.worktree` of a hostile repository may name any folder.
            Ok(Some(found)) if !holds(found.root(), folder) => (None, Some("its working tree is elsewhere")),
            Ok(Some(found)) => (Some(found), None),
            // Where git finds no repository in a `.git`, something is broken; without one, there is none.
            Ok(None) => (None, marked.map(|_| UNREADABLE)),
            Err(repository::RepositoryError::NotOwned { .. }) => {
                (None, Some("the repository is not owned by you"))
            }
            Err(_) => (None, Some(UNREADABLE)),
        };
        let root = repository.as_ref().map(Repository::root).or(marked).unwrap_or(folder).to_owned();
        let tree = Tree::new(folder, &root)?;
        let max_index = Settings::default().max_index;
        Some(Self {
            home: home.map(Path::to_owned),
            folder: folder.to_owned(),
            root,
            tree,
            repository,
            refused,
            max_index,
        })
    }

    /// With the limits that hold here.
    pub(crate) fn limited(mut self, settings: &Settings) -> Self {
        self.max_index = settings.max_index;
        self
    }
}

/// Whether a work tree is the one that its folder says, around `folder`.
fn holds(root: &Path, folder: &Path) -> bool {
    // Both without links: only then does the one begin with the other.
    let real = |path: &Path| path.canonicalize().ok();
    root.join(".git").symlink_metadata().is_ok()
        && real(root).zip(real(folder)).is_some_and(|(root, folder)| folder.starts_with(root))
}

/// Lists values as `a, b, and 3 more`, as far as they fit into `room` characters.
pub(crate) fn listed(values: impl IntoIterator<Item = String>, most: usize, room: usize) -> String {
    let values: Vec<String> = values.into_iter().collect();
    let mut text = String::new();
    let mut length = 0;
    for (shown, value) in values.iter().enumerate() {
        length += value.chars().count() + 2;
        // The first one is shown however long it is: a list of nothing would look like no finding.
        if shown == most || (shown > 0 && length > room) {
            return format!("{text}, and {} more", values.len() - shown);
        }
        if shown > 0 {
            text.push_str(", ");
        }
        text.push_str(value);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_its_own_word() {
        for fact in Fact::ALL {
            let read: Fact = toml::from_str::<std::collections::BTreeMap<String, Fact>>(&format!(
                "a = \"{}\"",
                fact.as_str()
            ))
            .unwrap()["a"];
            assert_eq!(read, fact);
        }
        assert_eq!(Fact::ALL[..9], Fact::USUAL);
    }

    #[test]
    fn lists_say_how_much_they_leave_out() {
        let values = |count: usize| (0..count).map(|number| number.to_string());
        assert_eq!(listed(values(3), 10, 100), "0, 1, 2");
        assert_eq!(listed(values(12), 10, 100), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 2 more");
        assert_eq!(listed(values(12), 10, 7), "0, 1, and 10 more");
        assert_eq!(listed(values(0), 10, 7), "");
    }
}
