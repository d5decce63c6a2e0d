//! The order of decisions: every step but the last lets the agent stop.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use payload::{Event, EventKind, JsonType, ToolKind, Verdict};
use repository::Session;
use store::session::{Owner, Record, Store};
use store::transcript;

use crate::check::{Check, Failure, Outcome, What, Work, looks_unfinished, minds_old_lines};
use crate::passes::Passes;
use crate::place::{Place, within};
use crate::reason::{self, MARK};
use crate::settings::Settings;
use crate::turn::{Failed, MAX_KNOWN, TOUCHED, TURN, Turn, seconds};

/// How long another call may hold a session's record: what is done under the lock takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a prompt may be held up for looking at the tree.
const PROMPT_LIMIT: Duration = Duration::from_secs(2);

/// What the guard works in.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) home: PathBuf,
    pub(crate) now: SystemTime,
    /// When the checks must have ended.
    pub(crate) until: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Nothing: the agent may stop.
    Nothing,
    /// The agent may stop, and the person should know why.
    Told(String),
    /// The agent may stop; the reason goes to stderr only.
    Whispered(String),
    /// The agent has to go on; what the person should know besides.
    Held(Verdict, Vec<String>),
}

impl Said {
    /// The verdict, and what goes to stderr.
    pub(crate) fn for_host(self, event: &Event<'_>) -> (Verdict, Option<String>) {
        match self {
            Self::Nothing => (Verdict::NoOpinion, None),
            Self::Whispered(text) => (Verdict::NoOpinion, Some(text)),
            Self::Held(verdict, notes) => (verdict, (!notes.is_empty()).then(|| notes.join("\n"))),
            Self::Told(text) => {
                let notice = Verdict::Notice(format!("stop-guard: {text}"));
                match payload::render(&notice, &event.address()) {
                    Ok(_) => (notice, None),
                    Err(_) => (Verdict::NoOpinion, Some(text)),
                }
            }
        }
    }

    fn told(mut parts: Vec<String>, notes: &[String]) -> Self {
        let loud = !parts.is_empty();
        parts.extend(notes.iter().cloned());
        match (parts.is_empty(), loud) {
            (true, _) => Self::Nothing,
            (false, true) => Self::Told(parts.join("\n")),
            (false, false) => Self::Whispered(parts.join("\n")),
        }
    }
}

/// Who wants to stop, as a name for the record.
struct Agent {
    id: String,
    /// A sub-agent, not the one that the user talks to.
    sub: bool,
}

impl Agent {
    fn of(event: &Event<'_>) -> Option<Self> {
        // Without a session nothing can be counted, and what is not counted may loop.
        let session = event.session_id().filter(|id| !id.is_empty())?;
        let agent = event.agent().and_then(|agent| agent.id);
        let sub = event.kind == EventKind::SubagentStop || agent.is_some();
        let id = match agent.filter(|_| sub) {
            // Copilot's sub-agents have a session of their own, Claude's share the root's.
            Some(agent) if agent != session => format!("{session}\0{agent}"),
            _ => session.into_owned(),
        };
        Some(Self { id, sub })
    }

    fn record(&self, event: &Event<'_>, world: &World, name: &'static str) -> Record {
        world.store.record(Owner::Session { host: event.host.as_str(), id: &self.id }, name)
    }
}

fn folder(event: &Event<'_>) -> PathBuf {
    event.cwd().filter(|cwd| !cwd.is_empty()).map_or_else(|| PathBuf::from("."), |cwd| PathBuf::from(&*cwd))
}

/// The host's own name of the prompt.
fn prompt_id(event: &Event<'_>) -> Option<String> {
    let id = event.text(payload::Field::PromptId).or_else(|| event.text(payload::Field::TurnId));
    id.map(std::borrow::Cow::into_owned)
}

/// Whether Claude still waits for something that it started.
fn is_work_pending(event: &Event<'_>) -> bool {
    event.unknown_fields().iter().any(|(key, value)| {
        &**key == "background_tasks"
            && value.kind() == JsonType::Array
            && value.elements().any(|task| {
                let state = task.get_str("status");
                !matches!(state.as_deref(), Some("completed" | "failed" | "killed" | "stopped"))
            })
    })
}

