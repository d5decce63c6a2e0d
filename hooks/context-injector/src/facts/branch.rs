//! `branch`: what is checked out.

use std::fmt::Write as _;

use repository::{Head, Repository, Upstream};

use crate::untrusted::quoted;

/// A branch's name is cut after so many characters.
pub(super) const NAME: usize = 100;

pub(super) fn tell(git: &Repository) -> Option<String> {
    let at = git.head();
    let at = at.as_deref().and_then(|commit| commit.get(..7));
    let mut text = match (git.checked_out()?, at) {
        (Head::Branch(name), Some(at)) => format!("{} at {at}", quoted(&name, NAME)),
        (Head::Branch(name), None) => format!("{}, no commit yet", quoted(&name, NAME)),
        (Head::Detached, at) => format!("none, detached at {}", at.unwrap_or("an unknown commit")),
    };
    if let Some(Upstream { name, apart }) = git.upstream() {
        text.push_str(", follows ");
        text.push_str(&quoted(&name, NAME));
        match apart {
            Some((0, 0)) => text.push_str(", equal"),
            Some((ahead, behind)) => {
                let _ = write!(text, ": {ahead} ahead, {behind} behind");
            }
            // A branch without a commit has nothing to compare; that its upstream is gone cannot be said either.
            None if at.is_none() => {}
            None => text.push_str(", which is gone"),
        }
    }
    Some(text)
}
