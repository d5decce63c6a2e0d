//! One program, from its start to its end.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::leftovers;
use crate::part::Part;
#[cfg(unix)]
use crate::pipes::Pipes;
#[cfg(not(unix))]
use crate::threads::Pipes;

/// How much is kept of what is only shown, in bytes.
const SHOWN: usize = 64 * 1024;

/// How long the last output is waited for that is only shown.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A program to run.
#[derive(Debug)]
pub struct Job<'j> {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub folder: &'j Path,
    pub environment: Vec<(OsString, OsString)>,
    /// What it reads on stdin.
    pub input: Option<Vec<u8>>,
    /// Whether stdin, without input, stays open until it has ended, or this process has.
    pub stays_open: bool,
    /// What becomes of its output.
    pub output: Output,
    /// How long it may take.
    pub limit: Duration,
}

/// What becomes of a program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Stdout and stderr are shown as they come: their end is kept.
    Shown,
    /// Stdout is used: it is whole, with at most so many bytes, or the program did not end well. Of stderr the beginning
    /// is kept.
    Used(usize),
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal.
    Signalled,
    /// It was killed at its time limit.
    TooLate,
    /// It was killed for printing more than may be used.
    TooMuch,
    /// It ended, but another process still held its output at the time limit.
    StillOpen,
    /// Why it did not start.
    NotStarted(String),
}

/// A program that ran.
#[derive(Debug)]
pub struct Ran {
    pub ended: Ended,
    /// Stdout; with [`Output::Shown`] stderr, too, as they came.
    pub output: Vec<u8>,
    /// Stderr, with [`Output::Used`].
    pub errors: Vec<u8>,
}

impl Ran {
    fn not_started(error: &io::Error) -> Self {
        Self { ended: Ended::NotStarted(error.to_string()), output: Vec::new(), errors: Vec::new() }
    }
}

/// A program that was watched to its end.
#[derive(Debug)]
pub struct Watched {
    /// What came of it; what is too much is thrown away.
    pub ran: Ran,
    /// How long it was watched.
    pub time: Duration,
    /// Whether it ended, and another process kept its output open.
    pub held: bool,
    /// Whether it printed more than is kept.
    pub flooded: bool,
}

/// How often a watch looks whether it is to stop.
const TICK: Duration = Duration::from_millis(20);

/// Runs a program as seen by someone who also waits for its output: what it leaves in its process group may go on until
/// the output is closed or, with `patience`, for so long after the program's end. `stop` ends all of it.
pub fn watch(job: Job<'_>, patience: Option<Duration>, stop: Option<&AtomicBool>) -> Watched {
    let begin = Instant::now();
    let limit = job.limit;
    let (mut child, mut pipes, _open) = match start(job) {
        Ok(started) => started,
        Err(error) => {
            let ran = Ran::not_started(&error);
            return Watched { ran, time: Duration::ZERO, held: false, flooded: false };
        }
    };
    let stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    let mut may_have_ended = true;
    let mut end: Option<Instant> = None;
    let late = loop {
        if end.is_none() && may_have_ended && has_ended(&mut child) {
            end = Some(Instant::now());
        }
        let waited = |end: Instant| patience.is_some_and(|patience| end.elapsed() >= patience);
        if end.is_some_and(|end| pipes.are_closed() || waited(end)) {
            break false;
        }
        let left = limit.saturating_sub(begin.elapsed());
        if left.is_zero() || stopped() {
            break true;
        }
        may_have_ended = pipes.wait(left.min(TICK), end.is_none());
    };
    let time = begin.elapsed();
    let held = end.is_some() && (late || !pipes.are_closed());
    let mut ended = reaped(&mut child);
    if late {
        ended = Ended::TooLate;
    }
    pipes.drain();
    let flooded = pipes.is_flooded(OUTPUT) || pipes.is_flooded(ERRORS);
    let ran = Ran { ended, output: pipes.take(OUTPUT), errors: pipes.take(ERRORS) };
    Watched { ran, time, held, flooded }
}

