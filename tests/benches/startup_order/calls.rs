//! Usual calls: what a session of an agent has each hook look at.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::hosts::Target;
use support::{payloads, repositories};

/// The hooks that hosts wait for.
pub(crate) const HOOKS: [&str; 6] = [
    "command-blocker",
    "approval-gate",
    "audit-logger",
    "context-injector",
    "formatter-trigger",
    "stop-guard",
];

/// What agents run all day.
const COMMANDS: [&str; 12] = [
    "git status",
    "git diff --stat HEAD~1 -- src/main.rs",
    "git add -A && git commit -m 'fix: handle empty input'",
    "cd /home/user/project && cargo test --workspace 2>&1 | tail -40",
    "npm run build --silent",
    "ls -la src/",
    "grep -rn 'TODO' --include='*.rs' . | sort | head -20",
    "sed -n '1,80p' src/lib.rs",
    "cat package.json | jq '.scripts'",
    "mkdir -p build && rm -rf build/cache",
    "python3 -m pytest -q tests/test_api.py",
    "for file in src/*.rs; do wc -l \"$file\"; done",
];

/// A home, and in it a repository with a file and a formatter.
pub(crate) struct Session {
    pub(crate) home: PathBuf,
    pub(crate) project: PathBuf,
    /// Where programs are looked up: the formatter's folder, then the system's.
    pub(crate) path: String,
}

impl Session {
    pub(crate) fn new(home: &Path) -> Result<Self, String> {
        let project = home.join("project");
        repositories::committed(&project, 20)?;
        repositories::write(&project.join("stylua.toml"), "")?;
        repositories::write(&project.join("a.lua"), "a  b\n")?;
        let programs = home.join("bin");
        repositories::create(&programs)?;
        let formatter = programs.join("stylua");
        repositories::write(&formatter, "#!/bin/sh\nexec tr -s ' '\n")?;
        fs::set_permissions(&formatter, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", formatter.display()))?;
        let path = format!("{}:/usr/bin:/bin", programs.display());
        Ok(Self { home: home.to_owned(), project, path })
    }

    /// What a hook is asked in this session, as the configurations in `configs/` have it.
    pub(crate) fn payloads(&self, hook: &str) -> Vec<String> {
        match hook {
            "command-blocker" | "approval-gate" => commands(),
            "context-injector" => {
                vec![self.event(&json!({"hook_event_name": "SessionStart", "source": "startup"}))]
            }
            "formatter-trigger" => vec![self.edit("Write"), self.edit("Edit")],
            "stop-guard" => vec![self.prompt(), self.edit("Write"), self.edit("Edit"), self.stop()],
            _ => [commands(), vec![self.prompt(), self.edit("Write"), self.stop()]].concat(),
        }
    }

    fn edit(&self, tool: &str) -> String {
        self.event(&json!({
            "hook_event_name": "PostToolUse", "tool_name": tool,
            "tool_input": {"file_path": self.project.join("a.lua")}, "tool_response": {},
        }))
    }

    fn prompt(&self) -> String {
        self.event(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "do it"}))
    }

    fn stop(&self) -> String {
        self.event(&json!({"hook_event_name": "Stop", "stop_hook_active": false}))
    }

    /// A payload of Claude Code.
    fn event(&self, event: &Value) -> String {
        let mut payload =
            json!({"session_id": "s", "transcript_path": "/t", "cwd": self.project, "prompt_id": "p"});
        if let (Some(whole), Some(event)) = (payload.as_object_mut(), event.as_object()) {
            whole.extend(event.clone());
        }
        payload.to_string()
    }
}

/// The same commands for all, and one of every other host.
fn commands() -> Vec<String> {
    let of = |target, command| payloads::shell_call(target, command).1;
    let claude = COMMANDS.iter().map(|command| of(Target::Claude, command));
    claude.chain(Target::ALL.iter().map(|&target| of(target, COMMANDS[0]))).collect()
}
