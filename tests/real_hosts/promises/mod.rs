//! What is promised, for every hook and every host.

mod approvals;
mod blocker;
mod context;
mod failures;
mod formatter;
mod gate;
mod itself;
mod keep;
mod said;
mod stops;
mod subagents;
mod together;

use std::path::Path;

use real_hosts::model::Kind;
use real_hosts::run::Permissions;
use real_hosts::terminal::Answer;
use real_hosts::{Report, Turn};

use super::scene::Scene;
use super::setups::Setup;

/// What stands under the hooks' names on the `PATH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Programs {
    /// The hooks themselves, as they are shipped.
    Shipped,
    /// A hook on the same harness, which does what its command says: panic, sleep.
    Misbehaving,
    /// One that keeps what it receives, and has no opinion.
    Recording,
    /// One that is killed before it answers.
    Killed,
    Missing,
}

/// One session, and what it has to show.
pub(super) struct Session {
    /// What `hook-runner init` installs; everything, if nothing is named.
    pub(super) hooks: &'static [&'static str],
    /// Which programs answer.
    pub(super) programs: Programs,
    /// Whether the disk is full on which hooks keep what they remember.
    pub(super) full_disk: bool,
    /// Files of the user: paths below the home folder, and what stands in them.
    pub(super) user_files: &'static [(&'static str, &'static str)],
    /// What the host itself lets the model do.
    pub(super) permissions: Permissions,
    /// Who sits at the terminal, if anyone does, and the host can ask at all: a string of the question, the answer.
    pub(super) person: Option<(&'static str, Answer)>,
    /// What else is in the repository, after its first commit.
    pub(super) prepare: fn(&Path),
    /// What the model does.
    pub(super) script: fn() -> Vec<Turn>,
    /// Whether it is one of the few that CI plays in VS Code; all by `HOSTS=vscode`.
    pub(super) is_brief: bool,
    /// What came of it.
    pub(super) promises: &'static [Promise],
}

impl Session {
    /// All hooks, as they are shipped, with a host that lets everything run; the model does nothing.
    const USUAL: Self = Self {
        hooks: &[],
        programs: Programs::Shipped,
        full_disk: false,
        user_files: &[],
        permissions: Permissions::All,
        person: None,
        prepare: |_| {},
        script: Vec::new,
        is_brief: false,
        promises: &[],
    };
}

/// One row of the table.
pub(super) struct Promise {
    /// Whose promise it is.
    pub(super) hook: &'static str,
    /// What the row says.
    pub(super) title: &'static str,
    /// What the cell says: what the host did. An error is what went wrong.
    pub(super) cell: fn(&Report, &Scene) -> Cell,
    /// What it has to say for this setup.
    pub(super) expected: fn(Setup) -> &'static str,
}

impl Promise {
    /// Its cell, or what went wrong.
    pub(super) fn holds(&self, setup: Setup, report: &Report, scene: &Scene) -> Cell {
        let cell = (self.cell)(report, scene)?;
        let expected = (self.expected)(setup);
        match cell == expected {
            true if cell == KEPT && report.ended > 0 => Ok(ENDS),
            true => Ok(cell),
            false => Err(format!("{cell}, not {expected}")),
        }
    }
}

/// What a cell says, or what went wrong.
pub(super) type Cell = Result<&'static str, String>;

/// Every session, in the order of the table.
pub(super) fn sessions() -> impl Iterator<Item = &'static Session> {
    let all: [&'static [Session]; 12] = [
        blocker::SESSIONS,
        itself::SESSIONS,
        gate::SESSIONS,
        subagents::SESSIONS,
        failures::SESSIONS,
        context::SESSIONS,
        stops::SESSIONS,
        formatter::SESSIONS,
        together::SESSIONS,
        approvals::SESSIONS,
        keep::SESSIONS,
        said::SESSIONS,
    ];
    all.into_iter().flatten()
}

const KEPT: &str = "✓";

/// The same where a denial ends the run, and only the host's log says why.
const ENDS: &str = "✓, but the run ends, and only its log says why";

/// What the model reads in VS Code of a call to which the person has said no.
const SKIPPED: &str = "chose to skip the tool call";

/// What a hook adds for the model does not reach it.
const UNSAID: &str = "not passed on";

/// An editor has its person, who is asked.
const ASKS: &str = "asks";

fn kept(_: Setup) -> &'static str {
    KEPT
}

/// Hosts that hand what a hook says before a call to the model.
fn told(setup: Setup) -> &'static str {
    match setup {
        Setup::Gemini | Setup::Qwen | Setup::Cline | Setup::OpenCode | Setup::Pi | Setup::OpenHands => UNSAID,
        _ => kept(setup),
    }
}

fn asks_in_an_editor(setup: Setup) -> &'static str {
    if setup == Setup::VsCode { ASKS } else { KEPT }
}

fn shell(command: &str) -> Turn {
    Turn::Shell(command.to_owned())
}

fn write(file: &str, text: &str) -> Turn {
    Turn::Write(file.to_owned(), text.to_owned())
}

fn says(words: &str) -> Turn {
    Turn::Text(words.to_owned())
}

/// A string that no stop guard lets pass.
const CONFLICT: &str = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n";

/// The promise is kept if this holds.
fn when(holds: bool, otherwise: impl FnOnce() -> String) -> Cell {
    if holds { Ok(KEPT) } else { Err(otherwise()) }
}

/// The result of the model's call with this number, from 0.
fn result(report: &Report, number: usize) -> Result<&str, String> {
    let results: Vec<&str> = report.tool_results().collect();
    results.get(number).copied().ok_or_else(|| {
        format!("{} results, exit {:?}: {} {}", results.len(), report.exit, report.stdout, report.stderr)
    })
}

/// Whether the call was denied by this rule, and the model read so.
fn denied(report: &Report, number: usize, rule: &str) -> Cell {
    let text = result(report, number)?;
    when(text.contains(&format!("(rule {rule})")), || format!("no {rule} in: {text}"))
}

/// Whether the call was held back by this rule: denied, or asked about where someone sits who can say no, and did.
fn held(report: &Report, number: usize, rule: &str) -> Cell {
    let rule_named = format!("(rule {rule})");
    if report.questions.iter().any(|question| question.contains(&rule_named)) {
        let text = result(report, number)?;
        return if text.contains(SKIPPED) { Ok(ASKS) } else { Err(text.to_owned()) };
    }
    denied(report, number, rule)
}

/// Whether `touch ran`, one of the calls, was let through.
fn ran(report: &Report, scene: &Scene) -> Cell {
    result(report, 0)?;
    Ok(if scene.project.join("ran").exists() { "call runs" } else { "call denied" })
}

/// Whether the agent was held back once by this rule, in `turns` turns of the model altogether.
fn held_back(report: &Report, rule: &str, turns: usize) -> Cell {
    let told = report.saw(Kind::Text, &format!("(rule {rule})"));
    when(told && report.turns == turns, || {
        format!("{} turns, not {turns}; told: {told}; {} {}", report.turns, report.stdout, report.stderr)
    })
}
