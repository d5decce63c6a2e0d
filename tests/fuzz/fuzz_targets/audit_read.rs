//! Any bytes as a log: read, verified, and written on to. See `tests/fuzz/run`.
#![no_main]

use std::fs;
use std::ops::ControlFlow;

use audit::{Anchor, Keeping, Kept, Link, Log, Record, each, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|byte| *byte == b'\n') {
        if let Some(link) = Link::of(line) {
            let _ = link.holds();
        }
        if let Some(record) = Record::parse(line) {
            let _ = (record.gist(), record.decision(), record.rule(), record.is_about_agents());
        }
    }
    let _ = Anchor::all(&String::from_utf8_lossy(bytes));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit.jsonl");
    fs::write(&path, bytes).expect("a file");
    let log = Log::new(&path, Keeping::default());
    let body = "{\"v\":1,\"id\":\"fuzz\",\"kind\":\"event\"".to_owned();
    assert!(matches!(log.append(&[body], false), Ok(Kept::Chained(_))));
    let files = [path];
    let written = fs::read(&files[0]).expect("the log");
    assert!(written.starts_with(bytes), "what was there is there");
    let report = verify(&files, &[]).expect("a report");
    // Whatever stood there, the writer has explained it, unless it is a chain that was tampered with.
    assert!(report.intact || bytes.windows(8).any(|part| part == b"\"hash\":\""), "{report:?}");
    let mut records = 0;
    let strange = each(&files, |_| {
        records += 1;
        ControlFlow::Continue(())
    });
    assert!(records >= 1 && strange.is_ok());
});
