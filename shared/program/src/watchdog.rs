//! The thread that answers at the deadline when the hook's own work does not come back.
//!
//! It costs about 100 µs of wall time and 5,000 instructions (a call without it: 175 µs and more, 60,000), so it
//! runs only where something can take long: hooks that touch files or start programs ([`crate::Work::MayBlock`]) or
//! are about to ([`crate::Context::may_block`]), payloads above [`crate::BOUNDED_INPUT`], and systems where a read of
//! stdin cannot give up by itself. What remains, a small payload in memory and work that counts its steps, ends by
//! construction.

use std::io;
use std::thread;
use std::time::Instant;

use crate::run::Run;

/// Little is needed to render one answer; what is not touched costs nothing.
const STACK: usize = 256 * 1024;

/// Starts the thread.
pub(crate) fn start(run: &'static Run) -> io::Result<()> {
    thread::Builder::new().name("deadline".to_owned()).stack_size(STACK).spawn(move || watch(run)).map(drop)
}

fn watch(run: &'static Run) {
    // Again after each sleep: the work may have more time by now, or less.
    loop {
        let left = run.deadline().saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        thread::sleep(left);
    }
    run.give_up(&run.overrun());
}
