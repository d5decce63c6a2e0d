//! A hook that does what its tool call's command says, to see whether the harness answers all the same.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use payload::{Decision, Event, Reason, Verdict};
use program::{Context, Failures, Outcome, Program, Work};

/// Guards: what it cannot judge does not run.
static GUARD: Program = Program {
    name: "misbehaving-hook",
    about: "Misbehaves as its payload says.",
    version: "0",
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::MayBlock,
    decide,
    witness: None,
    settings: &[],
    cli: None,
};

/// Guards, and promises to work in memory only.
static BOUNDED: Program = Program {
    name: "misbehaving-hook",
    about: "Misbehaves as its payload says.",
    version: "0",
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::Bounded,
    decide,
    witness: None,
    settings: &[],
    cli: None,
};

/// Watches: never in the way.
static OBSERVER: Program = Program {
    name: "misbehaving-hook",
    about: "Misbehaves as its payload says.",
    version: "0",
    on_failure: Failures::OPEN,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::MayBlock,
    decide,
    witness: None,
    settings: &[],
    cli: None,
};

fn decide(event: &Event<'_>, context: &Context) -> Verdict {
    let commands = event.commands();
    let decision = |decision| Verdict::Decide { decision, reason: Reason::new("because") };
    match commands.first().map_or("", |command| &*command.text) {
        command @ ("sleep" | "watched sleep") => {
            if command == "watched sleep" {
                context.may_block();
            }
            thread::sleep(Duration::from_hours(1));
            Verdict::NoOpinion
        }
        // Begins to write before the deadline, ends after it, and says nothing.
        "write slowly" => {
            let written = program::undivided(|| {
                note("begun")?;
                while Instant::now() < context.deadline() + Duration::from_millis(200) {
                    thread::sleep(Duration::from_millis(10));
                }
                note("whole")
            });
            if let Err(error) = written {
                panic!("{}: {error}", noted().display());
            }
            thread::sleep(Duration::from_hours(1));
            Verdict::NoOpinion
        }
        "come back late" => {
            while !noted().exists() {
                thread::sleep(Duration::from_millis(1));
            }
            Verdict::NoOpinion
        }
        #[expect(clippy::empty_loop, reason = "work that never ends is what is tried here")]
        "spin" => loop {},
        "panic" => panic!("as ordered"),
        "overflow" => Verdict::Context("x".repeat(overflow(1).to_string().len())),
        "unsayable" => Verdict::Context(String::new()),
        "allow" => decision(Decision::Allow),
        "ask" => decision(Decision::Ask),
        "deny" => decision(Decision::Deny),
        _ => Verdict::NoOpinion,
    }
}

/// Indexes past the end of a slice.
fn overflow(index: usize) -> usize {
    let nothing: &[usize] = &[];
    nothing[index]
}

/// The file that the caller looks at.
fn noted() -> PathBuf {
    std::env::var_os("MISBEHAVE_IN").unwrap_or_default().into()
}

fn note(text: &str) -> Result<(), String> {
    std::fs::write(noted(), text).map_err(|error| error.to_string())
}

/// Takes its time for the record of what was answered at the deadline.
fn remember(outcome: &Outcome<'_>) -> Result<(), String> {
    outcome.may_block();
    note("begun")?;
    // The work comes back meanwhile, and must not end the process.
    thread::sleep(Duration::from_millis(300));
    note(outcome.failure.unwrap_or("answered"))
}

/// Guards, and remembers its answer.
static WITNESSED: Program = Program {
    name: "misbehaving-hook",
    about: "Misbehaves as its payload says.",
    version: "0",
    on_failure: Failures::CLOSED,
    deadline: program::DEFAULT_DEADLINE,
    work_limit: None,
    linger: Duration::ZERO,
    work: Work::MayBlock,
    decide,
    witness: Some(remember),
    settings: &[],
    cli: None,
};

fn main() -> ExitCode {
    program::run(match std::env::var("MISBEHAVE_AS").as_deref() {
        Ok("observer") => &OBSERVER,
        Ok("bounded") => &BOUNDED,
        Ok("witnessed") => &WITNESSED,
        _ => &GUARD,
    })
}
