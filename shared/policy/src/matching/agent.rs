//! `agent`: sub-agents that are started.

use super::listed;
use crate::action::AgentStart;
use crate::agents;
use crate::case::Case;
use crate::certainty::{Lean, Match};
use crate::glob::NAME;
use crate::model::Agent;

pub(super) fn matches(test: &Agent<'_>, start: &AgentStart<'_>, case: &Case<'_>, lean: Lean) -> Match {
    let action = case.action;
    if listed(&test.caller, action.caller(), NAME) != Match::Yes {
        return Match::No;
    }
    let Some(name) = start.given() else {
        // VS Code runs the current agent itself when the name is empty, past its list of agents (vscode#330815).
        let says = test.callee.is_empty() && test.callee_not.is_empty() && !test.known_only;
        return Match::of(!test.allow_empty || (says && lean == Lean::Wide));
    };
    let mut tests = Vec::new();
    if !test.callee.is_empty() {
        tests.push(listed(&test.callee, name, NAME) == Match::Yes);
    }
    if !test.callee_not.is_empty() {
        tests.push(listed(&test.callee_not, name, NAME) != Match::Yes);
    }
    if test.known_only {
        tests.push(
            !test.extra.iter().any(|known| known.eq_ignore_ascii_case(name))
                && !agents::is_builtin(name, action.host)
                // From here on, folders are walked through.
                && !case.agents().has(name, action.host)
                && case.agents().unseen.is_none(),
        );
    }
    if tests.is_empty() {
        // Only `allow_empty = false`: about calls without a name.
        return Match::of(test.allow_empty);
    }
    Match::of(tests.into_iter().all(|holds| holds))
}
