//! What git knows about a folder, read through libgit2 and without running anything.
//!
//! A repository is hostile until proven otherwise: the `git` program runs what its configuration names
//! (`core.fsmonitor`, `filter.*.clean`, `diff.*.textconv`; seen with git 2.47.3), libgit2 runs none of it.
//! Nothing is written either: the index is not refreshed on disk.

mod added;
mod branch;
mod error;
mod facts;
mod files;
#[cfg(unix)]
mod glance;
#[cfg(not(unix))]
#[path = "no_glance.rs"]
mod glance;
mod hostile;
#[cfg(unix)]
mod index;
#[cfg(any(unix, test))]
mod lines;
mod log;
mod operation;
#[cfg(any(unix, test))]
mod patterns;
#[cfg(target_os = "linux")]
mod quick;
mod snapshot;
mod status;

pub use added::{Added, Session};
pub use branch::{Head, Upstream};
pub use error::RepositoryError;
pub use facts::{Dirty, Pushed};
pub use glance::Glance;
pub use log::IndexSize;
pub use operation::Operation;
pub use snapshot::{Fingerprint, Paths, Snapshot};
pub use status::{Change, Status, Tracked};

use std::path::{Path, PathBuf};

use git2::RepositoryOpenFlags;
pub use snapshot::{mode, to_path};

/// The log of a reference, if there is one. libgit2 makes an empty file where it is asked for one that is not there.
pub fn reference_log(git: &git2::Repository, name: &str) -> Option<git2::Reflog> {
    if git.reference_has_log(name).ok()? { git.reflog(name).ok() } else { None }
}

/// A repository with a working tree.
pub struct Repository {
    pub(crate) git: git2::Repository,
    root: PathBuf,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Repository {
    /// The repository that `folder` lies in; `None` outside of any, and for one without a working tree.
    ///
    /// Of the environment, only `GIT_CEILING_DIRECTORIES` is asked, which ends the search as it ends git's.
    pub fn around(folder: &Path) -> Result<Option<Self>, RepositoryError> {
        let ceilings = std::env::var_os("GIT_CEILING_DIRECTORIES").unwrap_or_default();
        let ceilings = std::env::split_paths(&ceilings).filter(|path| path.is_absolute());
        let git = match git2::Repository::open_ext(folder, RepositoryOpenFlags::empty(), ceilings) {
            Ok(git) => git,
            Err(error) if error.code() == git2::ErrorCode::NotFound => return Ok(None),
            Err(error) => return Err(RepositoryError::new("open the repository around", folder, &error)),
        };
        // A bare repository has no files that an agent could work on.
        let Some(root) = git.workdir().map(Path::to_owned) else { return Ok(None) };
        if let Some(path) = hostile::patterns(&git, &root) {
            return Err(RepositoryError::Unreadable { path });
        }
        Ok(Some(Self { git, root }))
    }

    /// The top folder of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that is checked out, in hexadecimal digits; `None` before the first one.
    pub fn head(&self) -> Option<String> {
        Some(self.git.head().ok()?.target()?.to_string())
    }

    /// The repository itself, to be read only.
    pub fn libgit2(&self) -> &git2::Repository {
        &self.git
    }

    /// Whether both are working trees of one repository.
    pub fn shares_references(&self, other: &Self) -> bool {
        self.git.commondir() == other.git.commondir()
    }

    fn failed(&self, what: &'static str, error: &git2::Error) -> RepositoryError {
        RepositoryError::new(what, &self.root, error)
    }
}
