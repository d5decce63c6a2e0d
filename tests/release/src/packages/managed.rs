//! `policy-hooks-managed`: what hosts read for everyone on the machine, and the script that puts it there.

use serde_json::{Value, json};

use crate::archive::Entry;

/// Where the files wait, with their paths below `/`.
const WAITING: &str = "usr/share/policy-hooks-managed";

const SCRIPT: &str = include_str!("../../channels/managed.sh");

const CODEX: &str = r#"[hooks]
managed_dir = "/usr/bin"

[[hooks.PreToolUse]]
[[hooks.PreToolUse.hooks]]
type = "command"
command = "/usr/bin/command-blocker --host codex"
timeout = 10
"#;

/// The tree below `/`.
pub(crate) fn tree() -> Vec<Entry> {
    let mut entries: Vec<Entry> =
        files().into_iter().map(|(path, text)| Entry::new(format!("{WAITING}/{path}"), text)).collect();
    entries.push(Entry { executable: true, ..Entry::new("usr/lib/policy-hooks/managed", SCRIPT) });
    entries
}

/// Each host's file, as it was tried with the host itself.
fn files() -> [(&'static str, String); 4] {
    let copilot = json!({"version": 1, "hooks": {"PreToolUse": [
        {"type": "command", "exec": "/usr/bin/command-blocker", "args": ["--host", "copilot"], "timeoutSec": 10}
    ]}});
    // What users and projects configure is not read then: a hook of theirs could answer with an allow.
    let claude = json!({"allowManagedHooksOnly": true, "hooks": {"PreToolUse": [{"hooks": [
        {"type": "command", "command": "/usr/bin/command-blocker --host claude", "timeout": 10, "onFailure": "block"}
    ]}]}});
    let gemini = json!({"hooks": {"BeforeTool": [{"hooks": [
        {"type": "command", "command": "/usr/bin/command-blocker --host gemini", "timeout": 10000}
    ]}]}});
    let text = |value: Value| format!("{value:#}\n");
    [
        ("etc/github-copilot/policy.d/10-command-blocker.json", text(copilot)),
        ("etc/claude-code/managed-settings.json", text(claude)),
        ("etc/codex/requirements.toml", CODEX.to_owned()),
        ("etc/gemini-cli/settings.json", text(gemini)),
    ]
}
