//! The detections, asked of the real engines.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use support::programs::root;

use super::{config, fleet, installed, is_there};

/// What is planted by `tests/programs/fleet_records.rs`, as each detection has to say it.
fn expected() -> Vec<(&'static str, Value)> {
    let digest = |pair: &str| pair.repeat(32);
    vec![
        (
            "detect_denials_by_rule_and_team",
            json!([
                ["checkout", "git.push-force", "2", "1"],
                ["growth", "files.delete-home", "2", "1"],
                ["growth", "files.delete-system", "2", "1"],
                ["platform", "containers.kubectl-delete", "2", "1"],
                ["science", "files.delete-system", "1", "1"]
            ]),
        ),
        (
            "detect_tried_again",
            json!([[
                "00c0ffee00000011",
                "s-17-1",
                "files.delete-system",
                "rm -rf /srv/data",
                "find /srv/data -delete"
            ]]),
        ),
        ("detect_approvals_by_person", json!([["dev21:10021", "git.push-force", "2", "1"]])),
        ("detect_sessions_without_heartbeat", json!([["00c0ffee0000000b", "s-11-1", "11"]])),
        ("detect_observing", json!([["00c0ffee00000003", "2", "1"]])),
        (
            "detect_changed_digest",
            json!([["00c0ffee00000005", "s-5-1", "policy", digest("c3"), digest("d9")]]),
        ),
        ("detect_secrets_by_repository", json!([["/home/u/payments", "3", "1"]])),
        ("detect_first_use_of_mcp_server", json!([["vault", "00c0ffee00000017", "2026-11-20 09:00:09"]])),
        (
            "detect_catastrophic_at_night",
            json!([["00c0ffee00000013", "files.delete-system", "rm -rf /", "2026-11-20 23:30:03"]]),
        ),
        ("detect_silent_machines", json!([["00c0ffee00000007", "2026-11-10 09:01:37"]])),
        ("detect_missing_records", json!([["00c0ffee0000000d", "dev13:10013", "1"]])),
        ("detect_waved_through", json!([["dev22:10022", "packages.publish", "3", "3"]])),
    ]
}

/// Asks an engine all detections about records.
fn asked(engine: &str, records: &str) -> Option<Value> {
    let python = installed().join("engines/bin/python");
    if !is_there(engine, &python) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("fleet's.jsonl");
    fs::write(&log, records).unwrap();
    let output = Command::new(python)
        .arg(root().join("tests/collectors/ask.py"))
        .arg(engine)
        .arg(root().join(format!("configs/collectors/{engine}.sql")))
        .arg(&log)
        .env("TMPDIR", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let start = said.find("{\"answers\"").unwrap_or_else(|| panic!("{output:?}"));
    let answer: Value = serde_json::from_str(&said[start..]).unwrap();
    Some(answer["answers"].clone())
}

fn finds_what_is_planted(engine: &str) {
    // A batch that was sent again is there once; a line that a crash has torn is skipped.
    let records = fleet();
    let again: String = records.split_inclusive('\n').skip(100).take(512).collect();
    let arrived = format!("{records}{again}{{\"v\":1,\"id\":\"torn\n");
    let Some(answers) = asked(engine, &arrived) else { return };
    assert_eq!(answers["(records)"], records.lines().count());
    let expected = expected();
    for (detection, rows) in &expected {
        assert_eq!(&answers[*detection], rows, "{engine}: {detection}");
    }
    // Each of them is looked at, and there are at least ten.
    assert_eq!(answers.as_object().unwrap().len(), expected.len() + 1);
    assert!(expected.len() >= 10);
}

#[test]
fn duckdb_finds_what_is_planted_and_nothing_else() {
    finds_what_is_planted("duckdb");
}

#[test]
fn clickhouse_finds_what_is_planted_and_nothing_else() {
    finds_what_is_planted("clickhouse");
}

/// Real records, of every level: each column has the type that its table says.
#[test]
fn real_records_are_read() {
    let home = crate::audit::Home::new();
    for payload in support::payloads::all() {
        crate::audit::silent(&home.hook(payload.text.as_str()));
    }
    let records = home.text();
    for engine in ["duckdb", "clickhouse"] {
        let Some(answers) = asked(engine, &records) else { continue };
        assert_eq!(answers["(records)"], records.lines().count(), "{engine}");
        assert_eq!(answers["detect_missing_records"], json!([]), "{engine}");
    }
}

#[test]
fn the_catastrophic_rules_are_those_of_the_guard() {
    let rules = rules::families().iter().flat_map(|family| family.rules);
    let mut expected: Vec<&str> =
        rules.filter(|rule| rule.severity == rules::Severity::Catastrophic).map(|rule| rule.id).collect();
    expected.sort_unstable();
    let list: String = expected.iter().map(|id| format!("('{id}')")).collect::<Vec<_>>().join(",\n");
    for name in ["duckdb.sql", "clickhouse.sql"] {
        let text = config(name);
        let (_, rest) = text.split_once("-- catastrophic rules\n").unwrap();
        assert_eq!(rest.split_once("\n-- end of catastrophic rules").unwrap().0, list, "{name}");
    }
}
