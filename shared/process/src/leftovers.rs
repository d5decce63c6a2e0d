//! What programs leave behind in other process groups.

/// From here on, whoever leaves the group and loses its parent becomes our child, so that it can be found.
#[cfg(target_os = "linux")]
pub fn adopt() {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Other systems hand orphans to nobody.
#[cfg(not(target_os = "linux"))]
pub fn adopt() {}

/// Ends what programs left behind in other process groups. To be called when no program runs.
#[cfg(target_os = "linux")]
pub fn end() {
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait, waitpid};
    // Mostly there is none, which is told at once.
    if matches!(wait(WaitOptions::NOHANG), Err(Errno::CHILD)) {
        return;
    }
    // Each round may orphan the next generation.
    for _ in 0..64 {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// Nothing can be found where the system does not hand orphans over.
#[cfg(not(target_os = "linux"))]
pub fn end() {}

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
