//! Plain system calls on file descriptors 0, 1 and 2.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use rustix::stdio::{stderr, stdin, stdout};

/// From here on a write that passes the limit on file sizes fails; else the system ends the process with a signal, which
/// most hosts take for leave to go on.
pub(crate) fn survive_file_size_limit() {
    // Where there is no limit, as nearly everywhere, this is one system call.
    if getrlimit(Resource::Fsize).current.is_some() {
        // A handler that does nothing: the write then fails with an error instead of a signal.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Reading can give up at the deadline by itself.
pub(crate) const CAN_WAIT: bool = true;

/// How long a full pipe that no one reads may hold up the process.
const WRITE_LIMIT: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// Waits until stdin has bytes, has ended, or `limit` has passed; false in the last case.
pub(crate) fn wait_for_input(limit: Duration) -> bool {
    let limit = Timespec::try_from(limit).unwrap_or(Timespec { tv_sec: i64::from(i32::MAX), tv_nsec: 0 });
    ready(stdin(), PollFlags::IN, &limit)
}

/// Waits until `stream` can be used without blocking; false when `limit` has passed.
fn ready(stream: BorrowedFd<'_>, how: PollFlags, limit: &Timespec) -> bool {
    let mut watched = [PollFd::from_borrowed_fd(stream, how)];
    // A signal or an odd descriptor counts as ready: the read or write that follows tells what is wrong with it.
    poll(&mut watched, Some(limit)).map_or(true, |ready| ready > 0)
}

/// Reads once into the spare capacity of `buffer`; 0 at the end.
pub(crate) fn read(buffer: &mut Vec<u8>) -> io::Result<usize> {
    match rustix::io::read(stdin(), spare_capacity(buffer)) {
        Err(Errno::INTR) => Err(io::ErrorKind::Interrupted.into()),
        other => Ok(other?),
    }
}

/// Writes everything to stdout, in one system call where the system takes it all at once.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    write_all(stdout(), bytes)
}

/// Writes to stderr as far as that is possible: no one is left to hear of a failure.
pub(crate) fn write_stderr(bytes: &[u8]) {
    let _ = write_all(stderr(), bytes);
}

fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // A host that does not read its pipe must not keep the hook for ever.
        if !ready(to, PollFlags::OUT, &WRITE_LIMIT) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match rustix::io::write(to, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
