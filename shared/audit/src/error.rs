//! What can go wrong with a log.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a record is not in the log.
#[derive(Debug, Error)]
pub enum LogError {
    /// The log's file or folder is not one that a log may be kept in.
    #[error("{} is {what}, so it cannot be trusted with the audit log", path.display())]
    Unsafe {
        /// The file or folder.
        path: PathBuf,
        what: &'static str,
    },
    #[error("{}: {doing}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Not all bytes went in; what did was taken out again.
    #[error("{}: not enough space for a record of {bytes} bytes", path.display())]
    NoRoom {
        /// The log.
        path: PathBuf,
        /// The size of what was to be written.
        bytes: usize,
    },
    /// No place for a log: no home folder, and none configured.
    #[error("there is no folder for an audit log")]
    NoPlace,
}

impl LogError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unsafe { .. } => {
                "Move it away, or set AUDIT_LOG to a file in a folder that only you can write to."
            }
            Self::Io { .. } => "Check the folder and its permissions, or set AUDIT_LOG to another file.",
            Self::NoRoom { .. } => "Free some space on the disk, or set `keep_days` in audit.toml.",
            Self::NoPlace => "Set HOME, or AUDIT_LOG to a file.",
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, doing, source }
    }
}
