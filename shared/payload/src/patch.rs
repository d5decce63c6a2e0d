//! The files that an `apply_patch` text touches.

use std::borrow::Cow;

use crate::edit::{Change, Edit, Piece};
use crate::path::{Access, TouchedPath};

/// Whether a string is meant for `apply_patch`.
pub(crate) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// The patch that a shell's command line gives to `apply_patch`, which is how models without such a tool edit.
pub(crate) fn in_command(text: &str) -> Option<&str> {
    let (before, patch) = text.split_at(text.find("*** Begin Patch")?);
    let names =
        ["apply_patch", "applypatch"].iter().any(|name| before.contains(name) || patch.contains(name));
    names.then_some(patch)
}

/// The files that an `apply_patch` text edits, with what becomes of them.
pub fn patched(text: &str) -> Vec<Edit<'_>> {
    let (mut touched, mut known) = (Vec::new(), Vec::new());
    paths(text, &mut touched);
    changes(text, &mut known);
    let edit = |touched: TouchedPath<'static>| {
        let change = known.iter().find(|(path, _)| *path == touched.path).map(|(_, change)| change.clone());
        Edit { path: touched.path, access: touched.access, change: change.unwrap_or(Change::Unknown) }
    };
    touched.into_iter().map(edit).collect()
}

/// Adds the paths of the patch's headers. A moved file is written first and taken away then.
///
/// Headers are also found after blanks, where appliers differ: a header too many only makes a guard stricter.
pub(crate) fn paths(text: &str, found: &mut Vec<TouchedPath<'_>>) {
    const HEADERS: [(&str, Access); 3] =
        [("Add File:", Access::Write), ("Update File:", Access::Write), ("Delete File:", Access::Delete)];
    // Both forms in any text: which of them a tool applies is the tool's to say.
    for file in unified(text) {
        for (path, access) in [(file.old, file.old_access()), (file.new, Some(Access::Write))] {
            if let (Some(path), Some(access)) = (path, access) {
                found.push(TouchedPath { path: Cow::Owned(path.to_owned()), access });
            }
        }
    }
    let mut current: Option<&str> = None;
    for line in text.lines() {
        let Some(header) = line.trim().strip_prefix("*** ") else { continue };
        let mut add = |path: &str, access| {
            let path = crate::uri::file_path(path).unwrap_or_else(|| path.to_owned());
            found.push(TouchedPath { path: Cow::Owned(path), access });
        };
        if let Some(target) = header.strip_prefix("Move to:") {
            // `Move to:` follows the header of the file that it moves.
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

/// A file of a unified diff, as `diff -u` and git write it.
struct Unified<'t> {
    /// The name of before; none for a new file.
    old: Option<&'t str>,
    /// The name of after; none for one that goes.
    new: Option<&'t str>,
    /// Its lines, without headers.
    hunks: &'t str,
}

impl Unified<'_> {
    /// What happens to the old name, where that is another file.
    fn old_access(&self) -> Option<Access> {
        match self.new {
            None => Some(Access::Delete),
            new if new == self.old => None,
            Some(_) => Some(Access::Write),
        }
    }
}

/// The files of a unified diff; none for another text.
fn unified(text: &str) -> Vec<Unified<'_>> {
    let mut files: Vec<(Unified<'_>, usize)> = Vec::new();
    let (mut at, mut before): (usize, Option<(usize, &str)>) = (0, None);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        let renamed = |prefix: &str| line.strip_prefix(prefix).map(|path| path.trim_matches('"'));
        match (before, line.strip_prefix("+++ ")) {
            // A `---` line counts only with a `+++` line right after it: removed lines may begin like that, too.
            (Some((begins, old)), Some(new)) => {
                if let Some((last, from)) = files.last_mut() {
                    last.hunks = &text[*from..begins.max(*from)];
                }
                files.push((Unified { old: named(old), new: named(new), hunks: "" }, at));
            }
            _ => {
                if let Some(path) = renamed("rename from ") {
                    files.push((Unified { old: Some(path), new: None, hunks: "" }, at));
                } else if let Some(path) = renamed("rename to ").or_else(|| renamed("copy to ")) {
                    files.push((Unified { old: Some(path), new: Some(path), hunks: "" }, at));
                }
            }
        }
        before = line.strip_prefix("--- ").map(|old| (start, old));
    }
    if let Some((last, from)) = files.last_mut() {
        last.hunks = &text[*from..];
    }
    files.into_iter().map(|(file, _)| file).collect()
}

