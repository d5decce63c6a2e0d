//! Full disks, refused folders, held locks: the turn goes on, and what was recorded stays.

use std::fs::{self, File};
use std::process::Command;

use payload::model::Effect;
use support::hosts::Target;
use support::programs::audit_logger;

use super::{Home, claude, silent};

#[test]
fn a_held_lock_changes_nothing_for_the_host_and_loses_nothing() {
    let home = Home::new();
    silent(&home.hook(claude("1", "ls")));
    let holder = File::open(home.log()).unwrap();
    holder.lock().unwrap();
    // The holder lets go only when all of these have been answered.
    for id in ["2", "3", "4"] {
        silent(&home.hook(claude(id, "ls")));
    }
    assert_eq!(audit::waiting(&home.log()).len(), 3);
    let shown = home.people(&["query", "--format", "json"]);
    assert_eq!(shown.stdout.lines().count(), 4, "people see what waits: {shown:?}");
    drop(holder);
    silent(&home.hook(claude("5", "ls")));
    assert_eq!(home.records().len(), 6);
    assert!(home.verify().intact);
}

#[test]
fn a_limit_on_file_sizes_is_answered_and_the_next_record_gets_in() {
    let home = Home::new();
    for id in 0..4 {
        silent(&home.hook(claude(&id.to_string(), &"echo filling ".repeat(250))));
    }
    let before = home.text();
    // In units of 512 or 1024 bytes: below what is there already either way.
    let limited = format!("ulimit -f 4; exec '{}'", audit_logger().display());
    let answer = home.call("/bin/sh".as_ref()).args(["-c", &limited]).input(claude("5", "ls")).run();
    silent(&answer);
    assert!(
        answer.stderr.contains("not recorded") && answer.stderr.contains("Free some space"),
        "{answer:?}"
    );
    assert_eq!(home.text(), before);
    silent(&home.hook(claude("6", "ls")));
    assert!(home.verify().intact);
}

#[test]
fn a_place_that_cannot_be_written_to_is_reported_and_does_no_harm() {
    let home = Home::new();
    for place in ["/dev/null/audit.jsonl", "/dev/full", "/proc/audit.jsonl"] {
        let answer = home.call(audit_logger()).env("AUDIT_LOG", place).input(claude("1", "ls")).run();
        silent(&answer);
        assert!(answer.stderr.contains("this event was not recorded"), "{answer:?}");
    }
}

#[test]
fn where_records_are_required_a_call_that_cannot_be_recorded_is_denied() {
    let home = Home::new();
    home.settings("required = true");
    silent(&home.hook(claude("1", "ls")));
    let answer =
        home.call(audit_logger()).env("AUDIT_LOG", "/dev/null/audit.jsonl").input(claude("1", "ls")).run();
    let outcome = Target::Claude.reads("PreToolUse", &answer);
    assert_eq!(outcome.effect, Effect::Deny, "{answer:?}");
    assert!(outcome.reason.unwrap_or_default().contains("audit.required"));
    // What is not a call is never held up.
    let stop = r#"{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":false}"#;
    silent(&home.call(audit_logger()).env("AUDIT_LOG", "/dev/null/audit.jsonl").input(stop).run());
}

#[test]
fn a_repository_can_tighten_and_not_hide_what_happens_in_it() {
    let home = Home::new();
    let repository = home.path().join("repo");
    fs::create_dir_all(repository.join(".git")).unwrap();
    fs::create_dir_all(repository.join(".policy-hooks")).unwrap();
    fs::write(repository.join(".git/HEAD"), "ref: refs/heads/topic\n").unwrap();
    fs::write(
        repository.join(".policy-hooks/audit.toml"),
        "path = \"/dev/null\"\nlevel = \"metadata\"\nredact = ['ACME-\\d+']\n",
    )
    .unwrap();
    let payload =
        claude("1", "deploy ACME-4815162342").replace("/home/user/project", repository.to_str().unwrap());
    silent(&home.hook(payload));
    let record = &home.records()[1];
    assert!(record["command"].as_str().unwrap().starts_with("deploy [REDACTED:own-pattern:"), "{record}");
    assert_eq!(record["repo"]["branch"], "topic");
}

/// A pipe that no one writes to would keep every hook waiting until it gives up, and nothing would be recorded.
#[test]
fn a_pipe_in_the_place_of_settings_hides_nothing() {
    let home = Home::new();
    let repository = home.path().join("repo");
    fs::create_dir_all(repository.join(".git")).unwrap();
    fs::create_dir_all(repository.join(".policy-hooks")).unwrap();
    for pipe in [".policy-hooks/audit.toml", ".git/HEAD"] {
        assert!(Command::new("mkfifo").arg(repository.join(pipe)).status().unwrap().success());
    }
    let answer = home.hook(claude("1", "ls").replace("/home/user/project", repository.to_str().unwrap()));
    silent(&answer);
    assert!(answer.stderr.contains("audit.toml: it is not a file"), "{answer:?}");
    assert_eq!(home.records()[1]["command"], "ls");
}

