//! What a look at git's files tells for certain, without libgit2: opening a repository costs several times what a whole
//! call of a hook does.
//!
//! Every answer is a certain one or none. Whatever is not plain (a linked working tree, settings from other files, a
//! repository of somebody else) is left to libgit2.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::index;
use crate::patterns::may_match;

/// The largest file of patterns or settings that is looked at, in bytes.
const LARGEST: u64 = 256 * 1024;

/// A working tree with a plain `.git` folder.
#[derive(Debug)]
pub struct Glance {
    root: PathBuf,
    git: PathBuf,
    /// Files of patterns that hold for the whole tree.
    patterns: Vec<PathBuf>,
}

impl Glance {
    /// Looks at the repository whose working tree starts at `root`, as the user with this home would have it read; `None`
    /// when there is none, or not a plain one.
    pub fn at(root: &Path, home: &Path) -> Option<Self> {
        let git = root.join(".git");
        let whole = || ["HEAD", "objects", "refs"].iter().all(|name| git.join(name).exists());
        if !is_own(root) || !is_own(&git) || !whole() {
            return None;
        }
        let xdg = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
        let xdg = xdg.map_or_else(|| home.join(".config"), PathBuf::from).join("git");
        let mut glance =
            Self { root: root.to_owned(), patterns: vec![git.join("info/exclude"), xdg.join("ignore")], git };
        let settings =
            [glance.git.join("config"), home.join(".gitconfig"), xdg.join("config"), "/etc/gitconfig".into()];
        for (number, file) in settings.iter().enumerate() {
            glance.settings(&read(file)?, number == 0, home)?;
        }
        Some(glance)
    }

    /// Notes what settings say about ignored files; `None` when they say more than can be told here.
    fn settings(&mut self, text: &[u8], own: bool, home: &Path) -> Option<()> {
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            let starts =
                |word: &[u8]| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            if starts(b"[include")
                || own && (starts(b"[extensions") || starts(b"worktree") || starts(b"bare"))
            {
                let harmless: &[u8] = b"bare=false";
                let squeezed = line.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
                if !squeezed.eq(harmless.iter().copied()) {
                    return None;
                }
            } else if starts(b"excludesfile") {
                self.patterns.push(excludes_file(line, home)?);
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
        let path = path.to_str().filter(|path| path.is_ascii())?;
        for file in &self.patterns {
            if may_match(&read(file)?, path) {
                return Some(false);
            }
        }
        let mut folder = self.root.clone();
        let mut rest = path;
        loop {
            if may_match(&read(&folder.join(".gitignore"))?, rest) {
                return Some(false);
            }
            let Some((name, below)) = rest.split_once('/') else { return Some(true) };
            folder.push(name);
            rest = below;
        }
    }

    /// Whether git tracks none of the files, by their paths relative to the root, and none of the links or submodules on
    /// the way to them.
    pub fn surely_tracks_none(&self, paths: &[&Path]) -> bool {
        self.tracks_none(paths).unwrap_or(false)
    }

    fn tracks_none(&self, paths: &[&Path]) -> Option<bool> {
        let paths: Option<Vec<&[u8]>> = paths.iter().map(|path| Some(path.to_str()?.as_bytes())).collect();
        let paths = paths.filter(|paths| paths.iter().all(|path| path.is_ascii()))?;
        let bytes = match fs::read(self.git.join("index")) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Some(true),
            Err(_) => return None,
        };
        let mut rest = index::walk(&bytes, |entry| {
            let leads_to = |path: &&[u8]| {
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

/// Whether a folder is the user's own. What is another's is left to libgit2, which knows what the user says to that.
#[cfg(unix)]
fn is_own(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(folder)
        .is_ok_and(|facts| facts.is_dir() && std::os::unix::fs::MetadataExt::uid(&facts) == user)
}

/// Whose a folder is, libgit2 finds out.
#[cfg(not(unix))]
fn is_own(_folder: &Path) -> bool {
    false
}

/// The file that a line `excludesfile = PATH` names, where the path is plain.
fn excludes_file(line: &[u8], home: &Path) -> Option<PathBuf> {
    let (_, value) = std::str::from_utf8(line).ok()?.split_once('=')?;
    let value = value.trim();
    if value.contains(['"', '\\', '#', ';', '%']) {
        return None;
    }
    match value.strip_prefix("~/") {
        Some(below) => Some(home.join(below)),
        None => Some(PathBuf::from(value)).filter(|path| path.is_absolute()),
    }
}

/// The bytes of a file, none where there is no file; `None` for what cannot be read.
fn read(path: &Path) -> Option<Vec<u8>> {
    let missing =
        |error: &std::io::Error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
    // With room from the start: otherwise it is read by bits of 32 bytes.
    let mut bytes = Vec::with_capacity(4096);
    match File::open(path) {
        Ok(file) => {
            file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        }
        Err(error) if missing(&error) => {}
        Err(_) => return None,
    }
    (bytes.len() as u64 <= LARGEST).then_some(bytes)
}
