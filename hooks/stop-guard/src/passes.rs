//! Which checks passed on which files, so that nothing runs twice for the same answer.

use std::path::Path;
use std::time::Duration;

use repository::{Paths, Snapshot};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::session::{Owner, Record, Store};

use crate::check::{Check, What};

/// The record's name in the session store.
const PASSES: &str = "stop-guard.passes.json";

/// As many are remembered per folder.
const MOST: usize = 64;

/// How long another call may hold the record.
const PATIENCE: Duration = Duration::from_secs(1);

/// The remembered passes of one folder.
#[derive(Debug)]
pub(crate) struct Passes {
    record: Record,
}

/// A check that passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pass {
    /// The check's id, for `status`.
    pub(crate) check: String,
    /// A digest of the check and the files.
    key: String,
    /// When, in seconds since 1970.
    pub(crate) at: u64,
}

impl Passes {
    /// Those of the folder `root`.
    pub(crate) fn of(store: &Store, root: &Path) -> Self {
        Self { record: store.record(Owner::Folder(root), PASSES) }
    }

    /// All, the oldest first. What cannot be read is forgotten: the check then runs again.
    pub(crate) fn all(&self) -> Vec<Pass> {
        let bytes = self.record.read().ok().flatten().unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Whether the check passed for exactly these files.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.all().iter().any(|pass| pass.key == key)
    }

    /// Remembers a pass. What cannot be kept is forgotten.
    pub(crate) fn add(&self, check: &Check, key: String, at: u64) {
        let Ok(locked) = self.record.lock(PATIENCE) else { return };
        let mut all = self.all();
        all.retain(|pass| pass.key != key);
        all.push(Pass { check: check.id.clone(), key, at });
        let surplus = all.len().saturating_sub(MOST);
        all.drain(..surplus);
        let _ = locked.write(&serde_json::to_vec(&all).unwrap_or_default());
    }
}

/// The digest of a check that starts a program, and of the files that it is about; `None` for what costs nothing, and
/// for patterns that cannot be read.
pub(crate) fn key(check: &Check, snapshot: &Snapshot) -> Option<String> {
    let What::Program(argv) = &check.what else { return None };
    let paths = Paths::new(&check.paths).ok()?;
    let mut digest = Sha256::new();
    for list in [argv, &check.paths, &check.env] {
        digest.update((list.len() as u64).to_le_bytes());
        for word in list {
            digest.update((word.len() as u64).to_le_bytes());
            digest.update(word);
        }
    }
    digest.update(env!("CARGO_PKG_VERSION"));
    digest.update(snapshot.files(&paths).as_str());
    Some(store::trust::digest(&digest.finalize()))
}
