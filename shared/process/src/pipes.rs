//! What goes into a program and comes out of it, all at once and without threads: each would cost more than most
//! programs' output is worth.

use std::io::{self, PipeReader, Write as _};
use std::process::{Child, ChildStdin};
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::io::Errno;

use crate::part::{Kept, Part};

/// How long a look for a program's end waits where the system does not tell.
const PAUSE: Duration = Duration::from_millis(5);

/// Two streams out, one in, and the end.
const MOST: usize = 4;

/// As much is read at once: enough for most.
const BUFFER: usize = 4 * 1024;

/// The pipes of a program.
#[derive(Debug)]
pub(crate) struct Pipes {
    streams: Vec<Stream>,
    input: Option<Input>,
    /// Readable when the program has ended.
    end: Option<OwnedFd>,
    /// What is read goes through here.
    buffer: Vec<u8>,
}

/// What came of a wait.
struct Step {
    may_have_ended: bool,
    read: bool,
}

#[derive(Debug)]
struct Stream {
    /// Gone at its end.
    reader: Option<PipeReader>,
    kept: Kept,
}

#[derive(Debug)]
struct Input {
    stdin: ChildStdin,
    bytes: Vec<u8>,
    written: usize,
}

impl Pipes {
    /// The pipes of `child`: what it gets, and what it prints.
    pub(crate) fn new(
        child: &Child,
        input: Option<(ChildStdin, Vec<u8>)>,
        readers: Vec<(PipeReader, Part)>,
    ) -> Self {
        let streams = readers
            .into_iter()
            .map(|(reader, part)| Stream { reader: Some(reader), kept: Kept::new(part) })
            .collect();
        let input = input.and_then(|(stdin, bytes)| {
            // A program that reads nothing must not hold up its own reader.
            rustix::io::ioctl_fionbio(&stdin, true).ok()?;
            Some(Input { stdin, bytes, written: 0 })
        });
        Self { streams, input, end: end_of(child), buffer: Vec::with_capacity(BUFFER) }
    }

    /// Goes on until something happened, or the time has passed; whether the program may have ended.
    ///
    /// Once it has ended, `with_end` is false.
    pub(crate) fn wait(&mut self, longest: Duration, with_end: bool) -> bool {
        let longest = if self.end.is_some() || !with_end { longest } else { longest.min(PAUSE) };
        self.step(longest, with_end).may_have_ended
    }

    /// Whether no one holds a stream open.
    pub(crate) fn are_closed(&self) -> bool {
        self.streams.iter().all(|stream| stream.reader.is_none())
    }

    /// Reads what is there already; a flood has its end.
    pub(crate) fn drain(&mut self) {
        let most = 64 * 1024 / BUFFER;
        for _ in 0..most {
            if self.are_closed() || !self.step(Duration::ZERO, false).read {
                return;
            }
        }
    }

    /// Reads until the end of this stream; `false` when someone holds it open for longer.
    pub(crate) fn closes_within(&mut self, number: usize, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        while self.streams.get(number).is_some_and(|stream| stream.reader.is_some()) {
            let left = until.saturating_duration_since(Instant::now());
            self.step(left, false);
            if left.is_zero() {
                return self.streams.get(number).is_none_or(|stream| stream.reader.is_none());
            }
        }
        true
    }

    /// Whether this stream held more than is kept.
    pub(crate) fn is_flooded(&self, number: usize) -> bool {
        self.streams.get(number).is_some_and(|stream| stream.kept.is_flooded())
    }

    /// What was kept of this stream.
    pub(crate) fn take(&mut self, number: usize) -> Vec<u8> {
        self.streams.get_mut(number).map(|stream| stream.kept.take()).unwrap_or_default()
    }

    /// Waits for one of the pipes, or for the program's end as well.
    fn step(&mut self, longest: Duration, with_end: bool) -> Step {
        let mut waiting: Vec<PollFd<'_>> = Vec::with_capacity(MOST);
        // The order here is the order in which what is ready is taken below.
        for stream in &self.streams {
            if let Some(reader) = &stream.reader {
                waiting.push(PollFd::new(reader, PollFlags::IN));
            }
        }
        if let Some(input) = &self.input {
            waiting.push(PollFd::new(&input.stdin, PollFlags::OUT));
        }
        if let Some(end) = self.end.as_ref().filter(|_| with_end) {
            waiting.push(PollFd::from_borrowed_fd(end.as_fd(), PollFlags::IN));
        }
        // Longer than anyone waits, where it does not fit.
        let longest = Timespec::try_from(longest).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 });
        if poll(&mut waiting, Some(&longest)).is_err() {
            // A failed look says nothing: the program is asked for its end instead.
            return Step { may_have_ended: true, read: false };
        }
        let mut ready = [false; MOST];
        for (ready, fd) in ready.iter_mut().zip(&waiting) {
            *ready = !fd.revents().is_empty();
        }
        drop(waiting);
        let mut ready = ready.into_iter();
        let mut read = false;
        for stream in self.streams.iter_mut().filter(|stream| stream.reader.is_some()) {
            if ready.next() == Some(true) {
                stream.read(&mut self.buffer);
                read = true;
            }
        }
        if let Some(input) = &mut self.input
            && ready.next() == Some(true)
            && !input.write()
        {
            self.input = None;
        }
        // What the system does not tell is asked for each time.
        Step { may_have_ended: self.end.is_none() || ready.next() == Some(true), read }
    }
}

impl Stream {
    fn read(&mut self, buffer: &mut Vec<u8>) {
        let Some(reader) = &self.reader else { return };
        buffer.clear();
        match rustix::io::read(reader, spare_capacity(buffer)) {
            Ok(0) => self.reader = None,
            Ok(_) => self.kept.add(buffer),
            Err(Errno::INTR) => {}
            Err(_) => self.reader = None,
        }
    }
}

impl Input {
    /// Writes what the pipe takes; `false` when that was the last of it. A program that does not want to read has its
    /// reasons; its exit code tells.
    fn write(&mut self) -> bool {
        match self.stdin.write(self.bytes.get(self.written..).unwrap_or_default()) {
            Ok(count) => {
                self.written += count;
                self.written < self.bytes.len()
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }
}

#[cfg(target_os = "linux")]
fn end_of(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
}

/// Other systems are asked again and again.
#[cfg(not(target_os = "linux"))]
fn end_of(_child: &Child) -> Option<OwnedFd> {
    None
}
