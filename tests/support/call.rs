//! Calls a hook as a host does: a process with a payload on stdin.

use std::ffi::{OsStr, OsString};
use std::io::{PipeWriter, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::programs;

/// How long a call may take before the test gives up: generous, as machines under load are slow.
const PATIENCE: Duration = Duration::from_mins(1);

/// A call in preparation.
#[derive(Debug)]
pub struct Call {
    command: Command,
    input: Vec<u8>,
    close_stdin: bool,
    stdout: Reader,
}

/// Who reads stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// We do.
    Attentive,
    /// No one any more: the pipe is closed.
    Gone,
    /// No one: the pipe is open and full.
    Asleep,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub stdout: String,
    pub stderr: String,
    /// The exit code; `None` after a signal.
    pub exit: Option<i32>,
}

impl Call {
    /// A call of `program`, with an empty stdin.
    pub fn new(program: impl AsRef<Path>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.env("HOME", "/home/user");
        Self { command, input: Vec::new(), close_stdin: true, stdout: Reader::Attentive }
    }

    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.command.args(arguments.into_iter().map(Into::into));
        self
    }

    /// With an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.command.env(name, value.into());
        self
    }

    #[must_use]
    pub fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// With this on stdin.
    #[must_use]
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    #[must_use]
    pub fn stdin_stays_open(mut self) -> Self {
        self.close_stdin = false;
        self
    }

    /// With a stdout that no one reads any more.
    #[must_use]
    pub fn stdout_is_closed(mut self) -> Self {
        self.stdout = Reader::Gone;
        self
    }

    /// With a stdout that is full, and that no one reads.
    #[must_use]
    pub fn stdout_is_full(mut self) -> Self {
        self.stdout = Reader::Asleep;
        self
    }

    /// Runs it to its end.
    ///
    /// # Panics
    ///
    /// When the program does not start, or does not end.
    pub fn run(mut self) -> Answer {
        if self.is_plain_hook() {
            // What is tried is not the machine, which may be busy with all the other tests.
            self.command.args(["--deadline-ms", "30000"]);
        }
        let mut unread = None;
        let stdout = if self.stdout == Reader::Attentive {
            Stdio::piped()
        } else {
            let (reader, writer) = std::io::pipe().unwrap_or_else(|error| panic!("no pipe: {error}"));
            if self.stdout == Reader::Asleep {
                fill(&writer);
                unread = Some(reader);
            }
            writer.into()
        };
        let mut child =
            self.command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap_or_else(
                |error| panic!("{} does not start: {error}", self.command.get_program().display()),
            );
        // The command keeps the writing end of a closed stdout otherwise.
        self.command.stdout(Stdio::null());
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let stdin = child.stdin.take();
        let (input, close) = (self.input, self.close_stdin);
        let feeder = thread::spawn(move || {
            let mut stdin = stdin?;
            // A program that answers early closes its stdin; that is its right.
            let _ = stdin.write_all(&input);
            (!close).then_some(stdin)
        });
        let status = wait(&mut child);
        drop(feeder.join());
        drop(unread);
        let text = |reader: JoinHandle<Vec<u8>>| {
            String::from_utf8(reader.join().unwrap_or_default()).unwrap_or_else(|error| panic!("{error}"))
        };
        Answer { stdout: text(stdout), stderr: text(stderr), exit: status.code() }
    }
}

impl Call {
    /// Whether it is a hook that gets a payload, with nothing about its deadline.
    fn is_plain_hook(&self) -> bool {
        let name = Path::new(self.command.get_program()).file_stem().and_then(OsStr::to_str);
        let arguments: Vec<&OsStr> = self.command.get_args().collect();
        // A sub-command is for people.
        let is_call = arguments.first().is_none_or(|first| first.as_encoded_bytes().starts_with(b"-"));
        name.is_some_and(|name| name != "hook-runner" && programs::names().iter().any(|hook| hook == name))
            && is_call
            && !arguments.contains(&OsStr::new("--deadline-ms"))
            && !self.input.is_empty()
            && self.close_stdin
            && self.stdout == Reader::Attentive
    }
}

/// Writes to a pipe until no byte more goes in.
pub(crate) fn fill(writer: &PipeWriter) {
    let mut second = writer.try_clone().unwrap_or_else(|error| panic!("no second handle: {error}"));
    let (progress, stalled) = mpsc::channel();
    // How much a pipe holds differs from system to system: a thread that blocks finds the end of each.
    thread::spawn(move || while second.write_all(b"x").is_ok() && progress.send(()).is_ok() {});
    while stalled.recv_timeout(Duration::from_millis(300)).is_ok() {}
}

fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status,
            Ok(None) if start.elapsed() < PATIENCE => thread::sleep(pause),
            other => {
                let _ = child.kill();
                panic!("the program did not end within {PATIENCE:?}: {other:?}");
            }
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
