//! What a machine remembers of bundles: it only ever grows, so that neither an old bundle nor an old clock comes back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use store::settings::{Found, Layer, find};

use crate::sign::PublicKey;

/// The largest memory that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// What a machine remembers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The form of the file.
    version: Version,
    /// The latest time that a pull has seen, in seconds since 1970.
    #[serde(default)]
    pub latest: u64,
    /// Which line of bundles comes into force here.
    #[serde(default)]
    pub followed: Option<Followed>,
    /// The highest serial numbers, by key and name: `KEY NAME`.
    #[serde(default)]
    pub highest: BTreeMap<String, Highest>,
    /// How the last pull ended.
    #[serde(default)]
    pub last: Option<Last>,
}

/// The only form so far. It has to be there: no other JSON is taken for a memory of nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Version {
    #[default]
    #[serde(rename = "1")]
    One,
}

/// A line of bundles: who signs it, and its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    /// The public key in one line.
    pub key: String,
    pub name: String,
}

/// The highest serial number that was seen, and of which bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highest {
    pub serial: u64,
    pub digest: String,
}

/// A pull, for `policy status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// In seconds since 1970.
    pub when: u64,
    /// From where, without passwords.
    pub source: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a pull ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    Installed,
    /// It was in force already.
    Unchanged,
    /// There was a bundle, and it may not come into force.
    Refused {
        why: String,
        hint: String,
    },
    /// There was no bundle to be had.
    Failed {
        why: String,
        hint: String,
    },
}

/// Why the memory cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    #[error("{}: {why}", .path.display())]
    Broken { path: PathBuf, why: String },
}

impl Memory {
    /// Reads it. That it cannot be read is not that there is none: nothing is pulled then.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub fn read(path: &Path) -> Result<Self, MemoryError> {
        let broken = |why: String| MemoryError::Broken { path: path.to_owned(), why };
        match find(path, Layer::User, LARGEST) {
            Found::Absent => Ok(Self::default()),
            Found::Broken(why) => Err(broken(why.to_string())),
            Found::Content(bytes) => {
                serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))
            }
        }
    }

    pub(crate) fn render(&self) -> String {
        // A map of strings and numbers is always JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What was seen of a line.
    pub(crate) fn seen(&self, key: &PublicKey, name: &str) -> impl Iterator<Item = (u64, &str)> {
        let known = self.highest.get(&line(key, name));
        known.into_iter().map(|highest| (highest.serial, highest.digest.as_str()))
    }

    /// Remembers a bundle that comes into force.
    pub(crate) fn accept(&mut self, key: &PublicKey, name: &str, serial: u64, digest: &str) {
        self.followed = Some(Followed { key: key.written(), name: name.to_owned() });
        self.highest.insert(line(key, name), Highest { serial, digest: digest.to_owned() });
    }

    /// Remembers a time.
    pub(crate) fn saw(&mut self, time: u64) {
        self.latest = self.latest.max(time);
    }
}

/// The whole key and not its id, which anyone can choose.
fn line(key: &PublicKey, name: &str) -> String {
    format!("{} {name}", key.written())
}
