//! The checks: what they are, and running them in order.

mod builtin;
#[cfg(target_os = "linux")]
pub(crate) mod supervisor;

use std::time::{Duration, Instant};

use process::{Ended, Job, Output};
use repository::{Paths, Session, Snapshot};
use sha2::{Digest as _, Sha256};

use crate::passes::Passes;
use crate::place::Place;
use crate::tail::tail;

pub(crate) use builtin::{digest, looks_unfinished, minds_old_lines};
pub(crate) use store::settings::stop::Builtin;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) id: String,
    pub(crate) what: What,
    /// Which files it is about; none means all.
    pub(crate) paths: Vec<String>,
    /// How long it may take.
    pub(crate) limit: Duration,
    /// Environment variables that it gets besides the usual ones.
    pub(crate) env: Vec<String>,
}

/// What a check does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Looks for itself.
    Builtin(Builtin),
    /// Starts a program; never through a shell.
    Program(Vec<String>),
    /// A settings file that is broken: what is wrong with it. It fails until a person has fixed the file, as no one
    /// knows what else it asks for.
    Settings(String),
}

/// A check that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The check's id.
    pub(crate) check: String,
    /// How it failed, to be read after its name.
    pub(crate) how: String,
    /// The end of what it printed.
    pub(crate) output: String,
    pub(crate) advice: &'static str,
}

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// Passed before, for the same files.
    Remembered,
    Failed(Failure),
    /// Says nothing about the work: why.
    CouldNotRun(String),
}

/// What the checks are held against.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    pub(crate) place: &'a Place,
    /// The files as they are.
    pub(crate) snapshot: Option<&'a Snapshot>,
    /// When the session began.
    pub(crate) session: Option<&'a Session>,
    /// Digests of lines that were there before it.
    pub(crate) known: &'a [String],
    pub(crate) passes: &'a Passes,
    /// Whether a check that passed for the same files runs again.
    pub(crate) afresh: bool,
    /// When all checks must have ended.
    pub(crate) until: Instant,
    /// In seconds since 1970.
    pub(crate) now: u64,
}

impl Check {
    /// A built-in check under its own name.
    pub(crate) fn builtin(what: Builtin) -> Self {
        let limit = Duration::from_mins(1);
        Self {
            id: what.name().to_owned(),
            what: What::Builtin(what),
            paths: Vec::new(),
            limit,
            env: Vec::new(),
        }
    }

    /// What it does, for people.
    pub(crate) fn describe(&self) -> String {
        match &self.what {
            What::Builtin(builtin) => builtin.name().to_owned(),
            What::Program(argv) => quoted(argv),
            What::Settings(_) => "the settings can be read".to_owned(),
        }
    }

    pub(crate) fn run(&self, work: &Work<'_>) -> Outcome {
        match &self.what {
            What::Builtin(what) => builtin::look(*what, &self.id, work),
            What::Program(argv) => self.start(argv, work),
            What::Settings(mistake) => Outcome::Failed(Failure {
                check: self.id.clone(),
                how: format!("failed, as what is to be checked cannot be read: {mistake}"),
                output: String::new(),
                advice: "Tell the person which file they have to fix",
            }),
        }
    }

    /// The digest of a check that starts a program, and of the files that it is about; `None` for what costs nothing, and
    /// for patterns that cannot be read.
    fn key(&self, snapshot: &Snapshot) -> Option<String> {
        let What::Program(argv) = &self.what else { return None };
        let paths = Paths::new(&self.paths).ok()?;
        let mut digest = Sha256::new();
        for list in [argv, &self.paths, &self.env] {
            // Lengths first, so that no list of words can be written as another.
            digest.update((list.len() as u64).to_le_bytes());
            for word in list {
                digest.update((word.len() as u64).to_le_bytes());
                digest.update(word);
            }
        }
        // Another version may look at files in another way.
        digest.update(env!("CARGO_PKG_VERSION"));
        digest.update(snapshot.files(&paths).as_str());
        Some(store::trust::digest(&digest.finalize()))
    }

    fn start(&self, argv: &[String], work: &Work<'_>) -> Outcome {
        let key = work.snapshot.and_then(|snapshot| self.key(snapshot));
        if !work.afresh && key.as_deref().is_some_and(|key| work.passes.has(key)) {
            return Outcome::Remembered;
        }
        // Checked before the start: a program that has no time would only be killed.
        let left = work.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Outcome::CouldNotRun("the time for all checks was used up before it started".to_owned());
        }
        let limit = self.limit.min(left);
        let Some((program, arguments)) = argv.split_first() else {
            return Outcome::CouldNotRun("it names no program".to_owned());
        };
        #[cfg(target_os = "linux")]
        let supervised = supervisor::supervised(program, arguments);
        // Elsewhere no one can tell who calls a supervisor.
        #[cfg(not(target_os = "linux"))]
        let supervised = None;
        let stays_open = supervised.is_some();
        let (program, arguments) =
            supervised.unwrap_or_else(|| (program.into(), arguments.iter().map(Into::into).collect()));
        let ran = process::run(Job {
            program,
            arguments,
            folder: &work.place.root,
            environment: process::usual(|name| self.env.iter().any(|wanted| wanted == name)),
            input: None,
            stays_open,
            output: Output::Shown,
            limit,
        });
        match ran.ended {
            Ended::Code(0) => {
                // Only what did not change under the check is known to have passed.
                let after = work.place.snapshot(work.until).and_then(|after| self.key(&after));
                if let Some(key) = key.filter(|key| after.as_deref() == Some(key)) {
                    work.passes.add(&self.id, key, work.now);
                }
                Outcome::Passed
            }
            Ended::Code(code @ (126 | 127)) => Outcome::CouldNotRun(format!(
                "{} exited with code {code}, as when a program is missing",
                quoted(argv)
            )),
            Ended::Code(code) => Outcome::Failed(Failure {
                check: self.id.clone(),
                how: format!("failed: {} exited with code {code}", quoted(argv)),
                output: tail(&ran.output),
                advice: "Fix what it reports",
            }),
            Ended::Signalled => Outcome::CouldNotRun(format!("{} was killed by a signal", quoted(argv))),
            Ended::TooLate | Ended::TooMuch | Ended::StillOpen => Outcome::CouldNotRun(format!(
                "{} did not finish within {:.0} s",
                quoted(argv),
                limit.as_secs_f64()
            )),
            Ended::NotStarted(error) => {
                Outcome::CouldNotRun(format!("{} does not start: {error}", quoted(argv)))
            }
        }
    }
}

/// A command line for people to read.
fn quoted(argv: &[String]) -> String {
    process::quoted(argv.iter().map(String::as_str))
}
