//! What a look at git's files tells for certain, without libgit2: opening a repository costs several times what a whole
//! call of a hook does.
//!
//! Every answer is a certain one or none. Whatever is not plain (a linked working tree, settings from other files, a
//! repository of someone else) is left to libgit2.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, open, openat, statat};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::index;
use crate::patterns::may_match;

/// The largest file of patterns or settings that is looked at, in bytes.
const LARGEST: usize = 256 * 1024;

/// What most such files fit into, in bytes.
const USUAL: usize = 4096;

/// The index, relative to the root.
const INDEX: &str = ".git/index";

/// A working tree with a plain `.git` folder.
#[derive(Debug)]
pub struct Glance {
    /// The folder that the working tree starts at: names in it cost less than paths.
    root: OwnedFd,
    /// The folder of the user's own settings for git, where there is one.
    user: Option<OwnedFd>,
    /// The files of patterns that settings name.
    excludes: Vec<PathBuf>,
}

impl Glance {
    /// Looks at the repository whose working tree starts at `root`, as the user with this home would have it read; `None`
    /// when there is none, or not a plain one.
    pub fn at(root: &Path, home: &Path) -> Option<Self> {
        let root = open(root, FOLDER, Mode::empty()).ok()?;
        let whole = || {
            [".git/HEAD", ".git/objects", ".git/refs"]
                .iter()
                .all(|name| statat(&root, *name, AtFlags::empty()).is_ok())
        };
        let own = rustix::process::geteuid().as_raw();
        // What is another's is left to libgit2, which knows what the user says to that.
        if rustix::fs::fstat(&root).ok()?.st_uid != own || !is_own(&root, ".git", own) || !whole() {
            return None;
        }
        // As git has it, an empty variable counts as not set.
        let xdg = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let user = match xdg {
            Some(xdg) => open(xdg.join("git"), FOLDER, Mode::empty()),
            None => open(home.join(".config/git"), FOLDER, Mode::empty()),
        };
        let user = match user {
            Ok(user) => Some(user),
            Err(Errno::NOENT | Errno::NOTDIR) => None,
            // A folder that cannot be opened may hold settings all the same.
            Err(_) => return None,
        };
        let mut glance = Self { root, user, excludes: Vec::new() };
        // One buffer for all files: every call reads half a dozen of them.
        let mut text = Vec::with_capacity(USUAL);
        read(&glance.root, ".git/config", &mut text)?;
        glance.settings(&text, true, home)?;
        read(CWD, home.join(".gitconfig"), &mut text)?;
        glance.settings(&text, false, home)?;
        if let Some(user) = &glance.user {
            read(user, "config", &mut text)?;
            glance.settings(&text, false, home)?;
        }
        read(CWD, "/etc/gitconfig", &mut text)?;
        glance.settings(&text, false, home)?;
        Some(glance)
    }

    /// Notes what settings say about ignored files; `None` when they say more than is known here.
    fn settings(&mut self, text: &[u8], own: bool, home: &Path) -> Option<()> {
        for line in crate::lines::of(text) {
            let line = line.trim_ascii();
            let starts =
                |word: &[u8]| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            // Other files, another format of the repository, or files that lie elsewhere.
            if starts(b"[include")
                || own && (starts(b"[extensions") || starts(b"worktree") || starts(b"bare"))
            {
                // Every usual repository says so.
                let harmless: &[u8] = b"bare=false";
                let squeezed = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
                if !squeezed.eq(harmless.iter().copied()) {
                    return None;
                }
            } else if starts(b"excludesfile") {
                self.excludes.push(excludes_file(line, home)?);
            } else if starts(b"[") && line.last() != Some(&b']') || line.last() == Some(&b'\\') {
                // A setting on the line of its section's head, or one of several lines.
                return None;
            }
        }
        Some(())
    }

    /// Whether no pattern of git's can match the file, by its path relative to the root.
    pub fn surely_keeps(&self, path: &Path) -> bool {
        self.keeps(path).unwrap_or(false)
    }

