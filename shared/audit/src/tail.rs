//! The end of a log: where the chain goes on, and what a crash left behind.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use sha2::{Digest, Sha256};

use crate::chain::{Head, LONGEST_END, Link, head_of_tail, hex};

/// How much of the end is looked through first when the last whole record has to be looked for; then twice as much.
const STEP: u64 = 256 * 1024;

/// How much is looked through at most. A crash leaves one torn record; what is longer is someone else's, and might be a
/// sparse file without end.
const FARTHEST: u64 = 16 * 1024 * 1024;

/// The end of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The last whole record.
    pub(crate) head: Head,
    /// Whether the file ends in the middle of a line.
    pub(crate) open_line: bool,
    /// What follows the last whole record, if anything.
    pub(crate) torn: Option<Torn>,
}

/// Bytes that are not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Torn {
    pub(crate) bytes: u64,
    /// Their SHA-256, as text.
    pub(crate) sha256: String,
}

/// Reads the end of a log of `length` bytes: a few bytes, unless a crash tore the last line. `None` where so much stands
/// after the last whole record that no one can wait for it.
pub(crate) fn read(file: &mut File, length: u64) -> io::Result<Option<Tail>> {
    if length == 0 {
        return Ok(Some(Tail { head: Head::START, open_line: false, torn: None }));
    }
    let mut end = [0; LONGEST_END + 1];
    let wanted = usize::try_from(length).unwrap_or(usize::MAX).min(end.len());
    let from = length - wanted as u64;
    let end = &mut end[..wanted];
    file.seek(SeekFrom::Start(from))?;
    file.read_exact(end)?;
    match head_of_tail(end) {
        Some(head) => Ok(Some(Tail { head, open_line: false, torn: None })),
        None => search(file, length),
    }
}

/// Looks backwards for the last whole record.
fn search(file: &mut File, length: u64) -> io::Result<Option<Tail>> {
    let mut step = STEP;
    loop {
        let start = length.saturating_sub(step);
        let mut end = vec![0; usize::try_from(length - start).unwrap_or_default()];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut end)?;
        if let Some((head, behind)) = last_record(&end, start == 0) {
            let mut found = tail(head, &end[behind..]);
            // A record that only lacks its line feed is whole.
            found.open_line = end.last() != Some(&b'\n');
            return Ok(Some(found));
        }
        if start == 0 {
            // Nothing here is ours: all of it is kept, and the chain begins after it.
            return Ok(Some(tail(Head::START, &end)));
        }
        if step >= FARTHEST {
            return Ok(None);
        }
        step *= 2;
    }
}

/// The last whole record in `bytes` and where it ends; the first line counts only if it is `whole`.
fn last_record(bytes: &[u8], whole: bool) -> Option<(Head, usize)> {
    let mut line_end = bytes.len();
    loop {
        let line_start = bytes[..line_end].iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
        if (line_start > 0 || whole)
            && let Some(link) = Link::of(&bytes[line_start..line_end])
            && link.holds()
        {
            // The line feed belongs to the line, if it is there.
            return Some((link.head, (line_end + 1).min(bytes.len())));
        }
        if line_start == 0 {
            return None;
        }
        line_end = line_start - 1;
    }
}

fn tail(head: Head, behind: &[u8]) -> Tail {
    let open_line = !behind.is_empty() && behind.last() != Some(&b'\n');
    let torn = (!behind.is_empty()).then(|| Torn {
        bytes: behind.len() as u64,
        sha256: String::from_utf8_lossy(&hex(&Sha256::digest(behind))).into_owned(),
    });
    Tail { head, open_line, torn }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn of(bytes: &[u8]) -> Tail {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        read(&mut file, bytes.len() as u64).unwrap().unwrap()
    }

    #[test]
    fn the_chain_goes_on_after_the_last_whole_record() {
        let mut log = Vec::new();
        let first = Head::START.seal("{\"a\":1", &mut log);
        let whole = log.len();
        let second = first.seal(&format!("{{\"text\":\"{}\"", "x".repeat(300_000)), &mut log);
        assert_eq!(of(&log), Tail { head: second, open_line: false, torn: None });
        // Cut anywhere in the second record: the first is the last, and the rest is kept.
        for cut in [whole + 1, whole + 50, log.len() - 100, log.len() - 2] {
            let tail = of(&log[..cut]);
            assert_eq!((tail.head, tail.open_line), (first, true), "{cut}");
            assert_eq!(tail.torn.map(|torn| torn.bytes), Some((cut - whole) as u64));
        }
    }

    #[test]
    fn a_record_without_its_line_feed_is_whole() {
        let mut log = Vec::new();
        let first = Head::START.seal("{\"a\":1", &mut log);
        let tail = of(&log[..log.len() - 1]);
        assert_eq!((tail.head, tail.torn), (first, None));
        assert!(tail.open_line, "the line feed is still to be written");
    }

    #[test]
    fn no_one_waits_for_the_beginning_of_a_sparse_file() {
        let mut file = tempfile::tempfile().unwrap();
        let mut log = Vec::new();
        let _ = Head::START.seal("{\"a\":1", &mut log);
        file.write_all(&log).unwrap();
        file.set_len(200 << 30).unwrap();
        let begun = std::time::Instant::now();
        assert_eq!(read(&mut file, 200 << 30).unwrap(), None);
        assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    }

    #[test]
    fn what_others_wrote_into_the_file_is_kept() {
        let text = b"[2026-11-22] Session: 1, Tool: bash\nanother line\n";
        let tail = of(text);
        assert_eq!((tail.head, tail.open_line), (Head::START, false));
        assert_eq!(tail.torn.map(|torn| torn.bytes), Some(text.len() as u64));
    }
}
