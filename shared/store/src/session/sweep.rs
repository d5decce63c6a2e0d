//! What is old goes, so that state never grows without end.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::session::store::{self, Store};

/// What no one touched for this long is removed.
pub const MAX_AGE: Duration = Duration::from_hours(7 * 24);

/// The size of all records together, in bytes, beyond which the oldest are removed.
pub const MAX_STORE: u64 = 16 * 1024 * 1024;

/// How often [`Store::sweep`] looks at all.
const EVERY: Duration = Duration::from_hours(6);

impl Store {
    /// Removes old state, at most every six hours; otherwise costs one look at the disk. What cannot be removed stays.
    pub fn sweep(&self, now: SystemTime) {
        let stamp = self.root().join("swept");
        // The stamp's own time is the record: there is nothing in it to read.
        let last = fs::symlink_metadata(&stamp).and_then(|facts| facts.modified());
        if last.is_ok_and(|last| now.duration_since(last).is_ok_and(|age| age < EVERY)) {
            return;
        }
        // One sweeper is enough; whoever comes second leaves it to the first.
        let Ok(_lock) = store::lock(&self.root().join("locks/sweep"), Duration::ZERO) else { return };
        // Stamped before the work: a sweep that is killed half-way is not begun again by every call.
        if fs::write(&stamp, "").is_ok() {
            self.sweep_now(now);
        }
    }

    /// Removes old state.
    pub fn sweep_now(&self, now: SystemTime) {
        let Ok(folders) = fs::read_dir(self.root().join("owners")) else { return };
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for folder in folders.flatten().map(|folder| folder.path()) {
            let (touched, size) = weigh(&folder);
            // A time that lies ahead, as after a clock was set back, is younger than any age.
            if now.duration_since(touched).is_ok_and(|age| age > MAX_AGE) {
                self.drop_owner(&folder);
            } else {
                kept.push((touched, size, folder));
            }
        }
        // Oldest first, by the time, which comes first in each.
        kept.sort();
        let mut total: u64 = kept.iter().map(|(_, size, _)| size).sum();
        for (_, size, folder) in &kept {
            if total <= MAX_STORE {
                break;
            }
            self.drop_owner(folder);
            total -= size;
        }
    }

    /// Removes an owner's folder, unless someone works with it.
    fn drop_owner(&self, folder: &Path) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let lock = self.root().join("locks").join(name.get(..2).unwrap_or_default());
        if store::lock(&lock, Duration::ZERO).is_ok() {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// When a folder was last touched, and how much it holds.
fn weigh(folder: &Path) -> (SystemTime, u64) {
    let mut touched = SystemTime::UNIX_EPOCH;
    let mut size = 0;
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(facts) = file.metadata() {
            size += facts.len();
            touched = touched.max(facts.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        }
    }
    (touched, size)
}
