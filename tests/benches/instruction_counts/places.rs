//! In how many places of its code a call runs: Linux brings a program's code in by sixteen pages of 4 KiB at a time, and
//! each time costs more than ten thousand instructions. The linker's script keeps what usual calls run together.

use std::collections::BTreeSet;
use std::path::Path;

use support::hosts::Target;
use support::payloads;

use crate::SIZE;
use crate::count::{folder, over, report, say};

/// How much code comes in at once, in bytes.
const PLACE: u64 = 64 * 1024;

/// In more places than this no call runs.
const BUDGET: u64 = 42;

/// Every hook with a shell call of [`SIZE`] bytes.
pub(crate) fn measure() -> Result<bool, String> {
    say(&format!("\n{:<58}{:>12}", "places of 64 KiB where code runs", "places"));
    let home = folder("places")?;
    let payload = payloads::padded(&payloads::shell_call(Target::Claude, "git status").1, SIZE);
    let mut fits = true;
    for (hook, program) in benches::hooks()? {
        let places = places(&home, &program, payload.as_bytes())?;
        say(&format!("{hook:<58}{places:>12}  {}", over(places, BUDGET)));
        fits &= places <= BUDGET;
    }
    let _ = std::fs::remove_dir_all(&home);
    say(&format!("budget {BUDGET}; above it: cargo run --release -p benches --bin startup-order"));
    Ok(fits)
}

fn places(home: &Path, program: &Path, input: &[u8]) -> Result<u64, String> {
    let seen = home.join("seen");
    let arguments =
        ["--dump-instr=yes", "--compress-pos=no", &format!("--callgrind-out-file={}", seen.display())];
    let path = std::env::var_os("PATH").unwrap_or_default();
    report(&arguments, &path, home, program, input)?;
    let text = std::fs::read_to_string(&seen).map_err(|error| format!("{}: {error}", seen.display()))?;
    let addresses = text.lines().filter_map(|line| line.strip_prefix("0x")?.split(' ').next());
    let places: BTreeSet<u64> =
        addresses.filter_map(|digits| Some(u64::from_str_radix(digits, 16).ok()? / PLACE)).collect();
    if places.is_empty() {
        return Err(format!("valgrind saw nothing of {}", program.display()));
    }
    Ok(places.len() as u64)
}
