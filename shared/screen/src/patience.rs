//! A line that says that it takes long.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Does some work, and says on a terminal what takes so long once it has taken a second.
pub fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            while wait.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = write!(io::stderr(), "\r{what}: {} s", start.elapsed().as_secs());
                shown = true;
            }
            if shown {
                let _ = write!(io::stderr(), "\r\u{1b}[2K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}
