//! Pathspecs, as far as they are modelled: paths, folders and wildcards.

use std::collections::BTreeSet;
use std::path::Path;

use git2::{Pathspec, PathspecFlags};
use rules::loss::List;

/// The pathspecs of a command: what they name, but for what they take out of it.
pub(crate) struct Specs {
    named: Vec<Spec>,
    left_out: Vec<Spec>,
}

impl std::ops::Deref for Specs {
    type Target = [Spec];

    fn deref(&self) -> &[Spec] {
        &self.named
    }
}

impl Specs {
    /// Reads them, as they were written in the folder `prefix` below the `root`; `list` knows what git lists. `None` for what
    /// is not modelled.
    pub(crate) fn read(
        texts: &[String],
        prefix: &str,
        root: &Path,
        list: &dyn Fn(List) -> BTreeSet<Vec<u8>>,
    ) -> Option<Self> {
        let mut specs = Self { named: Vec::new(), left_out: Vec::new() };
        for text in texts {
            if let Some(known) = List::of(text) {
                specs.named.push(Spec::Listed(list(known)));
                continue;
            }
            let (spec, leaves_out) = Spec::read(text, prefix, root)?;
            if leaves_out { specs.left_out.push(spec) } else { specs.named.push(spec) }
        }
        // Where all only take some out, they mean the rest of the whole tree.
        if specs.named.is_empty() && !specs.left_out.is_empty() {
            specs.named.push(Spec::Plain(Vec::new()));
        }
        Some(specs)
    }

    /// Whether a path is taken out of what is named.
    pub(crate) fn leave_out(&self, path: &[u8], any_case: bool) -> bool {
        self.left_out.iter().any(|spec| spec.matches(path, any_case))
    }

    /// Whether one of them names a path.
    pub(crate) fn match_path(&self, path: &[u8], any_case: bool) -> bool {
        self.named.iter().any(|spec| spec.matches(path, any_case)) && !self.leave_out(path, any_case)
    }
}

/// A pathspec, seen from the root of the repository.
pub(crate) enum Spec {
    /// A file, or everything below a folder; empty for the root.
    Plain(Vec<u8>),
    Wild {
        text: String,
        spec: Pathspec,
    },
    /// A pattern whose stars stay within a folder: `:(glob)src/*.rs`.
    Glob(String),
    /// Files that git has listed.
    Listed(BTreeSet<Vec<u8>>),
}

/// What stands in front of a pathspec: `:(top,exclude)`, `:/`, `:!`.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of git's")]
struct Magic {
    top: bool,
    leaves_out: bool,
    glob: bool,
    literal: bool,
}

impl Magic {
    /// Reads it, and what is left. `None` for what is not modelled.
    fn of(text: &str) -> Option<(Self, &str)> {
        let mut magic = Self::default();
        let Some(rest) = text.strip_prefix(':') else { return Some((magic, text)) };
        if let Some(long) = rest.strip_prefix('(') {
            let (words, rest) = long.split_once(')')?;
            for word in words.split(',') {
                match word.trim() {
                    "top" => magic.top = true,
                    "exclude" => magic.leaves_out = true,
                    "glob" => magic.glob = true,
                    "literal" => magic.literal = true,
                    "" => {}
                    _ => return None,
                }
            }
            return Some((magic, rest));
        }
        let name = rest.trim_start_matches(['/', '!', '^']);
        for letter in rest[..rest.len() - name.len()].chars() {
            if letter == '/' {
                magic.top = true;
            } else {
                magic.leaves_out = true;
            }
        }
        Some((magic, name.strip_prefix(':').unwrap_or(name)))
    }
}

impl Spec {
    /// `prefix` is the folder of the command below the `root`, without a slash at its end. `None` for what is not modelled.
    pub(crate) fn new(text: &str, prefix: &str, root: &Path) -> Option<Self> {
        Self::read(text, prefix, root).filter(|(_, leaves_out)| !leaves_out).map(|(spec, _)| spec)
    }

    /// The same, and whether it only takes paths out of what others name.
    fn read(text: &str, prefix: &str, root: &Path) -> Option<(Self, bool)> {
        let (magic, name) = Magic::of(text)?;
        if text.is_empty() {
            return None;
        }
        let prefix = if magic.top { "" } else { prefix };
        let joined = match Path::new(name).strip_prefix(root) {
            Ok(inside) if name.starts_with('/') => below("", inside.to_str()?)?,
            _ => below(prefix, name)?,
        };
        let wild = joined.contains(['*', '?', '[', '\\']) && !magic.literal;
        let spec = if wild && magic.glob {
            if joined.contains(['[', '\\']) {
                return None;
            }
            Self::Glob(joined)
        } else if wild {
            let spec = Pathspec::new([joined.as_str()]).ok()?;
            Self::Wild { text: joined, spec }
        } else {
            Self::Plain(joined.into_bytes())
        };
        Some((spec, magic.leaves_out))
    }