    fn keeps(&self, path: &Path) -> Option<bool> {
        // Git may fold case and compose letters; what that means is plain for ASCII alone.
        let path = path.to_str().filter(|path| path.is_ascii())?;
        let mut patterns = Vec::with_capacity(USUAL);
        read(&self.root, ".git/info/exclude", &mut patterns)?;
        if may_match(&patterns, path) {
            return Some(false);
        }
        if let Some(user) = &self.user {
            read(user, "ignore", &mut patterns)?;
            if may_match(&patterns, path) {
                return Some(false);
            }
        }
        for file in &self.excludes {
            read(CWD, file, &mut patterns)?;
            if may_match(&patterns, path) {
                return Some(false);
            }
        }
        // Where each folder on the way begins.
        let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        for start in starts {
            let (above, rest) = path.split_at_checked(start)?;
            if start == 0 {
                read(&self.root, ".gitignore", &mut patterns)?;
            } else {
                read(&self.root, format!("{above}.gitignore"), &mut patterns)?;
            }
            if may_match(&patterns, rest) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether git tracks none of the files, by their paths relative to the root, and none of the links or submodules on
    /// the way to them.
    pub fn surely_tracks_none(&self, paths: &[&Path]) -> bool {
        self.tracks_none(paths).unwrap_or(false)
    }

    fn tracks_none(&self, paths: &[&Path]) -> Option<bool> {
        let paths: Option<Vec<&[u8]>> = paths.iter().map(|path| Some(path.to_str()?.as_bytes())).collect();
        let paths = paths.filter(|paths| paths.iter().all(|path| path.is_ascii()))?;
        let mut bytes = Vec::new();
        match openat(&self.root, INDEX, PLAIN, Mode::empty()) {
            Ok(index) => File::from(index).read_to_end(&mut bytes).ok()?,
            Err(Errno::NOENT) => return Some(true),
            Err(_) => return None,
        };
        let mut rest = index::walk(&bytes, |entry| {
            let leads_to = |path: &&[u8]| {
                // Whatever the disk makes of case: what may be tracked is not surely untracked.
                path.get(..entry.path.len()).is_some_and(|start| start.eq_ignore_ascii_case(entry.path))
                    && matches!(path.get(entry.path.len()), None | Some(b'/'))
            };
            (!paths.iter().any(leads_to)).then_some(())
        })?;
        while !rest.is_empty() {
            let (name, _, behind) = index::extension(rest)?;
            // What has to be understood, such as a second file of entries, is in small letters.
            if !name.first().is_some_and(u8::is_ascii_uppercase) {
                return None;
            }
            rest = behind;
        }
        Some(true)
    }
}

/// The file that a line `excludesfile = PATH` names, where the path is plain.
fn excludes_file(line: &[u8], home: &Path) -> Option<PathBuf> {
    let (_, value) = std::str::from_utf8(line).ok()?.split_once('=')?;
    let value = value.trim();
    // Quotes, escapes and comments have rules that libgit2 knows.
    if value.contains(['"', '\\', '#', ';', '%']) {
        return None;
    }
    match value.strip_prefix("~/") {
        Some(below) => Some(home.join(below)),
        None => Some(PathBuf::from(value)).filter(|path| path.is_absolute()),
    }
}

/// Replaces what is in `bytes` with the file's, none where there is no file; `None` for what cannot be read.
fn read(folder: impl AsFd, path: impl Arg, bytes: &mut Vec<u8>) -> Option<()> {
    bytes.clear();
    let file = match openat(folder, path, PLAIN, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR) => return Some(()),
        Err(_) => return None,
    };
    while bytes.len() <= LARGEST {
        bytes.reserve(USUAL / 2);
        match rustix::io::read(&file, spare_capacity(bytes)) {
            Ok(0) => return Some(()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
    None
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Never waiting at a pipe that someone put in a file's place.
const PLAIN: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Whether a name stands for a folder of this user's, and for no link.
fn is_own(folder: &OwnedFd, name: &str, user: u32) -> bool {
    statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|facts| {
        FileType::from_raw_mode(facts.st_mode) == FileType::Directory && facts.st_uid == user
    })
}
