//! Makes `tests/benches/startup_order/startup.ld`, by which the linker puts what a usual call runs next to each other.
//!
//! `cargo run --release -p benches --bin startup-order`, with `valgrind`. To be done again when `instruction-counts` finds
//! that calls touch too many places of a program; a program that is linked by an old order is slower, never wrong.

mod calls;
mod script;
mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use script::Script;
use support::programs;

/// What ran in less than one of so many calls of a hook is not usual.
const SELDOM: usize = 8;

fn main() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("policy-hooks-startup-order-{}", std::process::id()));
    let result = make(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    match result {
        Ok(said) => {
            say(&said);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            say(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn make(folder: &Path) -> Result<String, String> {
    let mut script = Script::default();
    for hook in calls::HOOKS {
        let names = usual(hook, &folder.join(hook))?;
        say(&format!("{hook}: {} functions are usual", names.len()));
        script.add(&names);
    }
    let path: PathBuf = programs::root().join("tests/benches/startup_order/startup.ld");
    std::fs::write(&path, script.finish()).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!("written to {}", path.display()))
}

/// The functions that usual calls of a hook run, those of most calls first.
fn usual(hook: &str, home: &Path) -> Result<Vec<String>, String> {
    let program = benches::build_with_symbols(hook)?;
    let session = calls::Session::new(home)?;
    let payloads = session.payloads(hook);
    let mut ran: BTreeMap<String, usize> = BTreeMap::new();
    for payload in &payloads {
        for name in trace::functions(&program, &session, payload)? {
            *ran.entry(name).or_default() += 1;
        }
    }
    let mut usual: Vec<(String, usize)> =
        ran.into_iter().filter(|(_, calls)| calls * SELDOM >= payloads.len()).collect();
    // The names decide between equals, so that the outcome is the same every time.
    usual.sort_by(|(name, calls), (other, others)| others.cmp(calls).then_with(|| name.cmp(other)));
    Ok(usual.into_iter().map(|(name, _)| name).collect())
}

#[expect(clippy::print_stdout, reason = "a program for people")]
fn say(line: &str) {
    println!("{line}");
}
