//! `commits`: the last subjects.

use repository::Repository;

use super::listed;
use crate::untrusted::quoted;

/// How many are reported.
const MOST: usize = 3;

pub(super) fn tell(git: &Repository) -> Option<String> {
    let subjects = git.subjects(MOST);
    let text = listed(subjects.iter().map(|subject| quoted(subject, 100)), MOST, 400);
    (!text.is_empty()).then(|| format!("the last first: {text}"))
}
