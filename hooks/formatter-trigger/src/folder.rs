//! A folder in which several names are looked for: opened once, as a path costs more than the look.

use std::io;
use std::path::{Path, PathBuf};

/// A folder in which several names are looked for.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    handle: Option<rustix::fd::OwnedFd>,
}

impl Folder {
    /// The folder at `path`; one that is not there holds nothing.
    pub(crate) fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            #[cfg(unix)]
            handle: unix::open(path),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of what has this name in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether anything has this name, also a link that leads nowhere.
    #[cfg(unix)]
    pub(crate) fn has(&self, name: &str) -> bool {
        unix::mode(self, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).is_some()
    }

    /// Whether a regular file, or a link to one, has this name.
    #[cfg(unix)]
    pub(crate) fn has_file(&self, name: &str) -> bool {
        unix::mode(self, name, rustix::fs::AtFlags::empty()).is_some_and(unix::is_file)
    }

    /// Whether such a file may be executed.
    #[cfg(unix)]
    pub(crate) fn has_program(&self, name: &str) -> bool {
        let mode = unix::mode(self, name, rustix::fs::AtFlags::empty());
        mode.is_some_and(|mode| unix::is_file(mode) && mode & 0o111 != 0)
    }

    /// Whether anything has this name, also a link that leads nowhere.
    #[cfg(not(unix))]
    pub(crate) fn has(&self, name: &str) -> bool {
        self.join(name).symlink_metadata().is_ok()
    }

    /// Whether a regular file, or a link to one, has this name.
    #[cfg(not(unix))]
    pub(crate) fn has_file(&self, name: &str) -> bool {
        self.join(name).is_file()
    }

    /// Whether such a file may be executed.
    #[cfg(not(unix))]
    pub(crate) fn has_program(&self, name: &str) -> bool {
        self.has_file(name)
    }
}

/// The path without links, as the system knows it: a look at each of its parts costs more.
#[cfg(target_os = "linux")]
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;

    use rustix::fd::AsRawFd as _;
    use rustix::fs::{CWD, Mode, OFlags, open, readlinkat};

    let handle = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let link = format!("/proc/self/fd/{}", handle.as_raw_fd());
    let known = readlinkat(CWD, link, Vec::with_capacity(256)).map(std::ffi::CString::into_bytes);
    match known {
        // What the system has no path for is named otherwise.
        Ok(known) if known.starts_with(b"/") && !known.ends_with(b" (deleted)") => {
            Ok(PathBuf::from(std::ffi::OsString::from_vec(known)))
        }
        _ => std::fs::canonicalize(path),
    }
}

/// The path without links.
#[cfg(not(target_os = "linux"))]
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

#[cfg(unix)]
mod unix {
    use std::path::Path;

    use rustix::fd::OwnedFd;
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawMode, open as open_file, statat};

    use super::Folder;

    pub(super) fn open(path: &Path) -> Option<OwnedFd> {
        open_file(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()
    }

    /// The mode of what has this name, by its path where the folder may be entered but not read.
    pub(super) fn mode(folder: &Folder, name: &str, flags: AtFlags) -> Option<RawMode> {
        let facts = match &folder.handle {
            Some(handle) => statat(handle, name, flags),
            None => statat(CWD, folder.join(name), flags),
        };
        facts.ok().map(|facts| facts.st_mode)
    }

    pub(super) fn is_file(mode: RawMode) -> bool {
        FileType::from_raw_mode(mode) == FileType::RegularFile
    }
}
