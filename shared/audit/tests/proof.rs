//! What `verify` finds: every edit, deletion, insertion, swap and duplicate, at every place.
//!
//! `AUDIT_FULL=1` takes a log of 200 records instead of 24.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use audit::{Anchor, Head, Keeping, Kept, Log, Report, verify};

fn full() -> bool {
    std::env::var_os("AUDIT_FULL").is_some()
}

/// A log of `count` records in one file.
fn log(folder: &Path, count: usize) -> Vec<u8> {
    let path = folder.join("audit.jsonl");
    let log = Log::new(&path, Keeping::default());
    for number in 0..count {
        let body =
            format!("{{\"v\":1,\"id\":\"{number:036}\",\"kind\":\"event\",\"command\":\"make {number}\"");
        assert!(matches!(log.append(&[body], false), Ok(Kept::Chained(_))));
    }
    fs::read(path).unwrap()
}

fn check(folder: &Path, bytes: &[u8], anchors: &[Anchor]) -> Report {
    let path = folder.join("copy.jsonl");
    fs::write(&path, bytes).unwrap();
    verify(&[path], anchors).unwrap()
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

#[test]
fn an_untouched_log_is_intact() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = log(folder.path(), 24);
    let report = check(folder.path(), &bytes, &[]);
    // The file's first record says that it begins.
    assert!(report.intact, "{report:?}");
    assert_eq!((report.records, report.first, report.last, report.anchored), (25, 1, 25, None));
}

#[test]
fn a_changed_byte_is_found_at_every_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = log(folder.path(), if full() { 200 } else { 24 });
    let path = folder.path().join("copy.jsonl");
    for at in 0..bytes.len() {
        let was = bytes[at];
        bytes[at] = was ^ 1;
        fs::write(&path, &bytes).unwrap();
        let report = verify(std::slice::from_ref(&path), &[]).unwrap();
        assert!(!report.intact, "byte {at} was {:?}", char::from(was));
        bytes[at] = was;
    }
}

#[test]
fn what_is_taken_away_added_moved_or_doubled_is_found_at_every_place() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = log(folder.path(), if full() { 200 } else { 24 });
    let lines = lines(&bytes);
    let joined = |lines: &[&[u8]]| check(folder.path(), &lines.concat(), &[]);
    let foreign = b"{\"v\":1,\"id\":\"x\",\"kind\":\"event\"}\n".as_slice();
    for at in 0..lines.len() {
        // Taking the last one away is cutting off the end, which only an anchor shows.
        if at + 1 < lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(at);
            assert!(!joined(&fewer).intact, "record {at} taken away");
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            assert!(!joined(&swapped).intact, "record {at} swapped");
        }
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        assert!(!joined(&doubled).intact, "record {at} doubled");
        let mut added = lines.clone();
        added.insert(at, foreign);
        assert!(!joined(&added).intact, "a record added before {at}");
        let mut forged = lines.clone();
        let mut line = Vec::new();
        let _ = Head::START.seal("{\"v\":1,\"id\":\"y\",\"kind\":\"event\"", &mut line);
        forged.insert(at, &line);
        assert!(!joined(&forged).intact, "a forged record before {at}");
    }
}

#[test]
fn a_cut_end_is_found_with_an_anchor_and_said_to_be_unproved_without() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = log(folder.path(), 24);
    let anchor = Anchor::take(&folder.path().join("audit.jsonl")).unwrap().unwrap();
    let again = Anchor::all(&format!("Nov 22 host audit-logger[7]: {}\nnoise {{\n", anchor.line()));
    assert_eq!(again, std::slice::from_ref(&anchor), "what is written is read");
    let lines = lines(&bytes);
    assert_eq!(check(folder.path(), &bytes, &again).anchored, Some(25));
    for left in 0..lines.len() {
        let cut = lines[..left].concat();
        let report = check(folder.path(), &cut, &again);
        assert!(!report.intact && report.anchored.is_none(), "{left} records left: {report:?}");
        let report = check(folder.path(), &cut, &[]);
        assert!(report.intact && report.anchored.is_none(), "{left} records left: {report:?}");
    }
    // All written anew: the chain holds, the anchor does not.
    let other = tempfile::tempdir().unwrap();
    assert!(!check(other.path(), &log(other.path(), 24), &again).intact);
}

/// A log that goes on over several small files.
fn segmented(folder: &Path, days: u32) -> (PathBuf, Log) {
    let path = folder.join("audit.jsonl");
    let keeping = Keeping { segment_bytes: 4096, days, ..Keeping::default() };
    let log = Log::new(&path, keeping);
    for number in 0..60 {
        log.append(&[format!("{{\"v\":1,\"id\":\"{number:036}\",\"kind\":\"event\"")], false).unwrap();
    }
    (path, log)
}

#[test]
fn the_chain_goes_on_over_all_files_and_a_missing_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = segmented(folder.path(), 0);
    let files = audit::files(&path).unwrap();
    assert!(files.len() > 3, "{files:?}");
    let report = verify(&files, &[]).unwrap();
    assert!(report.intact, "{report:?}");
    assert_eq!(report.records, 60 + files.len() as u64);
    for missing in 0..files.len() - 1 {
        let mut fewer = files.clone();
        fewer.remove(missing);
        assert!(!verify(&fewer, &[]).unwrap().intact, "file {missing} is missing");
    }
}

#[test]
fn files_that_are_too_old_leave_a_proof_of_where_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (path, log) = segmented(folder.path(), 30);
    let old = audit::segments(&path).unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(40 * 24);
    for segment in &old[..2] {
        fs::File::options().append(true).open(&segment.path).unwrap().set_modified(long_ago).unwrap();
    }
    let before = audit::files(&path).unwrap().len();
    while audit::segments(&path).unwrap().len() >= old.len() {
        log.append(&["{\"v\":1,\"id\":\"later\",\"kind\":\"event\"".to_owned()], false).unwrap();
        assert!(audit::files(&path).unwrap().len() <= before + 1);
    }
    let files = audit::files(&path).unwrap();
    assert!(!old[0].path.exists() && !old[1].path.exists() && old[2].path.exists());
    let report = verify(&files, &[]).unwrap();
    assert!(report.intact && report.first > 1, "{report:?}");
    // The same beginning without the proof is a theft.
    assert!(!verify(&files[..1], &[]).unwrap().intact);
}
