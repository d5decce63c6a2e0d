//! What `git status` says, without running what it runs.
//!
//! Held against `git status --porcelain=v2` in `tests/status.rs`. One thing is beyond a reader that runs nothing: a file
//! that only a configured filter could compare stands as *unclear*.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use git2::{
    AttrCheckFlags, AttrValue, Delta, DiffFindOptions, DiffOptions, Index, Status as Bits, StatusOptions,
    SubmoduleIgnore, SubmoduleStatus,
};

use crate::snapshot::as_it_is;
use crate::{Repository, RepositoryError, to_path};

/// The mode of a submodule in the index.
const GITLINK: u32 = 0o160_000;

/// The bit of an index entry that `git add --intent-to-add` sets.
const INTENT_TO_ADD: u16 = 1 << 13;

/// The bit of an index entry that a sparse checkout sets for what it leaves out.
const SKIP_WORKTREE: u16 = 1 << 14;

/// The bit of an index entry that `git update-index --assume-unchanged` sets.
const ASSUME_UNCHANGED: u16 = 1 << 15;

/// How one side of a path differs from the side before it, in git's letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// `A`
    Added,
    /// `M`
    Modified,
    /// `D`
    Deleted,
    /// `R`
    Renamed,
    /// `T`
    TypeChanged,
}

impl Change {
    /// Git's letter.
    pub fn letter(self) -> char {
        match self {
            Self::Added => 'A',
            Self::Modified => 'M',
            Self::Deleted => 'D',
            Self::Renamed => 'R',
            Self::TypeChanged => 'T',
        }
    }
}

/// A tracked path that is not as it was committed, without a conflict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tracked {
    /// The index against the last commit.
    pub staged: Option<Change>,
    /// The working tree against the index.
    pub unstaged: Option<Change>,
}

/// What is not committed. Paths are relative to the root, with `/`, as bytes; a folder ends in `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Tracked paths without a conflict.
    pub tracked: BTreeMap<Vec<u8>, Tracked>,
    /// Paths with a conflict.
    pub conflicts: BTreeSet<Vec<u8>>,
    /// Paths that git does not know and does not ignore; a folder without a known file stands for all that it holds.
    pub untracked: BTreeSet<Vec<u8>>,
    /// Tracked paths that seem to be changed, but which only a filter program could compare.
    pub unclear: BTreeSet<Vec<u8>>,
}

impl Status {
    /// How many paths have a change in the index.
    pub fn staged(&self) -> usize {
        self.tracked.values().filter(|path| path.staged.is_some()).count()
    }

    /// How many tracked paths have a change in the working tree.
    pub fn unstaged(&self) -> usize {
        self.tracked.values().filter(|path| path.unstaged.is_some()).count()
    }

    /// Whether there is nothing to commit.
    pub fn is_clean(&self) -> bool {
        self.tracked.is_empty()
            && self.conflicts.is_empty()
            && self.untracked.is_empty()
            && self.unclear.is_empty()
    }

    fn forget_unstaged(&mut self, path: &[u8]) {
        if let Some(known) = self.tracked.get_mut(path) {
            known.unstaged = None;
            if known.staged.is_none() {
                self.tracked.remove(path);
            }
        }
    }

    fn change(&mut self, path: &[u8]) -> &mut Tracked {
        self.tracked.entry(path.to_owned()).or_default()
    }
}

impl Repository {
    /// What is not committed, as `git status` would tell it.
    pub fn status(&self) -> Result<Status, RepositoryError> {
        #[cfg(target_os = "linux")]
        if let Some(look) = self.quick_look() {
            return Ok(look.status);
        }
        self.read_status().map_err(|error| self.failed("read the status of", &error))
    }

