//! What has to be remembered from one event to the next.

use payload::EventKind;

use crate::fire::{Fired, Setting, fire};
use crate::hook::Hook;
use crate::process::Execute;
use crate::record::Quirk;
use crate::request::Request;
use crate::scene::Then;

/// One conversation of an agent, for the parts of it that hooks see.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// How many times in a row stop hooks made the agent go on.
    blocks: u32,
}

impl Session {
    /// Calls the hooks for an event, as [`fire`] does, and keeps count of stops.
    ///
    /// At a host's limit the agent stops whatever the hooks say; `stop_hook_active` is set as the host sets it.
    pub fn fire<'a>(
        &mut self,
        setting: &Setting<'_>,
        hooks: &'a [Hook],
        request: &Request,
        execute: &dyn Execute,
    ) -> Fired<'a> {
        // A sub-agent has a session of its own, which ends with its own event.
        let stop = match request.kind {
            EventKind::Stop => request.agent.is_none(),
            kind => kind == EventKind::SubagentStop,
        };
        let mut request = request.clone();
        if stop && self.blocks > 0 {
            request.stop_hook_active = true;
        }
        let mut fired = fire(setting, hooks, &request, execute);
        if stop {
            if fired.upshot.then == Then::GoesOn {
                let unlimited = request.kind == EventKind::SubagentStop
                    && setting.product.has(Quirk::SubAgentsHaveNoLimit);
                let limit = setting.product.stop_limit.value.filter(|_| !unlimited);
                // The host overrules its hooks then, and their reasons do not reach the model.
                if limit.is_some_and(|limit| self.blocks >= limit) {
                    fired.upshot.then = Then::Stops;
                    fired.upshot.told.clear();
                    self.blocks = 0;
                } else {
                    self.blocks += 1;
                }
            } else {
                self.blocks = 0;
            }
        }
        fired
    }

    /// How many times in a row stop hooks made the agent go on.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }
}
