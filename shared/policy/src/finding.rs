//! What a rule says about a part of a call.

use crate::action::Part;
use crate::model::{Effect, Layer, NoPrompt};

/// The id under which a broken file is reported.
pub const BROKEN: &str = "policy.broken";
/// The id under which a call is reported that no rule speaks about.
pub(crate) const UNMATCHED: &str = "policy.unmatched";
/// The id under which a command is reported that cannot be resolved.
pub(crate) const UNRESOLVED: &str = "policy.unresolved";
/// Built-in rules about sub-agents, which are about the repository and not about commands.
pub(crate) const AGENT_FAMILY: &str = "agents";
/// Their ids.
pub(crate) const AGENT_RULES: [&str; 2] = ["agents.unknown", "agents.unnamed"];

/// A rule that speaks about a part of a call.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// Who says so.
    pub layer: Layer,
    /// The file, if it is one.
    pub file: Option<String>,
    /// What the rule says about it.
    pub effect: Effect,
    /// What becomes of an ask where no one can answer.
    pub no_prompt: NoPrompt,
    pub reason: String,
    /// What to do instead.
    pub instead: String,
    /// What it is about.
    pub part: Part,
    /// The same as it reads for a person.
    pub evidence: String,
    /// Whether only run time tells that the rule matches.
    pub maybe: bool,
    /// The exception that takes it away: its reason.
    pub excepted: Option<String>,
}

impl Finding {
    /// Its effect on a host.
    pub fn on_host(&self, can_ask: bool) -> Option<Effect> {
        match (self.effect, self.no_prompt) {
            _ if self.excepted.is_some() => None,
            (Effect::Note, _) => None,
            // Codex has no question and would run the call, so the denial is said outright.
            (Effect::Ask, NoPrompt::Deny) if !can_ask => Some(Effect::Deny),
            (Effect::Ask, NoPrompt::None) if !can_ask => None,
            (effect, _) => Some(effect),
        }
    }

    pub(crate) fn counts(&self) -> bool {
        self.excepted.is_none() && self.effect >= Effect::Ask
    }
}
