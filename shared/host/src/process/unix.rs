//! One loop that writes, reads and waits, with the hook in a process group of its own.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use payload::model::Ended;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Finished, Kept, MAX_STDERR, MAX_STDOUT, Spec, ended};
use crate::record::Patience;

/// How often a loop looks whether it is to stop, and, where processes cannot be waited for in `poll`, for the end.
const TICK: Duration = Duration::from_millis(20);

/// How much is read at once, in bytes.
const BUFFER: usize = 32 << 10;

/// How long the last output of a hook is waited for that the host does not wait for itself.
const LAST_WORDS: Duration = Duration::from_millis(50);

pub(super) fn run(spec: &Spec, input: &[u8], stop: Option<&AtomicBool>) -> Finished {
    let start = Instant::now();
    let mut command = Command::new(&spec.program);
    command.args(&spec.arguments).current_dir(&spec.folder);
    for name in &spec.unset {
        command.env_remove(name);
    }
    command.envs(spec.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    match command.spawn() {
        Ok(child) => Talk::new(child, spec, input, start).finish(stop),
        Err(error) => {
            let folder = spec.folder.display();
            Finished::not_started(match error.kind() {
                ErrorKind::NotFound if !spec.folder.is_dir() => format!("the folder {folder} is not there"),
                _ => format!("{}: {error}", spec.program.display()),
            })
        }
    }
}

/// A hook that runs.
struct Talk<'a> {
    child: Child,
    spec: &'a Spec,
    start: Instant,
    input: &'a [u8],
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    said: Kept,
    complained: Kept,
    /// Readable when the process has ended, where the system has such a thing.
    watch: Option<OwnedFd>,
    status: Option<ExitStatus>,
    /// When it ended.
    end: Option<Instant>,
    buffer: Box<[u8]>,
}

impl<'a> Talk<'a> {
    fn new(mut child: Child, spec: &'a Spec, input: &'a [u8], start: Instant) -> Self {
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let fds = [
            stdin.as_ref().map(AsFd::as_fd),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ];
        for fd in fds.into_iter().flatten() {
            // A blocking read would only make the loop late; `poll` says when there is something.
            let _ = rustix::io::ioctl_fionbio(fd, true);
        }
        let watch = watch(&child);
        Self {
            child,
            spec,
            start,
            input,
            stdin,
            stdout,
            stderr,
            said: Kept::new(MAX_STDOUT),
            complained: Kept::new(MAX_STDERR),
            watch,
            status: None,
            end: None,
            buffer: vec![0; BUFFER].into_boxed_slice(),
        }
    }

    fn finish(mut self, stop: Option<&AtomicBool>) -> Finished {
        let mut late = false;
        while !self.is_over() {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                || self.start.elapsed() >= self.spec.limit
            {
                late = true;
                break;
            }
            self.wait();
            self.feed();
            self.hear();
            self.look();
        }
        let time = self.start.elapsed();
        let held = self.end.is_some() && (self.stdout.is_some() || self.stderr.is_some() || late);
        self.end_group();
        if self.status.is_none() {
            self.status = self.child.wait().ok();
        }
        self.hear();
        let (ended, code) = match self.status {
            // The host waits for the output, and gives up with the hook long gone.
            _ if late => (Ended::TimedOut, None),
            Some(status) => ended(status.code(), !self.said.bytes.is_empty()),
            None => (Ended::Signalled, None),
        };
        Finished {
            stdout: self.said.text(),
            stderr: self.complained.text(),
            ended,
            code,
            time,
            held_output: held,
            flooded: self.said.flooded || self.complained.flooded,
        }
    }

    /// Whether the host would go on.
    fn is_over(&self) -> bool {
        let Some(end) = self.end else { return false };
        let closed = self.stdout.is_none() && self.stderr.is_none();
        closed || (self.spec.patience == Patience::ForTheProcess && end.elapsed() >= LAST_WORDS)
    }

    /// Waits for something to happen, at most until the time limit.
    fn wait(&self) {
        let left = self.spec.limit.saturating_sub(self.start.elapsed());
        let wait =
            if self.watch.is_some() && self.end.is_none() { left.min(TICK * 5) } else { left.min(TICK) };
        let wanted: [Option<(BorrowedFd<'_>, PollFlags)>; 4] = [
            self.stdout.as_ref().map(|stream| (stream.as_fd(), PollFlags::IN)),
            self.stderr.as_ref().map(|stream| (stream.as_fd(), PollFlags::IN)),
            self.stdin.as_ref().map(|stream| (stream.as_fd(), PollFlags::OUT)),
            self.watch.as_ref().filter(|_| self.end.is_none()).map(|end| (end.as_fd(), PollFlags::IN)),
        ];
        let mut fds: Vec<PollFd<'_>> =
            wanted.into_iter().flatten().map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags)).collect();
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
        // An interrupted wait is a short one.
        let _ = poll(&mut fds, Some(&limit));
    }

    /// Writes as much of the payload as goes in.
    fn feed(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        match stdin.write(self.input) {
            Ok(written) => self.input = &self.input[written..],
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return,
            // The hook does not want to know.
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stdin = None;
        }
    }

    /// Reads what is there.
    fn hear(&mut self) {
        if let Some(stdout) = &mut self.stdout
            && !drain(stdout, &mut self.said, &mut self.buffer)
        {
            self.stdout = None;
        }
        if let Some(stderr) = &mut self.stderr
            && !drain(stderr, &mut self.complained, &mut self.buffer)
        {
            self.stderr = None;
        }
    }

    /// Looks whether the process has ended.
    fn look(&mut self) {
        if self.status.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.status = Some(status);
            self.end = Some(Instant::now());
        }
    }

    /// Ends the process and all that stayed in its group.
    fn end_group(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // A group without members is what is hoped for.
            let _ = kill_process_group(group, Signal::KILL);
        }
        if self.status.is_none() {
            let _ = self.child.kill();
        }
    }
}

/// Reads until nothing is there; `false` when the stream has ended. A flood does not keep the loop from its time limit.
fn drain(stream: &mut impl Read, kept: &mut Kept, buffer: &mut [u8]) -> bool {
    for _ in 0..64 {
        match stream.read(buffer) {
            Ok(0) => return false,
            Ok(length) => kept.push(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
    true
}

#[cfg(target_os = "linux")]
fn watch(child: &Child) -> Option<OwnedFd> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn watch(_child: &Child) -> Option<OwnedFd> {
    None
}
