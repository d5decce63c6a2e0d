//! A whole session: what an agent does turn by turn, the hooks that are called on the way, and what comes of it.

mod turn;

use payload::EventKind;
use payload::model::Effect;
use serde_json::Value;

use crate::fire::{Fired, Setting};
use crate::hook::Hook;
use crate::process::Execute;
use crate::record::{Gate, Quirk};
use crate::request::{Request, Subject};
use crate::scene::{self, Scene, Then};
use crate::session::Session;
pub use turn::{BadTurn, Call, Ends, Turn, turns};

/// More rounds than the limit of any host: the agent would never stop.
const ENDLESS: u32 = 30;

/// Who plays.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    pub setting: Setting<'a>,
    pub hooks: &'a [Hook],
    pub execute: &'a dyn Execute,
    /// The folder in which the agent works.
    pub folder: &'a str,
    /// Where hooks race, the outcome that is taken: 0 is the one that came.
    pub race: usize,
}

/// What came of a session.
#[derive(Debug)]
pub struct Played<'a> {
    /// What happened, in order.
    pub events: Vec<(Request, Fired<'a>)>,
    /// The calls of tools.
    pub calls: Vec<Made>,
    /// How often the model was asked, with what it then read of hooks for the first time.
    pub requests: Vec<Asked>,
    pub end: End,
}

/// A call that the model made.
#[derive(Debug)]
pub struct Made {
    pub name: String,
    pub input: Value,
    /// The JSON text of the input with which it ran instead.
    pub changed: Option<String>,
    /// What became of it; `None` where the host does not offer the tool.
    pub then: Option<Then>,
    /// Whether a hook's question reached no one.
    pub unanswered: bool,
    /// Whether it ran where it could write nothing.
    pub sandboxed: bool,
    /// Whether the model reads its result.
    pub result_read: bool,
    /// The sub-agent that made it.
    pub agent: Option<String>,
}

/// A request to the model.
#[derive(Debug, Default)]
pub struct Asked {
    /// The sub-agent that asked.
    pub agent: Option<String>,
    /// The strings of hooks that are new in it.
    pub read: Vec<String>,
    /// How many events happened before.
    pub after: usize,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The agent stops.
    Stopped,
    /// Its prompt is dropped, or the session itself: the model is not asked any more.
    Dropped,
    /// A hook ends the run, or a question that reaches no one does.
    Ended,
    /// The model cannot be reached.
    Unreachable,
    /// Never: a hook makes it go on again and again.
    Never,
}

impl End {
    /// How it ends, in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Stopped => "the agent stops",
            Self::Dropped => "the prompt is dropped: the model is not asked",
            Self::Ended => "the run ends, and the model is not asked again",
            Self::Unreachable => "the model cannot be reached",
            Self::Never => "the agent never stops",
        }
    }

    /// The word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Dropped => "dropped",
            Self::Ended => "ended",
            Self::Unreachable => "unreachable",
            Self::Never => "never",
        }
    }
}

impl Made {
    /// Whether it ran.
    pub fn ran(&self) -> bool {
        matches!(self.then, Some(Then::Runs | Then::RunsChanged))
    }
}

impl Played<'_> {
    /// How many times the agent went on instead of stopping; `None` is without end.
    pub fn went_on(&self) -> Option<usize> {
        let is_stop =
            |(request, _): &&(Request, Fired<'_>)| request.kind == EventKind::Stop && request.agent.is_none();
        let stops = self.events.iter().filter(is_stop).count();
        (self.end != End::Never).then(|| stops.saturating_sub(1))
    }

    /// Whether hooks raced.
    pub fn raced(&self) -> bool {
        self.events.iter().any(|(_, fired)| !fired.races.is_empty())
    }
}

/// Plays a session.
pub fn play<'a>(stage: Stage<'a>, turns: &[Turn]) -> Played<'a> {
    let played = Played { events: Vec::new(), calls: Vec::new(), requests: Vec::new(), end: End::Stopped };
    let mut play = Play { stage, session: Session::default(), played, unread: Vec::new(), agent: None };
    play.played.end = play.session(turns);
    play.played
}

struct Play<'a> {
    stage: Stage<'a>,
    session: Session,
    played: Played<'a>,
    /// What hooks said to the model that it has not been asked with yet.
    unread: Vec<String>,
    /// The sub-agent that is at work.
    agent: Option<String>,
}

