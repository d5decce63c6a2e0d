//! State survives whoever dies, and never grows without end.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use store::session::{MAX_AGE, MAX_RECORD, Owner, SessionError, Store};

const SHORT: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_mins(1);

fn session(id: &str) -> Owner<'_> {
    Owner::Session { host: "claude", id }
}

#[test]
fn what_is_written_is_read_and_owners_are_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("not/yet/there"));
    let record = store.record(session("a"), "x.json");
    assert_eq!(record.read().unwrap(), None);
    record.lock(SHORT).unwrap().write(b"one").unwrap();
    assert_eq!(record.read().unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(store.record(session("b"), "x.json").read().unwrap(), None);
    let other = Owner::Session { host: "codex", id: "a" };
    assert_eq!(store.record(other, "x.json").read().unwrap(), None);
    assert_eq!(store.record(Owner::Folder(Path::new("a")), "x.json").read().unwrap(), None);
    assert_eq!(store.records("x.json").len(), 1);
    record.remove().unwrap();
    record.remove().unwrap();
    assert!(!record.exists());
}

#[test]
fn a_lock_keeps_others_out_and_ends_with_its_holder() {
    let folder = tempfile::tempdir().unwrap();
    let record = Store::at(folder.path()).record(session("a"), "x.json");
    let held = record.lock(SHORT).unwrap();
    assert!(matches!(record.lock(SHORT), Err(SessionError::Busy { .. })));
    drop(held);
    assert!(record.lock(SHORT).is_ok());
}

#[test]
fn what_is_held_keeps_others_from_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("not/yet/there"));
    let path = Path::new("/project/src/a.rs");
    let held = store.hold(path, SHORT).unwrap();
    assert!(matches!(store.hold(path, SHORT), Err(SessionError::Busy { .. })));
    // Locks are shared, but not by all.
    assert!((0..8).any(|number| store.hold(Path::new(&format!("/project/{number}")), SHORT).is_ok()));
    drop(held);
    assert!(store.hold(path, SHORT).is_ok());
}

#[test]
fn many_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let record = Store::at(folder.path()).record(session("a"), "x.json");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let locked = record.lock(LONG).unwrap();
                    let text = locked
                        .read()
                        .unwrap()
                        .map_or(0, |bytes| String::from_utf8(bytes).unwrap().parse::<u32>().unwrap());
                    locked.write((text + 1).to_string().as_bytes()).unwrap();
                }
            });
        }
    });
    assert_eq!(record.read().unwrap().as_deref(), Some(&b"200"[..]));
}

#[test]
fn a_record_has_a_limit_and_is_a_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let record = Store::at(folder.path()).record(session("a"), "x.json");
    let locked = record.lock(SHORT).unwrap();
    locked.write(&vec![b'x'; MAX_RECORD]).unwrap();
    assert!(locked.write(&vec![b'x'; MAX_RECORD + 1]).is_err());
    assert_eq!(locked.read().unwrap().unwrap().len(), MAX_RECORD);
    fs::write(record.path(), vec![b'x'; MAX_RECORD + 1]).unwrap();
    assert!(matches!(locked.read(), Err(SessionError::NotARecord { .. })));
    fs::remove_file(record.path()).unwrap();
    fs::create_dir(record.path()).unwrap();
    assert!(matches!(locked.read(), Err(SessionError::NotARecord { .. })));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let record = Store::at(folder.path().join("file")).record(session("a"), "x.json");
    let error = record.lock(SHORT).unwrap_err();
    assert!(error.hint().contains("policy-hooks"), "{error}");
}

/// As if the record had been written `age` ago.
fn age(path: &Path, age: Duration) {
    let times = FileTimes::new().set_modified(SystemTime::now() - age);
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

#[test]
fn what_is_old_goes_and_what_is_held_stays() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let records = ["new", "old", "held"].map(|id| store.record(session(id), "x.json"));
    for record in &records {
        record.lock(SHORT).unwrap().write(b"x").unwrap();
    }
    for record in &records[1..] {
        age(record.path(), MAX_AGE + Duration::from_hours(1));
    }
    let held = records[2].lock(SHORT).unwrap();
    store.sweep(SystemTime::now());
    assert_eq!(records.each_ref().map(store::session::Record::exists), [true, false, true]);
    drop(held);
    store.sweep(SystemTime::now());
    assert!(records[2].exists(), "once in six hours is enough");
    store.sweep_now(SystemTime::now());
    assert!(!records[2].exists());
}

#[test]
fn the_oldest_go_when_there_is_too_much() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let many = usize::try_from(store::session::MAX_STORE).unwrap() / MAX_RECORD + 4;
    let ids: Vec<String> = (0..many).map(|number| number.to_string()).collect();
    for (number, id) in ids.iter().enumerate() {
        let record = store.record(session(id), "x.json");
        record.lock(SHORT).unwrap().write(&vec![b'x'; MAX_RECORD]).unwrap();
        age(record.path(), Duration::from_secs(10_000 - number as u64));
    }
    store.sweep_now(SystemTime::now());
    let left: Vec<bool> = ids.iter().map(|id| store.record(session(id), "x.json").exists()).collect();
    assert_eq!(left.iter().filter(|there| !**there).count(), 4);
    assert!(left[..4].iter().all(|there| !there));
}

proptest! {
    #[test]
    fn no_name_of_a_host_leaves_the_folder(host in ".{0,20}", id in r"(\.\./|/|\x00|.){0,30}") {
        let store = Store::at("/root-of-the-store");
        let record = store.record(Owner::Session { host: &host, id: &id }, "x.json");
        prop_assert!(record.path().starts_with("/root-of-the-store/owners"));
        let parts: Vec<_> = record.path().components().collect();
        prop_assert_eq!(parts.len(), 5);
        prop_assert!(parts[3].as_os_str().to_str().unwrap().chars().all(|c| c.is_ascii_hexdigit()));
    }
}
