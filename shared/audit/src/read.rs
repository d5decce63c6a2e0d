//! Reading a log back, for people and their questions.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::chain::LARGEST_RECORD;

/// Longer lines are not records.
const LONGEST_LINE: u64 = 4 * LARGEST_RECORD as u64;

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
    let mut strange = 0;
    let mut line = Vec::new();
    for file in files {
        let file = match File::open(file) {
            Ok(file) => file,
            // Retention, or a writer that takes in what was spilled, may be faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let mut reader = BufReader::with_capacity(64 * 1024, file);
        loop {
            line.clear();
            // What is longer is read in pieces, each of which is passed over: memory stays bounded whatever
            // someone wrote there.
            if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            done.fetch_add(line.len(), Ordering::Relaxed);
            match Record::parse(&line) {
                Some(record) => {
                    if visit(record).is_break() {
                        return Ok(strange);
                    }
                }
                None => strange += u64::from(line.iter().any(|byte| !byte.is_ascii_whitespace())),
            }
        }
    }
    Ok(strange)
}
