//! The files that an `apply_patch` text touches.

use std::borrow::Cow;

use crate::edit::{Change, Piece};
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

/// Adds what the patch makes of each file. A file that only moves has no change of its own.
///
/// A hunk is a piece: its context and what goes, against its context and what comes.
pub(crate) fn changes<'e>(text: &str, found: &mut Vec<(Cow<'e, str>, Change<'e>)>) {
    let mut file: Option<(String, bool, Vec<(String, String)>)> = None;
    for line in text.lines() {
        let header = line.trim().strip_prefix("*** ");
        let begins = |kind: &str| header.and_then(|header| header.strip_prefix(kind)).map(str::trim);
        if let Some(path) = begins("Add File:").or_else(|| begins("Update File:")) {
            finish(file.take(), found);
            let path = crate::uri::file_path(path).unwrap_or_else(|| path.to_owned());
            file = Some((path, begins("Add File:").is_some(), vec![Default::default()]));
        } else if begins("Delete File:").is_some() || begins("End Patch").is_some() {
            finish(file.take(), found);
        } else if header.is_none()
            && let Some((_, _, hunks)) = &mut file
        {
            if line.starts_with("@@") {
                hunks.push(Default::default());
            } else if let Some((old, new)) = hunks.last_mut() {
                let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
                let mut put = |text: &mut String| {
                    text.push_str(rest);
                    text.push('\n');
                };
                if sign != "+" {
                    put(old);
                }
                if sign != "-" {
                    put(new);
                }
            }
        }
    }
    finish(file, found);
}

fn finish<'e>(
    file: Option<(String, bool, Vec<(String, String)>)>,
    found: &mut Vec<(Cow<'e, str>, Change<'e>)>,
) {
    let Some((path, adds, hunks)) = file else { return };
    let change = if adds {
        Change::Whole(Cow::Owned(hunks.into_iter().map(|(_, new)| new).collect()))
    } else {
        let pieces = hunks.into_iter().filter(|(old, new)| old != new);
        let piece = |(old, new)| Piece { old: Cow::Owned(old), new: Cow::Owned(new), all: false };
        let pieces: Vec<Piece<'_>> = pieces.map(piece).collect();
        if pieces.is_empty() {
            return;
        }
        Change::Pieces(pieces)
    };
    found.push((Cow::Owned(path), change));
}