/// Whether such a tool changes nothing that a check looks at.
fn is_harmless(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Memory | ToolKind::Sql)
}

/// A tool ran: leaves a mark if it may have changed something.
pub(crate) fn touched(event: &Event<'_>, world: &World) -> Said {
    let harmless = is_harmless(event.tool_kind());
    let Some(agent) = Agent::of(event).filter(|_| !harmless) else { return Said::Nothing };
    // What a sub-agent does is done for the agent that started it.
    let owner = match event.session_id().filter(|_| event.host.traits().subagents_in_session) {
        Some(session) => Agent { id: session.into_owned(), sub: false },
        None => agent,
    };
    let mark = owner.record(event, world, TOUCHED);
    // The usual case from the second tool on: one look at the disk, and nothing is written.
    if mark.exists() {
        return Said::Nothing;
    }
    match mark.mark(b"") {
        Ok(()) => Said::Nothing,
        Err(error) => Said::Whispered(format!("{error}. {}", error.hint())),
    }
}

/// The user sent a prompt: a turn begins.
pub(crate) fn prompt(event: &Event<'_>, world: &World) -> Said {
    let Some(agent) = Agent::of(event).filter(|agent| !agent.sub) else { return Said::Nothing };
    // No person has spoken: the turn goes on.
    if transcript::is_prompt_of_sub_agent(event) {
        return Said::Nothing;
    }
    // Qwen Code 0.24.4 calls these hooks again, with an empty prompt, whenever a tool has run (driven): the turn goes on.
    if event.prompt().is_some_and(|prompt| prompt.is_empty()) {
        return Said::Nothing;
    }
    // Our own reason, handed back by a host as if the user had said it.
    if event.prompt().is_some_and(|prompt| prompt.contains(MARK)) {
        return Said::Nothing;
    }
    world.store.sweep(world.now);
    let record = agent.record(event, world, TURN);
    let before = record.read().ok().flatten().and_then(|bytes| Turn::parse(&bytes));
    // A stop may have come before the first prompt: its record has no start yet.
    let first = before.is_none_or(|turn| turn.start == 0);
    let (folder, home, until) = (folder(event), world.home.clone(), world.until);
    // Outside of the lock: looking may take seconds, and a stop must not wait for that.
    let seen = within(PROMPT_LIMIT, move || look(&folder, &home, until, first)).unwrap_or_default();
    let kept = record.lock(PATIENCE).and_then(|locked| {
        // A damaged record ends here: the new turn replaces it.
        let mut turn = Turn::of(&locked).unwrap_or_default();
        let mark = agent.record(event, world, TOUCHED);
        turn.tools_told |= mark.exists();
        let _ = mark.remove();
        turn.name(event, &agent);
        turn.begin(prompt_id(event), world.now);
        turn.tree = seen.tree;
        if first {
            (turn.head, turn.known, turn.start) = (seen.head, seen.known, seconds(world.now));
        }
        turn.keep(&locked)
    });
    match kept {
        Ok(()) => Said::Nothing,
        Err(error) => Said::Whispered(format!("{error}. {}", error.hint())),
    }
}

/// What a turn begins with.
#[derive(Debug, Default)]
struct Seen {
    tree: Option<String>,
    head: Option<String>,
    known: Vec<String>,
}

fn look(folder: &Path, home: &Path, until: Instant, first: bool) -> Seen {
    // The tree alone is needed at every prompt; the rest of the session's beginning only at the first.
    let place = Place::around(folder);
    let tree = place.snapshot(until).map(|snapshot| snapshot.whole().as_str().to_owned());
    let Some(repository) = place.repository.as_ref().filter(|_| first) else {
        return Seen { tree, ..Seen::default() };
    };
    let wanted = |check: &Check| matches!(check.what, What::Builtin(builtin) if minds_old_lines(builtin));
    let mut known = Vec::new();
    if Settings::of(home, &place.root).checks.iter().any(wanted) {
        let lines = repository.added(None, &looks_unfinished).unwrap_or_default();
        known.extend(lines.iter().take(MAX_KNOWN).map(crate::check::digest));
    }
    Seen { tree, head: repository.head(), known }
}

