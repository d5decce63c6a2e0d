//! The hosts, and what each makes of a program's answer: [`payload::model`], which reproduces the recorded runs.

use payload::model::{self, Ended, Outcome, Run};
use payload::{Address, Dialect, EventKind, Host};

use crate::call::Answer;

/// A host, with the casing of its configuration where that decides the dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Claude,
    Codex,
    /// Copilot CLI, camelCase event keys.
    CopilotCamel,
    /// Copilot CLI, `PascalCase` event keys.
    CopilotPascal,
    Gemini,
    VsCode,
}

impl Target {
    pub const ALL: [Self; 6] =
        [Self::Claude, Self::Codex, Self::CopilotCamel, Self::CopilotPascal, Self::Gemini, Self::VsCode];

    /// The folder with its recorded payloads.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
            Self::CopilotCamel => "copilot-cli",
            Self::CopilotPascal => "copilot-cli-pascal",
            Self::Gemini => "gemini",
            Self::VsCode => "vscode",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex CLI",
            Self::CopilotCamel => "Copilot CLI (camelCase)",
            Self::CopilotPascal => "Copilot CLI",
            Self::Gemini => "Gemini CLI",
            Self::VsCode => "VS Code",
        }
    }

    /// Its name above a narrow column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Claude => "Claude",
            Self::Codex => "Codex",
            Self::CopilotCamel => "copilot",
            Self::CopilotPascal => "Copilot",
            Self::Gemini => "Gemini",
            Self::VsCode => "VS Code",
        }
    }

    /// Where it reads the answer to `event`, its own name for what happened.
    pub fn address(self, event: &str) -> Address<'static> {
        let kind = EventKind::from_name(event);
        let (host, dialect) = match self {
            Self::Claude => (Host::Claude, Dialect::Strict),
            Self::Codex => (Host::Codex, Dialect::Strict),
            Self::CopilotCamel => (Host::Copilot, Dialect::Flat),
            // Copilot asks for permission in one dialect, whatever the casing of the key.
            Self::CopilotPascal if kind == EventKind::PermissionRequest => (Host::Copilot, Dialect::Flat),
            Self::CopilotPascal => (Host::Copilot, Dialect::Timed),
            Self::Gemini => (Host::Gemini, Dialect::Timed),
            Self::VsCode => (Host::VsCode, Dialect::Timed),
        };
        Address { host, dialect, kind, name: event.to_owned().into() }
    }

    /// What the host does after this answer to `event`.
    pub fn reads(self, event: &str, answer: &Answer) -> Outcome {
        let ended = match answer.exit.map(u8::try_from) {
            Some(Ok(code)) => Ended::Exited(code),
            _ => Ended::Signalled,
        };
        model::read_run(&self.address(event), &Run { stdout: &answer.stdout, stderr: &answer.stderr, ended })
    }
}
