//! What programs call: one function for an event, one for a decision.

use std::path::Path;
use std::time::Duration;

use payload::{Decision, Event, EventKind, Reason, Verdict};
use program::{Approval, Outcome};
use redact::Key;
use store::trust::{Drift, Look, Trust};

use crate::error::LogError;
use crate::log::{Kept, Log};
use crate::record::{self, About, Decided, Granted, Guard};
use crate::repository::Repository;
use crate::settings::{Settings, Ship};
use crate::{key, place};

/// A log as this machine and this repository have it set up.
#[derive(Debug)]
pub struct Journal {
    settings: Settings,
    repository: Option<Repository>,
    log: Option<Log>,
}

/// Who writes a record.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'w> {
    pub program: &'static str,
    pub version: &'static str,
    /// What it decides by: a name or digest of its rules and settings.
    pub policy: &'w str,
    /// How long it has worked so far.
    pub elapsed: Duration,
}

impl Journal {
    /// The journal for events in `cwd`.
    pub fn open(cwd: Option<&str>) -> Self {
        let repository = cwd.and_then(Repository::around);
        let settings = Settings::load(repository.as_ref().map(|found| Path::new(&found.root)));
        let log = settings.log_path().map(|path| Log::new(path, settings.keeping.clone()));
        Self { settings, repository, log }
    }

    /// Whether a call that cannot be recorded is to be denied.
    pub fn required(&self) -> bool {
        self.settings.required
    }

    /// What was wrong with the settings.
    pub fn troubles(&self) -> &[String] {
        &self.settings.troubles
    }

    /// The log's file.
    pub fn path(&self) -> Option<&Path> {
        self.log.as_ref().map(Log::path)
    }

    /// Whether a record could be written, without writing one.
    pub fn rehearse(&self) -> Result<(), LogError> {
        self.log.as_ref().ok_or(LogError::NoPlace)?.rehearse()
    }

    /// Where the log is to be shipped.
    pub fn ship(&self) -> Option<&Ship> {
        self.settings.ship.as_deref()
    }

    /// Takes in what waits beside the log; returns how many files still do, as on a network file system.
    pub fn take_in(&self) -> Result<usize, LogError> {
        self.log.as_ref().ok_or(LogError::NoPlace)?.take_in()
    }

    /// Records the start of a session, with what was on.
    pub fn heartbeat(&self, event: &Event<'_>, guard: &Guard, writer: &Writer<'_>) -> Result<Kept, LogError> {
        let drift = self.drift();
        self.append(writer, false, |about| {
            record::event(event, &About { drift: drift.as_ref(), guard: Some(guard), ..*about })
        })
    }

    /// Records an event.
    pub fn event(&self, event: &Event<'_>, writer: &Writer<'_>) -> Result<Kept, LogError> {
        // Once for each session: it looks at every file that was trusted.
        let drift = if event.kind == EventKind::SessionStart { self.drift() } else { None };
        self.append(writer, false, |about| record::event(event, &About { drift: drift.as_ref(), ..*about }))
    }

    /// How the repository's hooks, policies and programs differ from what the user trusted.
    fn drift(&self) -> Option<Drift> {
        let root = Path::new(&self.repository.as_ref()?.root);
        let home = std::env::home_dir()?;
        Trust::read(&store::trust::file(&home)).ok()?.drift(root, Look::Quick)
    }

    /// Records an input that is not an event.
    pub fn unreadable(&self, why: &str, bytes: usize, writer: &Writer<'_>) -> Result<Kept, LogError> {
        self.append(writer, true, |about| record::unreadable(why, bytes, about))
    }

    /// Records a decision.
    pub fn decision(
        &self,
        event: Option<&Event<'_>>,
        decided: &Decided<'_>,
        writer: &Writer<'_>,
    ) -> Result<Kept, LogError> {
        self.append(writer, true, |about| record::decision(event, decided, about))
    }

