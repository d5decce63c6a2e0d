//! What is in a working tree, so exactly that two equal fingerprints mean equal files.
//!
//! A file that git holds for unchanged stands with the object that git has of it; git compares size, times (also the
//! change time, which no program can set) and, where a clock's tick leaves doubt, content. Every other file is read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::Instant;

use git2::{ObjectType, Oid, Pathspec, PathspecFlags, Status};
use sha2::{Digest as _, Sha256};

use crate::facts::status_options;
use crate::{Repository, RepositoryError};

/// A file above this size, in bytes, stands with its size and times instead of its content.
const LARGE: u64 = 32 << 20;

/// A digest that is equal for equal files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// In hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Patterns of paths, as in `.gitignore`: `src/**`, `*.rs`.
pub struct Paths(Option<Pathspec>);

impl std::fmt::Debug for Paths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Paths(some)" } else { "Paths(all)" })
    }
}

impl Paths {
    /// All paths that match one of `patterns`; without patterns, all.
    pub fn new(patterns: &[String]) -> Result<Self, RepositoryError> {
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        Pathspec::new(patterns).map(|spec| Self(Some(spec))).map_err(|error| {
            RepositoryError::new("read the patterns", Path::new(&patterns.join(" ")), &error)
        })
    }

    fn has(&self, path: &[u8]) -> bool {
        std::str::from_utf8(path).is_ok_and(|path| self.matches(Path::new(path)))
    }

    /// Whether a path, relative to the root, matches.
    pub fn matches(&self, path: &Path) -> bool {
        self.0.as_ref().is_none_or(|spec| spec.matches_path(path, PathspecFlags::USE_CASE))
    }
}

/// The files of a working tree at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Path, and the mode and object of the file.
    files: BTreeMap<Vec<u8>, (u32, String)>,
    /// What git says beyond the files: the commit, an unfinished operation, what is staged.
    beside: String,
}

impl Snapshot {
    /// A digest of the files that match: content, names and modes; the same before and after a commit.
    pub fn files(&self, paths: &Paths) -> Fingerprint {
        let mut digest = Sha256::new();
        for (path, (mode, object)) in self.files.iter().filter(|(path, _)| paths.has(path)) {
            digest.update((path.len() as u64).to_le_bytes());
            digest.update(path);
            digest.update(mode.to_le_bytes());
            digest.update(object);
        }
        finish(digest)
    }

    /// A digest of the files and of everything that git says about them: a commit changes it.
    pub fn whole(&self) -> Fingerprint {
        let mut digest = Sha256::new();
        digest.update(self.files(&Paths(None)).as_str());
        digest.update(&self.beside);
        finish(digest)
    }
}

fn finish(digest: Sha256) -> Fingerprint {
    let mut text = String::with_capacity(64);
    for byte in digest.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Fingerprint(text)
}

impl Repository {
    /// The files as they are now. Ignored files and what is inside nested repositories are not part of it.
    pub fn snapshot(&self, until: Instant) -> Result<Snapshot, RepositoryError> {
        let mut files = BTreeMap::new();
        let index = self.git.index().map_err(|error| self.failed("read the index of", &error))?;
        for entry in index.iter() {
            let stage = (entry.flags >> 12) & 3;
            // The sides of a conflict have no object that stands for the file.
            if stage == 0 {
                files.insert(entry.path, (entry.mode, entry.id.to_string()));
            }
        }
        let statuses = self
            .git
            .statuses(Some(&mut status_options()))
            .map_err(|error| self.failed("read the status of", &error))?;
        let in_the_tree = Status::WT_NEW
            | Status::WT_MODIFIED
            | Status::WT_DELETED
            | Status::WT_TYPECHANGE
            | Status::WT_RENAMED
            | Status::WT_UNREADABLE
            | Status::CONFLICTED;
        let mut beside = format!("{:?} {:?}", self.head(), self.operation());
        for entry in statuses.iter() {
            // libgit2 cannot be interrupted: the time is looked at where each further file costs some.
            if Instant::now() >= until {
                return Err(RepositoryError::TooLong { path: self.root().to_owned() });
            }
            let path = entry.path_bytes();
            let _ = write!(beside, "\n{} ", entry.status().bits());
            // Byte for byte: two names that are not text must not look alike.
            beside.extend(path.iter().map(|byte| char::from(*byte)));
            if !entry.status().intersects(in_the_tree) {
                continue;
            }
            match as_it_is(&self.root().join(to_path(path))) {
                Some(file) => files.insert(path.to_owned(), file),
                None => files.remove(path),
            };
        }
        Ok(Snapshot { files, beside })
    }
}

/// The mode and object of what lies at `path`; `None` when nothing does.
pub(crate) fn as_it_is(path: &Path) -> Option<(u32, String)> {
    let facts = fs::symlink_metadata(path).ok()?;
    if facts.is_symlink() {
        // As git has it: the content of a link is where it leads.
        let target = fs::read_link(path).ok()?;
        let object = Oid::hash_object(ObjectType::Blob, target.as_os_str().as_encoded_bytes()).ok()?;
        return Some((0o120_000, object.to_string()));
    }
    if facts.is_dir() {
        // A nested repository stands with what it has checked out.
        let head = git2::Repository::open(path).ok().and_then(|inner| inner.head().ok()?.target());
        return Some((0o160_000, head.map_or_else(String::new, |head| head.to_string())));
    }
    if facts.is_file() && facts.len() <= LARGE {
        let object = Oid::hash_file(ObjectType::Blob, path).map(|object| object.to_string());
        return Some((mode(&facts), object.unwrap_or_else(|_| "unreadable".to_owned())));
    }
    Some((mode(&facts), identity(&facts)))
}

/// The mode that git notes for a file with these facts.
#[cfg(unix)]
pub fn mode(facts: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    // As git has it: its owner may execute it or not, and nothing else counts.
    if facts.permissions().mode() & 0o100 == 0 { 0o100_644 } else { 0o100_755 }
}

/// The mode that git notes for a file with these facts.
#[cfg(not(unix))]
pub fn mode(_facts: &Metadata) -> u32 {
    0o100_644
}

/// What changes whenever someone writes to a file that is too large to read.
#[cfg(unix)]
fn identity(facts: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!(
        "{} {}.{} {}.{} {}",
        facts.len(),
        facts.mtime(),
        facts.mtime_nsec(),
        facts.ctime(),
        facts.ctime_nsec(),
        facts.ino()
    )
}

#[cfg(not(unix))]
fn identity(facts: &Metadata) -> String {
    format!("{} {:?}", facts.len(), facts.modified().ok())
}

/// A path as git writes it.
#[cfg(unix)]
pub fn to_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// A path as git writes it.
#[cfg(not(unix))]
pub fn to_path(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}
