//! The log's writer: one lock, one look at the end of the file, one write.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::chain::Head;
use crate::error::LogError;
use crate::record;
use crate::segment::{self, Segment};
use crate::spill;
use crate::tail::{self, Tail};
use crate::{private, time};

/// When the system is to be asked to put a record onto the disk itself. Without, a record survives the death of every
/// process, and not that of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sync {
    /// Never: 5 to 8 ms less for every record.
    #[default]
    Never,
    /// For records of denials and questions.
    Decisions,
    /// For every record.
    Always,
}

/// How a log is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeping {
    /// How long to wait for other writers.
    pub wait: Duration,
    /// How large a file grows before the next one begins, in bytes.
    pub segment_bytes: u64,
    /// Whether each day (UTC) has files of its own.
    pub daily: bool,
    /// How many days full files are kept; 0 for ever.
    pub days: u32,
    /// When to wait for the disk.
    pub sync: Sync,
}

impl Default for Keeping {
    fn default() -> Self {
        Self {
            wait: Duration::from_millis(120),
            segment_bytes: 64 << 20,
            daily: false,
            days: 0,
            sync: Sync::Never,
        }
    }
}

/// Where records went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// Into the log; its head now.
    Chained(Head),
    /// Into a file beside the log, as the log was busy or lies on a network file system.
    Spilled(PathBuf),
}

/// How often the file is opened again because it was replaced meanwhile.
const TRIES: usize = 64;

/// How much of the log's end is looked through for records that were taken in already, in bytes.
const RECENT: u64 = 64 * 1024;

/// A log on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    path: PathBuf,
    keeping: Keeping,
}

impl Log {
    /// The log at `path`; nothing is touched yet.
    pub fn new(path: impl Into<PathBuf>, keeping: Keeping) -> Self {
        Self { path: path.into(), keeping }
    }

    /// The file that is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends records, each an object without its closing brace, in one write: all of them or none.
    ///
    /// `weighty` records are waited for with [`Sync::Decisions`].
    pub fn append(&self, bodies: &[String], weighty: bool) -> Result<Kept, LogError> {
        let until = Instant::now() + self.keeping.wait;
        for _ in 0..TRIES {
            let mut file = private::open_log(&self.path, true)?;
            if private::is_network(&file) || !lock(&file, until) {
                return self.spill(bodies);
            }
            let about = file.metadata().map_err(LogError::io(&self.path, "looking at the log"))?;
            // Renamed while we waited: what is locked is not the log any more.
            let here = fs::symlink_metadata(&self.path).ok();
            if here.is_none_or(|here| private::identity(&here) != private::identity(&about)) {
                continue;
            }
            let length = about.len();
            let tail = tail::read(&mut file, length).map_err(LogError::io(&self.path, "reading the log"))?;
            // The chain cannot go on here: records wait beside the log until someone has moved it away.
            let Some(tail) = tail else { return self.spill(bodies) };
            let yesterday = || about.modified().is_ok_and(|time| !time::is_today(time));
            if length > 0
                && (length >= self.keeping.segment_bytes || (self.keeping.daily && yesterday()))
                // A torn record is explained in the file in which it is.
                && tail.torn.is_none()
                && !tail.open_line
            {
                let full = segment::name_for(&self.path, tail.head.seq);
                fs::rename(&self.path, &full).map_err(LogError::io(&full, "beginning a new file"))?;
                continue;
            }
            return self.write(&mut file, length, &tail, bodies, weighty).map(Kept::Chained);
        }
        // Replaced at every try: someone is at work on the log, and the call must not wait for them.
        self.spill(bodies)
    }

    /// Whether a record could be written, without writing one.
    pub fn rehearse(&self) -> Result<(), LogError> {
        if fs::symlink_metadata(&self.path).is_err() {
            let above = self.path.ancestors().skip(1).find(|folder| fs::symlink_metadata(folder).is_ok());
            return private::may_write_in(above.unwrap_or(Path::new(".")));
        }
        // Without the lock, as nothing is written: a drill keeps no other writer waiting.
        let mut file = private::open_log(&self.path, false)?;
        let length = file.metadata().map_err(LogError::io(&self.path, "looking at the log"))?.len();
        let tail = tail::read(&mut file, length).map_err(LogError::io(&self.path, "reading the log"))?;
        tail.map(drop)
            .ok_or(LogError::Unsafe { path: self.path.clone(), what: "a file without a record near its end" })
    }

    /// Takes in what waits beside the log; returns how many files still do.
    pub fn take_in(&self) -> Result<usize, LogError> {
        let mut left = spill::waiting(&self.path).len();
        while left > 0 {
            self.append(&[], false)?;
            let now = spill::waiting(&self.path).len();
            // On a network file system nothing is taken in, and others may write meanwhile.
            if now >= left {
                return Ok(now);
            }
            left = now;
        }
        Ok(0)
    }

    fn spill(&self, bodies: &[String]) -> Result<Kept, LogError> {
        if bodies.is_empty() {
            return Ok(Kept::Spilled(self.path.clone()));
        }
        spill::write(&self.path, bodies).map(Kept::Spilled)
    }

