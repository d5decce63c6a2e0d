//! What formatting costs, besides the formatter itself.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use support::{payloads, repositories};

use crate::SIZE;
use crate::count::{folder, instructions_with, over, row, say};

/// What a call may cost where nothing is configured, in calls that have nothing to do with files.
const WITHOUT: u64 = 3;

/// What a call may cost where a formatter runs, without what the formatter costs.
const WITH: u64 = 3;

/// How many files the repository has.
const FILES: usize = 200;

/// What an edit costs beside a call about something else.
pub(crate) fn measure() -> Result<bool, String> {
    let hook = benches::build("formatter-trigger")?;
    let home = folder("formatting")?;
    let project = home.join("project");
    let programs = home.join("bin");
    let path = format!("{}:/usr/bin:/bin", programs.display());
    repositories::committed(&project, FILES)?;
    let count = |tool: &str| {
        let payload = json!({
            "session_id": "s", "transcript_path": "/t", "cwd": project, "hook_event_name": "PostToolUse",
            "tool_name": tool, "tool_input": {"file_path": project.join("a.lua")}, "tool_response": {},
        });
        instructions_with(
            path.as_ref(),
            &home,
            &hook,
            payloads::padded(&payload.to_string(), SIZE).as_bytes(),
        )
    };
    let ugly = || repositories::write(&project.join("a.lua"), "a  b\n");
    ugly()?;
    let alone = count("Read")?;
    let without = count("Write")?;
    repositories::write(&project.join("stylua.toml"), "")?;
    repositories::create(&programs)?;
    let formatter = programs.join("stylua");
    repositories::write(&formatter, "#!/bin/sh\nexec tr -s ' '\n")?;
    fs::set_permissions(&formatter, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    ugly()?;
    // The first one makes the folders for its locks.
    count("Write")?;
    ugly()?;
    let with = count("Write")?;
    let written = fs::read_to_string(project.join("a.lua")).map_err(|error| error.to_string())?;
    let _ = fs::remove_dir_all(&home);
    if written != "a b\n" {
        return Err(format!("the file was not formatted: {written:?}"));
    }
    say(&format!("\n{:<58}{:>12}{:>10}", "after an edit", "instructions", "x alone"));
    row("formatter-trigger: a call about no file", alone, alone, "");
    row("an edit, and no formatter is configured", without, alone, over(without, WITHOUT * alone));
    row("an edit, and one formats it, without the formatter", with, alone, over(with, WITH * alone));
    say(&format!("budgets {WITHOUT} and {WITH} times the call alone"));
    Ok(without <= WITHOUT * alone && with <= WITH * alone)
}
