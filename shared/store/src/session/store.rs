//! Where state lies, and how an owner's name becomes a folder.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::session::error::SessionError;
use crate::session::record::Record;

/// How often a lock that is taken is tried again.
const RETRY: Duration = Duration::from_millis(2);

/// What state belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner<'a> {
    /// One session of one host.
    Session {
        host: &'a str,
        /// The host's own id, however it looks.
        id: &'a str,
    },
    /// A folder on this machine, whatever session works in it.
    Folder(&'a Path),
}

/// The state of one user.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in the user's home: `~/.local/state/policy-hooks/sessions`.
    ///
    /// No environment variable moves it: what an agent's shell sets must not make a hook forget.
    pub fn of(home: &Path) -> Self {
        Self::at(home.join(".local/state/policy-hooks/sessions"))
    }

    /// A store in any folder, which need not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The record `name` of `owner`. Names are ours: short, without a `/`.
    pub fn record(&self, owner: Owner<'_>, name: &'static str) -> Record {
        let key = key(owner);
        // Few locks for many owners: a lock's file is never removed, and must not become one for each session.
        let lock = self.root.join("locks").join(key.get(..2).unwrap_or_default());
        Record::new(self.root.join("owners").join(key), name, lock)
    }

    /// Keeps others from what they do with the file at `path` under the same lock, waiting at most for `patience`.
    /// Nothing is stored, and files may share a lock.
    pub fn hold(&self, path: &Path, patience: Duration) -> Result<Held, SessionError> {
        let mut place = PathBuf::with_capacity(self.root.as_os_str().len() + "/locks/00".len());
        place.push(&self.root);
        place.push("locks");
        // There are as many locks as two digits name: any sum that spreads over them will do, and a digest costs more than
        // the lock.
        let sum = path
            .as_os_str()
            .as_encoded_bytes()
            .iter()
            .fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
        let [first, second, third, fourth] = sum.to_be_bytes();
        let bucket = first ^ second ^ third ^ fourth;
        let digits = [digit(bucket >> 4), digit(bucket & 15)];
        place.push(digits.iter().collect::<String>());
        Ok(Held { _lock: lock(&place, patience)? })
    }

    /// The records called `name` of all owners.
    pub fn records(&self, name: &'static str) -> Vec<Record> {
        let Ok(folders) = std::fs::read_dir(self.root.join("owners")) else { return Vec::new() };
        let mut found: Vec<Record> = folders
            .flatten()
            .map(|folder| folder.file_name().to_string_lossy().into_owned())
            .map(|key| {
                let lock = self.root.join("locks").join(key.get(..2).unwrap_or_default());
                Record::new(self.root.join("owners").join(key), name, lock)
            })
            .filter(Record::exists)
            .collect();
        // In a fixed order: what people see in `status` must not jump about.
        found.sort_by(|a, b| a.path().cmp(b.path()));
        found
    }
}

/// A lock that is held: it ends with this, or with the process.
#[derive(Debug)]
pub struct Held {
    _lock: File,
}

fn digit(half: u8) -> char {
    char::from_digit(u32::from(half), 16).unwrap_or_default()
}

/// The digest that stands for an owner: nothing of a hostile name reaches a path.
fn key(owner: Owner<'_>) -> String {
    // The kind and zeros in between: a session with the name of a folder is not that folder.
    let mut digest = Sha256::new();
    match owner {
        Owner::Session { host, id } => {
            digest.update(b"session\0");
            digest.update(host);
            digest.update(b"\0");
            digest.update(id);
        }
        Owner::Folder(path) => {
            digest.update(b"folder\0");
            digest.update(path.as_os_str().as_encoded_bytes());
        }
    }
    // Sixteen bytes: enough that no two meet by chance, and a name that is short.
    digest.finalize().iter().take(16).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Makes a folder that only the user may enter.
pub(crate) fn make_folder(path: &Path) -> Result<(), SessionError> {
    // The usual case, by one look; the rest is for the first call.
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| SessionError::io("make", path, error))
}

/// Takes the lock at `path`, waiting at most for `patience`. It ends with the file, or with the process.
pub(crate) fn lock(path: &Path, patience: Duration) -> Result<File, SessionError> {
    // Lock files are never removed, so that two calls cannot hold two files of one name.
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = match (options.open(path), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == ErrorKind::NotFound => {
            make_folder(folder)?;
            options.open(path)
        }
        (opened, _) => opened,
    };
    let file = opened.map_err(|error| SessionError::io("open", path, error))?;
    // The standard library's lock waits without a limit: it is tried again and again instead.
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(SessionError::io("lock", path, error)),
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                return Err(SessionError::Busy { path: path.to_owned() });
            }
            Err(TryLockError::WouldBlock) => thread::sleep(RETRY),
        }
    }
}
