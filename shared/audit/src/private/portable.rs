//! Elsewhere: what the standard library offers. The user's own folders are private by inheritance on Windows.

use std::fs::{File, Metadata, OpenOptions};
use std::path::Path;

use crate::error::LogError;

/// Opens a log for reading and appending; creates it, and its folder, if they are not there.
pub(crate) fn open_log(path: &Path, create: bool) -> Result<File, LogError> {
    if let Ok(about) = path.symlink_metadata()
        && !about.is_file()
    {
        return Err(LogError::Unsafe { path: path.to_owned(), what: "not a regular file" });
    }
    if create && let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(create).open(path).map_err(LogError::io(path, "opening the log"))
}

/// Opens what may be a regular file for reading.
pub(crate) fn open_plain(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// Whether there is such a folder.
pub(crate) fn may_write_in(folder: &Path) -> Result<(), LogError> {
    if folder.is_dir() {
        return Ok(());
    }
    Err(LogError::Unsafe { path: folder.to_owned(), what: "not a folder" })
}

/// Creates a folder, with what is missing above it.
pub(crate) fn private_folder(folder: &Path) -> Result<(), LogError> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(LogError::io(folder, "creating the folder"))
}

/// What a file is, as far as that can be known.
pub(crate) fn identity(about: &Metadata) -> (u64, u64) {
    let created = about.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (0, created.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or_default()))
}

/// The user's own folders are private by inheritance.
pub(crate) fn only_mine(_about: &Metadata) -> bool {
    true
}

/// There is no number.
pub(crate) fn user_id() -> u64 {
    0
}

/// There is no such limit.
pub(crate) fn room_for(_length: u64, _bytes: usize) -> bool {
    true
}

/// Not known here.
pub(crate) fn is_network(_file: &File) -> bool {
    false
}
