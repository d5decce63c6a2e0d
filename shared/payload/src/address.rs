//! Where an answer goes, and what can be said there.

use std::borrow::Cow;

use crate::host::{Dialect, Host};
use crate::hosts::Ask;
use crate::kind::EventKind;
use crate::verdict::Decision;

/// Where an answer goes: all that decides its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address<'a> {
    /// Who asked.
    pub host: Host,
    /// In which form it reads the answer.
    pub dialect: Dialect,
    pub kind: EventKind,
    /// The host's own name of the event; empty when the payload carries none.
    pub name: Cow<'a, str>,
}

impl Address<'static> {
    /// The address of a payload that could not be parsed: nothing is known but that someone waits.
    pub fn unknown() -> Self {
        Self {
            host: Host::Unknown,
            dialect: Dialect::Unknown,
            kind: EventKind::Other,
            name: Cow::Borrowed(""),
        }
    }
}

impl Address<'_> {
    /// Whether `ask` makes the host ask a person.
    ///
    /// Codex CLI 0.169.0 calls `ask` unsupported and runs the tool (`cx_ask`), and Copilot CLI 1.0.102 has no `ask` in a
    /// permission request; there [`crate::render`] turns ask into deny. With no one to ask, Claude Code 2.1.329 (`-p`) and
    /// Copilot CLI 1.0.102 (`-p`) deny by themselves; Gemini CLI 0.61.0 (`-p`) ends its run, see [`crate::Event::reach`].
    pub fn can_ask(&self) -> bool {
        match (self.dialect, self.kind) {
            // A question in a form that no one may read would let the call run.
            (Dialect::Unknown, _) => false,
            (_, EventKind::PreToolUse) => self.host.traits().answers.ask != Ask::Never,
            // The host is about to ask by itself.
            (Dialect::Strict, EventKind::PermissionRequest) => true,
            _ => false,
        }
    }

    /// Whether the reasons of all hooks that decide so about a call are shown together.
    pub fn joins(&self, decision: Decision) -> bool {
        // What a host writes in another dialect comes from another engine, with rules of its own.
        let usual = self.host.dialects().first() == Some(&self.dialect);
        usual && self.kind == EventKind::PreToolUse && self.host.traits().answers.joins.contains(&decision)
    }

    /// The event name for `hookSpecificOutput`: the received one, or else the canonical one.
    pub(crate) fn event_name(&self) -> &str {
        if !self.name.is_empty() {
            &self.name
        } else if self.kind == EventKind::Other {
            // An event without a name may be a call, and only this name stops one.
            EventKind::PreToolUse.as_str()
        } else {
            self.kind.as_str()
        }
    }
}
