//! What is checked out, and how it stands to the branch that it follows.

use git2::{Branch, ErrorCode};

use crate::Repository;

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch, by its short name.
    Branch(Vec<u8>),
    /// A commit, without a branch.
    Detached,
}

/// The branch that another follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Its short name, such as `origin/main`.
    pub name: Vec<u8>,
    /// How many commits only ours has, and how many only the other; `None` when the other is gone.
    pub apart: Option<(usize, usize)>,
}

impl Repository {
    /// What is checked out; `None` when that cannot be read.
    pub fn checked_out(&self) -> Option<Head> {
        match self.git.head() {
            Ok(head) if head.is_branch() => Some(Head::Branch(head.shorthand_bytes().to_owned())),
            Ok(_) => Some(Head::Detached),
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
                // Before the first commit HEAD names a branch that is not there yet.
                let head = self.git.find_reference("HEAD").ok()?;
                let target = head.symbolic_target_bytes()?;
                Some(Head::Branch(target.strip_prefix(b"refs/heads/").unwrap_or(target).to_owned()))
            }
            Err(_) => None,
        }
    }

    /// The branch that the checked out one follows, as far as this machine knows.
    pub fn upstream(&self) -> Option<Upstream> {
        let head = self.git.find_reference("HEAD").ok()?;
        let ours = head.symbolic_target().ok()??;
        let full = self.git.branch_upstream_name(ours).ok()?;
        let name = self.shorten(&full);
        let theirs = std::str::from_utf8(&full).ok().and_then(|full| self.git.find_reference(full).ok());
        let tip = |branch: &Branch<'_>| branch.get().target();
        let ours = self.git.head().ok().map(Branch::wrap);
        let apart = theirs
            .map(Branch::wrap)
            // Both have to be there: without a commit of ours nothing can be counted.
            .zip(ours)
            .and_then(|(theirs, ours)| self.git.graph_ahead_behind(tip(&ours)?, tip(&theirs)?).ok());
        Some(Upstream { name, apart })
    }

    /// A reference's name as git shortens it: only as far as it stays unambiguous.
    fn shorten(&self, full: &[u8]) -> Vec<u8> {
        if let Some(short) = full.strip_prefix(b"refs/heads/") {
            return short.to_owned();
        }
        let Some(short) = full.strip_prefix(b"refs/remotes/") else { return full.to_owned() };
        let taken = |prefix: &str| {
            std::str::from_utf8(short)
                .is_ok_and(|short| self.git.find_reference(&format!("{prefix}{short}")).is_ok())
        };
        if taken("refs/heads/") || taken("refs/tags/") {
            return [b"remotes/", short].concat();
        }
        short.to_owned()
    }
}
