//! How much memory a call takes for itself: like instructions, the same on a busy machine. How many pages of its file
//! are mapped is not: that depends on what the system has in its cache. [`crate::places`] is the measure of those.

use support::footprint;
use support::hosts::Target;
use support::payloads;

use crate::SIZE;
use crate::count::{folder, over, say};

/// The most memory that a hook may hold for itself, in KiB.
const BUDGET: u64 = 1024;

/// Every hook with a shell call of [`SIZE`] bytes, which it answers, with or without a decision.
pub(crate) fn measure() -> Result<bool, String> {
    say(&format!("\n{:<58}{:>12}{:>10}", "memory of its own", "KiB", "faults"));
    let home = folder("memory")?;
    let payload = payloads::padded(&payloads::shell_call(Target::Claude, "git status").1, SIZE);
    let mut fits = true;
    for (hook, program) in benches::hooks()? {
        let seen = footprint::of(&program, &[], &home, payload.as_bytes())?;
        let verdict = over(seen.own_kib, BUDGET);
        say(&format!("{hook:<58}{:>12}{:>10}  {verdict}", seen.own_kib, seen.page_faults));
        fits &= seen.own_kib <= BUDGET;
    }
    let _ = std::fs::remove_dir_all(&home);
    say(&format!("budget {BUDGET}"));
    Ok(fits)
}
