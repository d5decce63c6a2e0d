//! What keeps a host from running hooks that it reads: switches in its settings, and what a person has to do first.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::tree::{self, Node, text};

/// What a remark means for hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Nothing; it is worth knowing.
    Known,
    /// They do not run before a person has done something.
    Pending,
    /// None runs.
    Off,
}

/// Something about a host's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// In a sentence.
    pub text: String,
    pub help: String,
    /// What it means.
    pub weight: Weight,
    /// The command of the only hook that it is about.
    pub only: Option<String>,
    /// The file that says so, and where in it.
    pub at: Option<(PathBuf, Range<usize>)>,
}

pub(crate) fn remark(weight: Weight, text: impl Into<String>, help: &str) -> Remark {
    Remark { text: text.into(), help: help.to_owned(), weight, only: None, at: None }
}

impl Remark {
    pub(crate) fn only(self, command: &str) -> Self {
        Self { only: Some(command.to_owned()), ..self }
    }

    pub(crate) fn at(self, path: &Path, span: Range<usize>) -> Self {
        Self { at: Some((path.to_owned(), span)), ..self }
    }
}

/// A settings file as a tree; `None` when it is not there or is not JSON.
pub(crate) fn tree_of(path: &Path) -> Option<Node> {
    Some(tree::parse(&text(path).ok()?).ok()?.root)
}
