//! The programs that ask a person, for whom whoever is at the terminal stands in: tests have nobody. Which program it is,
//! its name says.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    store::trust::terminal::let_anybody_stand_in();
    let called = std::env::args_os().next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("hook-runner") => hook_runner::main(),
        Some("approval-gate") => program::run(&approval_gate::PROGRAM),
        Some("stop-guard") => program::run(&stop_guard::PROGRAM),
        Some("context-injector") => program::run(&context_injector::PROGRAM),
        _ => ExitCode::from(2),
    }
}
