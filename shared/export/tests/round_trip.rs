//! Whatever a record says, every format carries it, and its exact line comes back.
#![allow(clippy::unwrap_used)]

use audit::{Head, Record};
use export::{Entry, Format, back};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Lines of a log with these records, without their line feeds.
fn sealed(records: &[Value]) -> Vec<String> {
    let mut head = Head::START;
    let mut lines = Vec::new();
    for record in records {
        // Records of ours begin with their version.
        let mut rest = record.clone();
        rest.as_object_mut().unwrap().remove("v");
        let body = rest.to_string().replacen('{', "{\"v\":1,", 1);
        let mut line = Vec::new();
        head = head.seal(body.strip_suffix('}').unwrap(), &mut line);
        line.pop();
        lines.push(String::from_utf8(line).unwrap());
    }
    lines
}

fn exported(format: Format, lines: &[String]) -> Vec<u8> {
    let records: Vec<Record> = lines.iter().map(|line| Record::parse(line.as_bytes()).unwrap()).collect();
    let entries: Vec<Entry<'_>> =
        lines.iter().zip(&records).map(|(line, record)| Entry { line, record, machine: "m" }).collect();
    let mut out = Vec::new();
    // In two parts, as batches come.
    let (first, second) = entries.split_at(entries.len() / 2);
    export::write(format, first, &mut out);
    export::write(format, second, &mut out);
    out
}

fn back(format: Format, bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let visit = |line: &[u8]| lines.push(String::from_utf8(line.to_vec()).unwrap());
    let strange = match format {
        Format::OtlpProtobuf => back::protobuf(bytes, visit),
        _ => back::text(bytes, visit),
    };
    assert_eq!(strange.unwrap(), 0, "{}", String::from_utf8_lossy(bytes));
    lines
}

fn record(texts: &[String; 8], paths: &[String]) -> Value {
    let [command, session, tool, reason, rule, cwd, user, tag] = texts;
    json!({
        "v": 1, "id": "01920000-0000-7000-8000-000000000000", "ts": "2026-11-22T05:01:26.123456Z", "kind": "decision",
        "host": "claude", "event": "PreToolUse", "session": session, "call": "c", "cwd": cwd,
        "repo": { "root": cwd, "branch": session }, "tool": { "name": tool, "kind": "shell" }, "command": command,
        "paths": paths, "decision": { "value": "deny", "rule": rule, "reason": reason, "enforced": true },
        "user": user, "machine": "m", "resource": { "team": tag }, "level": "redacted",
        "by": { "name": "command-blocker", "version": "0.1.0" }, "latency_us": 12,
    })
}

proptest! {
    #[test]
    fn every_format_gives_the_exact_lines_back(
        records in prop::collection::vec((prop::array::uniform8("\\PC{0,40}|[\\x00-\\x7f]{0,60}|[\"\\\\|=,{}\\]\\n\\r]{0,20}"), prop::collection::vec(".{0,20}", 0..3)), 1..6),
    ) {
        let records: Vec<Value> = records.iter().map(|(texts, paths)| record(texts, paths)).collect();
        let lines = sealed(&records);
        for format in Format::ALL {
            prop_assert_eq!(&back(format, &exported(format, &lines)), &lines, "{}", format.name());
        }
    }
}

#[test]
fn a_record_quoted_by_a_command_is_not_taken_for_one_that_arrived() {
    let quoted = sealed(&[json!({ "v": 1, "id": "x", "kind": "event", "command": "rm" })]).remove(0);
    let texts =
        |command: &str| [command, "s", "Bash", "why", "files.delete", "/", "me:1", "t"].map(str::to_owned);
    let lines = sealed(&[record(&texts(&format!("echo '{quoted}'")), &[])]);
    for format in Format::ALL {
        assert_eq!(back(format, &exported(format, &lines)), lines, "{}", format.name());
    }
}

#[test]
fn protobuf_that_is_cut_off_or_something_else_is_an_error() {
    let lines = sealed(&[json!({ "v": 1, "id": "x", "kind": "event" })]);
    let bytes = exported(Format::OtlpProtobuf, &lines);
    for broken in
        [&bytes[..bytes.len() - 3], b"hello".as_slice(), &[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]
    {
        assert!(back::protobuf(broken, |_| {}).is_err());
    }
}