    /// Writes after `tail`, with the log locked.
    fn write(
        &self,
        file: &mut File,
        length: u64,
        tail: &Tail,
        bodies: &[String],
        weighty: bool,
    ) -> Result<Head, LogError> {
        let mut bytes = Vec::with_capacity(bodies.iter().map(|body| body.len() + 256).sum());
        let mut head = tail.head;
        let mut expired = Vec::new();
        // What a crash left without an end must not swallow the record after it.
        if tail.open_line {
            bytes.push(b'\n');
        }
        // A new file says with which record the one before it ended, so that the chain spans both.
        if length == 0 {
            let old = segment::segments(&self.path)?;
            if let Some(last) = old.last() {
                head = self.head_of(last)?;
            }
            head = head.seal(&record::begin(old.last()), &mut bytes);
            expired = self.expired(&old);
            if !expired.is_empty() {
                let heads = expired
                    .iter()
                    .map(|old| Ok((old, self.head_of(old)?)))
                    .collect::<Result<Vec<_>, LogError>>()?;
                head = head.seal(&record::expired(&heads), &mut bytes);
            }
        }
        if let Some(torn) = &tail.torn {
            head = head.seal(&record::gap(torn), &mut bytes);
        }
        // In front of our own records, as it is older.
        let waiting = spill::collect(&self.path, || recent(file, length));
        for body in waiting.iter().flat_map(|waiting| &waiting.bodies).chain(bodies) {
            head = head.seal(body, &mut bytes);
        }
        // The watchdog must not end the process in the middle of a record.
        program::undivided(|| self.put(file, length, &bytes))?;
        // A file beside the log does not say whether what it holds is weighty, and is removed below.
        let weighty = weighty || waiting.is_some();
        if self.keeping.sync == Sync::Always || (weighty && self.keeping.sync == Sync::Decisions) {
            file.sync_data().map_err(LogError::io(&self.path, "waiting for the disk"))?;
        }
        // Only now: until the write, the files are the only place of these records.
        if let Some(waiting) = waiting {
            waiting.taken_in();
        }
        for old in expired {
            // The log says that they were removed; one that stays does no harm.
            let _ = fs::remove_file(&old.path);
        }
        Ok(head)
    }

    /// One write; if not all went in, what did is taken out again.
    fn put(&self, file: &mut File, length: u64, bytes: &[u8]) -> Result<(), LogError> {
        let no_room = || LogError::NoRoom { path: self.path.clone(), bytes: bytes.len() };
        if !private::room_for(length, bytes.len()) {
            return Err(no_room());
        }
        // `write`, not `write_all`: a second write after a short one could be torn from the first. A disk
        // that is full for the first part is full for the rest.
        let written = loop {
            match file.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match written {
            Ok(written) if written == bytes.len() => Ok(()),
            // A short write is what a full disk looks like.
            Ok(_) => {
                file.set_len(length).map_err(LogError::io(&self.path, "taking a torn record out again"))?;
                Err(no_room())
            }
            Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(no_room()),
            Err(error) => Err(LogError::io(&self.path, "writing")(error)),
        }
    }

    /// The last record of a full segment.
    fn head_of(&self, segment: &Segment) -> Result<Head, LogError> {
        let read = || {
            let mut file = File::open(&segment.path)?;
            let length = file.metadata()?.len();
            let tail = tail::read(&mut file, length)?;
            Ok(tail.ok_or_else(|| io::Error::other("no record near its end"))?.head)
        };
        read().map_err(LogError::io(&self.path, "reading the end of the last full file"))
    }

    /// The full segments that are too old to be kept.
    fn expired(&self, old: &[Segment]) -> Vec<Segment> {
        if self.keeping.days == 0 {
            return Vec::new();
        }
        let days = Duration::from_secs(u64::from(self.keeping.days) * 24 * 3600);
        let too_old = |segment: &&Segment| {
            let written = fs::metadata(&segment.path).and_then(|about| about.modified());
            written.ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > days)
        };
        // Only from the oldest on: a hole in the middle would look like a theft.
        old.iter().take_while(too_old).cloned().collect()
    }
}

/// Waits for the lock until `until`. Busy waiting with pauses: the standard library's lock knows no time limit.
fn lock(file: &File, until: Instant) -> bool {
    let mut pause = Duration::from_micros(50);
    loop {
        match file.try_lock() {
            Ok(()) => return true,
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(pause),
            // Also where the file system knows no locks: the record goes beside the log, and is not lost.
            Err(_) => return false,
        }
        pause = (pause * 2).min(Duration::from_millis(2));
    }
}

/// The last bytes of the log.
fn recent(file: &mut File, length: u64) -> Vec<u8> {
    let from = length.saturating_sub(RECENT);
    let mut bytes = Vec::new();
    // What cannot be read is not known to be there: a record may then stand in the log twice, and none is missing.
    if file.seek(SeekFrom::Start(from)).is_ok() {
        let _ = file.take(RECENT).read_to_end(&mut bytes);
    }
    bytes
}
