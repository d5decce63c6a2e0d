//! Findings for machines: JSON, SARIF 2.1.0, and the commands of GitHub's workflow logs.

use std::fmt::Write as _;

use host::{Code, Severity};
use serde_json::{Value, json};

use super::Report;
use super::finding::Finding;

/// As one object.
pub(super) fn json(report: &Report) -> String {
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let ((line, column), (end_line, end_column)) = finding.region();
            json!({
                "code": finding.code.as_str(),
                "severity": finding.severity.as_str(),
                "file": finding.file,
                "line": line,
                "column": column,
                "end_line": end_line,
                "end_column": end_column,
                "hosts": hosts(finding),
                "message": finding.message,
                "help": finding.help,
            })
        })
        .collect();
    format!("{:#}\n", json!({"version": 1, "files": report.files, "findings": findings}))
}

fn hosts(finding: &Finding) -> Vec<&'static str> {
    finding.hosts.iter().map(|host| host.name).collect()
}

/// As a SARIF log, which code scanning reads.
pub(super) fn sarif(report: &Report) -> String {
    let level = |severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let rules: Vec<Value> = Code::ALL
        .iter()
        .map(|code| {
            json!({
                "id": code.as_str(),
                "shortDescription": {"text": code.title()},
                "defaultConfiguration": {"level": level(code.severity())},
            })
        })
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let ((line, column), (end_line, end_column)) = finding.region();
            json!({
                "ruleId": finding.code.as_str(),
                // Viewers look rules up by number, and by name where they have none.
                "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
                "level": level(finding.severity),
                "message": {"text": format!("{} {}", finding.message, finding.help).trim_end()},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": finding.file},
                    "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
                }}],
                "properties": {"hosts": hosts(finding)},
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "hook-runner", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            // Without this, viewers count UTF-16 units and mark the wrong place after an emoji.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// As commands that GitHub turns into remarks beside the code.
pub(super) fn github(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let ((line, column), (end_line, end_column)) = finding.region();
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let message = escaped(format!("{} {}", finding.message, finding.help).trim_end());
        let _ = writeln!(
            text,
            "::{level} file={},line={line},endLine={end_line},col={column},endColumn={end_column},title={}::{message}",
            property(&finding.file),
            finding.code
        );
    }
    text
}

/// A message of a workflow command stays on its line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property must not begin the next one.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
