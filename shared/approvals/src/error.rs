//! What can go wrong with an approval.

use audit::KeyError;
use store::session::SessionError;
use thiserror::Error;

/// Why an action cannot be approved. In a hook, every one of these leaves the denial as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApprovalError {
    /// No key to seal with.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// What was offered and granted can neither be read nor kept.
    #[error(transparent)]
    State(#[from] SessionError),
    /// No one can look at all of it.
    #[error(
        "the action is too long to review: {bytes} bytes on {rows} lines, {most} bytes on {most_rows} lines at most"
    )]
    TooLong {
        /// How long.
        bytes: usize,
        /// How long it may be.
        most: usize,
        /// How many lines of a terminal it takes.
        rows: usize,
        /// How many it may take.
        most_rows: usize,
    },
    /// Something in it is not shown by a terminal as it is.
    #[error("it contains characters that a terminal does not show as they are")]
    Unshowable,
    /// Something in it looks like a secret, and may be more than that.
    #[error("what looks like a secret in it may be a command, and cannot be shown")]
    Hidden,
    /// What was typed is not a code.
    #[error("not a code: a code has eight letters and digits, such as 7K3F-9QXM")]
    NotACode,
    /// Nothing was offered under this code, or that was too long ago.
    #[error("nothing is pending under this code")]
    Unknown,
    /// The code stands for several actions.
    #[error("this code matches more than one action")]
    Ambiguous,
}

impl ApprovalError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Key(error) => error.hint(),
            Self::State(error) => error.hint(),
            Self::Unshowable => "Let the agent write it without invisible characters and escapes.",
            Self::TooLong { .. } => "Put what is long into a file, and let the agent run that.",
            Self::Hidden => "Put what is secret into a file or a variable, and let the agent use that.",
            Self::NotACode => "Take it from the message of the denial.",
            Self::Unknown => "Let the agent try again, and take the code from the new message.",
            Self::Ambiguous => "Let the agent try again with a slightly different command.",
        }
    }
}
