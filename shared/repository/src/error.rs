//! Why git's facts could not be read.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why git's facts could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// libgit2 refused.
    #[error("cannot {what} {}: {message}", path.display())]
    Git {
        what: &'static str,
        path: PathBuf,
        /// What libgit2 said.
        message: String,
    },
    /// The repository belongs to another user.
    #[error("{} belongs to another user", path.display())]
    NotOwned {
        /// The folder that was asked about.
        path: PathBuf,
    },
    /// libgit2 would not survive it.
    #[error("{} has a pattern that takes back nothing, which libgit2 cannot read", path.display())]
    Unreadable {
        /// The file with the pattern.
        path: PathBuf,
    },
    /// It took too long.
    #[error("{} is too large to look through in time", path.display())]
    TooLong {
        /// The working tree.
        path: PathBuf,
    },
}

impl RepositoryError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Git { .. } => "Try `git status` there.",
            Self::NotOwned { .. } => {
                "If you trust it, name it in `safe.directory` in your own configuration of git."
            }
            Self::Unreadable { .. } => "Remove that line: git ignores it, too.",
            Self::TooLong { .. } => "Add what is not part of the work to .gitignore.",
        }
    }

    pub(crate) fn new(what: &'static str, path: &Path, error: &git2::Error) -> Self {
        // By its code: the person can do something about this one.
        if error.code() == git2::ErrorCode::Owner {
            return Self::NotOwned { path: path.to_owned() };
        }
        Self::Git { what, path: path.to_owned(), message: error.message().to_owned() }
    }
}
