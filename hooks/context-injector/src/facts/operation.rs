//! `operation`: what was begun and is not finished.

use std::fmt::Write as _;

use repository::Repository;

use super::branch::NAME;
use crate::untrusted::quoted;

pub(super) fn tell(git: &Repository) -> Option<String> {
    let mut text = String::new();
    for operation in git.operations() {
        if !text.is_empty() {
            text.push_str(", and a ");
        }
        text.push_str(operation.name);
        if let Some(branch) = operation.branch {
            let _ = write!(text, " of {}", quoted(&branch, NAME));
        }
        text.push_str(" in progress");
        if let Some((at, all)) = operation.step {
            let _ = write!(text, ", step {at} of {all}");
        }
    }
    (!text.is_empty()).then_some(text)
}
