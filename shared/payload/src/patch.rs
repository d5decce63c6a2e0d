//! The files that an `apply_patch` text touches.

use std::borrow::Cow;

use crate::path::{Access, TouchedPath};

/// Whether a text is meant for `apply_patch`.
pub(crate) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// Adds the paths of the patch's headers. A moved file is written first and taken away then.
///
/// Headers are also found behind blanks, where appliers differ: a header too many only makes a guard stricter.
pub(crate) fn paths(text: &str, found: &mut Vec<TouchedPath<'_>>) {
    const HEADERS: [(&str, Access); 3] =
        [("Add File:", Access::Write), ("Update File:", Access::Write), ("Delete File:", Access::Delete)];
    let mut current: Option<&str> = None;
    for line in text.lines() {
        let Some(header) = line.trim().strip_prefix("*** ") else { continue };
        let mut add = |path: &str, access| {
            let path = crate::uri::file_path(path).unwrap_or_else(|| path.to_owned());
            found.push(TouchedPath { path: Cow::Owned(path), access });
        };
        if let Some(target) = header.strip_prefix("Move to:") {
            if let Some(source) = current {
                add(source, Access::Delete);
            }
            add(target.trim(), Access::Write);
            continue;
        }
        for (prefix, access) in HEADERS {
            if let Some(path) = header.strip_prefix(prefix) {
                current = Some(path.trim());
                add(path.trim(), access);
            }
        }
    }
}