/// The file that a header of a unified diff names: without a time, and without git's first folder.
fn named(header: &str) -> Option<&str> {
    let path = header.split('\t').next().unwrap_or_default().trim().trim_matches('"');
    let folder = path.as_bytes();
    // `a/` and `b/`, and `i/`, `w/`, `c/`, `o/` of `diff.mnemonicPrefix`.
    let git = folder.len() > 2 && folder[1] == b'/' && b"abiwco".contains(&folder[0]);
    (path != "/dev/null" && !path.is_empty()).then_some(if git { &path[2..] } else { path })
}

/// A file of a patch, while its lines are read.
struct Patched {
    path: String,
    adds: bool,
    /// The text of before and of after, for each hunk.
    hunks: Vec<(String, String)>,
}

/// Adds what the patch makes of each file. A file that only moves has no change of its own.
///
/// A hunk is a piece: its context and what goes, against its context and what comes.
pub(crate) fn changes<'e>(text: &str, found: &mut Vec<(Cow<'e, str>, Change<'e>)>) {
    for unified in unified(text) {
        let Some(path) = unified.new else { continue };
        let mut file =
            Patched { path: path.to_owned(), adds: unified.old.is_none(), hunks: vec![Default::default()] };
        // `\ No newline at end of file` does not belong to the file.
        unified.hunks.lines().filter(|line| !line.starts_with('\\')).for_each(|line| file.take(line));
        found.extend(file.change());
    }
    let mut file: Option<Patched> = None;
    for line in text.lines() {
        let header = line.trim().strip_prefix("*** ");
        let begins = |kind: &str| header.and_then(|header| header.strip_prefix(kind)).map(str::trim);
        if let Some(path) = begins("Add File:").or_else(|| begins("Update File:")) {
            found.extend(file.take().and_then(Patched::change));
            let path = crate::uri::file_path(path).unwrap_or_else(|| path.to_owned());
            let adds = begins("Add File:").is_some();
            file = Some(Patched { path, adds, hunks: vec![Default::default()] });
        } else if begins("Delete File:").is_some() || begins("End Patch").is_some() {
            found.extend(file.take().and_then(Patched::change));
        } else if header.is_none()
            && let Some(file) = &mut file
        {
            file.take(line);
        }
    }
    found.extend(file.and_then(Patched::change));
}

impl Patched {
    /// Takes a line of a hunk in.
    fn take(&mut self, line: &str) {
        if line.starts_with("@@") {
            self.hunks.push(Default::default());
            return;
        }
        let Some((old, new)) = self.hunks.last_mut() else { return };
        // By characters: a context line without its blank may begin with any.
        let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        let put = |text: &mut String| {
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

    /// What becomes of the file.
    fn change<'e>(self) -> Option<(Cow<'e, str>, Change<'e>)> {
        let change = if self.adds {
            Change::Whole(Cow::Owned(self.hunks.into_iter().map(|(_, new)| new).collect()))
        } else {
            // The first hunk is empty where the file begins with `@@`.
            let pieces = self.hunks.into_iter().filter(|(old, new)| old != new);
            let piece = |(old, new)| Piece { old: Cow::Owned(old), new: Cow::Owned(new), all: false };
            let pieces: Vec<Piece<'_>> = pieces.map(piece).collect();
            (!pieces.is_empty()).then_some(Change::Pieces(pieces))?
        };
        Some((Cow::Owned(self.path), change))
    }
}
