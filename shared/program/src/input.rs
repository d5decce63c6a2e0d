//! Stdin into one buffer: up to a limit, and no longer than the deadline.

use std::io;
use std::time::Instant;

use crate::stream;

/// The largest payload that is judged, in bytes.
pub(crate) const INPUT_LIMIT: usize = 8 * 1024 * 1024;

/// Room for nearly every payload without a second allocation.
const FIRST_CAPACITY: usize = 16 * 1024;

/// How reading ended.
#[derive(Debug)]
pub(crate) enum Input {
    /// The host closed stdin; everything has arrived.
    Whole(Vec<u8>),
    /// More than [`INPUT_LIMIT`] arrived, this many bytes in all. The rest was read and thrown away, as some hosts fail
    /// on a closed pipe.
    TooLarge(usize),
    /// The deadline passed before the host closed stdin; this much has arrived.
    Unfinished(Vec<u8>),
    /// The system refused to read.
    Failed(io::Error),
}

/// Reads stdin to its end; `buffer` holds what has arrived already.
pub(crate) fn read(mut buffer: Vec<u8>, deadline: Instant) -> Input {
    buffer.reserve(FIRST_CAPACITY);
    let mut too_large = false;
    let mut thrown_away = 0;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // On a crowded machine the time may be over before the first look: what has arrived by then is read. Of what
        // is thrown away there is no end.
        if (left.is_zero() && too_large) || !stream::wait_for_input(left) {
            return if too_large { Input::TooLarge(thrown_away) } else { Input::Unfinished(buffer) };
        }
        match stream::read(&mut buffer) {
            Ok(0) if too_large => return Input::TooLarge(thrown_away),
            Ok(0) => return Input::Whole(buffer),
            Ok(_) if too_large || buffer.len() > INPUT_LIMIT => {
                too_large = true;
                thrown_away += buffer.len();
                buffer.clear();
            }
            // Doubled only when it is full: `Vec` would do the same, but `read` takes no more than what is spare.
            Ok(_) if buffer.len() == buffer.capacity() => buffer.reserve(buffer.len()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) if too_large => return Input::TooLarge(thrown_away),
            Err(error) => return Input::Failed(error),
        }
    }
}
