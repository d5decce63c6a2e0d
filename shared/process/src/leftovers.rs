//! What programs leave behind in other process groups.

#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

/// How long processes are looked for.
#[cfg(target_os = "linux")]
const PATIENCE: Duration = Duration::from_secs(2);

/// From here on, whoever leaves the group and loses its parent becomes our child, so that it can be found.
#[cfg(target_os = "linux")]
pub fn adopt() {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Other systems hand orphans to no one.
#[cfg(not(target_os = "linux"))]
pub fn adopt() {}

/// Ends what programs left behind in other process groups, and says how many. To be called when no program runs.
#[cfg(target_os = "linux")]
pub fn end() -> usize {
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait, waitpid};
    // Mostly there is none, which shows at once.
    let mut ended = match wait(WaitOptions::NOHANG) {
        Err(Errno::CHILD) => return 0,
        reaped => usize::from(matches!(reaped, Ok(Some(_)))),
    };
    // Each round may orphan the next generation, and some start others faster than they can be ended.
    let start = Instant::now();
    loop {
        let children = children();
        if children.is_empty() || start.elapsed() > PATIENCE {
            return ended;
        }
        for child in children.into_iter().filter_map(Pid::from_raw) {
            // It may have ended by itself meanwhile: then only its entry is left to be taken.
            let _ = kill_process(child, Signal::KILL);
            if waitpid(Some(child), WaitOptions::empty()).is_ok() {
                ended += 1;
            }
        }
    }
}

/// Nothing can be found where the system does not hand orphans over.
#[cfg(not(target_os = "linux"))]
pub fn end() -> usize {
    0
}

/// The process ids of our children.
#[cfg(target_os = "linux")]
fn children() -> Vec<i32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>())
        .collect()
}
