//! What the stop guard costs: the mark that every tool call leaves, and what happens once per prompt and stop.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use support::repositories;

use crate::count::{folder, instructions_in, over, row, run, say};

/// What the mark after a tool call may cost: it is on every call's way. More than half of it is the loader, which sets
/// the addresses in tables right as long as libgit2 is inside (it was 105,000 before a dozen more hosts had theirs).
const MARK_BUDGET: u64 = 113_000;

/// What a prompt and a stop may cost: once per turn.
const TURN_BUDGET: u64 = 2_000_000;

/// How many files the large tree has.
const FILES: usize = 1_000;

/// What a prompt, and a stop after which nothing has changed, may cost there: libgit2's status took 23,500,000.
const LARGE_BUDGET: u64 = 2_600_000;

/// What a stop may cost there after a file has changed, which is searched for conflict markers; it was 28,000,000.
const CHANGED_BUDGET: u64 = 12_000_000;

pub(crate) fn measure(floor: u64) -> Result<bool, String> {
    let guard = benches::build("stop-guard")?;
    say(&format!("\n{:<58}{:>12}{:>10}", "the stop guard", "instructions", "x empty"));
    let home = folder("stops")?;
    let failed = |error: std::io::Error| format!("{}: {error}", home.display());
    let project = home.join("project");
    fs::create_dir_all(&project).map_err(failed)?;
    fs::write(project.join("README"), "hello\n").map_err(failed)?;
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "first"],
    ] {
        run(Command::new("git").args(arguments).current_dir(&project).env("HOME", &home))?;
    }
    let prompt = payload(&project, &json!({"hook_event_name": "UserPromptSubmit", "prompt": "do it"}));
    let tool = |name: &str| {
        let call = json!({"hook_event_name": "PostToolUse", "tool_name": name, "tool_input": {}, "tool_response": {}});
        payload(&project, &call)
    };
    let stop = payload(&project, &json!({"hook_event_name": "Stop", "stop_hook_active": false}));
    let mut fits = true;
    let mut measure = |title: &str, payload: &str, budget: u64| {
        let count = instructions_in(&home, &guard, payload.as_bytes())?;
        row(title, count, floor, over(count, budget));
        fits &= count <= budget;
        Ok::<(), String>(())
    };
    measure("a prompt", &prompt, TURN_BUDGET)?;
    measure("a tool that only reads", &tool("Read"), MARK_BUDGET)?;
    measure("the first tool that may have changed something", &tool("Bash"), MARK_BUDGET)?;
    measure("the next one", &tool("Bash"), MARK_BUDGET)?;
    measure("a stop, nothing changed", &stop, TURN_BUDGET)?;
    fs::write(project.join("new"), "x\n").map_err(failed)?;
    measure("a stop, a file changed", &stop, TURN_BUDGET)?;
    let large = home.join("large");
    repositories::committed(&large, FILES)?;
    let at = |event: &Value| payload(&large, event);
    let prompt =
        at(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "do it", "session_id": "large"}));
    let stop = at(&json!({"hook_event_name": "Stop", "stop_hook_active": false, "session_id": "large"}));
    measure(&format!("a prompt, {FILES} files"), &prompt, LARGE_BUDGET)?;
    measure(&format!("a stop, {FILES} files, nothing changed"), &stop, LARGE_BUDGET)?;
    fs::write(large.join("new"), "x\n").map_err(failed)?;
    measure(&format!("a stop, {FILES} files, one of them new"), &stop, CHANGED_BUDGET)?;
    say(&format!(
        "budgets {MARK_BUDGET} after a tool call, {TURN_BUDGET} per prompt and stop; {LARGE_BUDGET} and {CHANGED_BUDGET} with {FILES} files"
    ));
    fs::remove_dir_all(&home).map_err(failed)?;
    Ok(fits)
}

/// A payload of Claude Code.
fn payload(project: &Path, event: &Value) -> String {
    let mut payload = json!({"session_id": "s", "transcript_path": "/t", "cwd": project, "prompt_id": "p"});
    if let (Some(whole), Some(event)) = (payload.as_object_mut(), event.as_object()) {
        whole.extend(event.clone());
    }
    payload.to_string()
}
