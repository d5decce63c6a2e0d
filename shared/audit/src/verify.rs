//! The proof: that every record is as it was written, that none is missing, and from where on no one vouches for that.
//!
//! Reads line by line in constant memory. What a chain alone cannot show is that its end was cut off, or that all of it
//! was written anew by someone with the right to write: that takes an [`Anchor`] that lies elsewhere.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{self, AtomicUsize};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::anchor::Anchor;
use crate::chain::{Head, LARGEST_RECORD, Link, hex};

/// How many findings are kept; all are counted.
const SHOWN: usize = 1_000;

/// The longest line that is read as a record.
const LONGEST_LINE: usize = 4 * LARGEST_RECORD;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing: `edited`, `missing`, `repeated`, `replaced`, `not-a-record`, `torn-end`, `gap-changed`,
    /// `beginning-missing`, `anchor`.
    pub what: &'static str,
    pub file: String,
    /// The line, from 1; 0 for what concerns the file.
    pub line: u64,
    pub text: String,
}

/// What verifying found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether everything is in order.
    pub intact: bool,
    /// How many records hold.
    pub records: u64,
    /// How many bytes were read.
    pub bytes: u64,
    /// How many files there are.
    pub files: usize,
    /// The number of the first record.
    pub first: u64,
    /// The number of the last record.
    pub last: u64,
    /// The hash of the last record.
    pub head: String,
    /// How many times a crash or someone else's writing was noted by the next writer.
    pub gaps: u64,
    /// The bytes in them.
    pub gap_bytes: u64,
    /// The last record that an anchor vouches for; `None` without one.
    pub anchored: Option<u64>,
    /// How many findings there are.
    pub found: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
}

/// Verifies the files of a log, in the order of its chain.
pub fn verify(files: &[PathBuf], anchors: &[Anchor]) -> io::Result<Report> {
    verify_counted(files, anchors, &AtomicUsize::default())
}

/// The same, with the bytes that have been read counted in `done`; there are [`crate::size`] of them.
pub fn verify_counted(files: &[PathBuf], anchors: &[Anchor], done: &AtomicUsize) -> io::Result<Report> {
    let mut checker = Checker::new(anchors);
    for file in files {
        checker.file(file, done)?;
    }
    Ok(checker.finish(files.len()))
}

struct Checker<'a> {
    report: Report,
    anchors: Vec<(&'a Anchor, bool)>,
    /// The last good record; `None` before the first.
    head: Option<Head>,
    /// What the first record claims to follow, if it is not the start.
    owed: Option<Head>,
    /// Bytes since the last good record that are not a record.
    stray: Stray,
    file: String,
    line: u64,
}

/// Bytes that are not a record, digested as they come. The last line feed is held back: the writer who ended a torn line
/// did not count it.
#[derive(Default)]
struct Stray {
    digest: Sha256,
    bytes: u64,
    held_back: bool,
    first_line: u64,
}

impl Stray {
    fn add(&mut self, bytes: &[u8], line: u64) {
        if self.bytes == 0 && !self.held_back {
            self.first_line = line;
        }
        if self.held_back {
            self.digest.update(b"\n");
            self.bytes += 1;
            self.held_back = false;
        }
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        self.digest.update(body);
        self.bytes += body.len() as u64;
        self.held_back = body.len() < bytes.len();
    }

    fn is_empty(&self) -> bool {
        self.bytes == 0 && !self.held_back
    }

    /// Whether a record of a gap is about these bytes.
    fn is_what(&self, bytes: u64, sha256: &str) -> bool {
        let mut digest = self.digest.clone();
        if bytes == self.bytes + 1 && self.held_back {
            digest.update(b"\n");
        } else if bytes != self.bytes {
            return false;
        }
        hex(&digest.finalize()) == sha256.as_bytes()
    }
}

impl<'a> Checker<'a> {
    fn new(anchors: &'a [Anchor]) -> Self {
        Self {
            report: Report::default(),
            anchors: anchors.iter().map(|anchor| (anchor, false)).collect(),
            head: None,
            owed: None,
            stray: Stray::default(),
            file: String::new(),
            line: 0,
        }
    }

    fn file(&mut self, path: &Path, done: &AtomicUsize) -> io::Result<()> {
        self.file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.line = 0;
        let mut reader = BufReader::with_capacity(256 * 1024, File::open(path)?);
        let mut line = Vec::with_capacity(LARGEST_RECORD);
        loop {
            // Whole lines are looked at where they lie; only those across the buffer's edge are copied.
            let buffer = reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let mut used = 0;
            while let Some(length) = memchr::memchr(b'\n', &buffer[used..]) {
                self.line(&buffer[used..=used + length]);
                used += length + 1;
            }
            if used > 0 {
                done.fetch_add(used, atomic::Ordering::Relaxed);
                reader.consume(used);
                continue;
            }
            line.clear();
            let limit = LONGEST_LINE as u64;
            let size = reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
            if size == 0 {
                return Ok(());
            }
            done.fetch_add(size, atomic::Ordering::Relaxed);
            self.line(&line);
        }
    }

    fn line(&mut self, line: &[u8]) {
        self.line += 1;
        self.report.bytes += line.len() as u64;
        let link = line.strip_suffix(b"\n").and_then(Link::of);
        match link {
            Some(link) if link.holds() => self.record(&link),
            Some(link) => {
                self.found("edited", format!("record {} is not what was written", link.head.seq));
                // Its neighbours may be fine: it keeps its place.
                self.follow(&link);
            }
            None => self.stray.add(line, self.line),
        }
    }

