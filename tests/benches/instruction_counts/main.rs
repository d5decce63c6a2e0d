//! How many instructions a whole call costs: process start, reading, judging, answering.
//!
//! Instructions, unlike times, are the same on a busy machine. The programs are built as they are shipped for Linux,
//! static with musl; `valgrind` counts. Exits with 1 when a call costs more than the budget.

mod audit_log;
mod count;
mod facts;
mod formatting;
mod memory;
mod places;
mod policies;
mod stops;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use count::{instructions, over, row, run, say};
use support::hosts::Target;
use support::payloads;

const TARGET: &str = "x86_64-unknown-linux-musl";

/// More than this fails. A denial's record costs 2,000 more or less, by the machine's settings.
const BUDGET: u64 = 87_000;

/// More than this is worth a look.
const AIM: u64 = 50_000;

/// The size of the payloads that are measured, in bytes.
const SIZE: usize = 1024;

fn main() -> ExitCode {
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            say(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<bool, String> {
    run(Command::new("rustup").args(["target", "add", TARGET]))?;
    let empty = benches::empty(TARGET)?;
    let blocker = benches::build("command-blocker")?;
    let floor = instructions(&empty, b"")?;
    say(&format!("{:<58}{:>12}{:>10}{:>8}", "one call", "instructions", "x empty", ""));
    row("an empty program", floor, floor, "");
    row("/bin/true (dynamic)", instructions(Path::new("/bin/true"), b"")?, floor, "");
    let mut fits = true;
    for (title, payload) in calls() {
        let count = instructions(&blocker, payload.as_bytes())?;
        let verdict = if count > BUDGET {
            "TOO HIGH"
        } else if count > AIM {
            "above the aim"
        } else {
            ""
        };
        fits &= count <= BUDGET;
        row(&format!("command-blocker: {title}"), count, floor, verdict);
    }
    say(&format!("budget {BUDGET}, aim {AIM}"));
    fits &= judging(&blocker)?;
    fits &= audit_log::measure(&blocker, floor)?;
    fits &= stops::measure(floor)?;
    fits &= policies::measure(floor)?;
    fits &= facts::measure()?;
    fits &= formatting::measure()?;
    fits &= memory::measure()?;
    fits &= places::measure()?;
    Ok(fits)
}

/// What judging costs without the process around it: a call less the same call with `:`, which does nothing.
fn judging(blocker: &Path) -> Result<bool, String> {
    let call =
        |command: &str| instructions(blocker, payloads::shell_call(Target::Claude, command).1.as_bytes());
    let nothing = call(":")?;
    let typical = call(TYPICAL)?.saturating_sub(nothing);
    let script = script();
    let whole = call(&script)?.saturating_sub(nothing);
    say(&format!("\n{:<58}{:>12}{:>10}", "from text to verdict", "instructions", "x typical"));
    row(
        &format!("a typical command of {} bytes", TYPICAL.len()),
        typical,
        typical,
        over(typical, TYPICAL_BUDGET),
    );
    row(&format!("a script of {} bytes", script.len()), whole, typical, over(whole, SCRIPT_BUDGET));
    let started = started(&script, call)?;
    row("a whole call that starts it as a file", started, typical, over(started, SCRIPT_BUDGET));
    say(&format!("budgets {TYPICAL_BUDGET} and {SCRIPT_BUDGET}"));
    Ok(typical <= TYPICAL_BUDGET && whole.max(started) <= SCRIPT_BUDGET)
}

/// What a call costs that starts a script, with the start of the hook.
fn started(script: &str, call: impl Fn(&str) -> Result<u64, String>) -> Result<u64, String> {
    let folder = count::folder("script")?;
    let file = folder.join("build.sh");
    std::fs::write(&file, script).map_err(|error| format!("{}: {error}", file.display()))?;
    let count = call(&format!("bash {}", file.display()));
    let _ = std::fs::remove_dir_all(&folder);
    count
}

/// What agents run all day.
const TYPICAL: &str = "cd /home/user/project && cargo test --workspace 2>&1 | tail -40 && git diff --stat HEAD~1 -- src/main.rs";

/// Judging [`TYPICAL`] may cost this much. It was 60,000 before files that run were read and losses looked up, and wants
/// winning back.
const TYPICAL_BUDGET: u64 = 69_000;

/// Judging [`script`] may cost this much, typed or started.
const SCRIPT_BUDGET: u64 = 4_150_000;

/// A build script of 10 KB, every step of which is different.
fn script() -> String {
    let mut script = String::from("set -euo pipefail\n");
    for step in 0.. {
        let _ = write!(
            script,
            "# step {step}: compile, check and install one module\n\
             if [ -f \"src/module{step}.rs\" ]; then\n  \
             echo \"building module {step}\" | tee -a build.log\n  \
             cargo build --release --package module{step} --features \"full,net\"\n  \
             install -m 755 target/release/module{step} \"$PREFIX/bin/\"\nfi\n"
        );
        if script.len() >= 10_000 {
            return script;
        }
    }
    script
}

/// What is measured: a title and a payload of [`SIZE`] bytes.
fn calls() -> Vec<(String, String)> {
    let mut calls = Vec::new();
    for target in Target::ALL {
        let commands: &[&str] = if target == Target::Claude {
            &["git status", "rm -rf /", "cd src && grep -rn 'TODO' --include='*.rs' . | sort | head -20"]
        } else {
            &["git status"]
        };
        for command in commands {
            let (_, payload) = payloads::shell_call(target, command);
            calls.push((
                format!("{}, {}", target.title(), shorten(command)),
                payloads::padded(&payload, SIZE),
            ));
        }
    }
    calls
}

fn shorten(command: &str) -> String {
    if command.len() <= 16 { command.to_owned() } else { "a pipeline".to_owned() }
}
