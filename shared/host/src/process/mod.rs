//! Runs hooks as processes: bounded in time and memory, with nothing left behind.

#[cfg(target_os = "linux")]
mod orphans;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use payload::model::Ended;

use crate::fire::Execute;
use crate::hook::Hook;
use crate::record::Patience;

#[cfg(not(unix))]
use portable as system;
#[cfg(unix)]
use unix as system;

/// The most of a hook's stdout that is kept, in bytes; the rest is read and thrown away.
pub const MAX_STDOUT: usize = 1 << 20;

/// The most of a hook's stderr that is kept, in bytes.
pub const MAX_STDERR: usize = 64 << 10;

/// How to start a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Variables that it does not inherit.
    pub unset: Vec<String>,
    /// Variables that it gets.
    pub env: Vec<(String, OsString)>,
    /// How long it may take.
    pub limit: Duration,
    /// Whether its output has to be closed, too.
    pub patience: Patience,
}

/// What a hook left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The first [`MAX_STDOUT`] bytes of its stdout; what is no UTF-8 is replaced.
    pub stdout: String,
    /// The first [`MAX_STDERR`] bytes of its stderr.
    pub stderr: String,
    /// How it ended, as the host sees it.
    pub ended: Ended,
    /// Its exit code, if it had one.
    pub code: Option<u8>,
    /// From its start to when the host would go on.
    pub time: Duration,
    /// Whether it ended, and another process kept its output open.
    pub held_output: bool,
    /// Whether it wrote more than is kept.
    pub flooded: bool,
}

impl Finished {
    /// What is left of a hook that could not be started.
    pub fn not_started(why: String) -> Self {
        Self {
            stdout: String::new(),
            stderr: why,
            ended: Ended::NotStarted,
            code: None,
            time: Duration::ZERO,
            held_output: false,
            flooded: false,
        }
    }
}

/// Which processes are put away when all hooks of an event have run. Only Linux can find those that left their group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adopt {
    /// Every child of this process that is no hook: for programs that start nothing else.
    Everything,
    /// Nothing: for programs with children of their own. A hook's process group is ended all the same.
    Nothing,
}

/// Starts hooks as processes.
#[derive(Debug)]
pub struct Processes {
    adopt: Adopt,
    stop: Option<Arc<AtomicBool>>,
    mark: Option<Mark>,
}

/// A variable that tells a hook something about its payload.
pub type Mark = fn(&[u8]) -> (&'static str, String);

impl Processes {
    /// With a flag that ends every hook when it is set, as on an interrupt.
    pub fn new(adopt: Adopt, stop: Option<Arc<AtomicBool>>) -> Self {
        #[cfg(target_os = "linux")]
        if adopt == Adopt::Everything {
            orphans::adopt();
        }
        Self { adopt, stop, mark: None }
    }

    /// Each hook gets this variable, too.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark: Some(mark), ..self }
    }

    /// Runs one program to its end, or to its time limit.
    pub fn run(&self, spec: &Spec, input: &[u8]) -> Finished {
        system::run(spec, input, self.stop.as_deref())
    }
}

impl Execute for Processes {
    fn execute(&self, _hook: &Hook, spec: &Spec, payload: &str) -> Finished {
        let Some(mark) = self.mark else { return self.run(spec, payload.as_bytes()) };
        let (name, value) = mark(payload.as_bytes());
        let mut spec = spec.clone();
        spec.env.push((name.to_owned(), value.into()));
        self.run(&spec, payload.as_bytes())
    }

    fn tidy(&self) -> usize {
        #[cfg(target_os = "linux")]
        if self.adopt == Adopt::Everything {
            return orphans::end();
        }
        let _ = self.adopt;
        0
    }
}

/// The bytes of one stream, up to a limit.
#[derive(Debug)]
struct Kept {
    bytes: Vec<u8>,
    limit: usize,
    flooded: bool,
}

impl Kept {
    fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, flooded: false }
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.flooded |= bytes.len() > room;
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// How the host sees an exit: a shell that found nothing to start says 126 or 127.
fn ended(code: Option<i32>, said_something: bool) -> (Ended, Option<u8>) {
    match code.map(u8::try_from) {
        Some(Ok(code @ (126 | 127))) if !said_something => (Ended::NotStarted, Some(code)),
        Some(Ok(code)) => (Ended::Exited(code), Some(code)),
        Some(Err(_)) => (Ended::Exited(1), None),
        None => (Ended::Signalled, None),
    }
}