    /// A record whose hash holds.
    fn record(&mut self, link: &Link<'_>) {
        self.report.records += 1;
        let value = note(link);
        self.settle(value.as_ref());
        self.follow(link);
        self.pay(value.as_ref());
    }

    /// What stands between the last record and this one: explained by this one, or not.
    fn settle(&mut self, value: Option<&serde_json::Value>) {
        let gap = value.map(|value| &value["gap"]).filter(|gap| gap.is_object());
        let stray = std::mem::take(&mut self.stray);
        match gap {
            Some(gap) => {
                let (bytes, sha256) =
                    (gap["bytes"].as_u64().unwrap_or_default(), gap["sha256"].as_str().unwrap_or_default());
                self.report.gaps += 1;
                self.report.gap_bytes += bytes;
                if !stray.is_what(bytes, sha256) {
                    self.found(
                        "gap-changed",
                        format!("{bytes} bytes that a crash left here were changed or removed"),
                    );
                }
            }
            None if !stray.is_empty() => {
                self.line_found(
                    stray.first_line,
                    "not-a-record",
                    format!("{} bytes are not a record, and no record explains them", stray.bytes),
                );
            }
            None => {}
        }
    }

    /// Whether a record follows the last one.
    fn follow(&mut self, link: &Link<'_>) {
        let Some(head) = self.head.replace(link.head) else {
            self.report.first = link.head.seq;
            if link.prev != Head::START.hash || link.head.seq != 1 {
                // Not reported yet: retention may have removed what came before, and the record that says so follows.
                self.owed = Some(Head { seq: link.head.seq.saturating_sub(1), hash: link.prev });
            }
            self.check_anchors(link.head);
            return;
        };
        self.check_anchors(link.head);
        let seq = link.head.seq;
        let expected = head.seq + 1;
        if seq == expected && link.prev == head.hash {
            return;
        }
        match seq.cmp(&expected) {
            Ordering::Greater => {
                let count = seq - expected;
                self.found("missing", format!("{count} records are missing before record {seq}"));
            }
            Ordering::Less => {
                self.found("repeated", format!("record {seq} follows record {}", head.seq));
            }
            Ordering::Equal => {
                self.found(
                    "replaced",
                    format!("record {seq} does not follow the record {} before it", head.seq),
                );
            }
        }
    }

    /// A record of expired files vouches for a beginning that is not the start.
    fn pay(&mut self, value: Option<&serde_json::Value>) {
        let Some(owed) = self.owed else { return };
        let expired = value.and_then(|value| value["expired"].as_array());
        let vouched = expired
            .into_iter()
            .flatten()
            .any(|one| one["seq"].as_u64() == Some(owed.seq) && one["hash"].as_str() == Some(owed.hash()));
        if vouched {
            self.owed = None;
        }
    }

    fn check_anchors(&mut self, head: Head) {
        for index in 0..self.anchors.len() {
            let (anchor, seen) = self.anchors[index];
            if anchor.head.seq != head.seq || seen {
                continue;
            }
            self.anchors[index].1 = true;
            if anchor.head == head {
                self.report.anchored = self.report.anchored.max(Some(head.seq));
            } else {
                self.found("anchor", format!("record {} is not the one that was anchored", head.seq));
            }
        }
    }

    fn found(&mut self, what: &'static str, text: String) {
        self.line_found(self.line, what, text);
    }

    fn line_found(&mut self, line: u64, what: &'static str, text: String) {
        self.report.found += 1;
        if self.report.findings.len() < SHOWN {
            self.report.findings.push(Finding { what, file: self.file.clone(), line, text });
        }
    }

    fn finish(mut self, files: usize) -> Report {
        self.report.files = files;
        let stray = std::mem::take(&mut self.stray);
        if !stray.is_empty() {
            self.line_found(
                stray.first_line,
                "torn-end",
                format!("{} bytes at the end are not a record; the next writer would note them", stray.bytes),
            );
        }
        if let Some(owed) = self.owed {
            self.line_found(
                0,
                "beginning-missing",
                format!(
                    "the log begins with record {}, and nothing shows what happened to those before",
                    owed.seq + 1
                ),
            );
        }
        let head = self.head.unwrap_or(Head::START);
        for (anchor, seen) in std::mem::take(&mut self.anchors) {
            let seq = anchor.head.seq;
            if !seen && seq > head.seq {
                self.line_found(
                    0,
                    "anchor",
                    format!(
                        "record {seq} was anchored and is missing: the log ends with record {}",
                        head.seq
                    ),
                );
            } else if !seen && seq >= self.report.first && seq > 0 {
                self.line_found(0, "anchor", format!("record {seq} was anchored and is missing"));
            }
        }
        self.report.last = head.seq;
        head.hash().clone_into(&mut self.report.head);
        self.report.intact = self.report.found == 0;
        self.report
    }
}

/// The record's members, for the few kinds that verifying needs.
pub(crate) fn note(link: &Link<'_>) -> Option<serde_json::Value> {
    let special = [&b"\"kind\":\"gap\""[..], b"\"kind\":\"expired\""];
    // Our own records have their kind within the first bytes.
    let start = link.body.get(..160).unwrap_or(link.body);
    if !special.iter().any(|kind| memchr::memmem::find(start, kind).is_some()) {
        return None;
    }
    let mut text = link.body.to_vec();
    text.push(b'}');
    serde_json::from_slice(&text).ok()
}
