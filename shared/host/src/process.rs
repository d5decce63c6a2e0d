//! Runs hooks as processes: bounded in time and memory, with nothing left behind.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use payload::model::Ended;

use crate::hook::Hook;
use crate::record::Patience;

/// The most of a hook's stdout that is kept, in bytes; the rest is read and thrown away.
pub const MAX_STDOUT: usize = 1 << 20;

/// How long the last output of a hook is waited for that the host does not wait for itself.
const LAST_WORDS: Duration = Duration::from_millis(50);

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
    /// The beginning of its stderr.
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

/// Runs hooks; the one that starts programs is [`Processes`].
pub trait Execute: Sync {
    /// Runs one hook to its end.
    fn execute(&self, hook: &Hook, spec: &Spec, payload: &str) -> Finished;

    /// Called when all hooks of an event have run, to put away what they left behind; returns how many processes.
    fn tidy(&self) -> usize {
        0
    }
}

/// Starts hooks as processes.
#[derive(Debug)]
pub struct Processes {
    stop: Option<Arc<AtomicBool>>,
    mark: Option<Mark>,
}

/// A variable that tells a hook something about its payload.
pub type Mark = fn(&[u8]) -> (&'static str, String);

impl Processes {
    /// With a flag that ends every hook when it is set, as on an interrupt. For programs that start nothing else.
    pub fn new(stop: Option<Arc<AtomicBool>>) -> Self {
        Self { stop, mark: None }
    }

    /// Each hook gets this variable, too.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark: Some(mark), ..self }
    }

    /// Runs one program to its end, or to its time limit.
    pub fn run(&self, spec: &Spec, input: &[u8]) -> Finished {
        let patience = match spec.patience {
            // What the hook wrote just before its end may still be in the pipe.
            Patience::ForTheProcess => Some(LAST_WORDS),
            Patience::ForItsOutput => None,
        };
        let watched = process::watch(spec.job(input), patience, self.stop.as_deref());
        let (ended, code) = match watched.ran.ended {
            process::Ended::NotStarted(why) => return Finished::not_started(spec.why_not(&why)),
            process::Ended::Code(code) => ended(code, !watched.ran.output.is_empty()),
            process::Ended::Signalled => (Ended::Signalled, None),
            // The host waits for the output, and gives up with the hook long gone.
            process::Ended::TooLate | process::Ended::TooMuch | process::Ended::StillOpen => {
                (Ended::TimedOut, None)
            }
        };
        Finished {
            stdout: String::from_utf8_lossy(&watched.ran.output).into_owned(),
            stderr: String::from_utf8_lossy(&watched.ran.errors).into_owned(),
            ended,
            code,
            time: watched.time,
            held_output: watched.held,
            flooded: watched.flooded,
        }
    }
}

impl Spec {
    fn job(&self, input: &[u8]) -> process::Job<'_> {
        let kept = |name: &OsString| !self.unset.iter().any(|unset| name == unset.as_str());
        let inherited = std::env::vars_os().filter(|(name, _)| kept(name));
        let own = self.env.iter().map(|(name, value)| (name.into(), value.clone()));
        process::Job {
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            folder: &self.folder,
            environment: inherited.chain(own).collect(),
            input: Some(input.to_vec()),
            stays_open: false,
            output: process::Output::Used(MAX_STDOUT),
            limit: self.limit,
        }
    }

    /// Why it did not start.
    fn why_not(&self, error: &str) -> String {
        match self.folder.metadata() {
            // The system says "not found" of a missing folder and of a missing program alike.
            Err(missing) if missing.kind() == ErrorKind::NotFound => {
                format!("the folder {} does not exist", self.folder.display())
            }
            _ => format!("{}: {error}", self.program.display()),
        }
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
        process::end_leftovers()
    }
}

/// How the host sees an exit: a shell that found nothing to start says 126 or 127.
fn ended(code: i32, said_something: bool) -> (Ended, Option<u8>) {
    match u8::try_from(code) {
        // A hook that answers has been started: then the code is its own.
        Ok(code @ (126 | 127)) if !said_something => (Ended::NotStarted, Some(code)),
        Ok(code) => (Ended::Exited(code), Some(code)),
        // On Windows codes have 32 bits. Those beyond a byte are failures to every host, as 1 is.
        Err(_) => (Ended::Exited(1), None),
    }
}
