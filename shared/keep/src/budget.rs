//! How much may be saved, and for how long.

use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use crate::error::KeepError;

/// As many bytes are saved for one call.
const BYTES: u64 = 256 << 20;

/// As many files.
const FILES: usize = 10_000;

/// What is left of it.
pub(crate) struct Budget {
    bytes: u64,
    files: usize,
    until: Instant,
}

impl Budget {
    pub(crate) fn new(until: Instant) -> Self {
        Self { bytes: BYTES, files: FILES, until }
    }

    pub(crate) fn in_time(&self) -> Result<(), KeepError> {
        if Instant::now() < self.until { Ok(()) } else { Err(KeepError::Late) }
    }

    /// One more file of so many bytes.
    fn spend(&mut self, bytes: u64) -> Result<(), KeepError> {
        self.in_time()?;
        self.files = self.files.checked_sub(1).ok_or(KeepError::TooMuch("10,000 files"))?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or(KeepError::TooMuch("256 MB"))?;
        Ok(())
    }

    /// What a file holds, or where a link leads.
    pub(crate) fn read(&mut self, path: &Path, facts: &Metadata) -> Result<Vec<u8>, KeepError> {
        let disk = |error| KeepError::disk(path, error);
        if facts.is_symlink() {
            self.spend(0)?;
            return Ok(fs::read_link(path).map_err(disk)?.into_os_string().into_encoded_bytes());
        }
        if !facts.is_file() {
            return Err(KeepError::Kind(path.to_owned()));
        }
        self.spend(facts.len())?;
        let mut bytes = Vec::new();
        // It may grow while it is read: whatever is more than was counted does not fit.
        let read = File::open(path).and_then(|file| file.take(facts.len() + 1).read_to_end(&mut bytes));
        read.map_err(disk)?;
        if bytes.len() as u64 == facts.len() { Ok(bytes) } else { Err(KeepError::Moving) }
    }

    /// A folder, which counts as a file.
    pub(crate) fn folder(&mut self) -> Result<(), KeepError> {
        self.spend(0)
    }
}

/// What a path is, links not followed.
pub(crate) fn facts(path: &Path) -> Result<Metadata, KeepError> {
    fs::symlink_metadata(path).map_err(|error| KeepError::disk(path, error))
}

/// The bits of its owner's, group's and others' rights.
#[cfg(unix)]
pub(crate) fn rights(facts: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    facts.permissions().mode() & 0o7777
}

#[cfg(not(unix))]
pub(crate) fn rights(_facts: &Metadata) -> u32 {
    0o644
}

/// Gives a file or folder its rights.
#[cfg(unix)]
pub(crate) fn set_rights(path: &Path, rights: u32) -> Result<(), KeepError> {
    use std::os::unix::fs::PermissionsExt as _;
    let rights = fs::Permissions::from_mode(rights);
    fs::set_permissions(path, rights).map_err(|error| KeepError::disk(path, error))
}

#[cfg(not(unix))]
pub(crate) fn set_rights(_path: &Path, _rights: u32) -> Result<(), KeepError> {
    Ok(())
}
