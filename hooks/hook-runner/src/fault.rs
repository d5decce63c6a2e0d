//! How the program ends, and what it says when it cannot do its work.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use approvals::ApprovalError;
use host::Problem;
use thiserror::Error;

use crate::project::Project;

/// The exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing to object to.
    Fine,
    /// Something was found.
    Found,
    /// Wrong usage, or an input that cannot be read.
    Usage,
    /// A fault of the program or the machine.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Internal => 3,
        }
        .into()
    }
}

impl Exit {
    /// [`Exit::Found`] when something was found.
    pub(crate) fn found(something: bool) -> Self {
        if something { Self::Found } else { Self::Fine }
    }
}

/// Why the work could not be done.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    /// The arguments do not go together, or say too little.
    #[error("{message}")]
    Usage { message: String, hint: String },
    /// Something that is not a payload.
    #[error("the payload cannot be read: {0}")]
    Payload(#[from] payload::PayloadError),
    /// A file that cannot be read.
    #[error("{}: cannot be read: {why}", .path.display())]
    Unreadable { path: PathBuf, why: String },
    /// A file that its host would drop, hooks and all.
    #[error("{place}: {message}")]
    Refused {
        /// The file, the line and the column.
        place: String,
        /// What is wrong, and what the host does about it.
        message: String,
        hint: String,
    },
    /// A file that cannot be written.
    #[error("{}: cannot be written: {why}", .path.display())]
    Unwritable { path: PathBuf, why: String },
    /// Hooks of a repository that no one said are fine.
    #[error("{count} of this project's hooks would run, and you have not said that you trust them:\n{list}")]
    Untrusted { count: usize, list: String },
    /// An approval that cannot be given.
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    /// What is trusted can neither be read nor kept.
    #[error(transparent)]
    Trust(#[from] store::trust::TrustError),
    /// What was kept cannot be read, brought back or dropped.
    #[error(transparent)]
    Kept(#[from] keep::KeepError),
    /// No one who may say yes.
    #[error(transparent)]
    NoPerson(#[from] store::trust::terminal::NoPerson),
    /// A bundle that does not come into force.
    #[error("{message}")]
    Pull { message: String, hint: String, exit: Exit },
    /// Stdout or stderr is broken.
    #[error("the result cannot be written: {0}")]
    Output(#[from] std::io::Error),
}

/// Where in a file something stands.
pub(crate) fn place(project: &Project, path: &Path, text: &str, at: usize) -> String {
    let (line, column) = host::tree::position(text, at);
    format!("{}:{line}:{column}", project.short(path))
}

impl Fault {
    /// A fault of the arguments.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Unreadable { path: path.to_owned(), why: why.to_string() }
    }

    /// A file that its host would drop.
    pub(crate) fn refused(project: &Project, path: &Path, text: &str, problem: &Problem) -> Self {
        Self::refused_at(place(project, path, text, problem.span.start), &problem.message, &problem.help)
    }

    /// The same for what no host would say.
    pub(crate) fn refused_at(place: String, message: &str, hint: &str) -> Self {
        Self::Refused { place, message: format!("{message} Nothing was written."), hint: hint.to_owned() }
    }

    /// A file that cannot be written.
    pub(crate) fn unwritable(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::Unwritable { path: path.to_owned(), why: why.to_string() }
    }

    pub(crate) fn hint(&self) -> &str {
        match self {
            Self::Usage { hint, .. } | Self::Refused { hint, .. } | Self::Pull { hint, .. } => hint,
            Self::Payload(_) => "Give one JSON object, as a host writes it to a hook's stdin.",
            Self::Unreadable { .. } => "Check its path and its permissions.",
            Self::Unwritable { .. } => "Check its folder, its permissions and the free space on the disk.",
            Self::Untrusted { .. } => {
                "Review them. Then add --trust for this run only, or run `hook-runner trust` to remember it."
            }
            Self::Approval(error) => error.hint(),
            Self::Trust(error) => error.hint(),
            Self::Kept(error) => error.hint(),
            Self::NoPerson(error) => error.hint(),
            Self::Output(_) => "",
        }
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            // A reader that has seen enough, such as `head`, is not a fault.
            Self::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Fine,
            Self::Approval(ApprovalError::Key(_) | ApprovalError::State(_))
            | Self::Trust(_)
            | Self::Output(_)
            | Self::Unwritable { .. } => Exit::Internal,
            Self::Pull { exit, .. } => *exit,
            Self::Refused { .. } => Exit::Found,
            Self::Usage { .. }
            | Self::Payload(_)
            | Self::Unreadable { .. }
            | Self::Untrusted { .. }
            | Self::Approval(_)
            | Self::Kept(_)
            | Self::NoPerson(_) => Exit::Usage,
        }
    }
}

/// From here on, a panic says what happened in one line, and exits with the documented code.
#[expect(clippy::exit, reason = "released programs abort after this hook, with a signal instead of the code")]
pub(crate) fn tell_of_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map_or_else(String::new, |place| format!(" ({place})"));
        screen::remark(&format!("hook-runner: internal error: {message}{place}\n"));
        std::process::exit(3);
    }));
}
