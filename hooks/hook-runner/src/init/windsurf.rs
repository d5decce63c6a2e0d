//! The managed hooks of Windsurf, which is not among the hosts that are run: as its documentation has them. [docs]
//! docs.windsurf.com, Cascade hooks: a hook that exits with 2 blocks what it was asked about, and what it wrote to stderr
//! is the reason.

use host::System;
use host::installed::command::{Call, Quoting, call};
use serde_json::{Value, json};

/// Before a command, an edit, and a tool of an MCP server.
const EVENTS: [&str; 3] = ["pre_run_command", "pre_write_code", "pre_mcp_tool_use"];

/// Where it lies.
pub(super) fn path(system: System) -> &'static str {
    match system {
        System::Linux => "/etc/windsurf/hooks.json",
        System::Mac => "/Library/Application Support/Windsurf/hooks.json",
        System::Windows => r"C:\ProgramData\Windsurf\hooks.json",
    }
}

/// The file that asks a program.
pub(super) fn text(program: &str, system: System) -> String {
    let entry = match system {
        System::Windows => json!({"powershell": Call::write(program, "", Quoting::PowerShell)}),
        System::Linux | System::Mac => json!({"command": Call::write(program, "", Quoting::Posix)}),
    };
    let events: serde_json::Map<String, Value> =
        EVENTS.iter().map(|event| ((*event).to_owned(), json!([entry]))).collect();
    format!("{:#}\n", json!({ "hooks": events }))
}

/// Our programs that a file calls.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let file: Value = serde_json::from_str(text).unwrap_or_default();
    let events = file["hooks"].as_object().into_iter().flat_map(|events| events.values());
    let entries = events.filter_map(Value::as_array).flatten();
    entries.filter_map(|entry| call(command(entry)?)).collect()
}

fn command(entry: &Value) -> Option<&str> {
    entry["command"].as_str().or_else(|| entry["powershell"].as_str())
}

/// Whether a file has hooks of ours and nothing else: one that others wrote is left as it is.
pub(super) fn is_ours(text: &str) -> bool {
    let Ok(Value::Object(file)) = serde_json::from_str(text) else { return false };
    let events = file.get("hooks").and_then(Value::as_object);
    let ours = |entry: &Value| command(entry).is_some_and(|command| call(command).is_some());
    file.len() == 1
        && events.is_some_and(|events| {
            events.values().all(|list| list.as_array().is_some_and(|list| list.iter().all(ours)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_of_ours_is_ours() {
        for system in [System::Linux, System::Mac, System::Windows] {
            let program = if system == System::Windows {
                r"C:\x y\command-blocker.exe"
            } else {
                "/x y/command-blocker"
            };
            let text = text(program, system);
            assert!(is_ours(&text), "{text}");
            assert!(calls(&text).iter().all(|call| call.path.as_deref() == Some(program)), "{text}");
            assert!(!is_ours(&text.replace("command-blocker", "their-hook")), "{text}");
        }
        assert!(!is_ours(""));
        assert!(!is_ours(r#"{"hooks": {}, "more": 1}"#));
    }
}
