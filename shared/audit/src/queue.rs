//! The log as a queue: from a place in its chain, in batches, across the files of the log.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::chain::{Head, LARGEST_RECORD, Link};
use crate::error::LogError;
use crate::read::Record;
use crate::segment::{self, Segment};

/// Longer lines are not records, in bytes.
const LONGEST_LINE: u64 = 4 * LARGEST_RECORD as u64;

/// A record, and where it ends: reading goes on after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub seq: u64,
    pub hash: String,
    /// The file that held it then, by its name.
    pub segment: String,
    /// Where it ended there, in bytes.
    pub offset: u64,
}

impl Cursor {
    /// Its place in the chain; `None` for what is not a place.
    pub fn head(&self) -> Option<Head> {
        Some(Head { seq: self.seq, hash: self.hash.as_bytes().try_into().ok()? })
    }
}

/// How much one batch holds at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub records: usize,
    pub bytes: usize,
}

/// Records in their order, and where the last one ends.
#[derive(Debug, Default)]
pub struct Batch {
    /// Each as its exact line, and read.
    pub lines: Vec<(String, Record)>,
    /// `None` where there are none.
    pub end: Option<Cursor>,
    /// What is to be said about the way there.
    pub remark: Option<Remark>,
}

/// Where reading goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    file: PathBuf,
    offset: u64,
    /// The record before; `None` at a beginning.
    after: Option<Head>,
    remark: Option<Remark>,
}

/// What happened to the log since the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remark {
    /// The last acknowledged record is not in it: all of it is sent.
    Replaced,
    /// This many records were removed, as they were too old, before they were sent.
    Expired(u64),
}

/// How often the place is looked for again, as writers begin new files meanwhile.
const TRIES: usize = 16;

/// The records after `cursor`, up to the limit; an empty batch where there are none.
pub fn next(log: &Path, cursor: Option<&Cursor>, limit: Limit) -> Result<Batch, LogError> {
    for _ in 0..TRIES {
        let Some(place) = locate(log, cursor)? else { return Ok(Batch::default()) };
        if let Some(batch) = read(log, &place, limit)? {
            return Ok(Batch { remark: place.remark, ..batch });
        }
    }
    // Files come and go at every look: what is there now is there the next time.
    Ok(Batch::default())
}

/// Where the records after `cursor` begin; `None` where there is no log.
fn locate(log: &Path, cursor: Option<&Cursor>) -> Result<Option<Place>, LogError> {
    let segments = segment::segments(log)?;
    let files = segment::files(log)?;
    let Some(first) = files.first() else { return Ok(None) };
    let start = |remark| Ok(Some(Place { file: first.clone(), offset: 0, after: None, remark }));
    let Some((cursor, head)) = cursor.and_then(|cursor| Some((cursor, cursor.head()?))) else {
        return start(None);
    };
    let from = |file: &Path, offset| {
        Ok(Some(Place { file: file.to_owned(), offset, after: Some(head), remark: None }))
    };
    // The first file that may hold the next record.
    let at = segments.iter().position(|segment| segment.last > head.seq).unwrap_or(segments.len());
    let Some(file) = files.get(at) else {
        // Full, and nothing was written since: the log ends with a segment.
        return if ends_with(segments.last(), head)? { Ok(None) } else { start(Some(Remark::Replaced)) };
    };
    let open = || File::open(file);
    if open()
        .and_then(|mut open| ends_at(&mut open, cursor.offset, head))
        .map_err(LogError::io(file, "reading"))?
    {
        return from(file, cursor.offset);
    }
    if at > 0 && ends_with(segments.get(at - 1), head)? {
        return from(file, 0);
    }
    match search(file, head).map_err(LogError::io(file, "reading"))? {
        Found::Here(offset) => from(file, offset),
        Found::Later(seq) if at == 0 => start(Some(Remark::Expired(seq - head.seq - 1))),
        Found::Later(_) | Found::Not => start(Some(Remark::Replaced)),
    }
}

/// Whether a full file ends with this record.
fn ends_with(segment: Option<&Segment>, head: Head) -> Result<bool, LogError> {
    let Some(segment) = segment.filter(|segment| segment.last == head.seq) else { return Ok(false) };
    let looked = File::open(&segment.path).and_then(|mut file| {
        let length = file.metadata()?.len();
        Ok(ends_at(&mut file, length, head)? || matches!(search(&segment.path, head)?, Found::Here(_)))
    });
    looked.map_err(LogError::io(&segment.path, "reading"))
}