impl Turn {
    fn name(&mut self, event: &Event<'_>, agent: &Agent) {
        event.host.as_str().clone_into(&mut self.host);
        self.session = agent.id.chars().take(200).collect();
        self.folder = folder(event).to_string_lossy().chars().take(1000).collect();
    }
}

/// The agent wants to stop. `takes_longer` is called before a check starts a program.
pub(crate) fn stop(event: &Event<'_>, world: &World, takes_longer: &dyn Fn()) -> Said {
    let Some(agent) = Agent::of(event) else {
        return Said::Whispered(
            "the payload names no session, so nothing can be counted; the agent may stop.".to_owned(),
        );
    };
    // A block that the host does not obey would only be counted.
    if event.kind == EventKind::SubagentStop && !event.host.obeys_block(EventKind::SubagentStop) {
        return Said::Nothing;
    }
    let place = Place::around(&folder(event));
    let mut settings = Settings::of(&world.home, &place.root);
    if agent.sub {
        if !settings.subagents {
            return Said::Nothing;
        }
        settings.checks.retain(|check| matches!(check.what, What::Builtin(_)));
    }
    let record = agent.record(event, world, TURN);
    // The agent goes on because of us already; once per prompt is enough unless a person asked for more.
    if event.stop_hook_active() && !(settings.chosen && settings.max_blocks > 1) {
        let turn = record.read().ok().flatten().and_then(|bytes| Turn::parse(&bytes));
        return Said::told(turn.iter().filter_map(Turn::given_up).collect(), &settings.notes);
    }
    // Work in the background is not finished work, and its result is not there to be checked.
    if is_work_pending(event) || settings.checks.is_empty() {
        return Said::told(Vec::new(), &settings.notes);
    }
    await_files(event, &place, world.until);
    let snapshot = place.snapshot(world.until);
    let tree = snapshot.as_ref().map(|snapshot| snapshot.whole().as_str().to_owned());
    let turn = match reserve(event, world, &agent, &record, &settings, tree.as_deref()) {
        Ok(turn) => turn,
        Err(parts) => return Said::told(parts, &settings.notes),
    };
    let session = Session { head: turn.head.clone(), start: i64::try_from(turn.start).unwrap_or_default() };
    let budget = Instant::now() + settings.budget;
    let work = Work {
        place: &place,
        snapshot: snapshot.as_ref(),
        // A turn that no prompt began has no start, and lines of before it cannot be distinguished.
        session: Some(&session).filter(|_| turn.start > 0),
        known: &turn.known,
        passes: &Passes::of(&world.store, &place.root),
        afresh: false,
        until: budget.min(world.until),
        now: seconds(world.now),
    };
    let (failures, could_not) = judge(&settings, &work, takes_longer);
    match settle(world, &record, &turn, &failures, tree) {
        Err(error) => Said::told([vec![error], could_not].concat(), &settings.notes),
        Ok(None) => Said::told(could_not, &settings.notes),
        Ok(Some(block)) => {
            let verdict = reason::hold_back(&failures, block, settings.max_blocks);
            Said::Held(verdict, [could_not, settings.notes].concat())
        }
    }
}

/// Waits for files that the host is about to write: a tree without them would be the tree of before.
fn await_files(event: &Event<'_>, place: &Place, until: Instant) {
    for (path, left) in transcript::files_to_come(event) {
        if path.starts_with(&place.root) {
            program::wait(until.min(Instant::now() + left), || path.exists());
        }
    }
}

