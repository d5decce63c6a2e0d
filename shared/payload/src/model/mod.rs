//! What a host makes of a hook's answer: the hosts' side of the contract, for tests and for trying a hook out.
//!
//! The file of a host in [`crate::hosts`] reads an answer as that host was seen to read it in the recorded runs
//! (`obeyed.jsonl` and `generated.jsonl` in `tests/payloads`), or as its source reads it. It knows one hook and one answer: how hosts merge several
//! hooks, and what their own rules say beside the hook, is not in it.

use crate::address::Address;
use crate::hosts;
use crate::json::{Json, JsonType};
use crate::kind::EventKind;
use crate::verdict::{Decision, Reason, Reply, Verdict};

/// How a hook's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// By itself, with this code.
    Exited(u8),
    /// By a signal.
    Signalled,
    /// The host gave up waiting.
    TimedOut,
    /// There was nothing to start: the shell said 126 or 127.
    NotStarted,
}

/// What a hook's process left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// All of its output.
    pub stdout: &'a str,
    /// All of its error output.
    pub stderr: &'a str,
    pub ended: Ended,
}

/// What the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Effect {
    /// Goes on as if there were no hook.
    #[default]
    None,
    /// The tool runs without a question.
    Allow,
    /// The user is asked; with no one to ask, the tool does not run.
    Ask,
    /// The tool does not run.
    Deny,
    /// The agent goes on instead of stopping, the prompt is dropped, or the tool's result is objected to.
    Block,
    /// What was about to happen does not happen, and the turn ends.
    Abort,
}

/// What the host makes of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    pub effect: Effect,
    /// Whether the turn ends besides, once that is done.
    pub ends: bool,
    /// Whether the answers of the event's other hooks are lost with this one.
    pub voids: bool,
    /// Why, in the words that the host passes on; `None` when it uses words of its own.
    pub reason: Option<String>,
    /// What it tells the model beside that.
    pub context: Option<String>,
    /// The JSON text of the tool input that it uses instead.
    pub input: Option<String>,
    /// The tool result or the prompt that it uses instead.
    pub replacement: Option<String>,
    /// What it tells the user.
    pub notice: Option<String>,
    /// Why it threw the answer, or what stood in it, away.
    pub ignored: Option<&'static str>,
}

impl Outcome {
    pub(crate) fn ignored(why: &'static str) -> Self {
        Self { ignored: Some(why), ..Self::default() }
    }

    pub(crate) fn of(effect: Effect, reason: Option<String>) -> Self {
        Self { effect, reason, ..Self::default() }
    }

    /// The verdict that a hook must have had for the host to do this.
    pub fn verdict(&self) -> Verdict {
        let reason = || Reason::new(self.reason.clone().unwrap_or_default());
        let decide = |decision| Verdict::Decide { decision, reason: reason() };
        match (self.effect, &self.input) {
            (Effect::None | Effect::Allow, Some(input)) => {
                let approve = self.effect == Effect::Allow;
                Verdict::Rewrite { input: input.clone(), approve, said: Reason::default() }
            }
            (Effect::Allow, _) => decide(Decision::Allow),
            (Effect::Ask, _) => decide(Decision::Ask),
            (Effect::Deny, _) => decide(Decision::Deny),
            (Effect::Block, _) => Verdict::Block { reason: reason() },
            (Effect::None | Effect::Abort, _) => match (&self.context, &self.notice) {
                (Some(text), _) => Verdict::Context(text.clone()),
                (_, Some(text)) => Verdict::Notice(text.clone()),
                _ => Verdict::NoOpinion,
            },
        }
    }

    /// The strings of the hook that reach the model.
    ///
    /// The reason of a dropped prompt reaches the user only.
    pub fn for_the_model(&self, kind: EventKind) -> Vec<&str> {
        // There is no model to read it: the turn is over.
        if self.ends {
            return Vec::new();
        }
        let prompt = kind == EventKind::UserPromptSubmit;
        let reason = self.reason.as_deref().filter(|_| {
            matches!(self.effect, Effect::Deny | Effect::Ask) || (self.effect == Effect::Block && !prompt)
        });
        [reason, self.context.as_deref(), self.replacement.as_deref()].into_iter().flatten().collect()
    }
}

/// Reads a reply as the host at `from` reads it.
pub fn read(from: &Address<'_>, reply: &Reply) -> Outcome {
    read_run(from, &Run { stdout: &reply.stdout, stderr: &reply.stderr, ended: Ended::Exited(reply.exit) })
}

/// Reads what a hook's process left behind as the host at `from` reads it.
pub fn read_run(from: &Address<'_>, run: &Run<'_>) -> Outcome {
    hosts::read(from, run)
}

/// The one object that an output must be for every host; white space around it is allowed.
pub(crate) fn object(stdout: &str) -> Option<Json<'_>> {
    Json::new(stdout).filter(|json| json.kind() == JsonType::Object)
}

/// A non-empty text, owned.
pub(crate) fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A string member, owned.
pub(crate) fn member(object: Option<Json<'_>>, key: &str) -> Option<String> {
    object?.get_str(key).map(std::borrow::Cow::into_owned)
}

/// The effect of `allow`, `ask` and `deny`; hosts compare exactly.
pub(crate) fn decision(word: &str) -> Option<Effect> {
    match word {
        "allow" => Some(Effect::Allow),
        "ask" => Some(Effect::Ask),
        "deny" => Some(Effect::Deny),
        _ => None,
    }
}

/// What a block amounts to: a tool call that has not run is denied.
pub(crate) fn block_effect(kind: EventKind) -> Effect {
    if kind.is_before_tool() { Effect::Deny } else { Effect::Block }
}
