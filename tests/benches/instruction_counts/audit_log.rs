//! What the audit log costs: a record in a process of its own, and a denial's record in the program that denies.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use audit::Head;
use support::hosts::Target;
use support::payloads;

use crate::SIZE;
use crate::count::{folder, instructions_in, over, row, say};

/// What appending a record may add to the process that has made it.
const APPEND_BUDGET: u64 = 110_000;

/// What a denial's record may cost in all: settings, repository, redaction, and the append.
const RECORD_BUDGET: u64 = 180_000;

/// What the audit logger's whole call may cost: the same as that of the command blocker, and one record.
const CALL_BUDGET: u64 = 200_000;

/// The sizes of the logs that are appended to, in bytes: the count may differ by a tenth.
const LOGS: [u64; 2] = [1 << 10, 200 << 20];

pub(crate) fn measure(blocker: &Path, floor: u64) -> Result<bool, String> {
    let logger = benches::build("audit-logger")?;
    say(&format!("\n{:<58}{:>12}{:>10}", "the audit log", "instructions", "x empty"));
    let event = payloads::padded(&payloads::shell_call(Target::Claude, "git status").1, SIZE);
    let mut fits = true;
    let mut counts = Vec::new();
    for size in LOGS {
        let home = home(size)?;
        let count = instructions_in(&home, &logger, event.as_bytes())?;
        row(
            &format!("audit-logger: an event, into a log of {} KiB", size >> 10),
            count,
            floor,
            over(count, CALL_BUDGET),
        );
        fits &= count <= CALL_BUDGET;
        counts.push(count);
        fs::remove_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    }
    if counts[1] > counts[0] + counts[0] / 10 {
        say("TOO HIGH: a record costs more in a larger log");
        fits = false;
    }
    // A log that cannot be: the same record is made, and has nowhere to go.
    let nowhere = instructions_in(Path::new("/dev/null/home"), &logger, event.as_bytes())?;
    let append = counts[0].saturating_sub(nowhere);
    row("of that, the append", append, floor, over(append, APPEND_BUDGET));
    fits &= append <= APPEND_BUDGET;
    let denied = payloads::padded(&payloads::shell_call(Target::Claude, "rm -rf /").1, SIZE);
    let without = folder("no-audit")?;
    let alone = instructions_in(&without, blocker, denied.as_bytes())?;
    let with = home(LOGS[0])?;
    let recorded = instructions_in(&with, blocker, denied.as_bytes())?;
    let added = recorded.saturating_sub(alone);
    row("command-blocker: a denial and its record", recorded, floor, "");
    row("of that, the record in all", added, floor, over(added, RECORD_BUDGET));
    for home in [without, with] {
        fs::remove_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    }
    say(&format!(
        "budgets {CALL_BUDGET}, {APPEND_BUDGET} for the append, {RECORD_BUDGET} for a denial's record"
    ));
    Ok(fits && added <= RECORD_BUDGET)
}

/// A home with a key, and a log of `size` bytes: a hole, and a record at its end.
fn home(size: u64) -> Result<std::path::PathBuf, String> {
    let home = folder(&format!("audit-{size}"))?;
    let failed = |error: std::io::Error| format!("{}: {error}", home.display());
    let state = home.join(".local/state/policy-hooks");
    fs::create_dir_all(state.join("audit")).map_err(failed)?;
    fs::write(state.join("key"), [7; 64]).map_err(failed)?;
    let settings = home.join(".config/policy-hooks");
    fs::create_dir_all(&settings).map_err(failed)?;
    // No new file is begun.
    fs::write(settings.join("audit.toml"), "segment_mib = 4096\n").map_err(failed)?;
    let mut last = vec![b'\n'];
    let _ =
        Head { seq: 4_815_162, ..Head::START }.seal("{\"v\":1,\"id\":\"x\",\"kind\":\"event\"", &mut last);
    let mut log = File::create(state.join("audit/audit.jsonl")).map_err(failed)?;
    log.seek(SeekFrom::Start(size - last.len() as u64)).and_then(|_| log.write_all(&last)).map_err(failed)?;
    Ok(home)
}
