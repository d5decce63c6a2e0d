//! Pathspecs, as far as they are modelled: paths, folders and wildcards.

use git2::{Pathspec, PathspecFlags};
use std::path::Path;

/// A pathspec, seen from the root of the repository.
pub(crate) enum Spec {
    /// A file, or everything below a folder; empty for the root.
    Plain(Vec<u8>),
    Wild {
        text: String,
        spec: Pathspec,
    },
}

impl Spec {
    /// `prefix` is the folder of the command below the `root`, without a slash at its end. `None` for what is not modelled.
    pub(crate) fn new(text: &str, prefix: &str, root: &Path) -> Option<Self> {
        if text == ":/" {
            return Some(Self::Plain(Vec::new()));
        }
        if text.starts_with(':') || text.is_empty() {
            return None;
        }
        let joined = match Path::new(text).strip_prefix(root) {
            Ok(inside) => below("", inside.to_str()?)?,
            Err(_) => below(prefix, text)?,
        };
        if joined.contains(['*', '?', '[', '\\']) {
            let spec = Pathspec::new([joined.as_str()]).ok()?;
            return Some(Self::Wild { text: joined, spec });
        }
        Some(Self::Plain(joined.into_bytes()))
    }

    /// All of the specs.
    pub(crate) fn all(texts: &[String], prefix: &str, root: &Path) -> Option<Vec<Self>> {
        texts.iter().map(|text| Self::new(text, prefix, root)).collect()
    }

    pub(crate) fn is_wild(&self) -> bool {
        matches!(self, Self::Wild { .. })
    }

    /// The path up to the first wildcard.
    fn known(&self) -> &[u8] {
        match self {
            Self::Plain(path) => path,
            Self::Wild { text, .. } => {
                let wild = text.find(['*', '?', '[', '\\']).unwrap_or(text.len());
                &text.as_bytes()[..text[..wild].rfind('/').unwrap_or(0)]
            }
        }
    }

    /// Whether a folder, written with a slash at its end, lies where the spec reaches, or holds what it names.
    pub(crate) fn meets(&self, folder: &[u8], any_case: bool) -> bool {
        let folder = folder.strip_suffix(b"/").unwrap_or(folder);
        self.matches(folder, any_case)
            || self.is_inside(folder)
            || self.is_wild() && is_below(folder, self.known())
    }

    /// Whether it names just this path.
    pub(crate) fn is(&self, path: &[u8], any_case: bool) -> bool {
        match self {
            Self::Plain(spec) if any_case => path.eq_ignore_ascii_case(spec),
            Self::Plain(spec) => path == spec.as_slice(),
            Self::Wild { .. } => self.matches(path, any_case),
        }
    }

    /// Whether it names a path, or a folder that the path lies in: with a folder, all goes that is in it.
    pub(crate) fn takes(&self, path: &[u8], any_case: bool) -> bool {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        self.matches(path, any_case) || slashes.into_iter().any(|(at, _)| self.matches(&path[..at], any_case))
    }

    /// Whether what it names lies in a folder.
    pub(crate) fn is_inside(&self, folder: &[u8]) -> bool {
        is_below(self.known(), folder.strip_suffix(b"/").unwrap_or(folder))
    }

    /// Whether no link leads out of the folders that the path names.
    pub(crate) fn stays_below(&self, root: &Path) -> bool {
        let Ok(path) = std::str::from_utf8(self.known()) else { return false };
        let mut folder = root.to_owned();
        // What is deleted may be a link itself; where a wildcard follows, it is one on the way.
        let parts: Vec<&str> = path.split('/').collect();
        let on_the_way = parts.len() - usize::from(!self.is_wild());
        parts.iter().take(on_the_way).all(|part| {
            folder.push(part);
            !folder.is_symlink()
        })
    }

    /// Whether it has other wildcards than stars.
    pub(crate) fn is_unusual(&self) -> bool {
        matches!(self, Self::Wild { text, .. } if text.contains(['?', '[', '\\']))
    }

    pub(crate) fn matches(&self, path: &[u8], any_case: bool) -> bool {
        match self {
            Self::Plain(spec) if spec.is_empty() => true,
            Self::Plain(spec) => {
                let (start, rest) = path.split_at_checked(spec.len()).unwrap_or_default();
                let same = if any_case { start.eq_ignore_ascii_case(spec) } else { start == spec.as_slice() };
                same && matches!(rest, [] | [b'/', ..])
            }
            Self::Wild { spec, .. } => {
                let flags = if any_case { PathspecFlags::IGNORE_CASE } else { PathspecFlags::USE_CASE };
                std::str::from_utf8(path).map_or(true, |path| spec.matches_path(Path::new(path), flags))
            }
        }
    }
}

fn is_below(path: &[u8], folder: &[u8]) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/"))
}

/// A path that is written in the folder `prefix`, seen from the root; none above it.
fn below(prefix: &str, text: &str) -> Option<String> {
    let mut parts: Vec<&str> = prefix.split('/').filter(|part| !part.is_empty()).collect();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!text.starts_with('/')).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_file_or_a_folder_seen_from_the_root() {
        let takes = |text: &str, path: &str| {
            Spec::new(text, "", Path::new("/r")).unwrap().takes(path.as_bytes(), false)
        };
        assert!(takes("s*c", "src/b.rs") && takes("*old", "a/old/b/") && !takes("s*c", "srcs/b"));
        for (text, prefix, path, expected) in [
            (".", "", "a/b", true),
            (".", "src", "src/a", true),
            (".", "src", "srcs/a", false),
            ("..", "src/deep", "src/a", true),
            ("a", "", "a", true),
            ("a", "", "a/b", true),
            ("a/", "", "a/b", true),
            ("a", "", "ab", false),
            ("*.rs", "", "src/a.rs", true),
            ("*.rs", "src", "src/a.rs", true),
            ("*.rs", "src", "a.rs", false),
            (":/", "src", "a", true),
        ] {
            let spec = Spec::new(text, prefix, Path::new("/r")).unwrap();
            assert_eq!(spec.matches(path.as_bytes(), false), expected, "{text} in {prefix}: {path}");
        }
        assert!(Spec::new(":!a", "", Path::new("/r")).is_none());
    }
}
