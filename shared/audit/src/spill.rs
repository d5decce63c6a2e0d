//! Records that could not wait for the log: each in a file of its own, until the next writer takes them in.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::chain::{Head, LARGEST_RECORD, Link};
use crate::error::LogError;
use crate::private;
use crate::segment::spill_folder;
use crate::time;

/// How much one writer takes in, in bytes: its own record has to get in, too.
const BATCH: usize = 48 * 1024;

/// How many files one writer looks at.
const LISTED: usize = 128;

/// After how long a draft is one that no one finishes: its writer was killed, and acknowledged nothing.
const ABANDONED: Duration = Duration::from_hours(1);

/// Tells apart what the threads of one process write in the same moment.
static WRITTEN: AtomicU32 = AtomicU32::new(0);

/// Writes `bodies` into a file of their own beside the log at `path`.
pub(crate) fn write(path: &Path, bodies: &[String]) -> Result<PathBuf, LogError> {
    let folder = spill_folder(path);
    let mut bytes = Vec::new();
    // A chain of its own: where the log's chain goes on, only who holds its lock knows. The links merely show
    // that a line is whole; they are made anew when it is taken in.
    let mut head = Head::START;
    for body in bodies {
        head = head.seal(body, &mut bytes);
    }
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    // The time first: sorted by their names, files are taken in by age.
    let name = format!("{}-{}-{number}", time::now().as_nanos(), std::process::id());
    let draft = folder.join(format!("{name}.draft"));
    let whole = folder.join(format!("{name}.jsonl"));
    private::private_folder(&folder)?;
    // Whole before it has the name that `collect` looks for: another process may look at any moment.
    match draw_up(&draft, &bytes).and_then(|()| fs::rename(&draft, &whole)) {
        Ok(()) => Ok(whole),
        Err(error) => {
            let _ = fs::remove_file(&draft);
            Err(LogError::io(draft, "writing next to the log")(error))
        }
    }
}

fn draw_up(draft: &Path, bytes: &[u8]) -> io::Result<()> {
    if !private::room_for(0, bytes.len()) {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(draft)?.write_all(bytes)
}

/// What waits beside the log.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// The records, marked as spilled, without their links.
    pub(crate) bodies: Vec<String>,
    files: Vec<PathBuf>,
}

/// Collects what waits beside the log at `path`; `recent` is the end of the log, which may hold some of it already.
///
/// Must be called with the log locked.
pub(crate) fn collect(path: &Path, recent: impl FnOnce() -> Vec<u8>) -> Option<Waiting> {
    let entries = fs::read_dir(spill_folder(path)).ok()?;
    // A part of a crowd only: who holds the lock and reads a long list makes the crowd larger.
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| {
            let whole = is_whole(file);
            if !whole {
                forget_if_abandoned(file);
            }
            whole
        })
        .take(LISTED)
        .collect();
    if files.is_empty() {
        return None;
    }
    files.sort();
    let mut waiting = Waiting::default();
    // Only now: nearly every call finds no file that waits, and reads only the last bytes of the log.
    let recent = recent();
    let mut size = 0;
    for file in files {
        let Some(lines) = read(&file) else { continue };
        size += lines.len();
        // One file is taken in however large it is: it would wait for ever otherwise.
        if size > BATCH && !waiting.files.is_empty() {
            break;
        }
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Some(link) = Link::of(line).filter(Link::holds) else { continue };
            // Killed between taking a record in and removing its file: it is there already.
            let known = id(link.body).is_some_and(|id| memchr::memmem::find(&recent, id).is_some());
            if let Ok(body) = std::str::from_utf8(link.body)
                && !known
            {
                waiting.bodies.push(format!("{body},\"spilled\":true"));
            }
        }
        waiting.files.push(file);
    }
    Some(waiting)
}

impl Waiting {
    /// To be called when the records are in the log.
    ///
    /// The folder stays, empty: who took it away would take it from under one who is about to write into it.
    pub(crate) fn taken_in(self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
    }
}

/// A file's bytes, if it is one of ours.
fn read(file: &Path) -> Option<Vec<u8>> {
    // A link may lead anywhere, and opening a pipe would not return.
    if !file.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(64 * LARGEST_RECORD as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// `"id":"…"` of a record.
fn id(body: &[u8]) -> Option<&[u8]> {
    let start = memchr::memmem::find(body, b"\"id\":\"")?;
    body.get(start..start + 6 + 36)
}

/// Whether a file was written to its end.
fn is_whole(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "jsonl")
}

/// Removes a draft whose writer is long gone.
fn forget_if_abandoned(draft: &Path) {
    let ours = draft.extension().is_some_and(|ending| ending == "draft");
    let age =
        draft.symlink_metadata().and_then(|about| about.modified()).ok().and_then(|time| time.elapsed().ok());
    if ours && age.is_some_and(|age| age > ABANDONED) {
        let _ = fs::remove_file(draft);
    }
}

/// The files that wait beside the log at `path`.
pub fn waiting(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(spill_folder(path)) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|file| is_whole(file)).collect();
    files.sort();
    files
}
