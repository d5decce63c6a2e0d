//! `audit-logger export` and `verify --copy`, as people use them.

use std::fs;

use serde_json::Value;
use support::programs::audit_logger;

use super::{Laptop, lines_of};

const FORMATS: [&str; 9] =
    ["jsonl", "otlp", "otlp-protobuf", "ocsf", "ecs", "cef", "cloudevents", "syslog", "csv"];

impl Laptop {
    /// `audit-logger export` into a file, as bytes.
    pub(super) fn export(&self, arguments: &[&str]) -> Vec<u8> {
        let file = self.path().join("exported");
        let out = fs::File::create(&file).unwrap();
        let mut command = std::process::Command::new(audit_logger());
        command.arg("export").args(arguments).env("HOME", self.path()).stdout(out);
        command.env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME").env_remove("AUDIT_LOG");
        assert!(command.status().unwrap().success(), "{arguments:?}");
        fs::read(file).unwrap()
    }
}

#[test]
fn every_format_is_proved_on_the_copy() {
    let laptop = Laptop::new(600);
    for format in FORMATS {
        let copy = laptop.export(&["--format", format]);
        let named: &[&str] = if format == "otlp-protobuf" { &["--format", format] } else { &[] };
        let proof = laptop.verify(copy.clone(), named);
        assert_eq!(proof.exit, Some(0), "{format}: {proof:?}");
        assert!(proof.stdout.starts_with("intact: 601 records of 1 log\n"), "{format}: {proof:?}");
        // One letter of one command.
        let at = copy.windows(8).position(|bytes| bytes == b"toolu_99").unwrap();
        let mut edited = copy;
        for place in at..edited.len() - 8 {
            if edited[place..].starts_with(b"toolu_99") {
                edited[place + 7] = b'8';
            }
        }
        let proof = laptop.verify(edited, named);
        assert!(proof.exit == Some(1) && proof.stdout.starts_with("NOT INTACT"), "{format}: {proof:?}");
    }
}

#[test]
fn filters_are_those_of_query_and_a_part_is_proved_as_one() {
    let laptop = Laptop::new(100);
    let copy = laptop.export(&["--decision", "deny"]);
    assert_eq!(lines_of(&copy).len(), 10);
    assert_eq!(laptop.verify(copy.clone(), &[]).exit, Some(1), "records are missing");
    let proof = laptop.verify(copy, &["--partial", "--json"]);
    let report: Value = serde_json::from_str(&proof.stdout).unwrap();
    assert_eq!((proof.exit, &report["intact"], &report["records"]), (Some(0), &true.into(), &10.into()));
    assert_eq!(lines_of(&laptop.export(&["--since", "2026-11-23T00:00:00Z"])).len(), 51);

    let nothing = laptop.call(audit_logger()).args(["export", "--session", "none"]).run();
    assert_eq!((nothing.exit, nothing.stdout.as_str()), (Some(1), ""));
    let mistyped = laptop.call(audit_logger()).args(["export", "--rule", "git.force-pus"]).run();
    assert!(mistyped.exit == Some(2) && mistyped.stderr.contains("git.force-push"), "{mistyped:?}");
    let format = laptop.call(audit_logger()).args(["export", "--format", "xml"]).run();
    assert!(format.exit == Some(2) && format.stderr.contains("otlp-protobuf"), "{format:?}");
}

#[test]
fn files_by_day_hold_every_record_once() {
    let laptop = Laptop::new(300);
    let folder = tempfile::tempdir().unwrap();
    for format in ["jsonl", "csv"] {
        let folder = folder.path().join(format);
        let answer =
            laptop.call(audit_logger()).args(["export", "--format", format, "--into"]).args([&folder]).run();
        assert_eq!(answer.exit, Some(0), "{answer:?}");
        let mut lines = Vec::new();
        for day in fs::read_dir(&folder).unwrap().flatten() {
            let name = day.file_name().into_string().unwrap();
            assert!(name.starts_with("day="), "{name}");
            for file in fs::read_dir(day.path()).unwrap().flatten() {
                let bytes = fs::read(file.path()).unwrap();
                assert!(lines_of(&bytes).iter().all(|line| line.contains(&name[4..])), "{name}");
                lines.extend(lines_of(&bytes));
            }
        }
        assert_eq!(laptop.arrived(&lines), 0);
    }
}

#[test]
fn a_copy_that_holds_nothing_proves_nothing() {
    let laptop = Laptop::new(3);
    let proof = laptop.verify("hello\n{\"a\":1}\n", &[]);
    assert!(proof.exit == Some(2) && proof.stderr.contains("no record of a log"), "{proof:?}");
    let missing = laptop.call(audit_logger()).args(["verify", "--copy", "/no/such/file"]).run();
    assert_eq!(missing.exit, Some(2), "{missing:?}");
}

#[test]
fn shipping_is_reached_from_both_programs() {
    let laptop = Laptop::new(3);
    let folder = tempfile::tempdir().unwrap();
    let answer = laptop.call(audit_logger()).args(["ship", "--to"]).args([folder.path()]).run();
    assert_eq!((answer.exit, answer.stdout.as_str()), (Some(0), "4 records acknowledged\n"), "{answer:?}");
    assert_eq!(laptop.ship(&["--to", folder.path().to_str().unwrap()]).stdout, "0 records acknowledged\n");
    let help = laptop.call(audit_logger()).args(["ship", "--help"]).run();
    assert!(help.exit == Some(0) && help.stdout.contains("--token-file"), "{help:?}");
    let nowhere = laptop.ship(&[]);
    assert!(nowhere.exit == Some(2) && nowhere.stderr.contains("[ship]"), "{nowhere:?}");
    let bad = laptop.ship(&["--to", "ftp://x"]);
    assert!(bad.exit == Some(2) && bad.stderr.contains("syslog+tls"), "{bad:?}");
}
