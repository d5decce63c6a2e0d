//! Waiting for what others do.

use std::thread;
use std::time::{Duration, Instant};

/// How long lies between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks until `ready` says yes, or until `until`; the last answer.
pub fn wait(until: Instant, mut ready: impl FnMut() -> bool) -> bool {
    loop {
        if ready() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        thread::sleep(PAUSE);
    }
}
