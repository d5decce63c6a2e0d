//! The programs that call hooks, and the forms in which they read answers.

use std::str::FromStr;

use thiserror::Error;

/// The program that called the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Host {
    /// VS Code with Copilot Chat, the local harness.
    VsCode,
    /// GitHub Copilot CLI and the Copilot cloud agent.
    Copilot,
    Claude,
    Codex,
    Gemini,
    /// The payload does not show it.
    Unknown,
}

impl Host {
    /// Every host that has a name.
    pub const NAMED: [Self; 5] = [Self::VsCode, Self::Copilot, Self::Claude, Self::Codex, Self::Gemini];

    /// The name that a `--host` flag takes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::VsCode => "vscode",
            Self::Copilot => "copilot",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Unknown => "unknown",
        }
    }

    /// The dialects in which the host writes payloads and reads answers; the first is the usual one.
    pub fn dialects(self) -> &'static [Dialect] {
        match self {
            // The agent host inside VS Code runs the Copilot SDK and speaks its camelCase dialect.
            Self::VsCode => &[Dialect::Timed, Dialect::Flat],
            Self::Copilot => &[Dialect::Flat, Dialect::Timed],
            Self::Claude | Self::Codex => &[Dialect::Strict],
            Self::Gemini => &[Dialect::Timed],
            Self::Unknown => &[Dialect::Unknown],
        }
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
        "Use one of vscode, copilot, claude, codex, gemini, or leave the flag away: the payload is recognised."
    }
}

impl FromStr for Host {
    type Err = UnknownHost;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::NAMED
            .into_iter()
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
