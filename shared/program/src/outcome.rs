//! How a call ended, for whoever keeps a record of it.

use std::thread;
use std::time::Duration;

use payload::{Event, Reason, Verdict};

use crate::ending;
use crate::run::{Program, Run};

/// How long a witness may keep the process alive after the host has its answer, unless the program lingers. A record
/// takes a millisecond; on a machine with a hundred hooks at once, much longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// Little is needed to wait.
const STACK: usize = 64 * 1024;

/// What a person's approval has to do with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub code: String,
    /// The rules that it is about.
    pub rules: Vec<String>,
    /// Whether it was there, and is used up now; otherwise a person may still give it.
    pub used: bool,
}

/// A file that a call would run, as it was when the call was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFile {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// How a call ended. The host has its answer already.
#[derive(Debug)]
pub struct Outcome<'r> {
    pub(crate) run: &'r Run,
    /// The event; `None` when the payload could not be read.
    pub event: Option<&'r Event<'static>>,
    pub verdict: &'r Verdict,
    /// The rule of what went wrong, such as `hook.deadline`; `None` when the work was done.
    pub failure: Option<&'static str>,
    /// Whether the host received it.
    pub enforced: bool,
    /// Whether the work was begun; not when the input could not be read, or not in time.
    pub judged: bool,
    /// How many bytes arrived on stdin.
    pub received: usize,
    pub(crate) exit: u8,
}

impl Outcome<'_> {
    /// The program that decided.
    pub fn program(&self) -> &'static Program {
        self.run.program()
    }

    /// The value of one of the program's settings, if its flag was given.
    pub fn setting(&self, name: &str) -> Option<&'static str> {
        self.run.setting(name)
    }

    /// How long the call has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }

    /// Whether a person tried this call out: it leaves no record.
    pub fn is_drill(&self) -> bool {
        self.run.is_drill()
    }

    /// The approval that was offered or used.
    pub fn approval(&self) -> Option<&Approval> {
        self.run.approval()
    }

    /// Why the call goes through, where what it would lose was saved first.
    pub fn kept(&self) -> Option<&Reason> {
        self.run.kept()
    }

    /// The files that were read because the call would run them.
    pub fn judged_files(&self) -> &[JudgedFile] {
        self.run.judged_files()
    }

    /// To be called before anything that may take long: from here on, the process ends within two seconds,
    /// or the program's own time for lingering.
    ///
    /// A machine without threads to spare goes on unwatched.
    pub fn may_block(&self) {
        let exit = self.exit;
        let patience = self.program().linger.max(PATIENCE);
        let end = move || {
            thread::sleep(patience);
            ending::exit(exit);
        };
        let _ = thread::Builder::new().name("patience".to_owned()).stack_size(STACK).spawn(end);
    }
}
