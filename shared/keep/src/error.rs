//! Why something cannot be kept, or not be brought back.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeepError {
    #[error("{}: {error}", .path.display())]
    Disk { path: PathBuf, error: io::Error },
    #[error("git: {}", .0.message())]
    Git(#[from] git2::Error),
    /// A name that JSON cannot hold.
    #[error("{}: its name is not UTF-8", .0.display())]
    Name(PathBuf),
    /// A FIFO, a socket, a device.
    #[error("{}: it is neither a file, a folder nor a link", .0.display())]
    Kind(PathBuf),
    #[error("there is more than {0} to save")]
    TooMuch(&'static str),
    #[error("git's log of references cannot be put back")]
    Log,
    #[error("repositories within this one, and objects that nothing leads to, cannot be saved")]
    Beyond,
    #[error("saving takes too long")]
    Late,
    /// Someone else writes to the index.
    #[error("the index changes while it is read")]
    Moving,
    #[error("{} is not one of ours, or was written to by someone else", .0.display())]
    Broken(PathBuf),
    #[error("nothing is kept as `{0}`")]
    Unknown(String),
    #[error("`{0}` may be several entries")]
    Several(String),
    #[error("{}: what stands there now is in the way", .0.display())]
    InTheWay(PathBuf),
    #[error("the repository at {} cannot be opened any more: {why}", .root.display())]
    NoRepository { root: PathBuf, why: String },
}

impl KeepError {
    pub(crate) fn disk(path: &Path, error: io::Error) -> Self {
        Self::Disk { path: path.to_owned(), error }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) | Self::Several(_) => "`hook-runner kept list` shows what is kept.",
            Self::InTheWay(_) => "Move it away, and try again.",
            Self::NoRepository { .. } => {
                "If it was moved, put it back; a working tree that was removed is made again by `git worktree add`."
            }
            Self::TooMuch(_) => "`hook-runner kept drop` makes room, where it is what is kept already.",
            _ => "Nothing was changed.",
        }
    }
}