/// What became of an event.
struct Done {
    effect: Effect,
    then: Then,
    turn_ends: bool,
    input: Option<String>,
}

impl Play<'_> {
    fn fire(&mut self, request: Request) -> Done {
        self.fire_in(self.stage.setting.scene, request)
    }

    fn fire_in(&mut self, scene: Scene, request: Request) -> Done {
        let Stage { setting, hooks, execute, race, .. } = self.stage;
        let request = Request { agent: self.agent.clone(), ..request };
        let mut fired = self.session.fire(&Setting { scene, ..setting }, hooks, &request, execute);
        let last = fired.races.len().saturating_sub(1);
        if race > 0
            && let Some((merged, upshot)) = fired.races.get((race - 1).min(last)).cloned()
        {
            (fired.merged, fired.upshot) = (merged, upshot);
        }
        self.unread.extend(fired.upshot.told.iter().cloned());
        let done = Done {
            effect: fired.merged.effect,
            then: fired.upshot.then,
            turn_ends: fired.upshot.turn_ends,
            input: fired.merged.input.clone(),
        };
        self.played.events.push((request, fired));
        done
    }

    fn plain(&mut self, kind: EventKind) -> Then {
        self.fire(Request::new(kind, self.stage.folder)).then
    }

    /// Asks the model.
    fn ask(&mut self) {
        let read = std::mem::take(&mut self.unread);
        let after = self.played.events.len();
        self.played.requests.push(Asked { agent: self.agent.clone(), read, after });
    }

    fn session(&mut self, turns: &[Turn]) -> End {
        if self.plain(EventKind::SessionStart) == Then::Dropped {
            return End::Dropped;
        }
        let mut rest = turns;
        let mut end = End::Stopped;
        // The first prompt need not be there.
        let mut first = true;
        while first || !rest.is_empty() {
            let mut request = Request::new(EventKind::UserPromptSubmit, self.stage.folder);
            if let Some((Turn::Prompt(prompt), after)) = rest.split_first() {
                request.subject = Subject::Prompt(prompt.clone());
                rest = after;
            }
            first = false;
            let here = rest.iter().position(|turn| matches!(turn, Turn::Prompt(_))).unwrap_or(rest.len());
            let (own, after) = rest.split_at(here);
            rest = after;
            if self.fire(request).then == Then::Dropped {
                self.unread.clear();
                end = End::Dropped;
                continue;
            }
            end = self.conversation(own);
            if end != End::Stopped {
                break;
            }
        }
        end
    }

    /// From a prompt to the stop.
    fn conversation(&mut self, turns: &[Turn]) -> End {
        let mut turns = turns.iter();
        loop {
            self.ask();
            match turns.next() {
                Some(Turn::Error) => return End::Unreachable,
                Some(Turn::Calls(calls)) => {
                    if let Some(end) = self.calls(calls) {
                        return end;
                    }
                }
                // At the end of its script the model says so.
                Some(Turn::Text(_) | Turn::Prompt(_)) | None => {
                    if let Some(end) = self.stops() {
                        return end;
                    }
                }
            }
        }
    }

    /// What comes of the wish to stop; `None` is that the agent goes on.
    fn stops(&mut self) -> Option<End> {
        let product = self.stage.setting.product;
        let kind = if self.agent.is_some() { EventKind::SubagentStop } else { EventKind::Stop };
        if self.agent.is_some() && product.has(Quirk::StopsSubAgents) {
            self.plain(EventKind::Stop);
        }
        if self.plain(kind) != Then::GoesOn {
            return Some(End::Stopped);
        }
        if self.agent.is_none()
            && product.has(Quirk::StopReasonIsPrompt)
            && self.plain(EventKind::UserPromptSubmit) == Then::Dropped
        {
            return Some(End::Stopped);
        }
        (self.session.blocks() >= ENDLESS).then_some(End::Never)
    }

    /// Makes the calls of one answer; returns how the run ends, where it does.
    fn calls(&mut self, calls: &[Call]) -> Option<End> {
        let product = self.stage.setting.product;
        let first = self.played.calls.len();
        let mut end = None;
        if product.has(Quirk::UnansweredEndsRun) {
            // All are asked about before the first runs, and a question that reaches no one ends them all.
            let mut asked: Vec<(Made, bool)> = calls.iter().map(|call| self.before(call)).collect();
            if asked.iter().any(|(made, ends)| *ends && made.unanswered) {
                for (made, _) in &mut asked {
                    made.then = made.then.map(|_| Then::Refused);
                }
            }
            for (call, (made, ends)) in calls.iter().zip(asked) {
                end = self.after(call, made, ends).or(end);
            }
        } else {
            for call in calls {
                let (made, ends) = self.before(call);
                end = self.after(call, made, ends).or(end);
            }
        }
        if end.is_some() {
            // What the model is not asked about again, it does not read.
            for made in &mut self.played.calls[first..] {
                made.result_read = false;
            }
        }
        end
    }

    /// What hooks and the host say before a call, and whether that ends the run.
    fn before(&mut self, call: &Call) -> (Made, bool) {
        let Setting { product, scene, .. } = self.stage.setting;
        let request = Request::tool(EventKind::PreToolUse, &call.name, call.input.clone(), self.stage.folder);
        let mut made = Made {
            name: call.name.clone(),
            input: call.input.clone(),
            changed: None,
            then: None,
            unanswered: false,
            sandboxed: scene.gate(product, &request) == Gate::Sandboxed,
            result_read: false,
            agent: self.agent.clone(),
        };
        if !scene::is_offered(product, scene, &request) {
            return (made, false);
        }
        let before = self.fire(request.clone());
        let (mut then, mut ends) = (before.then, before.turn_ends);
        made.unanswered = before.effect == Effect::Ask && then == Then::Refused;
        made.changed = before.input;
        if scene::asks_permission(product, scene, &request, before.effect) {
            let permission = Request { kind: EventKind::PermissionRequest, ..request };
            let asked = self.fire_in(scene.after(before.effect), permission);
            ends |= asked.turn_ends;
            made.changed = asked.input.or(made.changed);
            if asked.then != Then::Runs || !matches!(then, Then::RunsChanged | Then::Fails) {
                then = asked.then;
            }
        }
        made.then = Some(then);
        (made, ends)
    }

    /// Runs a call that may run, and calls the hooks after it.
    fn after(&mut self, call: &Call, mut made: Made, mut ends: bool) -> Option<End> {
        if made.unanswered && self.stage.setting.product.has(Quirk::SkippedHasResult) {
            let kind = EventKind::PostToolUse;
            self.fire(Request::tool(kind, &call.name, call.input.clone(), self.stage.folder));
        } else if made.ran() {
            if let Some(turns) = &call.agent
                && !self.sub_agent(call, turns)
            {
                self.played.calls.push(made);
                return Some(End::Never);
            }
            let failed = call.ends != Ends::Well;
            let only_code = call.ends == Ends::ExitCode;
            let kind = scene::after_tool(self.stage.setting.product, failed, only_code);
            let mut request = Request::tool(kind, &call.name, call.input.clone(), self.stage.folder);
            if let Subject::Tool { result, .. } = &mut request.subject {
                *result = Some(call.result.clone());
            }
            let after = self.fire(request);
            made.result_read = after.then == Then::ResultSeen;
            ends |= after.turn_ends;
        }
        self.played.calls.push(made);
        ends.then_some(End::Ended)
    }

    /// Returns whether the sub-agent ever ends.
    fn sub_agent(&mut self, call: &Call, turns: &[Turn]) -> bool {
        let outside = self.agent.replace("agent_1".to_owned());
        let unread = std::mem::take(&mut self.unread);
        let session = std::mem::take(&mut self.session);
        self.plain(EventKind::SubagentStart);
        let task = Subject::Prompt(call.input["prompt"].as_str().unwrap_or_default().to_owned());
        let prompt = Request::new(EventKind::UserPromptSubmit, self.stage.folder);
        let dropped = self.stage.setting.product.has(Quirk::PromptsSubAgents)
            && self.fire(Request { subject: task, ..prompt }).then == Then::Dropped;
        let end = if dropped {
            // It does nothing then, and its end is reported all the same.
            self.plain(EventKind::SubagentStop);
            End::Dropped
        } else {
            self.conversation(turns)
        };
        (self.agent, self.unread, self.session) = (outside, unread, session);
        end != End::Never
    }
}
