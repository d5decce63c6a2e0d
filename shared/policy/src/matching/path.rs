//! `path`: files that a call touches.

use payload::Access;

use crate::case::{Case, Touched};
use crate::certainty::{Lean, Match};
use crate::glob::{self, PATH};
use crate::model::{PathTest, Text};

pub(super) fn matches(test: &PathTest<'_>, touched: &[Touched], case: &Case<'_>, lean: Lean) -> Match {
    let mut best = Match::No;
    let mut worst = Match::Yes;
    for one in touched {
        let matched = one_matches(test, one, case, lean);
        best = best.max(matched);
        worst = worst.min(matched);
    }
    match lean {
        Lean::Wide => best,
        // What loosens must be about every file.
        Lean::Narrow | Lean::Open if touched.is_empty() => Match::No,
        Lean::Narrow | Lean::Open => worst,
    }
}

fn one_matches(test: &PathTest<'_>, touched: &Touched, case: &Case<'_>, lean: Lean) -> Match {
    if !test.access.is_empty() && !test.access.contains(&touched.access) {
        return Match::No;
    }
    // Both names: a link must not lead around a rule, nor a rule about the link be lost.
    let places = [Some(touched.path.as_str()), case.real_path(touched)];
    let each = places.into_iter().flatten().map(|path| {
        let named = listed(&test.any, path, case);
        let matched = match named {
            // What loosens is about the files that it names, and about no others with them.
            _ if lean.loosens() => named,
            Match::Yes => named,
            _ => named.max(holds(test, touched, path, case)).max(finds(test, touched, case)),
        };
        if matched == Match::No || test.except.is_empty() {
            return matched;
        }
        // A file that is surely excepted.
        if listed(&test.except, path, case) == Match::Yes { Match::No } else { matched }
    });
    match lean {
        Lean::Wide => each.max(),
        Lean::Narrow | Lean::Open => each.min(),
    }
    .unwrap_or(Match::No)
}

/// Taking a folder away takes what is in it, and writing a folder away (`mv`, `cp -r`, `rsync`) as well.
fn holds(test: &PathTest<'_>, touched: &Touched, path: &str, case: &Case<'_>) -> Match {
    let takes_all = (touched.access == Access::Delete || touched.whole) && touched.below.is_none();
    if !takes_all {
        return Match::No;
    }
    let path = path.trim_end_matches('/');
    let path = if path.is_empty() { "/" } else { path };
    super::any(&test.any, |pattern| {
        let Some(base) = case.absolute(glob::base(pattern)) else { return Match::No };
        Match::of(!base.is_empty() && shell::path::is_within(&base, path))
    })
}

/// A search by name finds the files of that name below its folder.
fn finds(test: &PathTest<'_>, touched: &Touched, case: &Case<'_>) -> Match {
    let Some(folder) = touched.below.as_deref() else { return Match::No };
    let name = shell::path::file_name(&touched.path);
    super::any(&test.any, |pattern| {
        let wanted = shell::path::file_name(pattern);
        let base = pattern.strip_suffix(wanted).unwrap_or_default().trim_end_matches('/');
        // Only plain names are compared with what a search looks for: of two patterns no one can say whether
        // they meet.
        if wanted.bytes().any(glob::is_special) || base.bytes().any(glob::is_special) {
            return Match::No;
        }
        let inside = case.absolute(if base.is_empty() { "." } else { base });
        if inside.is_some_and(|inside| shell::path::is_within(&inside, folder)) {
            glob::matches(wanted, name, PATH)
        } else {
            Match::No
        }
    })
}

/// Whether one of the patterns matches a path. They begin with `/`, `~/` or `**/`, or are seen from the working tree.
pub(crate) fn listed(patterns: &[Text<'_>], path: &str, case: &Case<'_>) -> Match {
    super::any(patterns, |pattern| {
        let below = |folder: Option<&str>| {
            let rest = path.strip_prefix(folder?)?;
            if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
        };
        if let Some(rest) = pattern.strip_prefix("~/") {
            let inside = below(case.home()).or_else(|| path.strip_prefix("~/"));
            return inside.map_or(Match::No, |inside| in_folder(rest, inside));
        }
        if pattern.starts_with('/') || pattern.starts_with("**") || is_drive(pattern) {
            return in_folder(pattern, path);
        }
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        below(case.worktree()).map_or(Match::No, |inside| in_folder(pattern, inside))
    })
}

/// `folder/**` is the folder, too.
fn in_folder(pattern: &str, path: &str) -> Match {
    let mut matched = glob::matches(pattern, path, PATH);
    if matched == Match::Yes {
        return matched;
    }
    // What is unknown may be in any folder; only a file's name makes a doubt worth a question.
    if pattern.ends_with("**") {
        let folder = glob::base(pattern);
        let known = path.find(shell::mark::is_mark).map_or(path, |mark| &path[..mark]);
        let inside = known.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        matched = Match::of(inside && !folder.is_empty());
    }
    match pattern.strip_suffix("/**") {
        Some(folder) => matched.max(glob::matches(folder, path, PATH)),
        None => matched,
    }
}

fn is_drive(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}