    fn append(
        &self,
        writer: &Writer<'_>,
        weighty: bool,
        write: impl FnOnce(&About<'_>) -> String,
    ) -> Result<Kept, LogError> {
        let log = self.log.as_ref().ok_or(LogError::NoPlace)?;
        let key = Key::new(&key::fetch);
        let about = About {
            program: writer.program,
            version: writer.version,
            policy: writer.policy,
            level: self.settings.level,
            key: &key,
            patterns: &self.settings.patterns,
            elapsed: writer.elapsed,
            repository: self.repository.as_ref(),
            drift: None,
            guard: None,
            who: self.settings.who.as_deref(),
        };
        log.append(&[write(&about)], weighty)
    }
}

/// Why a call goes through that rules hold back.
fn of_approval(approval: &Approval) -> Reason {
    let rule = approval.rules.first().cloned().unwrap_or_default();
    let text = match approval.rules.as_slice() {
        [_] => "A person let it through, this once.".to_owned(),
        rules => format!("A person let it through, this once, by all of: {}.", rules.join(", ")),
    };
    Reason { text, advice: String::new(), rule }
}

/// Records that a person granted something, if an audit log is set up.
pub fn granted(granted: &Granted<'_>, writer: &Writer<'_>) -> Result<(), LogError> {
    if_set_up(granted.cwd, writer, |about| record::granted(granted, about))
}

/// Records that something that was kept was restored or dropped, if an audit log is set up.
pub fn kept(kept: &record::Kept<'_>, writer: &Writer<'_>) -> Result<(), LogError> {
    if_set_up(kept.folder, writer, |about| record::kept(kept, about))
}

/// What a person did, in the log of the folder that it was about.
fn if_set_up(
    folder: &str,
    writer: &Writer<'_>,
    write: impl FnOnce(&About<'_>) -> String,
) -> Result<(), LogError> {
    let journal = Journal::open(Some(folder));
    if !place::may_be_set_up() || !journal.path().is_some_and(Path::exists) {
        return Ok(());
    }
    journal.append(writer, true, write).map(drop)
}

/// The witness of programs that decide: records what holds a call back, if an audit log is set up; and what a person's
/// approval let through.
///
/// Hosts do not run every hook: Copilot CLI 1.0.102 stops at the first denial, so that an audit hook after it never
/// hears of the call. The record carries the call's own identity, the same as the audit hook's record of the event:
/// both are about one call.
///
/// A log is set up if it is there: audit-logger makes it. Without one, and for calls that go through, this costs
/// nothing. A program that only observes makes it, too: its record is all that comes of the call. A drill of a person
/// leaves none.
///
/// `rules` names the rules that decided, by version or digest, and `profile` how strict they were.
pub fn decision(outcome: &Outcome<'_>, rules: &str, profile: &str) -> Result<(), String> {
    let approval = outcome.approval();
    let lifted;
    let (value, reason) = match outcome.verdict {
        Verdict::Decide { decision: Decision::Deny, reason } => ("deny", reason),
        Verdict::Decide { decision: Decision::Ask, reason } => ("ask", reason),
        Verdict::Block { reason } => ("block", reason),
        Verdict::Rewrite { said, .. } => ("rewrite", said),
        Verdict::NoOpinion if let Some(approval) = approval.filter(|approval| approval.used) => {
            lifted = of_approval(approval);
            ("approved", &lifted)
        }
        _ => match outcome.kept() {
            Some(reason) => ("keep", reason),
            None => return Ok(()),
        },
    };
    if (outcome.enforced && !place::may_be_set_up()) || outcome.is_drill() {
        return Ok(());
    }
    outcome.may_block();
    // The record belongs to the log of the folder at work, not to that of the hook's own folder.
    let cwd = outcome.event.and_then(Event::cwd);
    let journal = Journal::open(cwd.as_deref());
    // A program that enforces adds to a log that someone set up, and starts none of its own.
    if outcome.enforced && !journal.path().is_some_and(Path::exists) {
        return Ok(());
    }
    let program = outcome.program();
    let text = reason.render();
    let policy = format!("{rules}, {profile}");
    let writer = Writer {
        program: program.name,
        version: program.version,
        policy: &policy,
        elapsed: outcome.elapsed(),
    };
    let decided = Decided {
        value,
        rule: &reason.rule,
        reason: &text,
        enforced: outcome.enforced,
        approval: approval.map(|approval| approval.code.as_str()),
        files: outcome.judged_files(),
    };
    journal
        .decision(outcome.event, &decided, &writer)
        .map(drop)
        .map_err(|error| format!("{error}. {}", error.hint()))
}
