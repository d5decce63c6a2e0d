//! The audit logger as hosts and people use it.
//!
//! `AUDIT_FULL=1` takes the numbers of the acceptance tests (64 processes with 200 events each, 200 kills) instead of
//! smaller ones.
#![cfg(unix)]

mod desk;
mod drill;
mod load;
mod observe;
mod page;
mod records;
mod trouble;

use std::fs;
use std::path::{Path, PathBuf};

use audit::Report;
use support::call::{Answer, Call};
use support::programs::{audit_logger, command_blocker};

fn full() -> bool {
    std::env::var_os("AUDIT_FULL").is_some()
}

/// A home of its own for a user with a log.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path().join(".local/state/policy-hooks/audit/audit.jsonl")
    }

    fn settings(&self, text: &str) {
        let folder = self.path().join(".config/policy-hooks");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("audit.toml"), text).unwrap();
    }

    fn call(&self, program: &Path) -> Call {
        let nothing = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG"];
        nothing.into_iter().fold(Call::new(program).env("HOME", self.path()), |call, name| call.env(name, ""))
    }

    /// The audit logger as a hook.
    pub(crate) fn hook(&self, payload: impl Into<Vec<u8>>) -> Answer {
        self.call(audit_logger()).input(payload).run()
    }

    /// The command blocker as a hook.
    fn block(&self, payload: impl Into<Vec<u8>>) -> Answer {
        self.call(command_blocker()).input(payload).run()
    }

    /// The audit logger for people.
    pub(crate) fn people(&self, arguments: &[&str]) -> Answer {
        self.call(audit_logger()).args(arguments.iter().copied()).run()
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }

    fn records(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn verify(&self) -> Report {
        audit::verify(&audit::files(&self.log()).unwrap(), &[]).unwrap()
    }
}

#[track_caller]
pub(crate) fn silent(answer: &Answer) {
    assert_eq!((answer.stdout.as_str(), answer.exit), ("{}", Some(0)), "{answer:?}");
}

/// A call of Claude Code's shell tool.
pub(crate) fn claude(id: &str, command: &str) -> String {
    serde_json::json!({
        "session_id": "s-1", "transcript_path": "/t", "cwd": "/home/user/project", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": id,
    })
    .to_string()
}
