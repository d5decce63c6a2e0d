//! What was committed last, and where it is pushed to.

use std::fs::File;
use std::io::Read as _;

use crate::Repository;

/// How large the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSize {
    /// How many entries its head claims to have.
    pub entries: u32,
    /// The file's size.
    pub bytes: u64,
}

impl Repository {
    /// The subjects of the last commits, the newest first.
    pub fn subjects(&self, most: usize) -> Vec<Vec<u8>> {
        let mut next = self.git.head().ok().and_then(|head| head.peel_to_commit().ok());
        let mut subjects = Vec::new();
        while let Some(commit) = next.filter(|_| subjects.len() < most) {
            let message = commit.message_raw_bytes();
            // Some tools begin a message with blank lines.
            let subject = message.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
            subjects.push(subject.unwrap_or_default().to_owned());
            // Of a merge the first parent: what it brought along has a history of its own.
            next = commit.parent(0).ok();
        }
        subjects
    }

    /// The remotes, as names with the addresses that the configuration has.
    pub fn remotes(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let names = self.git.remotes().ok();
        let names = names.iter().flat_map(|names| names.iter_bytes());
        names
            .filter_map(|name| {
                let remote = self.git.find_remote(std::str::from_utf8(name).ok()?).ok()?;
                Some((name.to_owned(), remote.url_bytes().to_owned()))
            })
            .collect()
    }

    /// How large the index is, from the first bytes of its file; `None` without one.
    pub fn index_size(&self) -> Option<IndexSize> {
        let mut file = File::open(self.git.path().join("index")).ok()?;
        let bytes = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
        let mut head = [0; 12];
        file.read_exact(&mut head).ok()?;
        let [b'D', b'I', b'R', b'C', _, _, _, _, a, b, c, d] = head else { return None };
        Some(IndexSize { entries: u32::from_be_bytes([a, b, c, d]), bytes })
    }
}
