//! The wish to end: hooks run in groups of their own and do not hear a Ctrl-C, so that we have to pass it on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that is set when this program is asked to stop.
#[cfg(unix)]
pub(super) fn flag() -> Arc<AtomicBool> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // Asked a second time, it ends at once. Without the handler, it ends at the first.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

/// A flag that no one sets.
#[cfg(not(unix))]
pub(super) fn flag() -> Arc<AtomicBool> {
    Arc::default()
}
