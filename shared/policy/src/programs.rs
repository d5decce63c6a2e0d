//! The programs that a call would run: rules about others do not apply.

use std::borrow::Cow;

use shell::Analysis;

use crate::certainty::Match;
use crate::glob::{self, NAME};
use crate::model::Text;

/// The names of the programs of a call, as rules compare them.
#[derive(Debug, Default)]
pub struct Programs<'a> {
    names: Vec<Cow<'a, str>>,
    /// Whether one of them is in git's own folder, where `git-push` is `git push`.
    of_git: bool,
}

impl<'a> Programs<'a> {
    /// The programs of strings that were looked into.
    pub fn of(analyses: &'a [Analysis]) -> Self {
        let mut names = Vec::new();
        for atom in analyses.iter().flat_map(|analysis| &analysis.atoms) {
            let name = atom.program();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let of_git = names.iter().any(|name| name.starts_with("git-"));
        Self { names, of_git }
    }

    /// Whether one of them may be one of these.
    pub(crate) fn may_be(&self, names: &[Text<'_>]) -> bool {
        self.of_git
            || names.iter().any(|name| {
                // Nearly every name is plain, and comparing bytes is cheaper than a pattern.
                self.names.iter().any(|called| name.eq_ignore_ascii_case(called))
                    || name.bytes().any(glob::is_special)
                        && self.names.iter().any(|called| matches(name, called))
            })
    }

    /// Whether one of them may be this one, whose name is not a pattern.
    pub(crate) fn may_be_called(&self, name: &[u8]) -> bool {
        // Which of git's sub-commands it is, only the rule's own comparison finds out.
        self.of_git || self.names.iter().any(|called| called.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// Whether a rule about programs of these names may be about a call of this one.
pub(crate) fn may_be(names: &[Text<'_>], called: &str) -> bool {
    called.starts_with("git-") || names.iter().any(|name| matches(name, called))
}

fn matches(name: &str, called: &str) -> bool {
    glob::matches(name, called, NAME) == Match::Yes
}
