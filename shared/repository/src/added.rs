//! The lines that a session added.

use std::collections::HashSet;
use std::io::Read as _;

use git2::{Diff, DiffLine, DiffLineType, DiffOptions, Oid, Sort, Tree};

use crate::snapshot::to_path;
use crate::{Repository, RepositoryError};

/// A file above this size, in bytes, is not read line by line.
const LARGE: i64 = 1 << 20;

/// A session with more commits than this is looked at no further back.
const COMMITS: usize = 200;

/// When a session began, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    /// The commit that was checked out, in hexadecimal digits.
    pub head: Option<String>,
    /// In seconds since 1970.
    pub start: i64,
}

/// A line that was added.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Added {
    /// The file, relative to the root, with `/`.
    pub path: String,
    /// The line's number in the file as it is now, from 1.
    pub number: u32,
    /// The line, without its end.
    pub text: String,
}

impl Repository {
    /// The lines for which `wanted` holds (given path and line) that were added since the session began: those that
    /// are not committed, and those of its own commits. What a pull or another branch brought along is not among them.
    ///
    /// In a file with conflicts every line counts.
    pub fn added(
        &self,
        session: Option<&Session>,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Vec<Added>, RepositoryError> {
        #[cfg(target_os = "linux")]
        if let Some(lines) = self.quick_added(session, wanted) {
            return Ok(lines);
        }
        self.read_added(session, wanted)
    }

    /// The same, by libgit2 alone.
    pub(crate) fn read_added(
        &self,
        session: Option<&Session>,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Vec<Added>, RepositoryError> {
        let refused = |error: git2::Error| self.failed("compare the files of", &error);
        let head = self.git.head().ok().and_then(|head| head.peel_to_commit().ok());
        // Without a commit everything was added: the comparison is with an empty tree.
        let tree = head.as_ref().and_then(|head| head.tree().ok());
        let mut found = self.since(tree.as_ref(), wanted).map_err(refused)?;
        self.in_conflict(wanted, &mut found);
        let start =
            session.and_then(|session| Some((session, Oid::from_str(session.head.as_deref()?).ok()?)));
        if let (Some(head), Some((session, base))) = (head, start)
            && head.id() != base
            && let Ok(old) = self.git.find_commit(base).and_then(|commit| commit.tree())
        {
            let own = self.own_commits(head.id(), base, session.start, wanted).map_err(refused)?;
            for line in self.since(Some(&old), wanted).map_err(refused)? {
                if own.contains(&(line.path.clone(), line.text.clone())) && !found.contains(&line) {
                    found.push(line);
                }
            }
        }
        found.sort_by(|a, b| (&a.path, a.number).cmp(&(&b.path, b.number)));
        Ok(found)
    }

    /// The same where one look at every file tells which few are changed, and the session has no commits of its own.
    #[cfg(target_os = "linux")]
    fn quick_added(
        &self,
        session: Option<&Session>,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Option<Vec<Added>> {
        if let Some(base) = session.and_then(|session| session.head.as_ref())
            && self.head().as_ref() != Some(base)
        {
            return None;
        }
        let look = self.quick_look()?;
        let mut found = Vec::new();
        for (path, bits) in look.changes() {
            let Ok(facts) = std::fs::symlink_metadata(self.root().join(to_path(path))) else { continue };
            // Links, and what is not compared as it is, are libgit2's.
            let plain = facts.is_file() && facts.len() <= LARGE.unsigned_abs();
            if !plain || self.converts(path) || self.names_attribute(to_path(path), "diff") {
                return None;
            }
            let bytes = std::fs::read(self.root().join(to_path(path))).ok()?;
            let old = if bits == git2::Status::WT_NEW { None } else { Some(look.object(path)?) };
            let old = old.map(|old| self.git.find_blob(old)).transpose().ok()?;
            let old = old.as_ref().map_or(&[][..], git2::Blob::content);
            new_lines(old, path, &bytes, wanted, &mut found).ok()?;
        }
        Some(found)
    }

    fn since(
        &self,
        tree: Option<&Tree<'_>>,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Vec<Added>, git2::Error> {
        let diff = self.git.diff_tree_to_workdir_with_index(tree, Some(&mut options()))?;
        lines(&diff, wanted)
    }

    /// Path and text of what the session's own commits added.
    fn own_commits(
        &self,
        head: Oid,
        base: Oid,
        start: i64,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<HashSet<(String, String)>, git2::Error> {
        let mut walk = self.git.revwalk()?;
        // The newest first, so that what is cut off is the oldest.
        walk.set_sorting(Sort::TIME)?;
        walk.push(head)?;
        walk.hide(base)?;
        let mut own = HashSet::new();
        for id in walk.take(COMMITS) {
            let commit = self.git.find_commit(id?)?;
            // A merge brings along what others wrote; what is older than the session is not its own.
            if commit.committer().when().seconds() < start || commit.parent_count() > 1 {
                continue;
            }
            // The very first commit has no parent: all of it was added.
            let parent = commit.parent(0).and_then(|parent| parent.tree()).ok();
            let diff =
                self.git.diff_tree_to_tree(parent.as_ref(), Some(&commit.tree()?), Some(&mut options()))?;
            own.extend(lines(&diff, wanted)?.into_iter().map(|line| (line.path, line.text)));
        }
        Ok(own)
    }

    /// Reads the files with conflicts as they are: a comparison says nothing about them.
    fn in_conflict(&self, wanted: &dyn Fn(&str, &str) -> bool, found: &mut Vec<Added>) {
        let Ok(index) = self.git.index() else { return };
        let Ok(conflicts) = index.conflicts() else { return };
        for conflict in conflicts.flatten() {
            // Any side names the path; the file itself is what is read.
            let Some(entry) = conflict.our.or(conflict.their).or(conflict.ancestor) else { continue };
            let file = self.root().join(to_path(&entry.path));
            if !std::fs::symlink_metadata(&file).is_ok_and(|facts| facts.is_file()) {
                continue;
            }
            let mut bytes = Vec::new();
            let read = std::fs::File::open(&file)
                .and_then(|file| file.take(LARGE.unsigned_abs()).read_to_end(&mut bytes));
            if read.is_err() {
                continue;
            }
            let path = String::from_utf8_lossy(&entry.path).into_owned();
            // What the comparison said about it goes, so that no line counts twice.
            found.retain(|line| line.path != path);
            for (number, text) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
                if wanted(&path, text) {
                    found.push(Added { path: path.clone(), number, text: text.to_owned() });
                }
            }
        }
    }
}

/// The lines that only the new content of a file has.
#[cfg(target_os = "linux")]
fn new_lines(
    old: &[u8],
    path: &[u8],
    new: &[u8],
    wanted: &dyn Fn(&str, &str) -> bool,
    found: &mut Vec<Added>,
) -> Result<(), git2::Error> {
    let patch = git2::Patch::from_buffers(old, None, new, None, Some(&mut options()))?;
    let path = String::from_utf8_lossy(path);
    for hunk in 0..patch.num_hunks() {
        for line in 0..patch.num_lines_in_hunk(hunk)? {
            let line = patch.line_in_hunk(hunk, line)?;
            if line.origin_value() == DiffLineType::Addition {
                found.extend(added(&path, &line, wanted));
            }
        }
    }
    Ok(())
}

/// A line, if it is wanted.
fn added(path: &str, line: &DiffLine<'_>, wanted: &dyn Fn(&str, &str) -> bool) -> Option<Added> {
    let text = String::from_utf8_lossy(line.content());
    let text = text.trim_end_matches(['\n', '\r']);
    let number = line.new_lineno().unwrap_or_default();
    wanted(path, text).then(|| Added { path: path.to_owned(), number, text: text.to_owned() })
}

fn options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options
        .include_untracked(true)
        .recurse_untracked_dirs(true)
        .show_untracked_content(true)
        .ignore_submodules(true)
        .context_lines(0)
        .max_size(LARGE);
    options
}

fn lines(diff: &Diff<'_>, wanted: &dyn Fn(&str, &str) -> bool) -> Result<Vec<Added>, git2::Error> {
    let mut found = Vec::new();
    diff.foreach(
        &mut |_, _| true,
        None,
        None,
        Some(&mut |delta, _, line| {
            if line.origin_value() == DiffLineType::Addition
                && let Some(path) = delta.new_file().path_bytes()
            {
                found.extend(added(&String::from_utf8_lossy(path), &line, wanted));
            }
            true
        }),
    )?;
    Ok(found)
}
