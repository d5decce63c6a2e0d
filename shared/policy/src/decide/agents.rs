//! Sub-agents that do not exist, and calls that name none: what hosts take for "any" or for the caller itself.
//!
//! Only where the repository has agents at all. The machine's and the user's own `known_only` rules stand in place of
//! these.

use payload::Host;

use super::Judge;
use crate::action::Part;
use crate::agents::{self, shown};
use crate::finding::{AGENT_RULES, Finding};
use crate::model::{Agent, Effect, Layer, Subject};

/// An agent that no one has defined.
const UNKNOWN: &str = AGENT_RULES[0];
/// A call without a name.
const UNNAMED: &str = AGENT_RULES[1];

impl Judge<'_, '_> {
    pub(super) fn agents(&mut self) {
        let Some(start) = &self.action.agent else { return };
        let host = self.action.host;
        let name = start.given();
        let known = |name: &str| agents::is_builtin(name, host) || self.is_said(name, host);
        // Answered without a look at the disk, which the list below needs.
        if name.map_or(host.traits().agents.has_default, known) {
            return;
        }
        let roster = self.case.agents();
        let exists = |name: &str| {
            roster.has(name, host) || roster.unseen.is_some() || self.says(|test| test.known_only)
        };
        if !roster.in_repository || name.map_or_else(|| self.says(|test| !test.allow_empty), exists) {
            return;
        }
        let rule = if name.is_some() { UNKNOWN } else { UNNAMED };
        // The user may switch these off, and a repository may not: it would open its own agents' way around them.
        let Some(effect) = self.set(rule, Some(Layer::User), Some(Effect::Deny), false) else { return };
        let reason = match name {
            Some(name) => format!("Unknown agent `{}`.", shown(name)),
            None => {
                "It names no agent, and some hosts then run the caller itself, past its limits.".to_owned()
            }
        };
        self.findings.push(Finding {
            rule: rule.to_owned(),
            layer: Layer::BuiltIn,
            file: None,
            effect,
            no_prompt: self.stack.no_prompt(Layer::User),
            reason,
            instead: agents::advice(name, &roster.names(host)),
            part: Part::Agent,
            evidence: String::new(),
            maybe: false,
            excepted: None,
        });
    }

    /// Whether a policy that may loosen says that the agent exists.
    fn is_said(&self, name: &str, host: Host) -> bool {
        let files = self.stack.files.iter().filter(|file| file.may_loosen);
        files.into_iter().any(|file| {
            let extra = agent_tests(file).flat_map(|test| &test.extra);
            file.policy.builtin.agents.iter().chain(extra).any(|known| agents::is_same(known, name, host))
        })
    }

    /// Whether the machine or the user has a rule of this kind.
    fn says(&self, of: impl Fn(&Agent<'_>) -> bool) -> bool {
        let files = self.stack.files.iter();
        // A project's rule adds to these and does not stand in place of them.
        files.filter(|file| file.layer >= Layer::User && file.errors.is_empty()).flat_map(agent_tests).any(of)
    }
}

/// The agent matchers of the rules that hold something back.
fn agent_tests<'f>(file: &'f crate::layers::File<'_>) -> impl Iterator<Item = &'f Agent<'f>> {
    let rules = file.policy.rules.iter().filter(|rule| !rule.effect.loosens());
    rules.flat_map(|rule| match &rule.subject {
        Subject::Agent(tests) => tests.as_slice(),
        _ => &[],
    })
}
