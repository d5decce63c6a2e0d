//! What state the work is in: dirty, in the middle of a merge, not pushed.

use git2::{BranchType, RepositoryState, Status, StatusOptions};

use crate::{Repository, RepositoryError};

/// What is not committed. Paths are relative to the root, with `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dirty {
    /// Tracked files that differ from the last commit, staged or not.
    pub changed: Vec<String>,
    /// Files that git does not know and does not ignore.
    pub untracked: Vec<String>,
}

/// How the branch stands to the one that it is pushed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// Without a branch, a commit or a remote, nothing can be pushed.
    DoesNotApply,
    /// The branch follows none.
    NoUpstream { branch: String },
    /// The branch follows another.
    Upstream {
        branch: String,
        /// How many of its commits the other does not have.
        ahead: usize,
    },
}

impl Repository {
    /// What is not committed.
    pub fn dirty(&self) -> Result<Dirty, RepositoryError> {
        let statuses = self
            .git
            .statuses(Some(&mut status_options()))
            .map_err(|error| self.failed("read the status of", &error))?;
        let mut dirty = Dirty::default();
        for entry in statuses.iter() {
            let path = String::from_utf8_lossy(entry.path_bytes()).into_owned();
            // Untracked and nothing else: with any other bit, git knows the path.
            let list =
                if entry.status() == Status::WT_NEW { &mut dirty.untracked } else { &mut dirty.changed };
            list.push(path);
        }
        Ok(dirty)
    }

    /// The operation that is not finished, such as `merge` or `rebase`.
    pub fn operation(&self) -> Option<&'static str> {
        use RepositoryState as S;
        match self.git.state() {
            S::Clean | S::Bisect => None,
            S::Merge => Some("merge"),
            S::Revert | S::RevertSequence => Some("revert"),
            S::CherryPick | S::CherryPickSequence => Some("cherry-pick"),
            S::Rebase | S::RebaseInteractive | S::RebaseMerge => Some("rebase"),
            S::ApplyMailbox | S::ApplyMailboxOrRebase => Some("am"),
        }
    }

    /// How the branch stands to the one that it is pushed to, as far as this machine knows.
    pub fn pushed(&self) -> Result<Pushed, RepositoryError> {
        let refused = |error: git2::Error| self.failed("compare the branches of", &error);
        let Ok(head) = self.git.head() else { return Ok(Pushed::DoesNotApply) };
        let (true, Some(ours)) = (head.is_branch(), head.target()) else { return Ok(Pushed::DoesNotApply) };
        if self.git.remotes().map_err(refused)?.is_empty() {
            return Ok(Pushed::DoesNotApply);
        }
        let branch = String::from_utf8_lossy(head.shorthand_bytes()).into_owned();
        let upstream = head
            .shorthand()
            .ok()
            .and_then(|name| self.git.find_branch(name, BranchType::Local).ok())
            .and_then(|branch| branch.upstream().ok())
            .and_then(|upstream| upstream.get().target());
        let Some(theirs) = upstream else { return Ok(Pushed::NoUpstream { branch }) };
        let (ahead, _) = self.git.graph_ahead_behind(ours, theirs).map_err(refused)?;
        Ok(Pushed::Upstream { branch, ahead })
    }
}

/// Everything that is not as it was committed, file by file; nothing on disk is renewed.
pub(crate) fn status_options() -> StatusOptions {
    let mut options = StatusOptions::new();
    options
        .include_untracked(true)
        .recurse_untracked_dirs(true)
        .include_ignored(false)
        .include_unmodified(false)
        .update_index(false);
    options
}
