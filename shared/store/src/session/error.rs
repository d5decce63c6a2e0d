//! Why state could not be read or kept.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why state could not be read or kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    #[error("cannot {what} {}: {error}", path.display())]
    Io {
        what: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another call held the lock for longer than we may wait.
    #[error("another call has held {} for too long", path.display())]
    Busy {
        /// The lock's file.
        path: PathBuf,
    },
    /// A record of more than [`crate::session::MAX_RECORD`] bytes, or one that is not plain file.
    #[error("{} is not a record: {why}", path.display())]
    NotARecord { path: PathBuf, why: &'static str },
}

impl SessionError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => {
                "Make ~/.local/state/policy-hooks a folder that you own and may write to, on a disk that is not full."
            }
            Self::Busy { .. } => "Try again; if it persists, look for a hook that hangs.",
            Self::NotARecord { .. } => "Remove it: it only holds what hooks remember for a week.",
        }
    }

    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::Io { what, path: path.into(), error }
    }
}
