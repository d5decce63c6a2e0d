//! How long a whole call takes, beside what else could stand in its place. All in one run, interleaved: the ratios
//! say something on a busy machine too, the times little.
//!
//! `cargo run --release -p benches --bin wall-time [ROUNDS]`; with `UPDATE_README` set, the table goes into docs/speed.md
//! as well. The programs are built as they are shipped for Linux.

mod facts;
mod others;
mod row;
mod table;

use std::path::Path;
use std::process::ExitCode;

use row::Row;
use support::hosts::Target;
use support::payloads;

const TARGET: &str = "x86_64-unknown-linux-musl";

/// How often everything is called.
const ROUNDS: usize = 300;

/// What the command blocker may take at most, beside `/bin/true`.
const GOAL: f64 = 1.15;

/// How many times longer the hook of bash and jq takes at least.
const GOAL_BASH: f64 = 100.0;

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let folder = std::env::temp_dir().join(format!("policy-hooks-wall-time-{}", std::process::id()));
    let result = measure(&folder, rounds);
    let _ = std::fs::remove_dir_all(&folder);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            say(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(folder: &Path, rounds: usize) -> Result<(), String> {
    let (_, call) = payloads::shell_call(Target::Claude, "git status");
    let payload = folder.join("payload.json");
    write(&payload, &payloads::padded(&call, 1024))?;
    let mut calls = calls(folder)?;
    row::play(&mut calls, &payload, rounds)?;
    for row in &mut calls {
        row.footprint(&payload);
    }
    table::print("a call of 1 KB: git status", &calls);
    goals(&calls);
    if std::env::var_os("UPDATE_README").is_some() {
        table::into_readme(&calls, rounds)?;
    }
    let mut runs = runner(folder)?;
    row::play(&mut runs, &payload, rounds / 3)?;
    table::print("a hook that says {}", &runs);
    facts::measure(folder)?;
    Ok(())
}

/// What answers a call: nothing, our programs, and others.
fn calls(folder: &Path) -> Result<Vec<Row>, String> {
    let mut calls = vec![
        Row::new("/bin/true", &["/bin/true"], folder),
        Row::new("an empty static Rust program", &[&benches::empty(TARGET)?.display().to_string()], folder),
    ];
    for (hook, program) in benches::hooks()? {
        calls.push(Row::new(&hook, &[&program.display().to_string()], folder));
    }
    calls.extend(others::rows(folder)?);
    Ok(calls)
}

/// What running a hook by hand adds.
fn runner(folder: &Path) -> Result<Vec<Row>, String> {
    let project = folder.join("project");
    let hook =
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"echo '{}'"}]}]}}"#;
    write(&project.join(".claude/settings.json"), hook)?;
    write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let runner = benches::build("hook-runner")?.display().to_string();
    let words =
        ["run", "--host", "claude", "--event", "PreToolUse", "--tool", "shell", "--command", "ls", "--trust"];
    let argv: Vec<&str> = std::iter::once(runner.as_str()).chain(words).collect();
    Ok(vec![
        Row::new("directly", &["/bin/sh", "-c", "echo '{}'"], &project),
        Row::new("by hook-runner run", &argv, &project),
    ])
}

/// Whether the command blocker is as fast as it should be.
fn goals(rows: &[Row]) {
    let median =
        |title: &str| rows.iter().find(|row| row.title == title).map(|row| row.median().as_secs_f64());
    let (Some(blocker), Some(nothing)) = (median("command-blocker"), median("/bin/true")) else { return };
    let met = |met: bool| if met { "met" } else { "MISSED" };
    let ratio = blocker / nothing;
    say(&format!("at most {GOAL} times /bin/true: {ratio:.2}, {}", met(ratio <= GOAL)));
    if let Some(bash) = median(others::BASH) {
        let ratio = bash / blocker;
        say(&format!(
            "at least {GOAL_BASH} times as fast as bash and jq: {ratio:.0}, {}",
            met(ratio >= GOAL_BASH)
        ));
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let above = path.parent().unwrap_or(path);
    std::fs::create_dir_all(above)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[expect(clippy::print_stdout, reason = "a table for people")]
fn say(line: &str) {
    println!("{line}");
}
