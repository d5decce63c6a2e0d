//! What can be wrong in a policy file.

use std::fmt;

use crate::language;

/// A mistake in a policy file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not TOML.
    #[error("{message}")]
    Syntax { message: String, hint: &'static str },
    /// Not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotText,
    /// The file cannot be used.
    #[error("{0}")]
    Unusable(store::settings::Why),
    /// A key that no one reads.
    #[error("unknown key `{key}` in {}", language::title(table))]
    UnknownKey {
        key: String,
        /// The table of the language.
        table: &'static str,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A value of another type.
    #[error("`{key}` is {found}")]
    WrongType {
        key: String,
        /// What it must be.
        wanted: &'static str,
        found: &'static str,
    },
    /// A word that is none of those that are known.
    #[error("`{key}` cannot be `{value}`")]
    UnknownWord {
        key: String,
        value: String,
        /// The word that was probably meant.
        nearest: Option<&'static str>,
        /// All words.
        known: &'static [&'static str],
    },
    /// A key that must be there.
    #[error("{table} has no `{key}`")]
    Missing { table: &'static str, key: &'static str, hint: &'static str },
    /// A rule of another schema.
    #[error("schema {0} is newer than this program, which reads schema 1")]
    NewerSchema(i64),
    /// Two rules with one id.
    #[error("the id `{0}` appears twice")]
    DuplicateId(String),
    /// An id that cannot be referred to.
    #[error("`{0}` is not an id")]
    BadId(String),
    /// A rule of two kinds.
    #[error("a rule has one of run, path, net, mcp, agent and text, not `{0}` and `{1}`")]
    TwoKinds(&'static str, &'static str),
    /// A matcher that would match everything.
    #[error("this matcher of `{0}` is empty and would match everything")]
    EmptyMatcher(&'static str),
    /// An empty list where it would never or always match.
    #[error("`{0}` is an empty list")]
    EmptyList(String),
    /// A pattern that cannot be read.
    #[error("the pattern `{pattern}` {what}")]
    BadPattern { pattern: String, what: &'static str },
    /// A regular expression that cannot be read.
    #[error("the regular expression does not compile: {0}")]
    BadRegex(String),
    /// A `text` rule without examples.
    #[error("a `text` rule must have `match` and `not_match` examples")]
    TextWithoutExamples,
    /// An exception that runs too long.
    #[error("the exception runs until {0}, more than 366 days from today")]
    TooLong(String),
    /// An exception that has run out.
    #[error("the exception expired on {0}")]
    Expired(String),
    /// An option that does not look like one.
    #[error("`{0}` is not an option: it does not begin with a dash")]
    NoFlag(String),
    /// A line of `calls` that would never fit, or not as it was meant.
    #[error("`{line}` {what}")]
    BadCall { line: String, what: &'static str },
    /// `calls` where something is let go: it fits every spelling that may mean the same.
    #[error("`calls` is for what is denied or asked about")]
    CallsLoosen,
    /// A word of a command line that a shell would not take for itself.
    #[error("`{0}` is more than one plain word")]
    BadWord(String),
    /// A reference to a rule that does not exist.
    #[error("unknown rule `{id}`")]
    NoSuchRule {
        id: String,
        /// The id that was probably meant.
        nearest: Option<String>,
    },
    /// Something that has no effect.
    #[error("{what}")]
    Inert { what: String, hint: &'static str },
}

impl Problem {
    pub fn hint(&self) -> String {
        let nearest = |nearest: Option<&str>, known: &[&str]| match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("known are {}", known.join(", ")),
        };
        match self {
            Self::Syntax { hint, .. } | Self::Missing { hint, .. } => (*hint).to_owned(),
            Self::NotText => "save it as UTF-8".to_owned(),
            Self::Unusable(why) => why.hint().to_owned(),
            Self::UnknownKey { nearest: near, table, .. } => nearest(*near, &language::keys(table)),
            Self::UnknownWord { nearest: near, known, .. } => nearest(*near, known),
            Self::WrongType { wanted, .. } => format!("write {wanted}"),
            Self::NewerSchema(_) => "update policy-hooks, or write `schema = 1`".to_owned(),
            Self::DuplicateId(_) => "give one of them another id".to_owned(),
            Self::BadId(_) => "use letters, digits, `.`, `-` and `_`: `git.force-push`".to_owned(),
            Self::TwoKinds(..) => "split it into two rules".to_owned(),
            Self::EmptyMatcher(_) => "say what it matches".to_owned(),
            Self::EmptyList(_) => "list something, or remove the key".to_owned(),
            Self::BadPattern { .. } => "patterns know `*`, `**`, `?`, `[a-z]` and `{a,b}`".to_owned(),
            Self::BadRegex(_) => "write it in single quotes: '(?i)\\bdrop\\s+table\\b'".to_owned(),
            Self::TextWithoutExamples => {
                "add one command that it matches, and one that looks alike and is fine".to_owned()
            }
            Self::TooLong(_) => "choose an earlier date, and review it then".to_owned(),
            Self::Expired(_) => "remove it, or have it approved again".to_owned(),
            Self::NoFlag(flag) => format!("write `-{flag}` or `--{flag}`; operands go into `args_any`"),
            Self::BadCall { .. } => {
                "write a line such as `deploy|publish @production !--dry-run` or `... delete`".to_owned()
            }
            Self::CallsLoosen => {
                "say what is let go with `sub`, `flags_only`, `args_all` or `written`".to_owned()
            }
            Self::BadWord(_) => {
                "use letters, digits and `-_./=:,+@%`: it becomes part of a command".to_owned()
            }
            Self::NoSuchRule { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::NoSuchRule { .. } => "`approval-gate policy explain` shows the ids of rules".to_owned(),
            Self::Inert { hint, .. } => (*hint).to_owned(),
        }
    }
}

impl fmt::Display for PolicyError {
    /// `12:3: unknown key … (did you mean …?)`, to be read after the file's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ({})", self.line, self.column, self.problem, self.problem.hint())
    }
}

impl std::error::Error for PolicyError {}

/// The line and the column of a byte.
pub(crate) fn line_and_column(text: &str, at: u32) -> (u32, u32) {
    // A place may lie inside a character where a mistake was found byte by byte.
    let at = text.floor_char_boundary(at as usize);
    let before = &text[..at];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[start..].chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

pub(crate) use store::settings::nearest;
