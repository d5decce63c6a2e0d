//! Processes that left their hook's group and outlived it: they become our children, and are ended.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_child_subreaper, waitpid};

/// How long processes are looked for that start others faster than they can be ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// From now on, what outlives its parent becomes a child of this process, not of the first one.
pub(super) fn adopt() {
    // Without it, such processes stay where they are; their group is ended all the same.
    let _ = set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends every child of this process, and what they leave to it; returns how many.
pub(super) fn end() -> usize {
    let start = Instant::now();
    let mut ended = 0;
    loop {
        let children = children();
        if children.is_empty() || start.elapsed() > PATIENCE {
            return ended;
        }
        for child in children {
            let _ = kill_process(child, Signal::KILL);
            if waitpid(Some(child), WaitOptions::empty()).is_ok() {
                ended += 1;
            }
        }
    }
}

/// The children of this process, of all its threads.
fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
        .filter_map(Pid::from_raw)
        .collect()
}
