//! The status of a working tree of which little or nothing is changed, at the price of one look at each file.
//!
//! libgit2 computes a checksum over the index and reads every folder of the last commit: ten times what there is to find
//! out in most working trees. Here the index is compared with the files by what the system notes of them, as git does,
//! and with the last commit by the tree that git notes in the index. Whatever is not plain (conflicts, submodules, sparse
//! checkouts, conversions, new folders) is left to libgit2: the answer is `None`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use git2::{ObjectType, Oid, Status as Bits};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat};

use crate::index::{self, number};
use crate::status::{Change, Status, Tracked};
use crate::{Repository, to_path};

/// How many paths may differ, or be unknown to git, before libgit2 is asked after all.
const FEW: usize = 64;

/// Folders deeper than this are left to libgit2.
const DEEPEST: usize = 64;

/// An entry of the index.
struct Entry<'i> {
    /// Seconds, nanoseconds, of the change of the inode and of the content; device, inode, mode, owner, group, size.
    noted: [u32; 10],
    object: &'i [u8],
    path: &'i [u8],
}

impl Entry<'_> {
    fn mode(&self) -> u32 {
        self.noted[6]
    }

    fn size(&self) -> u32 {
        self.noted[9]
    }
}

/// An index without anything unusual in it.
struct Plain<'i> {
    entries: Vec<Entry<'i>>,
    /// The tree that the index is equal to.
    tree: &'i [u8],
}

/// Reads an index without anything unusual in it.
fn plain(bytes: &[u8]) -> Option<Plain<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut rest = index::walk(bytes, |raw| {
        let mut noted = [0; 10];
        for (field, value) in noted.iter_mut().enumerate() {
            *value = number(raw.noted, 4 * field)?;
        }
        // Left alone, a conflict; a submodule.
        if raw.flags & 0xf000 != 0 || !matches!(noted[6] >> 12, 0o10 | 0o12) {
            return None;
        }
        // Binary search needs the order, and git keeps it.
        if entries.last().is_some_and(|last| last.path >= raw.path) {
            return None;
        }
        entries.push(Entry { noted, object: raw.noted.get(40..60)?, path: raw.path });
        Some(())
    })?;
    let mut tree = None;
    while !rest.is_empty() {
        let (name, content, behind) = index::extension(rest)?;
        rest = behind;
        match name {
            b"TREE" => tree = noted_tree(content, entries.len()),
            // Extensions in small letters must be understood.
            [first, ..] if !first.is_ascii_uppercase() => return None,
            _ => {}
        }
    }
    Some(Plain { entries, tree: tree? })
}

/// The root of the trees that git notes in the index, if all of it is known.
fn noted_tree(content: &[u8], entries: usize) -> Option<&[u8]> {
    // The root's own entry has no name.
    let content = content.strip_prefix(b"\0")?;
    let end = memchr::memchr(b'\n', content)?;
    let counts = std::str::from_utf8(content.get(..end)?).ok()?;
    let known: usize = counts.split(' ').next()?.parse().ok()?;
    // Fewer, or minus one, where git has not noted all of it.
    (known == entries).then(|| content.get(end + 1..end + 21))?
}

/// What one look at every file has found out.
pub(crate) struct Look {
    /// The index, whose tree is that of the last commit.
    pub(crate) index: Vec<u8>,
    /// Without anything staged.
    pub(crate) status: Status,
}

impl Look {
    /// What differs from the last commit, in libgit2's words and in order.
    pub(crate) fn changes(&self) -> BTreeMap<&[u8], Bits> {
        let tracked = self.status.tracked.iter().map(|(path, change)| {
            let gone = change.unstaged == Some(Change::Deleted);
            (path.as_slice(), if gone { Bits::WT_DELETED } else { Bits::WT_MODIFIED })
        });
        tracked.chain(self.status.untracked.iter().map(|path| (path.as_slice(), Bits::WT_NEW))).collect()
    }

