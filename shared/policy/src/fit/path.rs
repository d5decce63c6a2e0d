//! `path`: files that a call touches.

use payload::Access;

use super::{Fit, Lean, Touched};
use crate::glob::{self, PATH};
use crate::model::{PathTest, Text};
use crate::scene::Scene;

pub(super) fn fits(test: &PathTest<'_>, touched: &[Touched], scene: &Scene<'_>, lean: Lean) -> Fit {
    let mut best = Fit::No;
    let mut worst = Fit::Yes;
    for one in touched {
        let fit = one_fits(test, one, scene, lean);
        best = best.max(fit);
        worst = worst.min(fit);
    }
    match lean {
        Lean::Wide => best,
        // What loosens must be about every file.
        Lean::Narrow if touched.is_empty() => Fit::No,
        Lean::Narrow => worst,
    }
}

fn one_fits(test: &PathTest<'_>, touched: &Touched, scene: &Scene<'_>, lean: Lean) -> Fit {
    if !test.access.is_empty() && !test.access.contains(&touched.access) {
        return Fit::No;
    }
    let places = [Some(touched.path.as_str()), scene.real_path(touched)];
    let each = places.into_iter().flatten().map(|path| {
        let named = listed(&test.any, path, scene);
        let fit = match named {
            // What loosens is about the files that it names, and about no others with them.
            _ if lean == Lean::Narrow => named,
            Fit::Yes => named,
            _ => named.max(holds(test, touched, path, scene)).max(finds(test, touched, scene)),
        };
        if fit == Fit::No || test.except.is_empty() {
            return fit;
        }
        // A file that is surely excepted.
        if listed(&test.except, path, scene) == Fit::Yes { Fit::No } else { fit }
    });
    match lean {
        Lean::Wide => each.max(),
        Lean::Narrow => each.min(),
    }
    .unwrap_or(Fit::No)
}

/// Taking a folder away takes what is in it, and writing a folder away (`mv`, `cp -r`, `rsync`) as well.
fn holds(test: &PathTest<'_>, touched: &Touched, path: &str, scene: &Scene<'_>) -> Fit {
    let takes_all = (touched.access == Access::Delete || touched.whole) && touched.below.is_none();
    if !takes_all {
        return Fit::No;
    }
    let path = path.trim_end_matches('/');
    let path = if path.is_empty() { "/" } else { path };
    super::any(&test.any, |pattern| {
        let Some(base) = scene.absolute(glob::base(pattern)) else { return Fit::No };
        Fit::of(!base.is_empty() && shell::path::is_within(&base, path))
    })
}

/// A search by name finds the files of that name below its folder.
fn finds(test: &PathTest<'_>, touched: &Touched, scene: &Scene<'_>) -> Fit {
    let Some(folder) = touched.below.as_deref() else { return Fit::No };
    let name = shell::path::file_name(&touched.path);
    super::any(&test.any, |pattern| {
        let wanted = shell::path::file_name(pattern);
        let base = pattern.strip_suffix(wanted).unwrap_or_default().trim_end_matches('/');
        if wanted.bytes().any(glob::is_special) || base.bytes().any(glob::is_special) {
            return Fit::No;
        }
        let inside = scene.absolute(if base.is_empty() { "." } else { base });
        if inside.is_some_and(|inside| shell::path::is_within(&inside, folder)) {
            glob::fits(wanted, name, PATH)
        } else {
            Fit::No
        }
    })
}

/// Whether one of the patterns fits a path. They begin with `/`, `~/` or `**/`, or are seen from the working tree.
pub(crate) fn listed(patterns: &[Text<'_>], path: &str, scene: &Scene<'_>) -> Fit {
    super::any(patterns, |pattern| {
        let below = |folder: Option<&str>| {
            let rest = path.strip_prefix(folder?)?;
            if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
        };
        if let Some(rest) = pattern.strip_prefix("~/") {
            let inside = below(scene.home()).or_else(|| path.strip_prefix("~/"));
            return inside.map_or(Fit::No, |inside| in_folder(rest, inside));
        }
        if pattern.starts_with('/') || pattern.starts_with("**") || is_drive(pattern) {
            return in_folder(pattern, path);
        }
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        below(scene.worktree()).map_or(Fit::No, |inside| in_folder(pattern, inside))
    })
}

/// `folder/**` is the folder, too.
fn in_folder(pattern: &str, path: &str) -> Fit {
    let mut fit = glob::fits(pattern, path, PATH);
    if fit == Fit::Yes {
        return fit;
    }
    // What is unknown may be in any folder; only a file's name makes a doubt worth a question.
    if pattern.ends_with("**") {
        let folder = glob::base(pattern);
        let known = path.find(shell::mark::is_mark).map_or(path, |mark| &path[..mark]);
        let inside = known.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        fit = Fit::of(inside && !folder.is_empty());
    }
    match pattern.strip_suffix("/**") {
        Some(folder) => fit.max(glob::fits(folder, path, PATH)),
        None => fit,
    }
}

fn is_drive(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}