/// Whether a file's bytes up to `offset` end with this record.
fn ends_at(file: &mut File, offset: u64, head: Head) -> std::io::Result<bool> {
    if offset == 0 || file.metadata()?.len() < offset {
        return Ok(false);
    }
    let wanted = offset.min(LARGEST_RECORD as u64);
    file.seek(SeekFrom::Start(offset - wanted))?;
    let mut end = Vec::new();
    file.take(wanted).read_to_end(&mut end)?;
    Ok(end.strip_suffix(b"\n").and_then(Link::of).is_some_and(|link| link.head == head))
}

enum Found {
    /// It ends at this offset.
    Here(u64),
    /// It is not there, and the file begins with this later record.
    Later(u64),
    Not,
}

/// Looks for a record from the beginning of a file.
fn search(file: &Path, head: Head) -> std::io::Result<Found> {
    let mut reader = BufReader::with_capacity(256 * 1024, File::open(file)?);
    let (mut line, mut offset, mut first) = (Vec::new(), 0, None);
    loop {
        line.clear();
        let size = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if size == 0 {
            break;
        }
        offset += size as u64;
        let Some(link) = line.strip_suffix(b"\n").and_then(Link::of) else { continue };
        if link.head == head {
            return Ok(Found::Here(offset));
        }
        first.get_or_insert(link.head.seq);
    }
    Ok(match first {
        Some(first) if first > head.seq + 1 => Found::Later(first),
        _ => Found::Not,
    })
}

/// Reads what follows `place`; `None` where it is not that place any more.
fn read(log: &Path, place: &Place, limit: Limit) -> Result<Option<Batch>, LogError> {
    let mut batch = read_file(place, limit)?;
    // At a beginning without a record, as of a file that someone else wrote, the log goes on in the next one.
    let mut file = place.file.clone();
    while place.after.is_none() && batch.as_ref().is_some_and(|batch| batch.lines.is_empty()) {
        let files = segment::files(log)?;
        let Some(next) = files.iter().position(|known| *known == file).and_then(|at| files.get(at + 1))
        else {
            break;
        };
        file.clone_from(next);
        batch = read_file(&Place { file: file.clone(), ..place.clone() }, limit)?;
    }
    Ok(batch)
}

