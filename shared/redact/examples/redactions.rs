//! Measures the redactor on a file of JSON lines with a `command` each: which rows would lose something.
//!
//! `cargo run -q -p redact --example redactions -- FILE.jsonl`

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::use_debug, reason = "a tool for people")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else { return ExitCode::from(2) };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let (mut rows, mut hit) = (0, 0);
    for line in text.lines() {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Some(command) = row["command"].as_str() else { continue };
        rows += 1;
        let found = redact::find(command);
        if !found.is_empty() {
            hit += 1;
            let parts: Vec<_> = found
                .iter()
                .map(|span| (span.rule, command.get(span.start..span.end).unwrap_or_default()))
                .collect();
            println!("{command}\n    {parts:?}");
        }
    }
    println!("{hit} of {rows} rows");
    ExitCode::SUCCESS
}
