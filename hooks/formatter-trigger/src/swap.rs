//! Replaces a file as a whole, if it is still what was read.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::folder::real;

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Original {
    path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    facts: Metadata,
}

/// Why a file was not replaced.
#[derive(Debug)]
pub(crate) enum SwapError {
    /// It is not what was read any more.
    Changed,
    Io(io::Error),
}

impl Original {
    /// Reads the regular file at `path`, which no link may stand for; at most `limit` bytes and one.
    pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Self> {
        let file = open(path)?;
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(facts.len().min(limit)).unwrap_or_default() + 1);
        file.take(limit + 1).read_to_end(&mut bytes)?;
        Ok(Self { path: path.to_owned(), bytes, facts })
    }

    /// Replaces the file with `bytes`, keeping its mode and owner.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<(), SwapError> {
        let beside = beside(&self.path);
        let replaced = self.write(&beside, bytes).map_err(SwapError::Io).and_then(|()| {
            // As late as possible: what is written in between would be lost.
            if !self.is_unchanged() {
                return Err(SwapError::Changed);
            }
            fs::rename(&beside, &self.path).map_err(SwapError::Io)
        });
        if replaced.is_err() {
            let _ = fs::remove_file(&beside);
        }
        replaced
    }

    /// Whether the same file stands at the path, with the bytes that were read, and is reached without a link.
    fn is_unchanged(&self) -> bool {
        let limit = self.bytes.len() as u64;
        let same = |now: &Self| now.bytes == self.bytes && is_same(&self.facts, &now.facts);
        // Read with one byte more than before, so that a file that only grew is seen.
        Self::read(&self.path, limit).is_ok_and(|now| same(&now))
            && real(&self.path).is_ok_and(|path| path.as_os_str() == self.path.as_os_str())
    }

    fn write(&self, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        // Never through something that lies there already, such as a link.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(beside)?;
        file.write_all(bytes)?;
        // Before the mode: changing the owner can clear bits of it.
        keep_owner(&file, &self.facts)?;
        file.set_permissions(self.facts.permissions())
    }
}

/// A name in the same folder that no one has.
pub(crate) fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut beside = OsString::with_capacity(path.as_os_str().len() + 64);
    beside.push(path.parent().unwrap_or(path));
    let _ = write!(beside, "{}.formatting-{}-{number}", std::path::MAIN_SEPARATOR, process::id());
    // With the ending of the file, by which formatters choose their parser.
    if let Some(extension) = path.extension() {
        beside.push(".");
        beside.push(extension);
    }
    beside.into()
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // Never through a link that was put there since, and never waiting at a pipe.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    a.dev() == b.dev() && a.ino() == b.ino() && a.mode() == b.mode() && b.nlink() == 1
}

#[cfg(not(unix))]
fn is_same(_a: &Metadata, _b: &Metadata) -> bool {
    true
}

/// Gives the file to whom the old one belonged; an error when that is impossible.
#[cfg(unix)]
fn keep_owner(file: &File, facts: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (facts.uid(), facts.gid()) {
        return Ok(());
    }
    fchown(file, Some(facts.uid()), Some(facts.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _facts: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("a.txt");
        fs::write(&path, "old").unwrap();
        (folder, path)
    }

    fn names(folder: &tempfile::TempDir) -> usize {
        fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_and_keeps_its_mode() {
        let (folder, path) = file();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o754)).unwrap();
        Original::read(&path, 100).unwrap().replace(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o754);
        assert_eq!(names(&folder), 1);
    }

    #[test]
    fn what_changed_in_between_is_not_replaced() {
        let changes: [fn(&Path); 5] = [
            |path| fs::write(path, "else").unwrap(),
            |path| fs::write(path, "old and more").unwrap(),
            |path| fs::remove_file(path).unwrap(),
            |path| {
                // The same bytes in another file.
                let other = path.with_file_name("other");
                fs::write(&other, "old").unwrap();
                fs::rename(other, path).unwrap();
            },
            |path| {
                let other = path.with_file_name("other");
                fs::rename(path, &other).unwrap();
                symlink(other, path).unwrap();
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let (folder, path) = file();
            let original = Original::read(&path, 100).unwrap();
            change(&path);
            let before = fs::read(&path).ok();
            assert!(matches!(original.replace(b"new"), Err(SwapError::Changed)), "change {number}");
            assert_eq!(fs::read(&path).ok(), before, "change {number}");
            assert!(
                !fs::read_dir(folder.path())
                    .unwrap()
                    .any(|entry| { entry.unwrap().file_name().to_string_lossy().starts_with(".formatting") })
            );
        }
    }

    #[test]
    fn links_and_pipes_are_not_read() {
        let (folder, path) = file();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        assert!(Original::read(&link, 100).is_err());
        assert!(Original::read(folder.path(), 100).is_err());
    }
}
