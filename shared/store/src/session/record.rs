//! One file of state, replaced as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::session::error::SessionError;
use crate::session::store;

/// The largest record, in bytes.
pub const MAX_RECORD: usize = 256 * 1024;

/// One file of state.
#[derive(Debug, Clone)]
pub struct Record {
    folder: PathBuf,
    path: PathBuf,
    lock: PathBuf,
}

/// A record that no other call changes meanwhile.
#[derive(Debug)]
pub struct Locked<'r> {
    record: &'r Record,
    _lock: File,
}

impl Record {
    pub(crate) fn new(folder: PathBuf, name: &str, lock: PathBuf) -> Self {
        let path = folder.join(name);
        Self { folder, path, lock }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is one: a single look at the disk.
    pub fn exists(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok()
    }

    /// When it was last written.
    pub fn written(&self) -> Option<SystemTime> {
        fs::symlink_metadata(&self.path).and_then(|facts| facts.modified()).ok()
    }

    /// Its bytes; `None` when there is none. Never half of a write, with or without the lock.
    pub fn read(&self) -> Result<Option<Vec<u8>>, SessionError> {
        let facts = match fs::symlink_metadata(&self.path) {
            // Not through a link: what it leads to was not written by us.
            Ok(facts) => facts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SessionError::io("look at", &self.path, error)),
        };
        let refuse = |why| Err(SessionError::NotARecord { path: self.path.clone(), why });
        if !facts.is_file() {
            return refuse("it is not a plain file");
        }
        let mut bytes = Vec::new();
        File::open(&self.path)
            .and_then(|file| file.take(MAX_RECORD as u64 + 1).read_to_end(&mut bytes))
            .map_err(|error| SessionError::io("read", &self.path, error))?;
        // One byte more than allowed was asked for, so that what is too large is seen and not cut off.
        if bytes.len() > MAX_RECORD {
            return refuse("it is too large");
        }
        Ok(Some(bytes))
    }

    /// Takes the lock, waiting at most for `patience`.
    pub fn lock(&self, patience: Duration) -> Result<Locked<'_>, SessionError> {
        Ok(Locked { record: self, _lock: store::lock(&self.lock, patience)? })
    }

    /// Replaces it without a lock: for marks that say the same whoever writes them.
    pub fn mark(&self, bytes: &[u8]) -> Result<(), SessionError> {
        self.replace(bytes)
    }

    /// Makes it, empty, without a lock; `false` where it is there already. Of many that try, one makes it.
    pub fn claim(&self) -> Result<bool, SessionError> {
        store::make_folder(&self.folder)?;
        match new_file(&self.path) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(SessionError::io("write", &self.path, error)),
        }
    }

    /// Removes it; nothing happens when there is none.
    pub fn remove(&self) -> Result<(), SessionError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(SessionError::io("remove", &self.path, error))
            }
            _ => Ok(()),
        }
    }

    fn replace(&self, bytes: &[u8]) -> Result<(), SessionError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // Refused here as well: a record that could be written and not be read would be lost.
        if bytes.len() > MAX_RECORD {
            return Err(SessionError::NotARecord { path: self.path.clone(), why: "it is too large" });
        }
        store::make_folder(&self.folder)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // First whole, then in place: a full disk and a killed process leave the old text.
        let beside = self.folder.join(format!(".new-{}-{number}", process::id()));
        let written = write_new(&beside, bytes).and_then(|()| fs::rename(&beside, &self.path));
        written.map_err(|error| {
            let _ = fs::remove_file(&beside);
            SessionError::io("write", &self.path, error)
        })
    }
}

impl Locked<'_> {
    /// Its bytes; `None` when there is none.
    pub fn read(&self) -> Result<Option<Vec<u8>>, SessionError> {
        self.record.read()
    }

    /// Replaces its bytes.
    pub fn write(&self, bytes: &[u8]) -> Result<(), SessionError> {
        self.record.replace(bytes)
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A leftover of a dead process with our number is in no one's way.
    let _ = fs::remove_file(path);
    new_file(path)?.write_all(bytes)
}

/// Makes a file that is not there and that only this user may read.
fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
