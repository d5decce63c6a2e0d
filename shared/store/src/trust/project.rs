//! What a person saw of a project: the hooks that may run, and files as they were.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::trust::hexadecimal;

/// Far more than a tick of any clock.
const FRESH: Duration = Duration::from_secs(5);

/// A project whose hooks a person looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    pub(crate) path: PathBuf,
    /// What its hooks may run, in words that change whenever that does.
    #[serde(default)]
    pub(crate) hooks: Vec<String>,
    /// Its configurations and policies, and the programs that they name.
    #[serde(default)]
    pub(crate) seen: Vec<Seen>,
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
    /// Length, times and number: while they stay, so do the bytes. No one but the system sets the time of a change. Empty
    /// where it says nothing.
    pub(crate) stamp: String,
}

/// How closely files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Only those whose length, times or number changed are read.
    Quick,
    /// All are read.
    Close,
}

/// How the files of a project differ from what was trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files with other bytes.
    pub changed: Vec<PathBuf>,
    /// Files that are there no more, or cannot be read.
    pub gone: Vec<PathBuf>,
}

impl Drift {
    /// Whether everything is as it was.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }
}

impl Project {
    pub(crate) fn drift(&self, look: Look) -> Drift {
        let mut drift = Drift::default();
        for seen in &self.seen {
            let path = || seen.path.clone();
            match seen.is_as_it_was(look) {
                Ok(true) => {}
                Ok(false) => drift.changed.push(path()),
                Err(_) => drift.gone.push(path()),
            }
        }
        drift
    }
}

impl Seen {
    /// A file as it is.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        // First the stamp: a change while it is read shows later.
        let stamp = stamp(path)?;
        let sha256 = digest_of(path)?;
        // A change in the same tick of the system's clock would leave the stamp as it is.
        let stamp = if is_fresh(path)? { String::new() } else { stamp };
        Ok(Self { path: path.to_owned(), sha256, stamp })
    }

    fn is_as_it_was(&self, look: Look) -> io::Result<bool> {
        if look == Look::Quick && !self.stamp.is_empty() && stamp(&self.path)? == self.stamp {
            return Ok(true);
        }
        Ok(digest_of(&self.path)? == self.sha256)
    }
}

/// What changes with every change of a file.
fn stamp(path: &Path) -> io::Result<String> {
    let facts = std::fs::metadata(path)?;
    if !facts.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Ok(format!(
            "{}-{}.{:09}-{}.{:09}-{}-{}",
            facts.len(),
            facts.mtime(),
            facts.mtime_nsec(),
            facts.ctime(),
            facts.ctime_nsec(),
            facts.dev(),
            facts.ino()
        ))
    }
    // Elsewhere anyone sets every time: nothing but the bytes will do.
    #[cfg(not(unix))]
    Ok(String::new())
}

/// Whether a file was changed a moment ago.
fn is_fresh(path: &Path) -> io::Result<bool> {
    let changed = std::fs::metadata(path)?.modified()?;
    // A time that lies ahead was set by someone.
    Ok(changed.elapsed().map_or(true, |age| age < FRESH))
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(read) => hash.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
