//! Reading a log back, for people and their questions.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::chain::LARGEST_RECORD;

/// Longer lines are not records.
const LONGEST_LINE: u64 = 4 * LARGEST_RECORD as u64;

/// How many ids are remembered where several logs may hold one record.
const RECENT: usize = 4096;

/// A record as it stands in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    value: Value,
}

impl Record {
    /// Reads a line; `None` if it is not a record of ours. Nothing is proved by that: see [`crate::verify()`].
    pub fn parse(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        (value["v"].is_u64() && value["id"].is_string() && value["kind"].is_string())
            .then_some(Self { value })
    }

    /// All of it.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// A string of the record, by its path, such as `tool.name`; empty where there is none.
    pub fn text(&self, path: &str) -> &str {
        path.split('.').fold(&self.value, |value, key| &value[key]).as_str().unwrap_or_default()
    }

    /// When it was written.
    pub fn ts(&self) -> &str {
        self.text("ts")
    }

    /// Whether the record is about an event, a decision, an approval or what was kept, and not about the log itself.
    pub fn is_about_agents(&self) -> bool {
        matches!(self.text("kind"), "event" | "decision" | "approval" | "kept" | "unreadable")
    }

    /// What was decided; empty where nothing was.
    pub fn decision(&self) -> &str {
        self.text("decision.value")
    }

    /// Whether the host received what was decided; not by a program that only observes.
    pub fn is_enforced(&self) -> bool {
        self.value["decision"]["enforced"] != false
    }

    /// The rule that decided.
    pub fn rule(&self) -> &str {
        self.text("decision.rule")
    }

    /// What the event was about, in a few words: the command, paths, addresses, or what there is.
    pub fn gist(&self) -> String {
        let value = &self.value;
        for key in ["command", "error", "source", "why"] {
            if let Some(text) = value[key].as_str() {
                return text.to_owned();
            }
        }
        for key in ["commands", "paths", "urls"] {
            if let Some(list) = value[key].as_array() {
                return list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
            }
        }
        for (key, what) in
            [("prompt", "prompt"), ("output", "result"), ("input", "arguments"), ("message", "message")]
        {
            if let Some(bytes) = value[key]["bytes"].as_u64() {
                return format!("({what} of {bytes} bytes)");
            }
        }
        if value["gap"].is_object() {
            return format!("({} bytes that are not a record)", value["gap"]["bytes"]);
        }
        String::new()
    }
}

/// How many bytes files hold, as far as they can be read.
pub fn size(files: &[PathBuf]) -> usize {
    let sizes = files.iter().filter_map(|file| file.metadata().ok()).map(|about| about.len());
    usize::try_from(sizes.sum::<u64>()).unwrap_or(usize::MAX)
}

/// Calls `visit` with every record in `files`, in their order, until it breaks. Lines that are not records are passed
/// over; the number of them is returned.
pub fn each(files: &[PathBuf], visit: impl FnMut(Record) -> ControlFlow<()>) -> io::Result<u64> {
    each_counted(files, &AtomicUsize::default(), visit)
}

/// The same, with the bytes that have been read counted in `done`; there are [`size`] of them.
pub fn each_counted(
    files: &[PathBuf],
    done: &AtomicUsize,
    mut visit: impl FnMut(Record) -> ControlFlow<()>,
) -> io::Result<u64> {
    let mut records = Records::of(files, done);
    while let Some(record) = records.next()? {
        if visit(record).is_break() {
            break;
        }
    }
    Ok(records.strange)
}

/// The same for several logs, each given by its files: all records in the order of their times. One that lies in several
/// copies is visited once.
pub fn each_merged(
    logs: &[Vec<PathBuf>],
    done: &AtomicUsize,
    mut visit: impl FnMut(Record) -> ControlFlow<()>,
) -> io::Result<u64> {
    if let [files] = logs {
        return each_counted(files, done, visit);
    }
    let mut all: Vec<Records<'_>> = logs.iter().map(|files| Records::of(files, done)).collect();
    let mut heads = all.iter_mut().map(Records::next).collect::<io::Result<Vec<_>>>()?;
    // A copy of a record stands at nearly the same place of its order: only the last ids are kept.
    let (mut ids, mut order) = (HashSet::new(), VecDeque::new());
    loop {
        let first = heads.iter().enumerate().filter_map(|(at, head)| Some((head.as_ref()?.ts(), at))).min();
        let Some((_, at)) = first else { break };
        let next = all[at].next()?;
        let Some(record) = std::mem::replace(&mut heads[at], next) else { break };
        let id = record.text("id").to_owned();
        if !ids.insert(id.clone()) {
            continue;
        }
        order.push_back(id);
        if order.len() > RECENT
            && let Some(old) = order.pop_front()
        {
            ids.remove(&old);
        }
        if visit(record).is_break() {
            break;
        }
    }
    Ok(all.iter().map(|records| records.strange).sum())
}

/// The records of a log, one after the other.
struct Records<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    reader: Option<BufReader<File>>,
    line: Vec<u8>,
    done: &'a AtomicUsize,
    /// How many lines were not records.
    strange: u64,
}

impl<'a> Records<'a> {
    fn of(files: &'a [PathBuf], done: &'a AtomicUsize) -> Self {
        Self { files: files.iter(), reader: None, line: Vec::new(), done, strange: 0 }
    }

    fn next(&mut self) -> io::Result<Option<Record>> {
        loop {
            let Some(reader) = &mut self.reader else {
                let Some(file) = self.files.next() else { return Ok(None) };
                match File::open(file) {
                    Ok(file) => self.reader = Some(BufReader::with_capacity(64 * 1024, file)),
                    // Retention, or a writer that takes in what was spilled, may be faster.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
                continue;
            };
            self.line.clear();
            // What is longer is read in pieces, each of which is passed over: memory stays bounded whatever
            // someone wrote there.
            if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)? == 0 {
                self.reader = None;
                continue;
            }
            self.done.fetch_add(self.line.len(), Ordering::Relaxed);
            match Record::parse(&self.line) {
                Some(record) => return Ok(Some(record)),
                None => self.strange += u64::from(self.line.iter().any(|byte| !byte.is_ascii_whitespace())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn records_of_several_logs_come_in_order_and_those_of_a_copy_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = |name: &str, records: &[(u32, &str)]| {
            let path = folder.path().join(name);
            let line = |(second, id): &(u32, &str)| {
                format!(
                    "{{\"v\":1,\"kind\":\"event\",\"id\":\"{id}\",\"ts\":\"2026-11-22T05:01:{second:02}.000000Z\"}}\n"
                )
            };
            fs::write(&path, records.iter().map(line).collect::<String>() + "not a record\n").unwrap();
            vec![path]
        };
        let logs = [
            log("a", &[(2, "begin"), (1, "a1"), (4, "a2"), (9, "a3")]),
            log("b", &[(2, "b1"), (4, "b2"), (4, "b3")]),
            log("copy of a", &[(2, "begin"), (1, "a1"), (4, "a2")]),
            Vec::new(),
        ];
        let mut ids = Vec::new();
        let done = AtomicUsize::default();
        let strange = each_merged(&logs, &done, |record| {
            ids.push(record.text("id").to_owned());
            ControlFlow::Continue(())
        });
        assert_eq!(ids, ["begin", "a1", "b1", "a2", "b2", "b3", "a3"]);
        assert_eq!((strange.unwrap(), done.into_inner()), (3, size(&logs.concat())));
    }
}