#[test]
fn a_mistake_in_the_settings_is_reported_and_records_go_on() {
    let home = Home::new();
    home.settings("levle = \"full\"\n");
    let answer = home.hook(claude("1", "ls"));
    silent(&answer);
    assert!(answer.stderr.contains("levle"), "{answer:?}");
    assert_eq!(home.records().len(), 2);
}

/// A mistake anywhere means that records are required: whoever wrote the file may have meant that.
#[cfg(unix)]
#[test]
fn a_broken_settings_file_requires_records() {
    type Break = fn(&std::path::Path);
    let fold = |home: &Home| home.path().join(".config/policy-hooks");
    let ways: [(&str, Break); 8] = [
        ("unknown key", |file| fs::write(file, "levl = \"full\"\nrequired = false\n").unwrap()),
        ("syntax", |file| fs::write(file, "required = \n").unwrap()),
        ("wrong type", |file| fs::write(file, "required = \"yes\"\n").unwrap()),
        ("bad pattern", |file| fs::write(file, "redact = ['(']\n").unwrap()),
        ("not text", |file| fs::write(file, b"# \xff\n").unwrap()),
        ("dangling", |file| std::os::unix::fs::symlink("/nowhere/at/all", file).unwrap()),
        ("folder", |file| fs::create_dir(file).unwrap()),
        ("pipe", |file| assert!(Command::new("mkfifo").arg(file).status().unwrap().success())),
    ];
    for (way, broken) in ways {
        let home = Home::new();
        fs::create_dir_all(fold(&home)).unwrap();
        broken(&fold(&home).join("audit.toml"));
        let call =
            |place: &str| home.call(audit_logger()).env("AUDIT_LOG", place).input(claude("1", "ls")).run();
        let answer = call("/dev/null/audit.jsonl");
        let outcome = Target::Claude.reads("PreToolUse", &answer);
        assert_eq!(outcome.effect, Effect::Deny, "{way}: {answer:?}");
        // Where they can be written, nothing is held up, and people read what is wrong.
        let answer = home.hook(claude("1", "ls"));
        silent(&answer);
        assert!(answer.stderr.contains("audit.toml"), "{way}: {answer:?}");
        assert_eq!(home.records().len(), 2, "{way}");
    }
}

/// A sparse file of 200 GiB was read to its beginning, long after the answer. To read the one here takes more than any
/// machine's minute.
#[test]
fn a_log_without_end_delays_no_one_and_its_records_wait_beside_it() {
    let home = Home::new();
    silent(&home.hook(claude("1", "ls")));
    let log = fs::OpenOptions::new().write(true).open(home.log()).unwrap();
    log.set_len(4 << 40).unwrap();
    let begun = std::time::Instant::now();
    silent(&home.hook(claude("2", "ls")));
    let _ = home.block(claude("2", "rm -rf /"));
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_mins(1), "{took:?}");
    assert_eq!(audit::waiting(&home.log()).len(), 2);
}

#[test]
fn an_event_whose_input_does_not_end_is_recorded_all_the_same() {
    let home = Home::new();
    silent(&home.call(audit_logger()).input(claude("1", "ls")).stdin_stays_open().run());
    silent(&home.call(audit_logger()).input("{\"session_id\":").stdin_stays_open().run());
    let records = home.records();
    assert_eq!((&records[1]["command"], &records[2]["why"]), (&"ls".into(), &"hook.deadline".into()));
}

/// Needs the right to mount.
#[test]
fn a_full_disk_is_answered_and_the_next_record_gets_in() {
    let home = Home::new();
    let disk = home.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs"]).arg(&disk).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        support::skipped(format_args!("no one here may mount a small disk"));
        return;
    }
    let log = disk.join("audit.jsonl");
    let other = disk.join("other");
    fs::write(&other, [0; 16 * 1024]).unwrap();
    let record = |id: &str| {
        let call = home.call(audit_logger()).env("AUDIT_LOG", &log);
        let answer = call.input(claude(id, &"echo filling ".repeat(200))).run();
        silent(&answer);
        answer.stderr
    };
    let said: Vec<String> = (0..40).map(|id| record(&id.to_string())).collect();
    let (written, lost): (Vec<_>, Vec<_>) = said.iter().partition(|said| said.is_empty());
    let full = !lost.is_empty() && lost.iter().all(|said| said.contains("not enough space"));
    fs::remove_file(&other).unwrap();
    let after = record("after");
    let report = audit::verify(&audit::files(&log).unwrap(), &[]).unwrap();
    let unmounted = Command::new("umount").arg("-l").arg(&disk).status();
    assert!(full && after.is_empty(), "{said:?}, then {after}");
    assert!(report.intact && report.gaps == 0, "{report:?}");
    // The first says where the log begins, the last came after.
    assert_eq!(report.records, written.len() as u64 + 2);
    assert!(unmounted.is_ok_and(|status| status.success()));
}
