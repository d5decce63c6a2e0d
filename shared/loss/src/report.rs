//! The answer, and how it reads.

use std::fmt;

/// What a line would lose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Everything that exists before can be had afterwards.
    Nothing,
    /// These things cannot, or only through git's log of references.
    Lost(Vec<Lost>),
    /// There is a repository, and its data cannot be read.
    Unreadable,
    /// It cannot be said.
    Unknown,
}

/// One thing that would be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// Changes to a file that are not committed, with lines that were added and taken away.
    Changes { path: String, added: usize, removed: usize },
    /// What is staged of a file, and is neither in the working tree nor committed.
    Staged { path: String },
    /// A file that git does not know.
    Untracked { path: String },
    /// A file that git ignores, and that no tool makes again.
    Ignored { path: String },
    /// A repository in this one, which holds what no remote of it does.
    Repository { path: String },
    /// Commits that nothing leads to any more: their number, the newest one's id and its subject.
    Commits { number: usize, newest: String, subject: String, in_reflog: bool },
    /// A tag, and the object that it leads to.
    Tag {
        name: String,
        object: String,
        /// Whether it leads elsewhere instead.
        moved: bool,
    },
    /// Commits that only git's log of references led to.
    Logged { number: usize, newest: String, subject: String },
    /// Commits that nothing leads to, and that git would find by their ids alone.
    Loose { number: usize, newest: String, subject: String },
    /// A stash.
    Stash { subject: String },
}

/// As many things of a kind are named; the rest is counted.
const NAMED: usize = 3;

/// Whether something is of a kind.
type Is = fn(&Lost) -> bool;

impl Answer {
    /// Whether everything that is lost can be had again by the id that the list names.
    pub fn is_recoverable(&self) -> bool {
        let is_recoverable =
            |one: &Lost| matches!(one, Lost::Commits { in_reflog: true, .. } | Lost::Tag { .. });
        matches!(self, Self::Lost(all) if all.iter().all(is_recoverable))
    }

    /// What is lost, as a list for a reason: "uncommitted changes in src/a.rs (+12 −3) and 2 more files".
    pub fn list(&self) -> Option<String> {
        let Self::Lost(all) = self else { return None };
        let kinds: [(&str, Is); 4] = [
            ("uncommitted changes in ", |one| matches!(one, Lost::Changes { .. })),
            ("staged changes in ", |one| matches!(one, Lost::Staged { .. })),
            ("untracked ", |one| matches!(one, Lost::Untracked { .. })),
            ("ignored ", |one| matches!(one, Lost::Ignored { .. })),
        ];
        let mut parts = Vec::new();
        for (before, is) in kinds {
            let of_kind: Vec<&Lost> = all.iter().filter(|one| is(one)).collect();
            if of_kind.is_empty() {
                continue;
            }
            let named: Vec<String> = of_kind.iter().take(NAMED).map(ToString::to_string).collect();
            let rest = of_kind.len().saturating_sub(NAMED);
            let more = match rest {
                0 => String::new(),
                1 => " and 1 more file".to_owned(),
                _ => format!(" and {rest} more files"),
            };
            parts.push(format!("{before}{}{more}", named.join(", ")));
        }
        let others = all.iter().filter(|one| !kinds.iter().any(|(_, is)| is(one)));
        parts.extend(others.map(ToString::to_string));
        Some(parts.join("; "))
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changes { path, added: 0, removed: 0 } => f.write_str(path),
            Self::Changes { path, added, removed } => write!(f, "{path} (+{added} −{removed})"),
            Self::Staged { path } | Self::Untracked { path } | Self::Ignored { path } => f.write_str(path),
            Self::Repository { path } => write!(f, "the repository {path}"),
            Self::Commits { number, newest, subject, in_reflog } => {
                let commits = if *number == 1 { "commit" } else { "commits" };
                write!(f, "{number} {commits} ({newest} {subject})")?;
                if *in_reflog {
                    write!(f, ", which `git branch kept {newest}` brings back")?;
                }
                Ok(())
            }
            Self::Tag { name, object, moved: false } => {
                write!(f, "the tag {name}, which `git tag {name} {object}` brings back")
            }
            Self::Tag { name, object, moved: true } => {
                write!(f, "where the tag {name} was, to which `git tag -f {name} {object}` brings it back")
            }
            Self::Logged { number, newest, subject } => {
                let commits = if *number == 1 { "commit" } else { "commits" };
                write!(
                    f,
                    "{number} {commits} that only git's log of references still leads to ({newest} {subject}); `git branch kept {newest}` keeps it"
                )
            }
            Self::Loose { number, newest, subject } => {
                let commits = if *number == 1 { "commit" } else { "commits" };
                write!(
                    f,
                    "{number} {commits} that nothing leads to ({newest} {subject}); `git branch kept {newest}` keeps it"
                )
            }
            Self::Stash { subject } => write!(f, "the stash `{subject}`"),
        }
    }
}
