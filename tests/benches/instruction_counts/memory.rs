//! How much memory a call takes at most: like instructions, the same on a busy machine.

use support::footprint;
use support::hosts::Target;
use support::payloads;

use crate::SIZE;
use crate::count::{folder, over, say};

/// The most memory that a hook may hold at once, in KiB.
const PEAK_BUDGET: u64 = 4 * 1024;

/// Every hook with a shell call of [`SIZE`] bytes, which it answers, with or without a decision.
pub(crate) fn measure() -> Result<bool, String> {
    say(&format!("\n{:<58}{:>12}{:>10}", "peak memory", "KiB", "faults"));
    let home = folder("memory")?;
    let payload = payloads::padded(&payloads::shell_call(Target::Claude, "git status").1, SIZE);
    let mut fits = true;
    for (hook, program) in benches::hooks()? {
        let seen = footprint::of(&program, &[], &home, payload.as_bytes())?;
        let verdict = over(seen.peak_kib, PEAK_BUDGET);
        say(&format!("{hook:<58}{:>12}{:>10}  {verdict}", seen.peak_kib, seen.page_faults));
        fits &= seen.peak_kib <= PEAK_BUDGET;
    }
    let _ = std::fs::remove_dir_all(&home);
    say(&format!("budget {PEAK_BUDGET}"));
    Ok(fits)
}