fn read_file(place: &Place, limit: Limit) -> Result<Option<Batch>, LogError> {
    let file = &place.file;
    let read = || -> std::io::Result<Option<Batch>> {
        let mut open = File::open(file)?;
        // In the file that is open now: by its name alone it may be another than the one that was looked at.
        if let Some(head) = place.after
            && place.offset > 0
            && !ends_at(&mut open, place.offset, head)?
        {
            return Ok(None);
        }
        open.seek(SeekFrom::Start(place.offset))?;
        let mut reader = BufReader::with_capacity(64 * 1024, open);
        let (mut batch, mut line, mut at, mut bytes) = (Batch::default(), Vec::new(), place.offset, 0);
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        while batch.lines.len() < limit.records && bytes < limit.bytes {
            line.clear();
            let size = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            at += size as u64;
            // Half a line: its writer is not done yet.
            let Some(text) = line.strip_suffix(b"\n") else { break };
            // What is not a record is explained by the next one.
            let Some(link) = Link::of(text) else { continue };
            if batch.lines.is_empty()
                && place.offset == 0
                && place.after.is_some_and(|head| head.hash != link.prev)
            {
                return Ok(None);
            }
            let (Some(record), Ok(text)) = (Record::parse(text), std::str::from_utf8(text)) else { continue };
            bytes += text.len();
            batch.end = Some(Cursor {
                seq: link.head.seq,
                hash: link.head.hash().to_owned(),
                segment: name.clone(),
                offset: at,
            });
            batch.lines.push((text.to_owned(), record));
        }
        Ok(Some(batch))
    };
    match read() {
        // Renamed since it was located: the next look finds it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        other => other.map_err(LogError::io(file, "reading")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::log::{Keeping, Kept, Log};

    use super::*;

    const LIMIT: Limit = Limit { records: 10, bytes: 1 << 20 };

    fn record(number: usize) -> String {
        format!(
            "{{\"v\":1,\"id\":\"{number}\",\"ts\":\"2026-11-22T05:01:26.123456Z\",\"kind\":\"event\",\"fill\":\"{}\"",
            "x".repeat(9_000)
        )
    }

    /// A log of several files, with this many records besides those about itself.
    fn log(folder: &Path, count: usize) -> Log {
        let keeping = Keeping { segment_bytes: 100_000, ..Keeping::default() };
        let log = Log::new(folder.join("audit.jsonl"), keeping);
        for number in 0..count {
            assert!(matches!(log.append(&[record(number)], false).unwrap(), Kept::Chained(_)));
        }
        log
    }

    /// All numbers from a cursor on.
    fn rest(log: &Path, mut cursor: Option<Cursor>) -> (Vec<u64>, Option<Cursor>) {
        let mut all = Vec::new();
        loop {
            let batch = next(log, cursor.as_ref(), LIMIT).unwrap();
            let Some(end) = batch.end else { break };
            all.extend(batch.lines.iter().map(|(line, _)| Link::of(line.as_bytes()).unwrap().head.seq));
            cursor = Some(end);
        }
        (all, cursor)
    }

    #[test]
    fn every_record_comes_once_across_files() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path(), 47);
        assert!(segment::files(log.path()).unwrap().len() > 3);
        let (all, cursor) = rest(log.path(), None);
        let last = *all.last().unwrap();
        assert_eq!(all, (1..=last).collect::<Vec<_>>());
        assert_eq!(rest(log.path(), cursor.clone()).0, [0; 0]);
        log.append(&[record(99)], false).unwrap();
        let new = rest(log.path(), cursor).0;
        assert_eq!(new.last(), Some(&(last + new.len() as u64)));
        assert!(!new.is_empty());
    }

    #[test]
    fn a_cursor_survives_that_its_file_was_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path(), 3);
        let (before, cursor) = rest(log.path(), None);
        for number in 0..40 {
            log.append(&[record(number)], false).unwrap();
        }
        let after = rest(log.path(), cursor).0;
        assert_eq!(after.first(), Some(&(before.len() as u64 + 1)));
        assert_eq!(after.len() as u64, after.last().unwrap() - before.len() as u64);
    }

    #[test]
    fn a_log_that_was_replaced_or_cut_off_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let first = log(folder.path(), 30);
        let (_, cursor) = rest(first.path(), None);
        // The oldest files went before they were sent.
        let mut early = cursor.clone().unwrap();
        early.seq = 2;
        let segments = segment::segments(first.path()).unwrap();
        fs::remove_file(&segments[0].path).unwrap();
        let gone = next(first.path(), Some(&early), LIMIT).unwrap().remark;
        assert_eq!(gone, Some(Remark::Expired(segments[0].last - 2)));
        for file in segment::files(first.path()).unwrap() {
            fs::remove_file(file).unwrap();
        }
        assert_eq!(locate(first.path(), cursor.as_ref()).unwrap(), None);
        let second = log(folder.path(), 2);
        let batch = next(second.path(), cursor.as_ref(), LIMIT).unwrap();
        assert_eq!(batch.remark, Some(Remark::Replaced));
        assert_eq!(rest(second.path(), cursor).0, [1, 2, 3]);
    }

    #[test]
    fn a_file_that_was_replaced_since_it_was_located_is_not_read_from_its_middle() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path(), 3);
        let (_, cursor) = rest(log.path(), None);
        let place = locate(log.path(), cursor.as_ref()).unwrap().unwrap();
        assert!(place.offset > 0);
        // Full in this moment: the name is another file's now.
        fs::rename(log.path(), folder.path().join("audit-20261122-000000000004.jsonl")).unwrap();
        for number in 0..9 {
            log.append(&[record(number)], false).unwrap();
        }
        assert!(read(log.path(), &place, LIMIT).unwrap().is_none());
        assert_eq!(rest(log.path(), cursor).0, (5..=14).collect::<Vec<_>>());
    }

    #[test]
    fn half_a_line_waits_for_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let mut bytes = Vec::new();
        let head = Head::START.seal(&record(1), &mut bytes);
        let whole = bytes.len();
        let _ = head.seal(&record(2), &mut bytes);
        fs::write(&path, &bytes[..whole + 100]).unwrap();
        let (all, cursor) = rest(&path, None);
        assert_eq!(all, [1]);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(rest(&path, cursor).0, [2]);
    }
}
