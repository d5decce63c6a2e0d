//! The programs that call hooks, and the forms in which they read answers.

use std::str::FromStr;

use thiserror::Error;

pub use crate::hosts::Host;
use crate::kind::EventKind;

impl Host {
    /// The dialects in which the host writes payloads and reads answers; the first is the usual one.
    pub fn dialects(self) -> &'static [Dialect] {
        self.traits().dialects
    }

    /// The names of all, for a choice: the last after `or`.
    pub fn one_of() -> String {
        let names = Self::NAMES.join(", ");
        names.rsplit_once(", ").map_or_else(|| names.clone(), |(others, last)| format!("{others} or {last}"))
    }

    /// Whether it passes context on to the model on such an event.
    pub fn takes_context(self, kind: EventKind) -> bool {
        self.traits().answers.context.contains(&kind)
    }

    /// Whether it obeys a block on such an event.
    pub fn obeys_block(self, kind: EventKind) -> bool {
        self.traits().answers.blocks.contains(&kind)
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A `--host` value that names no host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown host `{0}`")]
pub struct UnknownHost(pub String);

impl UnknownHost {
    pub fn hint(&self) -> &'static str {
        Host::HINT
    }
}

impl FromStr for Host {
    type Err = UnknownHost;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::NAMED
            .into_iter()
            // People type it into settings.
            .find(|host| host.as_str().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownHost(name.to_owned()))
    }
}

/// The form in which a host reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Top-level keys only: Copilot camelCase payloads and every Copilot permission request.
    Flat,
    /// `session_id` and `timestamp`: VS Code, Copilot `PascalCase`, Gemini. Unknown keys are ignored.
    Timed,
    /// `session_id`, no `timestamp`: Claude and Codex, where any bad key voids the answer.
    Strict,
    /// A form of the host's own, as its traits have it.
    Own,
    /// Not recognisable: the widest form is used.
    Unknown,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for host in Host::NAMED {
            assert_eq!(host.as_str().parse(), Ok(host));
            assert_eq!(host.as_str().to_uppercase().parse(), Ok(host));
        }
        assert_eq!("VSCode".parse(), Ok(Host::VsCode));
        let error = "unknown".parse::<Host>().unwrap_err();
        assert_eq!(error.to_string(), "unknown host `unknown`");
        assert!(error.hint().contains("vscode"));
    }
}
