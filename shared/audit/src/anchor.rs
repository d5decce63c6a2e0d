//! Anchors: the head of a log, kept elsewhere, so that cutting the log's end off is seen.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::chain::Head;
use crate::{tail, time};

/// The head of a log at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    pub head: Head,
    /// When it was taken.
    pub ts: String,
    pub log: String,
}

impl Anchor {
    /// The head of the log at `path` now; `None` for a log without records.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        let Some(tail) = tail::read(&mut file, length)? else {
            return Err(io::Error::other("no record stands near its end: someone else has written into it"));
        };
        let head = tail.head;
        let anchor = Self { head, ts: time::stamp(time::now()), log: path.display().to_string() };
        // Before the first record there is nothing that could be cut off.
        Ok((head.seq > 0).then_some(anchor))
    }

    /// `12800:9f3a…`, as people pass it on.
    pub fn parse(text: &str) -> Option<Self> {
        let (seq, hash) = text.trim().split_once(':')?;
        let head = Head::from_parts(seq.parse().ok()?, hash)?;
        // Passed on by hand, it says neither when it was taken nor of which log.
        Some(Self { head, ts: String::new(), log: String::new() })
    }

    /// The anchors in a string, one on a line, as [`Anchor::line`] or `SEQ:HASH`; other lines are not anchors, as in a
    /// system's log.
    pub fn all(text: &str) -> Vec<Self> {
        text.lines()
            .filter_map(|line| {
                if let Some(anchor) = Self::parse(line) {
                    return Some(anchor);
                }
                // A system's log puts a date and a name in front.
                let json = line.get(line.find('{')?..)?;
                let value: Value = serde_json::from_str(json).ok()?;
                let anchor = &value["anchor"];
                let head = Head::from_parts(anchor["seq"].as_u64()?, anchor["hash"].as_str()?)?;
                let text = |key: &str| anchor[key].as_str().unwrap_or_default().to_owned();
                Some(Self { head, ts: text("ts"), log: text("log") })
            })
            .collect()
    }

    /// One line of JSON.
    pub fn line(&self) -> String {
        let anchor =
            json!({ "v": 1, "ts": self.ts, "log": self.log, "seq": self.head.seq, "hash": self.head.hash() });
        json!({ "anchor": anchor }).to_string()
    }

    pub fn add_to(&self, file: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(file)?;
        file.write_all(format!("{}\n", self.line()).as_bytes())?;
        // An anchor is only worth something if it outlasts what happens to this machine. Records, many a
        // second, do not wait for the disk; this does.
        file.sync_data()
    }

    /// Sends it to the system's log, which the user cannot write anew. RFC 3164, facility "log audit".
    #[cfg(unix)]
    pub fn send_to_syslog(&self, socket: &Path) -> io::Result<()> {
        // Eight times the facility, plus the severity: 5, a notice.
        const AUDIT_NOTICE: u8 = 13 * 8 + 5;
        let to = std::os::unix::net::UnixDatagram::unbound()?;
        to.connect(socket)?;
        let message = format!("<{AUDIT_NOTICE}>audit-logger[{}]: {}", std::process::id(), self.line());
        to.send(message.as_bytes()).map(drop)
    }
}
