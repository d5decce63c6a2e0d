//! `check` on the configurations of all recorded runs: it names every hook that the host left out, and finds no error where the
//! host called them all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

#[path = "../../../shared/host/tests/recorded/mod.rs"]
#[expect(dead_code, reason = "the runs are not played here")]
mod recorded;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use host::Product;
use recorded::{Machine, Row, rows};
use serde_json::Value;

/// Codes with which a hook is called all the same: stand-ins are not programs, and some limits are only unwise.
const HARMLESS: [&str; 4] = ["timeout.zero", "timeout.unit", "async.no-effect", "program.missing"];

/// The findings of many files: by file, code, severity and lines.
fn check(
    product: Product,
    files: &[std::path::PathBuf],
) -> BTreeMap<String, Vec<(String, String, u64, u64)>> {
    let mut found: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for some in files.chunks(200) {
        let output = Command::new(env!("CARGO_BIN_EXE_hook-runner"))
            .args(["check", "--format", "json", "--notes", "--host", product.name])
            .args(some)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        for finding in report["findings"].as_array().unwrap() {
            let text = |key: &str| finding[key].as_str().unwrap().to_owned();
            let line = |key: &str| finding[key].as_u64().unwrap();
            let one = (text("code"), text("severity"), line("line"), line("end_line"));
            found.entry(text("file")).or_default().push(one);
        }
    }
    found
}

/// Which line of a configuration each hook stands in: one that is written with one entry a line.
fn spread(text: &str) -> String {
    // A group begins where an entry of an event's array does.
    text.replace(":[{", ":[\n{").replace("},{", "},\n{")
}

/// What is wrong with the findings about one file.
fn judge(row: &Row, text: &str, findings: &[(String, String, u64, u64)]) -> Vec<String> {
    let called = &row.0["observed"]["called"];
    let mut wrong = Vec::new();
    // Hooks of this file that the host called, and did not call.
    let (mut heard, mut unheard) = (0u32, 0u32);
    for (event, name, answer) in row.answers() {
        let count = called[&name].as_u64().unwrap_or(0);
        let Some(line) = text.lines().position(|line| line.contains(&format!("\"{name}\""))) else {
            // An entry with another command than the one that would name it.
            unheard += u32::from(answer["entry"].get("command").is_some());
            continue;
        };
        let line = u64::try_from(line).unwrap() + 1;
        // Its event fired if another of its hooks was called; which calls it is for, and the hooks before it, may be why.
        let fired = row.answers().iter().any(|(other, twin, _)| {
            *other == event
                && called[twin].as_u64() > Some(0)
                && answer["place"] == row.0["hooks"][event][0]["place"]
        });
        if count > 0 {
            heard += 1;
        } else {
            unheard += 1;
        }
        let chosen = answer["group"].get("matcher").is_some() || answer["entry"].get("if").is_some();
        let in_turn = row.text("host").starts_with("copilot");
        if count == 0 && fired && !chosen && !in_turn {
            let named = findings.iter().any(|(code, _, from, to)| {
                // A mistake of the whole file stands where it was made.
                let whole = *from <= 1 || matches!(code.as_str(), "json.shape" | "json.syntax");
                code != "program.missing" && (whole || *from <= line && line <= *to)
            });
            if !named {
                wrong.push(format!("{}: {name} was left out, and nothing is said: {findings:?}", row.id()));
            }
        }
    }
    let errors = findings
        .iter()
        .filter(|(code, severity, ..)| severity == "error" && !HARMLESS.contains(&code.as_str()));
    for (code, ..) in errors.filter(|_| heard > 0 && unheard == 0) {
        wrong.push(format!("{}: all hooks are called, and yet {code}", row.id()));
    }
    wrong
}

#[test]
fn what_hosts_leave_out_is_named_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    // One project, so that each file has a name of its own.
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    let mut wrong = Vec::new();
    let mut compared = 0;
    // Where the host starts in a folder below, a file alone does not say whether it is read.
    let is_comparable =
        |row: &Row| row.0["observed"].get("called").is_some() && row.0.get("folder").is_none();
    let rows: Vec<Row> = rows().into_iter().filter(is_comparable).collect();
    for product in [Product::CLAUDE, Product::COPILOT_CLI, Product::CODEX, Product::GEMINI] {
        let own: Vec<&Row> = rows.iter().filter(|row| row.product() == product).collect();
        let mut files = Vec::new();
        for (index, row) in own.iter().enumerate() {
            for (name, text) in Machine::of(row).files {
                let short = Path::new(&format!("{}-{index}", product.name)).join(&name);
                let path = folder.path().join(&short);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text = spread(&text);
                fs::write(&path, &text).unwrap();
                files.push((path, short.display().to_string(), *row, text));
            }
        }
        let paths: Vec<_> = files.iter().map(|(path, ..)| path.clone()).collect();
        let found = check(product, &paths);
        for (_, short, row, text) in &files {
            compared += 1;
            wrong.extend(judge(row, text, found.get(short).map_or(&[], Vec::as_slice)));
        }
    }
    assert!(compared > 2000, "{compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
