//! A folder in which several names are looked for: opened once, as a path costs more than the look.

use std::env;
#[cfg(target_os = "linux")]
use std::ffi::CStr;
use std::ffi::OsStr;
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of what has this name in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        joined(&self.path, name)
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

/// A path in a folder, with room for all of it from the start.
pub(crate) fn joined(folder: &Path, name: &str) -> PathBuf {
    let mut path = PathBuf::with_capacity(folder.as_os_str().len() + 1 + name.len());
    path.push(folder);
    path.push(name);
    path
}

/// The path without links, as the system knows it: a look at each of its parts costs more.
#[cfg(target_os = "linux")]
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;

    use rustix::buffer::spare_capacity;
    use rustix::fs::{CWD, Mode, OFlags, open, readlinkat_raw};
    use rustix::path::DecInt;

    let handle = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    // The number goes into a path on the stack: a string would be one more allocation.
    let mut link = *b"/proc/self/fd/\0\0\0\0\0\0\0\0\0\0\0\0";
    let number = DecInt::from_fd(&handle);
    let digits = link.iter_mut().skip_while(|byte| **byte != 0);
    digits.zip(number.as_bytes()).for_each(|(place, digit)| *place = *digit);
    let link = CStr::from_bytes_until_nul(&link).unwrap_or_default();
    let mut known = Vec::with_capacity(256);
    let length = readlinkat_raw(CWD, link, spare_capacity(&mut known)).unwrap_or_default();
    // What the system has no path for is named otherwise, and what fills the room may be cut off.
    if known.first() == Some(&b'/') && length < known.capacity() && !known.ends_with(b" (deleted)") {
        return Ok(PathBuf::from(std::ffi::OsString::from_vec(known)));
    }
    std::fs::canonicalize(path)
}

/// The path without links.
#[cfg(not(target_os = "linux"))]
pub(crate) fn real(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// The path of `path` relative to `root`, both without links; `None` outside of it.
pub(crate) fn relative<'p>(path: &'p Path, root: &Path) -> Option<&'p Path> {
    // As bytes, as a look at each part costs more: without links there is one spelling.
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let below = path.as_os_str().as_bytes().strip_prefix(root.as_os_str().as_bytes());
        let below = below.and_then(|rest| rest.strip_prefix(b"/")).filter(|below| is_plain(below));
        if let Some(below) = below {
            return Some(Path::new(std::ffi::OsStr::from_bytes(below)));
        }
    }
    path.strip_prefix(root).ok()
}

/// Whether `path` is `root` or lies in it, as far as its text tells; `root` has no links.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    // As bytes, as a look at each part costs more. Only what has several spellings is looked at so.
    if text.windows(2).any(|pair| matches!(pair, b"//" | b"/.")) || cfg!(windows) {
        return path.starts_with(root);
    }
    let root = root.as_os_str().as_encoded_bytes();
    text.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.first() == Some(&b'/') || root == b"/")
}

/// Whether a relative path has the one spelling of what has no links.
#[cfg(unix)]
fn is_plain(text: &[u8]) -> bool {
    !text.is_empty() && text.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

/// The parts of a path as bytes, whatever they stand for.
pub(crate) fn parts(path: &Path) -> impl Iterator<Item = &[u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.split(|byte| byte.is_ascii() && std::path::is_separator(char::from(*byte)))
}

/// The folders of a list such as `PATH` that are absolute and not in the project.
pub(crate) fn outside(root: &Path, value: &OsStr) -> Vec<PathBuf> {
    let outside = |folder: &PathBuf| {
        folder.is_absolute()
            && !is_inside(folder, root)
            && !real(folder).is_ok_and(|real| is_inside(&real, root))
    };
    env::split_paths(value).filter(outside).collect()
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_distinguished_as_by_their_parts() {
        let root = Path::new("/a/b");
        for path in
            ["/a/b", "/a/b/c", "/a/b/.c/d", "/a/bc", "/a/b/", "/a//b/c", "/a/./b/c", "/a", "/", "b", ""]
        {
            let path = Path::new(path);
            assert_eq!(is_inside(path, root), path.starts_with(root), "{}", path.display());
            assert_eq!(is_inside(path, Path::new("/")), path.starts_with("/"), "{}", path.display());
            assert_eq!(relative(path, root), path.strip_prefix(root).ok(), "{}", path.display());
        }
    }

    #[test]
    fn the_real_path_is_that_of_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let long = folder.path().join("x".repeat(200)).join("y".repeat(200));
        std::fs::create_dir_all(&long).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&long, &link).unwrap();
        for path in [folder.path(), &long, &link, Path::new("/proc/self/exe")] {
            assert_eq!(real(path).unwrap(), path.canonicalize().unwrap());
        }
        assert!(real(&folder.path().join("gone")).is_err());
    }

    #[test]
    fn only_folders_outside_of_the_project_count() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir_all(root.join("bin")).unwrap();
        let link = root.with_file_name("link");
        std::os::unix::fs::symlink(root.join("bin"), &link).unwrap();
        let list = std::env::join_paths([
            Path::new("/usr/bin"),
            Path::new("."),
            Path::new(""),
            &root.join("bin"),
            &link,
        ])
        .unwrap();
        assert_eq!(outside(&root, &list), [Path::new("/usr/bin")]);
    }
}
