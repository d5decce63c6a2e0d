//! Which checks passed on which files, so that nothing runs twice for the same answer.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::session::{Owner, Record, Store};

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
    pub(crate) fn add(&self, check: &str, key: String, at: u64) {
        // A pass that is not remembered only costs the check another run.
        let Ok(locked) = self.record.lock(PATIENCE) else { return };
        let mut all = self.all();
        all.retain(|pass| pass.key != key);
        all.push(Pass { check: check.to_owned(), key, at });
        let surplus = all.len().saturating_sub(MOST);
        all.drain(..surplus);
        let _ = locked.write(&serde_json::to_vec(&all).unwrap_or_default());
    }
}
