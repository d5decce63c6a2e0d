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
        /// What was tried.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// What libgit2 said.
        message: String,
    },
    /// It took too long.
    #[error("{} is too large to look through in time", path.display())]
    TooLong {
        /// The working tree.
        path: PathBuf,
    },
}

impl RepositoryError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Git { .. } => {
                "Try `git status` there; a repository of another user needs `safe.directory` in your own configuration."
            }
            Self::TooLong { .. } => "Add what is not part of the work to .gitignore.",
        }
    }

    pub(crate) fn new(what: &'static str, path: &Path, error: &git2::Error) -> Self {
        Self::Git { what, path: path.to_owned(), message: error.message().to_owned() }
    }
}
