//! Where entries lie: one folder each, which only the user may look into.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::entry::{Entry, What};
use crate::error::KeepError;

/// For as long things are kept.
pub const MAX_AGE: Duration = Duration::from_hours(30 * 24);

/// No more is kept than this, in bytes. What is kept already stays: nothing is dropped for something newer.
pub const MAX_STORE: u64 = 2 << 30;

const ENTRY: &str = "entry.json";

/// As many things with one fingerprint are kept in one second.
const MAX_ALIKE: u32 = 99;

/// What is kept for one user.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// That of the user with this home: `~/.local/state/policy-hooks/kept`.
    ///
    /// No environment variable moves it: what an agent's shell sets must not make us forget.
    pub fn of(home: &Path) -> Self {
        Self { root: home.join(".local/state/policy-hooks/kept") }
    }

    /// The folder of an entry.
    pub(crate) fn folder(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// All entries, the newest first. What is not one of ours is left out.
    pub fn entries(&self) -> Vec<Entry> {
        let Ok(folders) = fs::read_dir(&self.root) else { return Vec::new() };
        let names = folders.filter_map(|folder| folder.ok()?.file_name().into_string().ok());
        let mut entries: Vec<Entry> = names.filter_map(|name| self.read(&name).ok()).collect();
        entries.sort_by(|one, other| (other.time, &other.id).cmp(&(one.time, &one.id)));
        entries
    }

    fn read(&self, id: &str) -> Result<Entry, KeepError> {
        let path = self.folder(id).join(ENTRY);
        let bytes = fs::read(&path).map_err(|error| KeepError::disk(&path, error))?;
        let entry: Option<Entry> = serde_json::from_slice(&bytes).ok();
        entry.filter(|entry| entry.version == 1 && entry.id == id).ok_or(KeepError::Broken(path))
    }

    /// The entry whose id begins so; the newest for `last`.
    pub fn find(&self, beginning: &str) -> Result<Entry, KeepError> {
        let mut entries = self.entries();
        if beginning == "last" && !entries.is_empty() {
            return Ok(entries.remove(0));
        }
        entries.retain(|entry| !beginning.is_empty() && entry.id.starts_with(beginning));
        match entries.len() {
            0 => Err(KeepError::Unknown(beginning.to_owned())),
            1 => Ok(entries.remove(0)),
            _ => Err(KeepError::Several(beginning.to_owned())),
        }
    }

    /// Whether so many more bytes may be kept.
    pub(crate) fn has_room(&self, bytes: u64) -> Result<(), KeepError> {
        let kept: u64 = self.entries().iter().map(|entry| entry.bytes).sum();
        if kept.saturating_add(bytes) <= MAX_STORE { Ok(()) } else { Err(KeepError::TooMuch("2 GB")) }
    }

    /// Makes the folder of a new entry, which no other has, and returns its id: when, the beginning of its fingerprint,
    /// and a number where the same was kept in the same second.
    pub(crate) fn claim(&self, fingerprint: &str) -> Result<String, KeepError> {
        let disk = |error| KeepError::disk(&self.root, error);
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        builder.recursive(true).create(&self.root).map_err(disk)?;
        builder.recursive(false);
        let now = chrono::Utc::now().format("%Y%m%d-%H%M%S");
        let first = format!("{now}-{}", fingerprint.get(..6).unwrap_or("000000"));
        let ids =
            std::iter::once(first.clone()).chain((2..=MAX_ALIKE).map(|number| format!("{first}-{number}")));
        let mut taken = None;
        for id in ids {
            match builder.create(self.folder(&id)) {
                Ok(()) => return Ok(id),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = Some(error),
                Err(error) => return Err(disk(error)),
            }
        }
        Err(disk(taken.unwrap_or_else(|| ErrorKind::AlreadyExists.into())))
    }

    /// Writes an entry: it counts from now on.
    pub(crate) fn write(&self, entry: &Entry) -> Result<(), KeepError> {
        let folder = self.folder(&entry.id);
        let (path, new) = (folder.join(ENTRY), folder.join("new.json"));
        let bytes = serde_json::to_vec(entry).map_err(|_| KeepError::Broken(path.clone()))?;
        // Whole or not at all: it is what says that the rest is complete.
        let written = write_new(&new, &bytes).and_then(|()| fs::rename(&new, &path));
        written.map_err(|error| KeepError::disk(&path, error))
    }

    /// Forgets an entry.
    pub(crate) fn forget(&self, id: &str) -> Result<(), KeepError> {
        let folder = self.folder(id);
        fs::remove_dir_all(&folder).map_err(|error| KeepError::disk(&folder, error))
    }

    /// Drops what is older than [`MAX_AGE`].
    pub fn sweep(&self, now: SystemTime) {
        let now = milliseconds(now);
        for entry in self.entries() {
            if u128::from(now.saturating_sub(entry.time)) > MAX_AGE.as_millis() {
                // The next time comes soon enough.
                let _ = drop(self, &entry);
            }
        }
    }
}

/// Drops what is kept. git's objects go when git next collects what nothing leads to.
pub fn drop(store: &Store, entry: &Entry) -> Result<(), KeepError> {
    if let What::Tree(tree) = &entry.what
        // A repository that is gone holds nothing any more.
        && let Ok(git) = git2::Repository::open(&tree.root)
    {
        delete_references(&git, entry)?;
    }
    store.forget(&entry.id)
}

pub(crate) fn delete_references(git: &git2::Repository, entry: &Entry) -> Result<(), KeepError> {
    for reference in git.references_glob(&entry.reference("*"))? {
        reference?.delete()?;
    }
    Ok(())
}

/// Writes a file that is not there yet, for the user only.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
