//! Counting with `valgrind`, and the table.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::programs::root;

pub(crate) fn row(title: &str, count: u64, floor: u64, verdict: &str) {
    // Far below 2^52, where a float still counts one by one.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let ratio = count as f64 / floor as f64;
    say(&format!("{title:<58}{count:>12}{ratio:>10.2}  {verdict}"));
}

pub(crate) fn over(count: u64, budget: u64) -> &'static str {
    if count > budget { "TOO HIGH" } else { "" }
}

/// Counts in a home where nothing is set up.
pub(crate) fn instructions(program: &Path, input: &[u8]) -> Result<u64, String> {
    instructions_in(Path::new("/home/user"), program, input)
}

/// Counts with the programs that this one finds.
pub(crate) fn instructions_in(home: &Path, program: &Path, input: &[u8]) -> Result<u64, String> {
    instructions_with(&std::env::var_os("PATH").unwrap_or_default(), home, program, input)
}

/// Counts with an environment of two variables, as the environment's size counts too.
pub(crate) fn instructions_with(
    path: &OsStr,
    home: &Path,
    program: &Path,
    input: &[u8],
) -> Result<u64, String> {
    let report = report(&["--callgrind-out-file=/dev/null"], path, home, program, input)?;
    report
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .ok_or_else(|| format!("valgrind counted nothing:\n{report}"))
}

/// What `valgrind` says of one call.
pub(crate) fn report(
    arguments: &[&str],
    path: &OsStr,
    home: &Path,
    program: &Path,
    input: &[u8],
) -> Result<String, String> {
    let mut child = Command::new("valgrind")
        .arg("--tool=callgrind")
        .args(arguments)
        .arg(program)
        .current_dir(root())
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("valgrind does not start ({error}); install it"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // `/bin/true` reads nothing.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().map_err(|error| format!("valgrind: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} failed: {status}", command.get_program().display()))
    }
}

#[expect(clippy::print_stdout, reason = "a table for people")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// A new folder that only this run uses.
pub(crate) fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("policy-hooks-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}