    /// What the last commit has at a path.
    pub(crate) fn object(&self, path: &[u8]) -> Option<Oid> {
        let mut found = None;
        entries(&self.index, |name, _, object| {
            if name == path {
                found = Oid::from_bytes(object).ok();
            }
        });
        found
    }
}

/// Hands the path, the mode and the object of every entry of an index that was looked through to `each`.
pub(crate) fn entries(index: &[u8], mut each: impl FnMut(&[u8], u32, &[u8])) {
    // It was plain before: nothing ends this early.
    let _ = index::walk(index, |raw| {
        each(raw.path, number(raw.noted, 24)?, raw.noted.get(40..60)?);
        Some(())
    });
}

impl Repository {
    /// The status, if it is plain.
    pub(crate) fn quick_look(&self) -> Option<Look> {
        let config = self.git.config().ok()?.snapshot().ok()?;
        let says = |name: &str| config.get_string(name).ok();
        // Whatever is set otherwise, or cannot be read as a truth value, is not usual.
        let usual = |name: &str, value: bool| config.get_bool(name).unwrap_or(value) == value;
        let plain_rules = usual("core.filemode", true)
            && usual("core.symlinks", true)
            && usual("core.trustctime", true)
            && usual("core.ignorecase", false)
            && usual("core.sparsecheckout", false)
            && usual("core.precomposeunicode", false)
            && [
                "core.checkstat",
                "core.autocrlf",
                "core.eol",
                "core.attributesfile",
                "status.showuntrackedfiles",
            ]
            .iter()
            .all(|name| says(name).is_none());
        // Any of these changes how git compares: libgit2 knows them all.
        if !plain_rules {
            return None;
        }
        let path = self.git.path().join("index");
        let facts = statat(CWD, &path, AtFlags::empty()).ok()?;
        if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
            return None;
        }
        let bytes = std::fs::read(&path).ok()?;
        let index = plain(&bytes)?;
        let head = self.git.head().ok()?.peel_to_commit().ok()?;
        // Something is staged, and staged changes need a comparison of trees.
        if head.tree_id().as_bytes() != index.tree {
            return None;
        }
        let mut walk = Walk {
            repository: self,
            entries: &index.entries,
            seen: 0,
            written: (facts.st_mtime, facts.st_mtime_nsec.try_into().ok()?),
            status: Status::default(),
            odd: 0,
        };
        let root = openat(CWD, self.root(), FOLDER, Mode::empty()).ok()?;
        walk.folder(&root, &mut Vec::new(), 0, 0..walk.entries.len())?;
        // Only where a file was not met: looking for each that is missing costs as much as the walk.
        if walk.seen < walk.entries.len() {
            walk.deleted()?;
        }
        let status = walk.status;
        Some(Look { index: bytes, status })
    }
}

