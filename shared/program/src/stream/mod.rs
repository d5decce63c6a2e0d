//! The process's three streams, without the standard library's buffers and locks.
//!
//! Where the system can wait for stdin with a time limit, reading needs no second thread. Elsewhere
//! [`CAN_WAIT`] is false and the watchdog runs from the start.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{CAN_WAIT, read, survive_file_size_limit, wait_for_input, write_stderr, write_stdout};

#[cfg(not(unix))]
mod portable;
#[cfg(not(unix))]
pub(crate) use portable::{
    CAN_WAIT, read, survive_file_size_limit, wait_for_input, write_stderr, write_stdout,
};
