//! What a process takes: the most memory that it had, and how often it had to be given a page. Linux alone tells.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How often a program is called until it was caught in time.
const ATTEMPTS: usize = 20;

/// What was seen of a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The most memory that it held at once, in KiB, with the pages of its file that the system happened to map.
    pub peak_kib: u64,
    /// What it held for itself, in KiB: the same whatever the system has in its cache.
    pub own_kib: u64,
    /// How often it touched a page for the first time.
    pub page_faults: u64,
}

/// Of a program that answers with something, caught where it waits for its answer to be taken: its work is done then.
/// Programs that answer nothing are seen while they run, or not at all.
///
/// # Errors
///
/// When the program does not start, or was never caught.
pub fn of(program: &Path, arguments: &[String], folder: &Path, input: &[u8]) -> Result<Footprint, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    for _ in 0..ATTEMPTS {
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        crate::call::fill(&writer);
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("HOME", folder)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(Stdio::piped())
            .stdout(writer)
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that reads nothing is gone by now.
            let _ = stdin.write_all(input);
        }
        let seen = watch(&mut child).map_err(failed)?;
        drop(reader);
        let _ = child.kill();
        let _ = child.wait();
        if let Some(footprint) = seen {
            return Ok(footprint);
        }
    }
    Err(format!("{} ended before anything was seen of it, {ATTEMPTS} times", program.display()))
}

/// The last that is seen, until it ends or nothing changes any more.
fn watch(child: &mut Child) -> Result<Option<Footprint>, std::io::Error> {
    let mut seen = None;
    let mut same = 0;
    while child.try_wait()?.is_none() && same < 50 {
        if let Some(now) = read(child.id()) {
            same = if seen == Some(now) { same + 1 } else { 0 };
            seen = Some(now);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(seen)
}

/// What the system knows of a process that has begun its own program.
fn read(process: u32) -> Option<Footprint> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kib = |name: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(name))?;
        value.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    // What was given back since counts in full, whether or not it was touched.
    let given_back = kib("VmPeak:")?.saturating_sub(kib("VmSize:")?);
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name, which may hold anything: state, five numbers of others, flags, and then the faults.
    let faults = stat.rsplit_once(')')?.1.split_whitespace().nth(7)?;
    Some(Footprint {
        peak_kib: kib("VmHWM:")?,
        own_kib: kib("RssAnon:")? + given_back,
        page_faults: faults.parse().ok()?,
    })
}