/// The places of the streams among a program's pipes.
const OUTPUT: usize = 0;
const ERRORS: usize = 1;

/// Runs a program. Nothing of it is left when this returns, as far as its process group reaches.
pub fn run(job: Job<'_>) -> Ran {
    let begin = Instant::now();
    let (limit, used) = (job.limit, matches!(job.output, Output::Used(_)));
    let (mut child, mut pipes, _open) = match start(job) {
        Ok(started) => started,
        Err(error) => return Ran::not_started(&error),
    };
    let mut ended = wait(&mut child, &mut pipes, begin, limit, used);
    // Who holds a pipe still has left the group. What is used has to be whole, what is shown need not be.
    let patience = if used { limit.saturating_sub(begin.elapsed()).max(LAST_WORDS) } else { LAST_WORDS };
    let closed = pipes.closes_within(OUTPUT, patience);
    if used && matches!(ended, Ended::Code(_)) {
        if pipes.is_flooded(OUTPUT) {
            ended = Ended::TooMuch;
        } else if !closed {
            ended = Ended::StillOpen;
        }
    }
    if used {
        // Waited for on its own: stderr may be open longer than stdout.
        pipes.closes_within(ERRORS, LAST_WORDS);
    }
    Ran { ended, output: pipes.take(OUTPUT), errors: pipes.take(ERRORS) }
}

/// What runs: the program, its pipes, and its stdin where that stays open without anything in it.
type Running = (Child, Pipes, Option<ChildStdin>);

fn start(job: Job<'_>) -> io::Result<Running> {
    let (reader, writer) = io::pipe()?;
    let mut command = Command::new(job.program);
    command.args(job.arguments).current_dir(job.folder).env_clear().envs(job.environment);
    let mut readers = Vec::with_capacity(2);
    match job.output {
        Output::Shown => {
            readers.push((reader, Part::End(SHOWN)));
            command.stdout(writer.try_clone()?).stderr(writer);
        }
        Output::Used(most) => {
            let (errors, complaints) = io::pipe()?;
            readers.extend([(reader, Part::Beginning(most)), (errors, Part::Beginning(SHOWN))]);
            command.stdout(writer).stderr(complaints);
        }
    }
    let fed = job.input.is_some() || job.stays_open;
    command.stdin(if fed { Stdio::piped() } else { Stdio::null() });
    #[cfg(unix)]
    // A group of its own can be ended as a whole.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    leftovers::adopt();
    let mut child = command.spawn()?;
    // Our ends of the pipes are closed with it, so that the readers see their end.
    drop(command);
    let mut stdin = child.stdin.take();
    let input = job.input.and_then(|input| Some((stdin.take()?, input)));
    let pipes = Pipes::new(&child, input, readers);
    Ok((child, pipes, stdin))
}

/// Waits for the end, or makes it.
fn wait(child: &mut Child, pipes: &mut Pipes, begin: Instant, limit: Duration, used: bool) -> Ended {
    let mut may_have_ended = true;
    while !(may_have_ended && has_ended(child)) {
        let left = limit.saturating_sub(begin.elapsed());
        let too_much = used && pipes.is_flooded(OUTPUT);
        if left.is_zero() || too_much {
            end_group(child);
            let _ = child.wait();
            return if left.is_zero() { Ended::TooLate } else { Ended::TooMuch };
        }
        // Sleeps until a pipe has something or closes, so that no time is spent on asking.
        may_have_ended = pipes.wait(left, true);
    }
    reaped(child)
}

/// Ends what is left of a program, and says how the program itself ended.
fn reaped(child: &mut Child) -> Ended {
    // Before the program itself is reaped: until then no one else can have the group's number.
    end_group(child);
    match child.wait() {
        Ok(status) => status.code().map_or(Ended::Signalled, Ended::Code),
        Err(_) => Ended::Signalled,
    }
}

