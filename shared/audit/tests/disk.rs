//! What a log does when the disk, the folder or another process is in its way.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::Duration;

use audit::{Keeping, Kept, Log, LogError, verify};

fn body(number: usize) -> String {
    format!("{{\"v\":1,\"id\":\"{number:036}\",\"kind\":\"event\"")
}

fn keeping() -> Keeping {
    Keeping { wait: Duration::from_millis(5), ..Keeping::default() }
}

fn log(path: &Path) -> Log {
    Log::new(path, keeping())
}

#[test]
fn a_torn_record_is_kept_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    for torn in [&b"{\"v\":1,\"id\":\"torn"[..], b"someone else's line\n", b"\n", b"x\n\n\ny"] {
        log(&path).append(&[body(1)], false).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(torn).unwrap();
        assert!(!verify(std::slice::from_ref(&path), &[]).unwrap().intact, "no one has explained it yet");
        log(&path).append(&[body(2)], false).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(memchr::memmem::find(&bytes, torn).is_some(), "the evidence is still there");
        let report = verify(std::slice::from_ref(&path), &[]).unwrap();
        assert!(report.intact, "{torn:?}: {report:?}");
    }
    let report = verify(std::slice::from_ref(&path), &[]).unwrap();
    assert_eq!(report.gaps, 4);
    // Evidence that is changed later is found.
    let text = fs::read_to_string(&path).unwrap().replace("someone", "no one!");
    fs::write(&path, text).unwrap();
    assert!(!verify(&[path], &[]).unwrap().intact);
}

#[test]
fn a_log_can_begin_after_what_others_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.log");
    fs::write(&path, "[2026-11-22] Session: 1, Tool: bash\n".repeat(20_000)).unwrap();
    log(&path).append(&[body(1)], false).unwrap();
    let report = verify(&[path], &[]).unwrap();
    assert!(report.intact, "{report:?}");
    assert_eq!((report.records, report.gaps, report.first), (2, 1, 1));
}

#[test]
fn a_busy_log_is_not_waited_for_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    log(&path).append(&[body(0)], false).unwrap();
    let holder = File::open(&path).unwrap();
    holder.lock().unwrap();
    for number in 1..=20 {
        assert!(matches!(log(&path).append(&[body(number)], false), Ok(Kept::Spilled(_))));
    }
    assert_eq!(audit::waiting(&path).len(), 20);
    drop(holder);
    log(&path).append(&[body(21)], false).unwrap();
    assert!(audit::waiting(&path).is_empty(), "the next writer takes all of it in");
    // Taking the folder away would take it from under a writer who has just found it there.
    assert!(folder.path().join("audit.jsonl.spill").is_dir());
    let text = fs::read_to_string(&path).unwrap();
    for number in 0..=21 {
        assert_eq!(text.matches(&format!("\"id\":\"{number:036}\"")).count(), 1, "{number}");
    }
    assert_eq!(text.matches("\"spilled\":true").count(), 20);
    assert!(verify(&[path], &[]).unwrap().intact);
}

#[test]
fn what_was_taken_in_before_a_crash_is_not_taken_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    log(&path).append(&[body(0)], false).unwrap();
    let holder = File::open(&path).unwrap();
    holder.lock().unwrap();
    log(&path).append(&[body(1)], false).unwrap();
    drop(holder);
    let spilled = audit::waiting(&path).remove(0);
    let kept = fs::read(&spilled).unwrap();
    log(&path).append(&[body(2)], false).unwrap();
    // Killed before it was removed.
    fs::create_dir_all(spilled.parent().unwrap()).unwrap();
    fs::write(&spilled, kept).unwrap();
    log(&path).append(&[body(3)], false).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().matches(&format!("\"id\":\"{:036}\"", 1)).count(), 1);
    assert!(audit::waiting(&path).is_empty());
}

#[test]
fn links_pipes_devices_and_open_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| {
        let error = log(path).append(&[body(1)], false).unwrap_err();
        assert!(matches!(error, LogError::Unsafe { .. }), "{}: {error}", path.display());
        assert!(!error.hint().is_empty());
    };
    let real = folder.path().join("real.jsonl");
    fs::write(&real, "").unwrap();
    let link = folder.path().join("link.jsonl");
    symlink(&real, &link).unwrap();
    refused(&link);
    let hard = folder.path().join("hard.jsonl");
    fs::hard_link(&real, &hard).unwrap();
    refused(&hard);
    let pipe = folder.path().join("pipe.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&pipe);
    refused(Path::new("/dev/full"));
    let open = folder.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    refused(&open.join("audit.jsonl"));
    assert_eq!(fs::read(&real).unwrap(), b"", "nothing was written through a link");
}

#[test]
fn a_log_and_its_folder_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/audit.jsonl");
    log(&path).append(&[body(1)], false).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    log(&path).append(&[body(2)], false).unwrap();
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn many_writers_lose_nothing_while_files_fill_up() {
    const WRITERS: usize = 16;
    const EACH: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let keeping = Keeping { segment_bytes: 16 * 1024, ..keeping() };
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let log = Log::new(&path, keeping.clone());
            scope.spawn(move || {
                for number in 0..EACH {
                    log.append(&[body(writer * EACH + number)], false).unwrap();
                }
            });
        }
    });
    // Takes in what is still beside the log: a part at a time.
    while !audit::waiting(&path).is_empty() {
        log(&path).append(&[body(WRITERS * EACH)], false).unwrap();
    }
    let files = audit::files(&path).unwrap();
    assert!(files.len() > 5);
    let report = verify(&files, &[]).unwrap();
    assert!(report.intact, "{report:?}");
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    for number in 0..WRITERS * EACH {
        assert_eq!(text.matches(&format!("\"id\":\"{number:036}\"")).count(), 1, "{number}");
    }
}
