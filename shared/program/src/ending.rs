//! Ending the process, and what must not be cut short by that.
//!
//! A process that exits while another of its threads writes to a file tears the write: the kernel stops it at the end
//! of a page. Seen with the audit log on a crowded machine: half a record, and the hook had its time limit.

use std::cell::Cell;
use std::process;
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end waits for what must not be cut short: a write that takes longer cannot be ended anyway.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the end sleeps between two looks.
const PAUSE: Duration = Duration::from_millis(1);

static BUSY: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether this thread is in the middle of it: then it is a panic that ends the process.
    static OURS: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` without the deadline ending the process meanwhile. For a single short write, not for waiting.
pub fn undivided<T>(work: impl FnOnce() -> T) -> T {
    // A panic with the lock is already on its way out; the lock guards no data that could be half changed.
    let _busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
    OURS.set(true);
    let done = work();
    OURS.set(false);
    done
}

/// Ends the process, when no one is in the middle of [`undivided`] work any more.
#[expect(clippy::exit, reason = "the harness is who ends the process")]
pub(crate) fn exit(code: u8) -> ! {
    let until = Instant::now() + PATIENCE;
    // Held to the end, so that nothing else begins.
    let _busy = loop {
        match BUSY.try_lock() {
            Ok(busy) => break Some(busy),
            Err(TryLockError::Poisoned(error)) => break Some(error.into_inner()),
            // Waiting for oneself would not end; and a write to a disk that hangs must not keep an answered
            // call alive.
            Err(TryLockError::WouldBlock) if OURS.get() || Instant::now() >= until => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    };
    process::exit(code.into())
}