#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    // Asks without reaping, so that the number is not given to another process yet.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;

    fn job(script: &str, output: Output, limit: Duration) -> Job<'static> {
        Job {
            program: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            folder: Path::new("/"),
            environment: crate::usual(|_| false),
            input: None,
            stays_open: false,
            output,
            limit,
        }
    }

    fn shell(script: &str, limit: Duration) -> Ran {
        run(job(script, Output::Shown, limit))
    }

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn the_exit_code_and_the_end_of_the_output_come_back() {
        let ran = shell("echo out; echo err >&2; exit 3", LONG);
        assert_eq!((ran.ended, ran.output), (Ended::Code(3), b"out\nerr\n".to_vec()));
        let ran = shell("i=0; while [ $i -lt 20000 ]; do echo line $i of a flood; i=$((i+1)); done", LONG);
        assert!(ran.output.len() <= SHOWN && ran.output.ends_with(b"line 19999 of a flood\n"));
    }

    #[test]
    fn what_does_not_start_or_end_says_so() {
        let missing = Job { program: "/no/such/program".into(), ..job("", Output::Shown, LONG) };
        assert!(matches!(run(missing).ended, Ended::NotStarted(_)));
        assert_eq!(shell("kill -9 $$", LONG).ended, Ended::Signalled);
        assert_eq!(shell("sleep 1000 & sleep 1000", Duration::from_millis(50)).ended, Ended::TooLate);
    }

    #[test]
    fn input_goes_in_and_the_streams_come_back_apart() {
        let input = vec![b'x'; 1 << 20];
        let ran =
            run(Job { input: Some(input.clone()), ..job("cat; echo done >&2", Output::Used(1 << 20), LONG) });
        assert_eq!((ran.ended, ran.errors), (Ended::Code(0), b"done\n".to_vec()));
        assert!(ran.output == input);
        // A reader that does not want the input is not a fault.
        let ran = run(Job { input: Some(input), ..job("exec true", Output::Used(1), LONG) });
        assert_eq!(ran.ended, Ended::Code(0));
    }

    #[test]
    fn what_is_used_is_whole_or_refused() {
        let ran = run(job("while :; do echo flood; done", Output::Used(1000), LONG));
        assert_eq!(ran.ended, Ended::TooMuch);
        let ran = run(job("printf 1234", Output::Used(3), LONG));
        assert_eq!(ran.ended, Ended::TooMuch);
        let ran = run(job("printf 123", Output::Used(3), LONG));
        assert_eq!((ran.ended, ran.output), (Ended::Code(0), b"123".to_vec()));
    }

    #[test]
    fn a_watch_ends_with_the_output_or_its_patience() {
        let watch = |script: &str, limit, patience| {
            super::watch(job(script, Output::Used(4), Duration::from_millis(limit)), patience, None)
        };
        let seen = watch("printf 123456; exit 3", 60_000, None);
        assert_eq!((seen.ran.ended, seen.ran.output), (Ended::Code(3), b"1234".to_vec()));
        assert!(seen.flooded && !seen.held);
        let seen = watch("sleep 0.2 & exit 0", 60_000, None);
        assert_eq!((seen.ran.ended, seen.held), (Ended::Code(0), false));
        assert!(seen.time >= Duration::from_millis(150));
        let seen = watch("sleep 1000 & exit 0", 200, None);
        assert_eq!((seen.ran.ended, seen.held), (Ended::TooLate, true));
        let seen = watch("sleep 1000 & exit 0", 60_000, Some(Duration::from_millis(10)));
        assert_eq!((seen.ran.ended, seen.held), (Ended::Code(0), true));
        let stop = AtomicBool::new(true);
        let seen = super::watch(job("sleep 1000", Output::Used(4), LONG), None, Some(&stop));
        assert_eq!((seen.ran.ended, seen.held), (Ended::TooLate, false));
    }

    #[test]
    fn nothing_of_the_group_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let ran = shell(&format!("sleep 1000 & echo $! > {}", file.display()), LONG);
        assert_eq!(ran.ended, Ended::Code(0));
        let pid = std::fs::read_to_string(file).unwrap();
        // It has its signal; the kernel ends it when its turn comes, and whoever adopted it reaps it later still.
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        for _ in 0..10_000 {
            if state().is_empty() || state().contains(") Z ") {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("{}", state());
    }
}
