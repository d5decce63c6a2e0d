//! Why a file stays as it is.

use std::fmt;
use std::path::PathBuf;

/// Why a file stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Skip {
    /// There is nothing, or nothing any more.
    Gone,
    NotAFile,
    Outside,
    /// A repository inside the one that the agent works in.
    OtherRepository,
    /// Hooks, policies and settings of agents, and what git keeps for itself.
    OwnConfiguration,
    Ignored,
    Excluded,
    /// A settings file is broken, which may have kept the formatter from running: what is wrong.
    Settings(String),
    ReadOnly,
    /// Another name of the file would keep the old content.
    ManyNames,
    TooLarge {
        limit: u64,
    },
    NotText,
    Generated,
    /// No formatter is known for such files.
    NoFormatter,
    /// None of the formatters for such files is configured here.
    NoConfiguration,
    /// Someone else formats it, and does not end.
    Busy,
    Unreadable(String),
    /// The project wants a formatter that is not installed.
    Missing {
        formatter: String,
        config: PathBuf,
    },
    /// The formatter would run code that no one vouches for.
    Untrusted {
        formatter: String,
        why: String,
    },
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("it does not exist"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::Outside => f.write_str("it is not inside the project"),
            Self::OtherRepository => f.write_str("it belongs to a repository inside this one"),
            Self::OwnConfiguration => {
                f.write_str("it configures hooks, agents or git, which no formatter may touch")
            }
            Self::Ignored => f.write_str("git ignores it"),
            Self::Excluded => f.write_str("`exclude` in format.toml names it"),
            Self::Settings(mistake) => write!(f, "the settings cannot be read: {mistake}"),
            Self::ReadOnly => f.write_str("it is read-only"),
            Self::ManyNames => f.write_str("it has a second name (a hard link)"),
            Self::TooLarge { limit } => write!(f, "it is larger than {} KiB", limit / 1024),
            Self::NotText => f.write_str("it is not UTF-8 text"),
            Self::Generated => f.write_str("it is marked as generated"),
            Self::NoFormatter => f.write_str("no formatter is known for such files"),
            Self::NoConfiguration => f.write_str("the project configures no formatter for such files"),
            Self::Busy => f.write_str("another call formats it"),
            Self::Unreadable(why) => f.write_str(why),
            Self::Missing { formatter, config } => {
                write!(f, "{formatter} is not installed, but {} asks for it", config.display())
            }
            Self::Untrusted { formatter, why } => write!(
                f,
                "{formatter} was not run: {why}. Look at it, then commit it or run `formatter-trigger trust`"
            ),
        }
    }
}

impl Skip {
    /// Whether the person has to do something for the file to be formatted.
    pub(crate) fn is_for_the_person(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Untrusted { .. })
    }
}
