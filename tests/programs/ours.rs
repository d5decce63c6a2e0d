//! Every program of ours in one, so that the tests link once what they call: which one it is, its name says.
//!
//! In the folder of those to whom anybody at a terminal is a person, it is one of these: tests have nobody.

use std::process::ExitCode;

use support::programs::STAND_INS;

fn main() -> ExitCode {
    let path = std::env::current_exe().unwrap_or_default();
    if path.parent().is_some_and(|folder| folder.ends_with(STAND_INS)) {
        store::trust::terminal::let_anyone_stand_in();
    }
    match path.file_stem().and_then(|name| name.to_str()) {
        Some("approval-gate") => program::run(&approval_gate::PROGRAM),
        Some("audit-logger") => program::run(&audit_logger::PROGRAM),
        Some("command-blocker") => program::run(&command_blocker::PROGRAM),
        Some("context-injector") => program::run(&context_injector::PROGRAM),
        Some("formatter-trigger") => program::run(&formatter_trigger::PROGRAM),
        Some("stop-guard") => program::run(&stop_guard::PROGRAM),
        Some("hook-runner") => hook_runner::main(),
        Some("demo") => demo::main(),
        #[cfg(target_os = "linux")]
        Some("real-hosts") => real_hosts::command_line::main(),
        _ => ExitCode::from(2),
    }
}
