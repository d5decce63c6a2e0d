//! Why a payload could not be read.

use thiserror::Error;

/// What is wrong with the bytes on stdin.
///
/// Only faults of the whole payload are errors. A known field of the wrong type is a [`crate::Defect`] of an
/// otherwise readable [`crate::Event`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// No bytes, or white space only.
    #[error("the payload is empty")]
    Empty,
    /// Not UTF-8 from this byte on.
    #[error("the payload is not UTF-8 (byte {offset})")]
    NotUtf8 {
        /// Index of the first byte that is not part of a character.
        offset: usize,
    },
    /// JSON, but not an object at the top level.
    #[error("the payload is {found}, not a JSON object")]
    NotAnObject {
        /// What it is instead, with its article.
        found: &'static str,
    },
    /// Not JSON.
    #[error("the payload is not JSON: {message} (line {line}, column {column})")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// In bytes, counted from 1.
        column: usize,
        /// What was expected or found.
        message: &'static str,
    },
    /// Objects and arrays are nested more than [`crate::MAX_DEPTH`] levels deep.
    #[error("the payload is nested more than {limit} levels deep")]
    TooDeep {
        /// The number of levels that are read.
        limit: usize,
    },
}

impl PayloadError {
    /// What the person who configured the hook can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty => {
                "A hook is called by a host with JSON on stdin. Claude Code has started hooks with an empty stdin \
                 (claude-code#42702); to try a hook by hand, pipe a payload into it."
            }
            Self::NotUtf8 { .. } => {
                "Every known host writes UTF-8. Check what runs between the host and the hook."
            }
            Self::NotAnObject { .. } => "Every known host writes one JSON object.",
            Self::Syntax { .. } => {
                "The host's output was cut off or changed on its way. Check wrapper scripts between host and hook."
            }
            Self::TooDeep { .. } => {
                "No tool of a known host nests its input this deep; treat the call as hostile."
            }
        }
    }
}
