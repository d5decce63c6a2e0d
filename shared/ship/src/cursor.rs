//! How far a log was acknowledged by a receiver.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use audit::queue::Cursor;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::ShipError;

/// What the file beside the state says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The receiver, as it was written.
    pub to: String,
    pub log: PathBuf,
    pub cursor: Option<Cursor>,
    /// Records that the receiver refused though it takes others: their numbers; they are in the log.
    #[serde(default)]
    pub refused: Vec<u64>,
    /// How many of them there are; only the last are listed.
    #[serde(default)]
    pub refused_count: u64,
}

/// How many refused records are listed.
const LISTED: usize = 256;

/// The file of one log and one receiver, held by one process.
#[derive(Debug)]
pub(crate) struct Held {
    path: PathBuf,
    pub(crate) status: Status,
    /// Released when it is dropped, or when the process dies.
    _lock: File,
}

fn file(state: &Path, to: &str, log: &Path) -> PathBuf {
    let digest = Sha256::digest([to.as_bytes(), b"\0", log.as_os_str().as_encoded_bytes()].concat());
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    state.join("ship").join(format!("{name}.json"))
}

/// How far this log was acknowledged there; `None` where nothing was.
pub fn status(state: &Path, to: &str, log: &Path) -> Option<Status> {
    serde_json::from_slice(&fs::read(file(state, to, log)).ok()?).ok()
}

impl Held {
    /// Takes the file, and keeps others from it.
    pub(crate) fn take(state: &Path, to: &str, log: &Path) -> Result<Self, ShipError> {
        let path = file(state, to, log);
        let folder = path.parent().unwrap_or(state);
        make_private(folder).map_err(ShipError::io(folder, "making the folder"))?;
        let beside = path.with_extension("lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&beside).map_err(ShipError::io(&beside, "opening the lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ShipError::Busy),
            Err(TryLockError::Error(error)) => return Err(ShipError::io(&beside, "taking the lock")(error)),
        }
        // One that cannot be read says nothing: everything is sent again, and nothing is lost.
        let known = status(state, to, log)
            .filter(|status| status.cursor.as_ref().is_none_or(|cursor| cursor.head().is_some()));
        let mut status = known.unwrap_or_default();
        to.clone_into(&mut status.to);
        log.clone_into(&mut status.log);
        Ok(Self { path, status, _lock: lock })
    }

    /// Notes what was acknowledged, as a whole or not at all.
    pub(crate) fn advance(&mut self, cursor: Cursor, refused: &[u64]) -> Result<(), ShipError> {
        self.status.cursor = Some(cursor);
        self.status.refused_count += refused.len() as u64;
        self.status.refused.extend_from_slice(refused);
        let surplus = self.status.refused.len().saturating_sub(LISTED);
        self.status.refused.drain(..surplus);
        self.write().map_err(ShipError::io(&self.path, "noting what was acknowledged"))
    }

    fn write(&self) -> std::io::Result<()> {
        let draft = self.path.with_extension("draft");
        let text = serde_json::to_vec(&self.status)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&draft)?;
        file.write_all(&text)?;
        // On the disk before it takes the old one's place: after a crash, one of the two is there.
        file.sync_data()?;
        fs::rename(&draft, &self.path)
    }
}

fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(seq: u64) -> Cursor {
        Cursor { seq, hash: "0".repeat(64), segment: "audit.jsonl".to_owned(), offset: 9 }
    }

    #[test]
    fn one_process_holds_it_and_the_next_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let log = Path::new("/log");
        let mut held = Held::take(folder.path(), "https://c", log).unwrap();
        assert!(matches!(Held::take(folder.path(), "https://c", log), Err(ShipError::Busy)));
        assert!(Held::take(folder.path(), "https://d", log).is_ok(), "another receiver");
        held.advance(cursor(7), &[3, 4]).unwrap();
        drop(held);
        let held = Held::take(folder.path(), "https://c", log).unwrap();
        assert_eq!((held.status.cursor.clone(), held.status.refused_count), (Some(cursor(7)), 2));
        assert_eq!(status(folder.path(), "https://c", log), Some(held.status.clone()));
    }

    #[test]
    fn a_broken_cursor_sends_everything_again() {
        let folder = tempfile::tempdir().unwrap();
        let log = Path::new("/log");
        drop(Held::take(folder.path(), "x", log).unwrap());
        for broken in [
            "",
            "{",
            "{\"to\":\"x\",\"log\":\"/log\",\"cursor\":{\"seq\":1,\"hash\":\"z\",\"segment\":\"\",\"offset\":1}}",
        ] {
            fs::write(file(folder.path(), "x", log), broken).unwrap();
            assert_eq!(Held::take(folder.path(), "x", log).unwrap().status.cursor, None, "{broken}");
        }
    }

    #[test]
    fn the_list_of_refused_records_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let mut held = Held::take(folder.path(), "x", Path::new("/log")).unwrap();
        for number in 0..600 {
            held.status.refused.push(number);
        }
        held.advance(cursor(1), &[9_999]).unwrap();
        assert_eq!((held.status.refused.len(), held.status.refused.last()), (LISTED, Some(&9_999)));
    }
}
