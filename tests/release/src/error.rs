//! What can go wrong.

use std::path::{Path, PathBuf};

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// A file or folder.
    #[error("{path}: {error}", path = .path.display())]
    File {
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A program that is needed does not start.
    #[error("`{program}` does not start ({error}): {help}")]
    Missing {
        program: String,
        /// What the system says.
        error: std::io::Error,
        help: &'static str,
    },
    /// A program that is needed failed.
    #[error("`{command}` failed: {told}")]
    Failed {
        /// Which, with its arguments.
        command: String,
        /// The last lines of its output.
        told: String,
    },
    /// Something is not in the form that it always had.
    #[error("{what} cannot be read: {why}")]
    Form {
        what: &'static str,
        /// Where it differs.
        why: String,
    },
    /// This machine cannot build for the target.
    #[error("{0}")]
    Target(&'static str),
    /// A program that its system would not start, or that would load what it should not.
    #[error("{program} {faults}: see tests/release/src/shape.rs")]
    Shape {
        program: String,
        /// One after the other.
        faults: String,
    },
    /// A package brings no licence text.
    #[error("{0} has no licence file: add its text to tests/release/src/licences.rs")]
    Licence(String),
}

impl ReleaseError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }
}
