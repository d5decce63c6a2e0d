//! Records that could not wait for the log: each in a file of its own, until the next writer takes them in.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::chain::{Head, LARGEST_RECORD, Link};
use crate::error::LogError;
use crate::private;
use crate::segment::spill_folder;
use crate::time;

/// How much one writer takes in, in bytes: its own record has to get in, too.
const BATCH: usize = 48 * 1024;

/// How many files one writer looks at.
const LISTED: usize = 128;

/// How often a folder that others take away is made again.
const TRIES: usize = 16;

/// Writes `bodies` into a file of their own beside the log at `path`.
pub(crate) fn write(path: &Path, bodies: &[String]) -> Result<PathBuf, LogError> {
    let folder = spill_folder(path);
    let mut bytes = Vec::new();
    let mut head = Head::START;
    for body in bodies {
        head = head.seal(body, &mut bytes);
    }
    let name = format!("{}-{}", time::now().as_nanos(), std::process::id());
    let draft = folder.join(format!("{name}.draft"));
    let whole = folder.join(format!("{name}.jsonl"));
    let mut failed = None;
    for _ in 0..TRIES {
        private::private_folder(&folder)?;
        match draw_up(&draft, &bytes).and_then(|()| fs::rename(&draft, &whole)) {
            Ok(()) => return Ok(whole),
            // A writer that has taken everything in removes the empty folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => failed = Some(error),
            Err(error) => {
                let _ = fs::remove_file(&draft);
                return Err(LogError::io(draft, "writing beside the log")(error));
            }
        }
    }
    let error = failed.unwrap_or_else(|| io::ErrorKind::NotFound.into());
    Err(LogError::io(folder, "writing beside the log")(error))
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
    folder: PathBuf,
}

/// Collects what waits beside the log at `path`; `recent` is the end of the log, which may hold some of it already.
///
/// Must be called with the log locked.
pub(crate) fn collect(path: &Path, recent: impl FnOnce() -> Vec<u8>) -> Option<Waiting> {
    let folder = spill_folder(path);
    let entries = fs::read_dir(&folder).ok()?;
    // A part of a crowd only: who holds the lock and reads a long list makes the crowd larger.
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"))
        .take(LISTED)
        .collect();
    files.sort();
    let mut waiting = Waiting { folder, ..Waiting::default() };
    let recent = if files.is_empty() { Vec::new() } else { recent() };
    let mut size = 0;
    for file in files {
        let Some(lines) = read(&file) else { continue };
        size += lines.len();
        if size > BATCH {
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
    pub(crate) fn taken_in(self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        // Fails while something is left.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// A file's bytes, if it is one of ours.
fn read(file: &Path) -> Option<Vec<u8>> {
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

/// The files that wait beside the log at `path`.
pub fn waiting(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(spill_folder(path)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}
