//! Patterns of a team's own, as regular expressions. Compiled when the first text is looked at, which costs some
//! hundred thousand instructions: who has none pays nothing.

use std::sync::OnceLock;

use regex_lite::Regex;
use thiserror::Error;

/// A pattern of the user's: what it matches is a secret; with a group `secret`, only that part.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

/// A pattern that is not a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the redaction pattern `{pattern}` is not a regular expression: {problem}")]
pub struct BadPattern {
    /// As it was given.
    pub pattern: String,
    pub problem: String,
}

impl Pattern {
    /// A pattern that is compiled when it is needed. One that is wrong then matches nothing: [`Pattern::check`] first.
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), compiled: OnceLock::new() }
    }

    /// Whether it is a regular expression.
    pub fn check(source: &str) -> Result<(), BadPattern> {
        match Regex::new(source) {
            Ok(_) => Ok(()),
            Err(error) => Err(BadPattern { pattern: source.to_owned(), problem: error.to_string() }),
        }
    }

    /// The parts of `text` that match.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, usize)> {
        let Some(regex) = self.compiled.get_or_init(|| Regex::new(&self.source).ok()) else {
            return Vec::new();
        };
        regex
            .captures_iter(text)
            .filter_map(|captures| captures.name("secret").or_else(|| captures.get(0)))
            .map(|part| (part.start(), part.end()))
            .filter(|(start, end)| end > start)
            .collect()
    }
}