    pub(crate) fn is_wild(&self) -> bool {
        !matches!(self, Self::Plain(_))
    }

    /// Whether it is a list, which may be empty.
    pub(crate) fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// The path up to the first wildcard.
    fn known(&self) -> &[u8] {
        match self {
            Self::Plain(path) => path,
            Self::Listed(_) => &[],
            Self::Wild { text, .. } | Self::Glob(text) => {
                let wild = text.find(['*', '?', '[', '\\']).unwrap_or(text.len());
                &text.as_bytes()[..text[..wild].rfind('/').unwrap_or(0)]
            }
        }
    }

    /// Whether a folder, written with a slash at its end, lies where the spec reaches, or holds what it names.
    pub(crate) fn meets(&self, folder: &[u8], any_case: bool) -> bool {
        let folder = folder.strip_suffix(b"/").unwrap_or(folder);
        if let Self::Listed(paths) = self {
            return paths.iter().any(|path| path == folder || is_below(path, folder));
        }
        self.matches(folder, any_case)
            || self.is_inside(folder)
            || self.is_wild() && is_below(folder, self.known())
    }

    /// Whether it names just this path.
    pub(crate) fn is(&self, path: &[u8], any_case: bool) -> bool {
        match self {
            Self::Plain(spec) if any_case => path.eq_ignore_ascii_case(spec),
            Self::Plain(spec) => path == spec.as_slice(),
            _ => self.matches(path, any_case),
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
        if self.is_listed() {
            return false;
        }
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
            Self::Listed(paths) => paths.contains(path.strip_suffix(b"/").unwrap_or(path)),
            Self::Glob(text) => is_globbed(text.as_bytes(), path),
            Self::Wild { text, spec } => {
                let flags = if any_case { PathspecFlags::IGNORE_CASE } else { PathspecFlags::USE_CASE };
                match std::str::from_utf8(path) {
                    Ok(path) => spec.matches_path(Path::new(path), flags),
                    // libgit2 takes text only.
                    Err(_) => {
                        text.contains(['?', '[', '\\']) || any_case || is_starred(text.as_bytes(), path)
                    }
                }
            }
        }
    }
}

/// Whether a pattern with stars that go through folders names a path.
fn is_starred(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|at| is_starred(rest, &path[at..])),
        [byte, rest @ ..] => path.first() == Some(byte) && is_starred(rest, &path[1..]),
    }
}

/// Whether a pattern names a path, or a folder that it lies in: stars stay within a folder, but for `**`.
pub(crate) fn is_globbed(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => path.is_empty() || path.starts_with(b"/"),
        [b'*', b'*', b'/', rest @ ..] => {
            let starts = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at + 1);
            std::iter::once(0).chain(starts).any(|at| is_globbed(rest, &path[at..]))
        }
        [b'*', b'*'] => !path.is_empty(),
        [b'*', rest @ ..] => {
            let end = path.iter().position(|byte| *byte == b'/').unwrap_or(path.len());
            (0..=end).any(|at| is_globbed(rest, &path[at..]))
        }
        [b'?', rest @ ..] => path.first().is_some_and(|byte| *byte != b'/') && is_globbed(rest, &path[1..]),
        [byte, rest @ ..] => path.first() == Some(byte) && is_globbed(rest, &path[1..]),
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

    #[test]
    fn magic_says_where_a_path_begins_and_what_is_left_out() {
        let matches = |texts: &[&str], path: &str| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let list = |_| BTreeSet::from([b"m".to_vec()]);
            Specs::read(&texts, "src", Path::new("/r"), &list)
                .map(|specs| specs.match_path(path.as_bytes(), false))
        };
        for (texts, path, expected) in [
            (&[":!a.rs"][..], "src/b.rs", Some(true)),
            (&[":!a.rs"], "src/a.rs", Some(false)),
            (&[":!a.rs"], "other", Some(true)),
            (&[":^a.rs", ":(exclude)b.rs"], "src/b.rs", Some(false)),
            (&[".", ":!a.rs"], "other", Some(false)),
            (&[":/a.rs"], "a.rs", Some(true)),
            (&[":/*.rs"], "x/a.rs", Some(true)),
            (&[":(top)a.rs"], "src/a.rs", Some(false)),
            (&[":/!a.rs"], "a.rs", Some(false)),
            (&[":(glob)*.rs"], "src/a.rs", Some(true)),
            (&[":(glob)*.rs"], "src/x/a.rs", Some(false)),
            (&[":(glob)**/*.rs"], "src/x/a.rs", Some(true)),
            (&[":(glob)**/*.rs"], "src/a.rs", Some(true)),
            (&[":(literal)*.rs"], "src/a.rs", Some(false)),
            (&[":(icase)a.rs"], "src/a.rs", None),
            (&["\0modified"], "m", Some(true)),
        ] {
            assert_eq!(matches(texts, path), expected, "{texts:?} {path}");
        }
    }
}
