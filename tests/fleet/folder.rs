//! A folder, as an object store is mounted: files by day, whole or not there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::programs::hook_runner;

use super::{Laptop, count, lines_of};

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}

fn arrived(folder: &Path) -> Vec<String> {
    let whole = files(folder).into_iter().filter(|file| !file.to_string_lossy().ends_with(".draft"));
    whole.flat_map(|file| lines_of(&fs::read(file).unwrap())).collect()
}

#[test]
fn nothing_is_there_twice_however_often_the_shipper_is_killed() {
    let laptop = Laptop::new(count());
    let folder = tempfile::tempdir().unwrap();
    laptop.ship_with_kills(25, &["--to", folder.path().to_str().unwrap()]);
    assert_eq!(laptop.arrived(&arrived(folder.path())), 0);
    let days: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert!(
        days.contains(&"day=2026-11-22".to_owned()) && days.contains(&"day=2026-11-23".to_owned()),
        "{days:?}"
    );
}

#[test]
fn every_format_can_be_put_there_and_proved() {
    let laptop = Laptop::new(200);
    for format in ["jsonl", "otlp", "ocsf", "ecs", "cef", "cloudevents", "csv"] {
        let folder = tempfile::tempdir().unwrap();
        let answer = laptop.ship(&["--to", folder.path().to_str().unwrap(), "--format", format]);
        assert_eq!(answer.exit, Some(0), "{format}: {answer:?}");
        assert_eq!(laptop.arrived(&arrived(folder.path())), 0, "{format}");
        let proof = laptop.verify("", &[folder.path().to_str().unwrap()]);
        assert!(proof.exit == Some(0) && proof.stdout.starts_with("intact"), "{format}: {proof:?}");
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let laptop = Laptop::new(400);
    let (full, free) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // A file system of 64 KB, of this process alone; what was written is copied out before it is gone.
    let script = "mount -t tmpfs -o size=64k tmpfs \"$2\" || exit 99
\"$1\" log ship --to \"$2\" --give-up 1; code=$?
cp -r \"$2\"/. \"$3\"; exit $code";
    let run = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(hook_runner())
        .args([full.path(), free.path()])
        .env("HOME", laptop.path())
        .env_remove("XDG_STATE_HOME")
        .env_remove("AUDIT_LOG")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    if run.status.code() == Some(99) || said.contains("unshare failed") {
        support::skipped(format_args!("no file system of its own: {said}"));
        return;
    }
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("No space left") && said.contains("Nothing is lost"), "{said}");
    // The rest goes where there is room, and nothing half is left.
    assert!(files(free.path()).iter().all(|file| !file.to_string_lossy().ends_with(".draft")));
    let state = laptop.path().join(".local/state/policy-hooks/ship");
    let status =
        files(&state).into_iter().find(|file| file.extension().is_some_and(|ending| ending == "json"));
    let acknowledged = status.map(|file| fs::read_to_string(file).unwrap()).unwrap_or_default();
    assert!(!acknowledged.contains("\"seq\"") || !arrived(free.path()).is_empty(), "{acknowledged}");
    let answer = laptop.ship(&["--to", full.path().to_str().unwrap()]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    let all: Vec<String> = arrived(free.path()).into_iter().chain(arrived(full.path())).collect();
    laptop.arrived(&all);
}

#[test]
fn a_cursor_that_cannot_be_kept_is_an_error_and_not_a_loss() {
    let laptop = Laptop::new(20);
    let folder = tempfile::tempdir().unwrap();
    // A folder stands where the draft of the cursor goes.
    let first = laptop.ship(&["--to", folder.path().to_str().unwrap()]);
    assert_eq!(first.exit, Some(0), "{first:?}");
    let state = laptop.path().join(".local/state/policy-hooks/ship");
    let cursor = files(&state)
        .into_iter()
        .find(|file| file.extension().is_some_and(|ending| ending == "json"))
        .unwrap();
    fs::create_dir(cursor.with_extension("draft")).unwrap();
    laptop.write(20, 5);
    let answer = laptop.ship(&["--to", folder.path().to_str().unwrap()]);
    assert_eq!(answer.exit, Some(3), "{answer:?}");
    assert!(answer.stderr.contains("noting what was acknowledged"), "{answer:?}");
    assert_eq!(laptop.arrived(&arrived(folder.path())), 0);
}