    fn read_status(&self) -> Result<Status, git2::Error> {
        let index = self.git.index()?;
        let shown = self.setting("status.showuntrackedfiles");
        let wanted = !matches!(shown.as_deref(), Some("no" | "false"));
        let mut options = StatusOptions::new();
        options
            .include_untracked(wanted)
            .recurse_untracked_dirs(shown.as_deref() == Some("all"))
            // For repositories within this one, which libgit2 counts among the ignored.
            .include_ignored(wanted)
            // One entry for a folder in which everything is ignored: what it holds is of no interest.
            .recurse_ignored_dirs(false)
            // Unchanged files are most of a repository, and not part of the answer.
            .include_unmodified(false)
            .update_index(false);
        let statuses = self.git.statuses(Some(&mut options))?;
        let mut status = Status::default();
        let mut suspects = Vec::new();
        for entry in statuses.iter() {
            let (path, bits) = (entry.path_bytes(), entry.status());
            // A conflict says all: its other bits depend on which side is compared.
            if bits.contains(Bits::CONFLICTED) {
                status.conflicts.insert(path.to_owned());
                continue;
            }
            let new = bits.contains(Bits::WT_NEW) && !replaces_a_file(&index, path)
                || bits.contains(Bits::IGNORED) && wanted && self.is_repository_of_its_own(path);
            if new {
                status.untracked.insert(path.to_owned());
            }
            // `git add -N` notes a path without content.
            let intended = bits.contains(Bits::INDEX_NEW) && is_intended(&index, path);
            let staged = staged(bits).filter(|_| !intended);
            let unstaged = match unstaged(bits) {
                _ if is_left_alone(&index, path) => None,
                Some(Change::Deleted) => Some(Change::Deleted),
                _ if intended => Some(Change::Added),
                change => change,
            };
            // These may only look changed, to someone who runs no filter.
            if unstaged == Some(Change::Modified) {
                suspects.push(path.to_owned());
            }
            if staged.is_some() || unstaged.is_some() {
                *status.change(path) = Tracked { staged, unstaged };
            }
        }
        self.join_renames(&index, &mut status)?;
        self.look_outside_the_checkout(&index, &mut status);
        for path in suspects {
            let unclear = self.needs_a_program(&index, &path);
            if unclear {
                status.unclear.insert(path.clone());
            }
            let submodule = index.get_path(to_path(&path), 0).is_some_and(|entry| entry.mode == GITLINK);
            if unclear || submodule && !self.is_submodule_changed(&path) {
                status.forget_unstaged(&path);
            }
        }
        Ok(status)
    }

    /// Files that a sparse checkout leaves out, and that are there all the same: git compares those.
    fn look_outside_the_checkout(&self, index: &Index, status: &mut Status) {
        if !matches!(self.setting("core.sparsecheckout").as_deref(), Some("true" | "yes" | "on" | "1")) {
            return;
        }
        for entry in index.iter().filter(|entry| entry.flags_extended & SKIP_WORKTREE != 0) {
            let Some((mode, object)) = as_it_is(&self.root().join(to_path(&entry.path))) else { continue };
            // The upper bits are the type: file, link or submodule.
            let change = match (
                mode >> 12 == entry.mode >> 12,
                mode == entry.mode && object == entry.id.to_string(),
            ) {
                (_, true) => continue,
                (true, _) => Change::Modified,
                (false, _) => Change::TypeChanged,
            };
            status.change(&entry.path).unstaged = Some(change);
        }
    }

    /// A repository within this one that is not a submodule: git shows the folder as untracked.
    fn is_repository_of_its_own(&self, path: &[u8]) -> bool {
        let name = to_path(path);
        self.root().join(name).join(".git").exists() && !self.git.is_path_ignored(name).unwrap_or(true)
    }

    /// A string of the configuration, which is only read.
    fn setting(&self, name: &str) -> Option<String> {
        self.git.config().ok()?.snapshot().ok()?.get_string(name).ok()
    }

