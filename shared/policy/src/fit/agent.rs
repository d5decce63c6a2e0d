//! `agent`: sub-agents that are started.

use super::{Fit, Lean, listed};
use crate::action::AgentStart;
use crate::agents;
use crate::glob::NAME;
use crate::model::Agent;
use crate::scene::Scene;

pub(super) fn fits(test: &Agent<'_>, start: &AgentStart<'_>, scene: &Scene<'_>, lean: Lean) -> Fit {
    let action = scene.action;
    if listed(&test.caller, action.caller(), NAME) != Fit::Yes {
        return Fit::No;
    }
    let Some(name) = start.given() else {
        // VS Code runs the current agent itself when the name is empty, past its list of agents (vscode#330815).
        let says = test.callee.is_empty() && test.callee_not.is_empty() && !test.known_only;
        return Fit::of(!test.allow_empty || (says && lean == Lean::Wide));
    };
    let mut tests = Vec::new();
    if !test.callee.is_empty() {
        tests.push(listed(&test.callee, name, NAME) == Fit::Yes);
    }
    if !test.callee_not.is_empty() {
        tests.push(listed(&test.callee_not, name, NAME) != Fit::Yes);
    }
    if test.known_only {
        tests.push(
            !test.extra.iter().any(|known| known.eq_ignore_ascii_case(name))
                && !agents::is_builtin(name, action.host)
                && !scene.agents().has(name, action.host)
                && scene.agents().unseen.is_none(),
        );
    }
    if tests.is_empty() {
        // Only `allow_empty = false`: about calls without a name.
        return Fit::of(test.allow_empty);
    }
    Fit::of(tests.into_iter().all(|holds| holds))
}
