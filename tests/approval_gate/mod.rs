//! The approval gate as hosts and people use it.

mod agents;
mod bad_input;
mod broken;
mod hosts;
mod people;
mod rewrite;
mod trust;

use std::fs;
use std::path::{Path, PathBuf};

use support::call::{Answer, Call};
use support::programs::approval_gate;

/// One rule for each thing that a rule can say; the programs are not one's.
const POLICY: &str = r#"
schema = 1

[[rule]]
id = "test.deny"
decision = "deny"
reason = "It is denied."
run = { program = "frob-deny" }

[[rule]]
id = "test.ask"
decision = "ask"
reason = "It is asked about."
run = { program = "frob-ask" }

[[rule]]
id = "test.ask-always"
decision = "ask"
reason = "It is asked about."
no_prompt = "ask"
run = { program = "frob-ask-always" }

[[rule]]
id = "test.ask-or-not"
decision = "ask"
reason = "It is asked about."
no_prompt = "none"
run = { program = "frob-ask-or-not" }

[[rule]]
id = "test.allow"
decision = "allow"
run = { program = "frob-allow" }

[[rule]]
id = "test.note"
decision = "note"
run = { program = "frob-note" }
"#;

/// A user with a home and a project, and nothing else.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(machine.project().join(".git")).unwrap();
        fs::create_dir_all(machine.home()).unwrap();
        machine
    }

    fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn user(self, policy: &str) -> Self {
        write(&self.home().join(".config/policy-hooks/policy.toml"), policy);
        self
    }

    /// The policy of the project.
    fn policy(&self) -> PathBuf {
        self.project().join(".github/hooks/policy.toml")
    }

    fn call(&self, program: &Path) -> Call {
        let call = Call::new(program).folder(&self.project()).env("HOME", self.home());
        ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "AUDIT_LOG"]
            .into_iter()
            .fold(call, |call, name| call.env(name, ""))
    }

    /// The gate as a hook, with a generous deadline: what is tried is not the machine.
    fn hook(&self, payload: impl Into<Vec<u8>>) -> Answer {
        self.call(approval_gate()).args(["--deadline-ms", "30000"]).input(payload).run()
    }

    /// The gate for people.
    fn people(&self, arguments: &[&str]) -> Answer {
        self.call(approval_gate()).args(arguments.iter().copied()).run()
    }

    /// A call of a tool in the project, in the form of Claude Code.
    fn claude(&self, tool: &str, input: &serde_json::Value) -> String {
        serde_json::json!({
            "session_id": "s", "transcript_path": "/t", "cwd": self.project(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        })
        .to_string()
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
