//! The standard library's streams, for systems where a pipe cannot be waited for with a time limit.

use std::io::{self, Read, Write};
use std::time::Duration;

/// Reading may block past the deadline, so the watchdog has to run meanwhile.
pub(crate) const CAN_WAIT: bool = false;

/// The most that one call reads.
const CHUNK: u64 = 64 * 1024;

/// Windows has no such limit.
pub(crate) fn survive_file_size_limit() {}

/// Does not wait: the read that follows does.
pub(crate) fn wait_for_input(_limit: Duration) -> bool {
    true
}

/// Reads up to a chunk to the end of `buffer`; 0 at the end.
pub(crate) fn read(buffer: &mut Vec<u8>) -> io::Result<usize> {
    io::stdin().lock().take(CHUNK).read_to_end(buffer)
}

/// Writes everything to stdout at once.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    // The lock is held until everything is out: a second thread that answers would otherwise write in between.
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Writes to stderr as far as that is possible: no one is left to hear of a failure.
pub(crate) fn write_stderr(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}