impl Repository {
    /// Whether attributes say that a file is converted before it is compared.
    pub(crate) fn converts(&self, path: &[u8]) -> bool {
        let path = to_path(path);
        let converting = ["filter", "working-tree-encoding", "text", "eol", "crlf", "ident"];
        converting.iter().any(|name| self.has_attribute(path, name))
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// One look at every file.
struct Walk<'r, 'i> {
    repository: &'r Repository,
    entries: &'r [Entry<'i>],
    /// How many entries are there as files.
    seen: usize,
    /// When the index was written.
    written: (i64, i64),
    status: Status,
    /// How many paths were looked at more closely.
    odd: usize,
}

impl<'i> Walk<'_, 'i> {
    /// `within`: which entries lie in this folder.
    fn folder(
        &mut self,
        folder: &OwnedFd,
        path: &mut Vec<u8>,
        depth: usize,
        within: Range<usize>,
    ) -> Option<()> {
        let length = path.len();
        let start = within.start;
        let here = self.entries.get(within)?;
        // All entries here begin with the folder: only the rest is compared.
        let rest = |entry: &Entry<'i>| -> &'i [u8] { entry.path.get(length..).unwrap_or_default() };
        for item in Dir::read_from(folder).ok()? {
            let item = item.ok()?;
            let name = item.file_name().to_bytes();
            if matches!(name, b"." | b"..") || depth == 0 && name == b".git" {
                continue;
            }
            path.truncate(length);
            path.extend_from_slice(name);
            if let Ok(at) = here.binary_search_by(|entry| rest(entry).cmp(name)) {
                self.seen += 1;
                let facts = statat(folder, item.file_name(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
                self.file(start + at, &facts)?;
                continue;
            }
            path.push(b'/');
            let inner = path.get(length..)?;
            let first = here.partition_point(|entry| rest(entry) < inner);
            let held = here.get(first..)?.partition_point(|entry| rest(entry).starts_with(inner));
            // Folders without tracked files are not entered: one look tells whether they are untracked.
            let enter = held > 0 && item.file_type() == FileType::Directory && name != b".git";
            if enter && depth < DEEPEST {
                let below = openat(folder, item.file_name(), FOLDER, Mode::empty()).ok()?;
                let first = start + first;
                self.folder(&below, path, depth + 1, first..first + held)?;
            } else {
                self.unknown(path, name, item.file_type())?;
            }
        }
        path.truncate(length);
        Some(())
    }

    fn closer(&mut self) -> Option<()> {
        self.odd += 1;
        (self.odd <= FEW).then_some(())
    }

    /// A tracked file.
    fn file(&mut self, at: usize, facts: &Stat) -> Option<()> {
        let entry = self.entries.get(at)?;
        let kind = match FileType::from_raw_mode(facts.st_mode) {
            FileType::RegularFile if facts.st_mode & 0o100 != 0 => 0o100_755,
            FileType::RegularFile => 0o100_644,
            FileType::Symlink => 0o120_000,
            _ => return None,
        };
        // Git keeps the lower 32 bits of each number.
        let low = |value: u64| u32::try_from(value & u64::from(u32::MAX)).unwrap_or_default();
        let time = |seconds: i64, part: u64| [low(seconds.cast_unsigned()), low(part)];
        let [changed, changed_part] = time(facts.st_ctime, facts.st_ctime_nsec);
        let [written, written_part] = time(facts.st_mtime, facts.st_mtime_nsec);
        let size = low(facts.st_size.cast_unsigned());
        // The device is not compared, as git does not: it changes with some mounts.
        let [
            noted_changed,
            noted_changed_part,
            noted_written,
            noted_written_part,
            _,
            inode,
            _,
            owner,
            group,
            _,
        ] = entry.noted;
        let same = (noted_changed, noted_changed_part) == (changed, changed_part)
            && (noted_written, noted_written_part) == (written, written_part)
            && (inode, owner, group) == (low(facts.st_ino), facts.st_uid, facts.st_gid)
            && entry.size() == size;
        // What was written in the same moment as the index may have been written once more after it. A program may set
        // the time of writing back, but not that of the change.
        let late = |seconds: u32, part: u32| (i64::from(seconds), i64::from(part)) >= self.written;
        let racy = late(noted_written, noted_written_part) || late(noted_changed, noted_changed_part);
        if same && !racy && entry.mode() == kind {
            return Some(());
        }
        self.closer()?;
        // A link where a file was, or the other way round, is a change of another kind.
        if entry.mode() >> 12 != kind >> 12 {
            return None;
        }
        // A size of zero is one that git does not trust.
        let modified = entry.mode() != kind || entry.size() != size && entry.size() != 0;
        if !modified {
            // The same content, unless something converts it: that is libgit2's to say.
            let file = self.repository.root().join(to_path(entry.path));
            // Of a link, what it says, not what it leads to.
            let object = if kind == 0o120_000 {
                let target = std::fs::read_link(&file).ok()?;
                Oid::hash_object(ObjectType::Blob, target.as_os_str().as_bytes())
            } else {
                Oid::hash_file(ObjectType::Blob, &file)
            };
            return (object.ok()?.as_bytes() == entry.object && !self.repository.converts(entry.path))
                .then_some(());
        }
        let change = Tracked { staged: None, unstaged: Some(Change::Modified) };
        self.status.tracked.insert(entry.path.to_owned(), change);
        Some(())
    }

    /// Something that git does not know; `path` ends in `/`.
    fn unknown(&mut self, path: &[u8], name: &[u8], kind: FileType) -> Option<()> {
        // A repository within this one, or a file of git's own: libgit2 knows.
        if name == b".git" {
            return None;
        }
        self.closer()?;
        let is_folder = match kind {
            FileType::Directory => true,
            FileType::RegularFile | FileType::Symlink => false,
            FileType::Unknown => return None,
            // Git knows no pipes and devices.
            _ => return Some(()),
        };
        let plain = if is_folder { path } else { path.strip_suffix(b"/")? };
        let asked: &Path = Path::new(OsStr::from_bytes(plain));
        if self.repository.git.is_path_ignored(asked).ok()? {
            return Some(());
        }
        // Whether a new folder holds anything but ignored files takes a longer look.
        if is_folder {
            return None;
        }
        self.status.untracked.insert(plain.to_owned());
        Some(())
    }

    /// The entries that are not there as files.
    fn deleted(&mut self) -> Option<()> {
        let entries = self.entries;
        for entry in entries {
            let file = self.repository.root().join(to_path(entry.path));
            // One that is there and was not met is reached through a link: libgit2 knows what that means.
            let gone = match std::fs::symlink_metadata(&file) {
                Err(_) => true,
                Ok(_) if self.was_met(entry.path) => false,
                Ok(_) => return None,
            };
            if gone {
                self.closer()?;
                let change = Tracked { staged: None, unstaged: Some(Change::Deleted) };
                self.status.tracked.insert(entry.path.to_owned(), change);
            }
        }
        Some(())
    }

    /// Whether the folders on the way to a file are folders, so that the walk came by.
    fn was_met(&self, path: &[u8]) -> bool {
        let mut above = to_path(path).ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
        above.all(|above| {
            std::fs::symlink_metadata(self.repository.root().join(above)).is_ok_and(|facts| facts.is_dir())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const BASE: &str = "git init -q -b main .; echo a > a; mkdir -p sub/deep; echo b > sub/b; echo c > sub/deep/c; echo '*.o' > .gitignore; git add .; git commit -qm base";

    fn quick(script: &str) -> Option<Status> {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "git() {{ command git -c user.name=t -c user.email=t@t.test -c commit.gpgsign=false \"$@\"; }}\n{BASE}\n{script}"
        );
        let output = Command::new("sh").args(["-ec", &script]).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Repository::around(folder.path()).unwrap().unwrap().quick_look().map(|look| look.status)
    }

    #[test]
    fn what_is_plain_needs_no_longer_look() {
        assert!(quick("").unwrap().is_clean());
        assert!(quick(": > x.o; : > sub/x.o").unwrap().is_clean());
        let status = quick("echo more >> a; chmod +x sub/b; rm sub/deep/c; echo new > sub/new").unwrap();
        assert_eq!((status.unstaged(), status.staged(), status.untracked.len()), (3, 0, 1));
    }

    #[test]
    fn what_is_not_plain_is_left_to_others() {
        for script in [
            "echo more >> a; git add a",
            "mkdir new; : > new/x",
            "git update-index --index-version 4",
            "git config core.autocrlf true",
            "mv sub other; ln -s other sub",
            "rm a; ln -s sub/b a",
            "git checkout -q --orphan fresh",
        ] {
            assert_eq!(quick(script), None, "{script}");
        }
    }

    #[test]
    fn a_damaged_index_is_left_to_others() {
        for bytes in [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\xff\xff\xff\xff", &[0xff; 200]] {
            assert!(plain(bytes).is_none());
        }
    }
}
