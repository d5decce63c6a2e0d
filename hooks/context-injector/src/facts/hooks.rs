//! `hooks`: what is not as the person trusted it: hooks, policies and settings of this project.

use std::fmt::Write as _;
use std::path::Path;

use store::trust::{Look, Trust};

use super::{Sources, listed};
use crate::untrusted::quoted;

/// How many files are reported.
const MOST: usize = 5;

pub(super) fn tell(sources: &Sources) -> Option<String> {
    let home = sources.home.as_deref()?;
    let mut changed: Vec<String> = Vec::new();
    let mut add = |path: &Path| {
        let inside = path.strip_prefix(&sources.root).ok();
        // The record holds paths without links; the top folder may be reached through one.
        let shown =
            inside.or_else(|| path.strip_prefix(sources.root.canonicalize().ok()?).ok()).unwrap_or(path);
        let shown = quoted(shown.as_os_str().as_encoded_bytes(), 100);
        if !changed.contains(&shown) {
            changed.push(shown);
        }
    };
    // A record that cannot be read says nothing about what changed.
    if let Ok(trust) = Trust::read(&store::trust::file(home)) {
        trust.changed_below(&sources.root).into_iter().for_each(&mut add);
    }
    let drift = host::installed::trusted::drift(home, &sources.root, Look::Quick).unwrap_or_default();
    for path in drift.unknown.iter().chain(&drift.files.changed).chain(&drift.files.gone) {
        add(path);
    }
    if changed.is_empty() && drift.hooks_gone == 0 {
        return None;
    }
    let mut text = String::from("not as the user trusted them");
    if !changed.is_empty() {
        text.push_str(": ");
        text.push_str(&listed(changed, MOST, 300));
    }
    if drift.hooks_gone > 0 {
        let hooks = if drift.hooks_gone == 1 { "hook" } else { "hooks" };
        let _ = write!(text, ", {} trusted {hooks} changed or gone", drift.hooks_gone);
    }
    Some(text)
}
