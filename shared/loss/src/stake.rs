//! What is at stake in a repository before a line runs: what has to be saved so that all of it can be had again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use git2::Oid;

use crate::state::{Commit, Name, Stashed, State};

/// What the working tree holds besides its index, and what the steps do to references.
#[derive(Debug, Clone)]
pub struct Stake {
    /// The root of the working tree.
    pub root: PathBuf,
    /// Files that are not as the index has them, seen from the root. Folders of ignored files end with a slash.
    pub files: Vec<Name>,
    /// Files of the index that are not there.
    pub gone: Vec<Name>,
    /// References that lead elsewhere afterwards, or are deleted, and the commits to which they lead now.
    pub references: BTreeMap<String, Oid>,
    /// Stashes that are deleted, the newest first.
    pub stashes: Vec<Oid>,
    /// What is checked out, if the steps change that: the branch and the commit.
    pub head: Option<(Option<String>, Option<Oid>)>,
    /// Whether the working tree itself goes.
    pub removed: bool,
    /// Whether git's log of references is cut off, which no one can put back.
    pub forgets: bool,
    /// Whether something goes that is not in this working tree: other repositories in it, objects that nothing leads to.
    pub beyond: bool,
}

impl Stake {
    /// Nothing is at stake in a working tree.
    pub(crate) fn none(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            files: Vec::new(),
            gone: Vec::new(),
            references: BTreeMap::new(),
            stashes: Vec::new(),
            head: None,
            removed: false,
            forgets: false,
            beyond: false,
        }
    }

    /// What lies in a working tree before anything is done.
    pub(crate) fn of(root: &Path, start: &State) -> Self {
        let (there, gone): (Vec<_>, Vec<_>) = start.tree.iter().partition(|(_, file)| file.is_some());
        let names = |files: Vec<(&Name, _)>| files.into_iter().map(|(name, _)| name.clone()).collect();
        Self { files: names(there), gone: names(gone), ..Self::none(root) }
    }

    /// Both of two commands of a line in one repository.
    pub fn join(&mut self, other: Self) {
        let mut files: BTreeSet<Name> = std::mem::take(&mut self.files).into_iter().collect();
        files.extend(other.files);
        self.files = files.into_iter().collect();
        self.references.extend(other.references);
        let new = other.stashes.into_iter().filter(|id| !self.stashes.contains(id));
        let new: Vec<Oid> = new.collect();
        self.stashes.extend(new);
        self.head = self.head.take().or(other.head);
        self.removed |= other.removed;
        self.forgets |= other.forgets;
        self.beyond |= other.beyond;
    }

    /// What is different in a state in which the steps may end.
    pub(crate) fn add(&mut self, start: &State, end: &State) {
        for (name, commit) in &start.references {
            if let Commit::Real(id) = commit
                && end.references.get(name) != Some(commit)
            {
                self.references.insert(name.clone(), *id);
            }
        }
        let stays: BTreeSet<Oid> = end.stashes.iter().filter_map(real).collect();
        let gone = start.stashes.iter().filter_map(real).filter(|id| !stays.contains(id));
        let known: BTreeSet<Oid> = self.stashes.iter().copied().collect();
        self.stashes.extend(gone.filter(|id| !known.contains(id)));
        if start.head != end.head || start.branch != end.branch {
            let commit = match start.head {
                Some(Commit::Real(id)) => Some(id),
                _ => None,
            };
            self.head = Some((start.branch.clone(), commit));
        }
        for name in &end.moved {
            if let Some(Commit::Real(id)) = start.references.get(name) {
                self.references.insert(name.clone(), *id);
            }
        }
        self.removed |= end.removed;
        self.forgets |= !end.forgotten.is_empty();
        self.beyond |= end.pruned || !end.repositories.is_empty();
        self.beyond |= !end.inside.is_empty() || !end.pruned_heads.is_empty() || end.takes_git;
    }
}

fn real(stash: &Stashed) -> Option<Oid> {
    match stash {
        Stashed::Real(id) => Some(*id),
        Stashed::Made { .. } => None,
    }
}