/// Counts a block before anything runs, so that no crash and no parallel stop can add one. `Err` when the agent may
/// stop without a check: what the person should know.
fn reserve(
    event: &Event<'_>,
    world: &World,
    agent: &Agent,
    record: &Record,
    settings: &Settings,
    tree: Option<&str>,
) -> Result<Turn, Vec<String>> {
    let broken = |what: String| vec![format!("{what} Nothing can be counted, so the agent may stop.")];
    let locked = record.lock(PATIENCE).map_err(|error| broken(format!("{error}. {}", error.hint())))?;
    let mut turn = Turn::of(&locked).map_err(|what| {
        // The next turn starts anew; this stop is let through.
        let _ = record.remove();
        broken(format!("{}: {what}.", record.path().display()))
    })?;
    turn.name(event, agent);
    turn.hear(prompt_id(event), event.stop_hook_active(), world.now);
    let touched = agent.record(event, world, TOUCHED).exists();
    // Whether this host tells of tools at all: if it never did, silence says nothing.
    turn.tools_told |= touched;
    let keep = |turn: &Turn| turn.keep(&locked).map_err(|error| broken(format!("{error}. {}", error.hint())));
    if turn.blocks + turn.pending >= settings.max_blocks || turn.rushes(world.now) {
        keep(&turn)?;
        return Err(turn.given_up().into_iter().collect());
    }
    // Without a tool nothing has changed, unless the host is silent about what is typed into a running shell, or goes on
    // before it has reported a tool.
    let unheard = || transcript::tools_lately(event).into_iter().any(|kind| !is_harmless(kind));
    let idle = turn.tools_told && !touched && !event.host.traits().silent_typing && !unheard();
    let unchanged = tree.is_some() && turn.tree.as_deref() == tree;
    if idle || unchanged {
        keep(&turn)?;
        return Err(Vec::new());
    }
    // The same files would fail the same way: the agent could not fix it, and asking again costs money.
    if let Some(failed) =
        turn.failed.as_ref().filter(|failed| failed.tree.is_some() && failed.tree.as_deref() == tree)
    {
        let told = format!("nothing changed since `{}` failed, so the agent may stop.", failed.check);
        keep(&turn)?;
        return Err(vec![told]);
    }
    turn.pending += 1;
    keep(&turn)?;
    Ok(turn)
}

/// Runs the checks, and stops at the first failure unless all are wanted.
fn judge(settings: &Settings, work: &Work<'_>, takes_longer: &dyn Fn()) -> (Vec<Failure>, Vec<String>) {
    let (mut failures, mut could_not) = (Vec::new(), Vec::new());
    for check in &settings.checks {
        if matches!(check.what, What::Program(_)) {
            // The harness starts its watchdog only now: looking at files is bounded without one.
            takes_longer();
        }
        match check.run(work) {
            Outcome::Passed | Outcome::Remembered => {}
            Outcome::CouldNotRun(why) => could_not.push(format!(
                "the check `{}` could not run: {}.",
                check.id,
                why.trim_end_matches('.')
            )),
            Outcome::Failed(failure) => {
                failures.push(failure);
                if !settings.run_all {
                    break;
                }
            }
        }
    }
    (failures, could_not)
}

/// Turns the reservation into a block, whose number is returned, or takes it back.
fn settle(
    world: &World,
    record: &Record,
    reserved: &Turn,
    failures: &[Failure],
    tree: Option<String>,
) -> Result<Option<u32>, String> {
    let told = |error: store::session::SessionError| {
        format!("{error}. {} Nothing can be counted, so the agent may stop.", error.hint())
    };
    let locked = record.lock(PATIENCE).map_err(told)?;
    // Read again: between the reservation and now, the lock was free and the checks ran.
    let mut turn = Turn::of(&locked).map_err(|what| format!("{}: {what}", record.path().display()))?;
    if turn.round != reserved.round || turn.pending == 0 {
        // The user spoke meanwhile: this stop is history.
        return Ok(None);
    }
    turn.pending -= 1;
    let block = if let Some(failure) = failures.first() {
        turn.hold(Failed { check: failure.check.clone(), tree }, SystemTime::now().max(world.now));
        Some(turn.blocks)
    } else {
        // What passed is the new beginning: the same files need not be checked again.
        turn.tree = tree;
        turn.failed = None;
        None
    };
    turn.keep(&locked).map_err(told)?;
    Ok(block)
}

impl Turn {
    /// What the person should know when the agent stops although it was held back.
    fn given_up(&self) -> Option<String> {
        let failed = self.failed.as_ref()?;
        let times = if self.blocks == 1 { "once".to_owned() } else { format!("{} times", self.blocks) };
        Some(format!(
            "the agent was held back {times} in this turn, last by `{}`, and may stop now; that check did not run again.",
            failed.check
        ))
    }
}
