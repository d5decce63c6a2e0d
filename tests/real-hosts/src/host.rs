//! The hosts, and the versions that are tested. A new version is one line here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A host program that can be installed and run on Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    Claude,
    Copilot,
    Codex,
    Gemini,
}

impl Host {
    pub const ALL: [Self; 4] = [Self::Claude, Self::Copilot, Self::Codex, Self::Gemini];

    /// The npm package and the version that is tested.
    pub fn package(self) -> (&'static str, &'static str) {
        match self {
            Self::Claude => ("@anthropic-ai/claude-code", "2.1.330"),
            Self::Copilot => ("@github/copilot", "1.0.102"),
            Self::Codex => ("@openai/codex", "0.169.0"),
            Self::Gemini => ("@google/gemini-cli", "0.61.0"),
        }
    }

    /// The program, below the folder in which its package is installed. Claude Code and Copilot bring a native program;
    /// their launchers would only start it.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Claude => "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
            Self::Copilot => "node_modules/@github/copilot-linux-x64/copilot",
            Self::Codex => "node_modules/.bin/codex",
            Self::Gemini => "node_modules/.bin/gemini",
        }
    }

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Copilot => "copilot",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Copilot => "Copilot CLI",
            Self::Codex => "Codex CLI",
            Self::Gemini => "Gemini CLI",
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Host {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|host| host.name() == name)
            .ok_or_else(|| format!("unknown host `{name}`; use claude, copilot, codex or gemini"))
    }
}