    /// A deletion and an addition of nearly the same file are one renaming, as git has it.
    fn join_renames(&self, index: &Index, status: &mut Status) -> Result<(), git2::Error> {
        let any = |wanted| status.tracked.values().any(|path| path.staged == Some(wanted));
        let off =
            |name| self.setting(name).is_some_and(|value| matches!(&*value, "false" | "no" | "off" | "0"));
        let set = |name| self.setting(name).is_some();
        // `status.renames` wins over `diff.renames`, as in git.
        let switched_off = if set("status.renames") { off("status.renames") } else { off("diff.renames") };
        if !(any(Change::Added) && any(Change::Deleted)) || switched_off {
            return Ok(());
        }
        let tree = self.git.head().ok().and_then(|head| head.peel_to_tree().ok());
        let mut options = DiffOptions::new();
        let mut diff = self.git.diff_tree_to_index(tree.as_ref(), Some(index), Some(&mut options))?;
        // Half in common, which is git's own measure.
        diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_threshold(50)))?;
        for delta in diff.deltas().filter(|delta| delta.status() == Delta::Renamed) {
            let (Some(from), Some(to)) = (delta.old_file().path_bytes(), delta.new_file().path_bytes())
            else {
                continue;
            };
            status.change(to).staged = Some(Change::Renamed);
            status.tracked.remove(from);
        }
        Ok(())
    }

    /// Whether only a program could tell that a file is changed: it has the size that git noted, and is converted
    /// before it is compared. At another size git itself calls it changed without a look.
    fn needs_a_program(&self, index: &Index, path: &[u8]) -> bool {
        let name = to_path(path);
        let same_size = || {
            let known = index.get_path(name, 0)?.file_size;
            let size = std::fs::symlink_metadata(self.root().join(name)).ok()?.len();
            // Git counts modulo 2^32, and 0 stands for a size that it does not trust.
            Some(known == 0 || u64::from(known) == size & u64::from(u32::MAX))
        };
        let converted = self.attribute(name, "working-tree-encoding").is_some()
            || self.attribute(name, "filter").is_some_and(|filter| self.has_filter(&filter));
        converted && same_size().unwrap_or(false)
    }

    /// Whether `.gitattributes` sets something for a path.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_attribute(&self, path: &Path, name: &str) -> bool {
        self.mentions(path, name, |value| !matches!(value, AttrValue::Unspecified | AttrValue::False))
    }

    /// Whether `.gitattributes` sets something for a path, or takes it back.
    #[cfg(target_os = "linux")]
    pub(crate) fn names_attribute(&self, path: &Path, name: &str) -> bool {
        self.mentions(path, name, |value| !matches!(value, AttrValue::Unspecified))
    }

    #[cfg(target_os = "linux")]
    fn mentions(&self, path: &Path, name: &str, counts: impl Fn(AttrValue<'_>) -> bool) -> bool {
        let value = self.git.get_attr_bytes(path, name, AttrCheckFlags::FILE_THEN_INDEX);
        // What cannot be read may say anything.
        value.map_or(true, |value| counts(AttrValue::from_bytes(value)))
    }

    /// A string that `.gitattributes` sets for a path.
    fn attribute(&self, path: &Path, name: &str) -> Option<String> {
        let value = self.git.get_attr_bytes(path, name, AttrCheckFlags::FILE_THEN_INDEX).ok()?;
        match AttrValue::from_bytes(value) {
            AttrValue::String(value) => Some(value.to_owned()),
            AttrValue::Bytes(value) => Some(String::from_utf8_lossy(value).into_owned()),
            _ => None,
        }
    }

    /// Whether a submodule that seems changed is, where the configuration tells to ignore some of it; `.gitmodules` has been
    /// heard already.
    fn is_submodule_changed(&self, path: &[u8]) -> bool {
        let submodule = std::str::from_utf8(path).ok().and_then(|path| self.git.find_submodule(path).ok());
        let Some(name) = submodule.as_ref().and_then(|submodule| submodule.name().ok()) else {
            return true;
        };
        let setting = self.setting(&format!("submodule.{name}.ignore"));
        let ignore = match setting.or_else(|| self.setting("diff.ignoresubmodules")).as_deref() {
            Some("all") => return false,
            Some("dirty") => SubmoduleIgnore::Dirty,
            Some("untracked") => SubmoduleIgnore::Untracked,
            _ => return true,
        };
        self.git.submodule_status(name, ignore).is_ok_and(|status| {
            status.intersects(
                SubmoduleStatus::WD_MODIFIED
                    | SubmoduleStatus::WD_DELETED
                    | SubmoduleStatus::WD_INDEX_MODIFIED
                    | SubmoduleStatus::WD_WD_MODIFIED
                    | SubmoduleStatus::WD_UNTRACKED,
            )
        })
    }

    /// Whether a program is configured that git would run on a file before it compares it.
    fn has_filter(&self, name: &str) -> bool {
        ["clean", "process"].iter().any(|what| self.setting(&format!("filter.{name}.{what}")).is_some())
    }
}

/// Whether git is set not to look at the file: sparse checkouts, and `git update-index --assume-unchanged`.
fn is_left_alone(index: &Index, path: &[u8]) -> bool {
    index
        .get_path(to_path(path), 0)
        .is_some_and(|entry| entry.flags & ASSUME_UNCHANGED != 0 || entry.flags_extended & SKIP_WORKTREE != 0)
}

/// Whether an untracked folder lies where a tracked file was: git tells of the file alone.
fn replaces_a_file(index: &Index, path: &[u8]) -> bool {
    path.strip_suffix(b"/").is_some_and(|path| index.get_path(to_path(path), 0).is_some())
}

fn is_intended(index: &Index, path: &[u8]) -> bool {
    index.get_path(to_path(path), 0).is_some_and(|entry| entry.flags_extended & INTENT_TO_ADD != 0)
}

fn staged(bits: Bits) -> Option<Change> {
    [
        (Bits::INDEX_NEW, Change::Added),
        (Bits::INDEX_DELETED, Change::Deleted),
        (Bits::INDEX_RENAMED, Change::Renamed),
        (Bits::INDEX_TYPECHANGE, Change::TypeChanged),
        (Bits::INDEX_MODIFIED, Change::Modified),
    ]
    .into_iter()
    .find(|(bit, _)| bits.contains(*bit))
    .map(|(_, change)| change)
}

fn unstaged(bits: Bits) -> Option<Change> {
    [
        (Bits::WT_DELETED, Change::Deleted),
        (Bits::WT_TYPECHANGE, Change::TypeChanged),
        (Bits::WT_RENAMED, Change::Renamed),
        (Bits::WT_MODIFIED, Change::Modified),
    ]
    .into_iter()
    .find(|(bit, _)| bits.contains(*bit))
    .map(|(_, change)| change)
}
