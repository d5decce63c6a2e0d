//! The files of a project that may be hostile: no link leads out of it, no pipe is waited for, nothing large is read.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 512 * 1024;

/// How many entries of a folder are looked at, where names have to be searched for.
const ENTRIES: usize = 2_000;

/// A project's files.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The folder in which the agent works, without links.
    folder: PathBuf,
    /// The top folder of the project, without links.
    root: PathBuf,
}

impl Tree {
    /// The project around `folder`; `None` when there is no such folder.
    pub(crate) fn new(folder: &Path, root: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok().filter(|folder| folder.is_dir())?;
        let root = root
            // A top folder that does not hold the working folder is not its project's.
            .canonicalize()
            .ok()
            .filter(|root| folder.starts_with(root))
            .unwrap_or_else(|| folder.clone());
        Some(Self { folder, root })
    }

    /// From the folder in which the agent works up to the top of the project.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folder.ancestors().take_while(|folder| folder.starts_with(&self.root))
    }

    /// The path of a folder of this project as people write it; empty for the top.
    pub(crate) fn shown<'f>(&self, folder: &'f Path) -> &'f Path {
        folder.strip_prefix(&self.root).unwrap_or(folder)
    }

    /// The text of a file; `None` when it is not there, or is not to be read.
    pub(crate) fn read(&self, folder: &Path, name: &str) -> Option<String> {
        let path = folder.join(name);
        // Most are not there: that is the cheapest question.
        path.symlink_metadata().ok()?;
        // Where it really lies: a link in the project may lead to a key of the user's.
        if !path.canonicalize().is_ok_and(|real| real.starts_with(&self.root)) {
            return None;
        }
        let file = open(&path)?;
        let facts = file.metadata().ok()?;
        if !facts.is_file() || facts.len() > LARGEST {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        // Editors on Windows write a byte order mark, at which readers of JSON stop.
        Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    /// Whether there is a file of this name.
    pub(crate) fn has(folder: &Path, name: &str) -> bool {
        folder.join(name).symlink_metadata().is_ok_and(|facts| facts.is_file())
    }

    /// The first file, by name, with this ending.
    pub(crate) fn with_ending(folder: &Path, ending: &str) -> Option<String> {
        let entries = std::fs::read_dir(folder).ok()?.take(ENTRIES).flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        // The first by name, as a folder lists its entries in any order, and the block must not change with it.
        names.filter(|name| name.ends_with(ending)).min()
    }
}

/// Opens a file without waiting for anyone.
#[cfg(unix)]
fn open(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path).ok()
}

#[cfg(not(unix))]
fn open(path: &Path) -> Option<File> {
    OpenOptions::new().read(true).open(path).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_what_lies_in_the_project_is_read() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(outer.path().join("secret"), "secret").unwrap();
        std::fs::write(root.join("own"), "\u{feff}own").unwrap();
        std::fs::write(root.join("large"), vec![b'x'; 600_000]).unwrap();
        std::fs::write(root.join("binary"), [0xff, 0xfe]).unwrap();
        symlink("own", root.join("inside")).unwrap();
        symlink("../secret", root.join("outside")).unwrap();
        symlink("/dev/zero", root.join("device")).unwrap();
        symlink("..", root.join("up")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            root.join("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        let tree = Tree::new(&root.join("sub"), &root).unwrap();
        let real = root.canonicalize().unwrap();
        assert_eq!(tree.read(&real, "own").as_deref(), Some("own"));
        assert_eq!(tree.read(&real, "inside").as_deref(), Some("own"));
        for name in ["outside", "device", "up/secret", "pipe", "large", "binary", "sub", "missing"] {
            assert_eq!(tree.read(&real, name), None, "{name}");
        }
        assert_eq!(tree.folders().count(), 2);
        assert!(Tree::new(&root.join("missing"), &root).is_none());
    }
}
