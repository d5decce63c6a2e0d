//! Appends records of 16 KiB, four at a time, to the log given as argument until it is killed.

use std::process::ExitCode;

use audit::{Keeping, LARGEST_RECORD, Log};

/// Leaves room for the links.
const FILLING: usize = LARGEST_RECORD - 320;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else { return ExitCode::from(2) };
    let log = Log::new(path, Keeping { segment_bytes: u64::MAX, ..Keeping::default() });
    for number in 0u64.. {
        let body = |part: u64| {
            let filling = "x".repeat(FILLING);
            let id = number * 4 + part;
            format!("{{\"v\":1,\"id\":\"{id:036}\",\"kind\":\"event\",\"command\":\"{filling}\"")
        };
        let bodies: Vec<String> = (0..4).map(body).collect();
        if log.append(&bodies, false).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
