//! One hook of a configuration, as one host understands it.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use payload::{Dialect, EventKind};

use crate::matcher::Matcher;
use crate::place::Scope;

/// The system that a host runs on, as far as hooks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Linux,
    /// macOS.
    Mac,
    Windows,
}

impl System {
    /// The one that this program runs on.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Linux
    };

    /// The key of an entry that is for this system alone.
    pub fn key(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Mac => "osx",
            Self::Windows => "windows",
        }
    }
}

/// Where a hook was written down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    pub file: PathBuf,
    /// The entry in it, in bytes.
    pub span: Range<usize>,
    /// The line of the entry, from 1.
    pub line: usize,
    /// Whose file it is.
    pub scope: Scope,
}

/// What a hook does when it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A command for the host's shell.
    Shell(String),
    /// A command for a shell that the entry names, `bash` or `powershell`.
    NamedShell(String, String),
    /// A program without a shell.
    Program(String, Vec<String>),
    /// Something that runs in the host: `http`, `prompt`, `agent`, `mcp_tool`. It is noted, not run.
    Elsewhere(String),
    /// Nothing that can be started on this system; the host reports why.
    Unstartable(String),
}

impl Action {
    /// What is run, in one line.
    pub fn describe(&self) -> String {
        match self {
            Self::Shell(command) | Self::NamedShell(_, command) => command.clone(),
            Self::Program(program, arguments) => {
                let words = std::iter::once(program).chain(arguments).map(|word| payload::quote(word));
                words.collect::<Vec<_>>().join(" ")
            }
            Self::Elsewhere(kind) => format!("({kind}: runs in the host)"),
            Self::Unstartable(why) => format!("(cannot start: {why})"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub origin: Origin,
    /// The event's key in the configuration.
    pub key: String,
    pub kind: EventKind,
    /// The form of payload and answer.
    pub dialect: Dialect,
    /// For which calls.
    pub matcher: Matcher,
    /// Claude's `if`: one permission rule that must match as well.
    pub condition: Option<String>,
    pub action: Action,
    /// How long it may take.
    pub limit: Duration,
    /// Where it runs, when the entry says so.
    pub folder: Option<String>,
    /// Variables of the entry.
    pub env: Vec<(String, String)>,
    /// Claude's `onFailure: "block"`.
    pub blocks_on_failure: bool,
    /// Claude's `async`: no one waits for its answer.
    pub detached: bool,
    /// Gemini's `sequential` of its group.
    pub in_turn: bool,
}
