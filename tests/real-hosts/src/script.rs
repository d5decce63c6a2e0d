//! What the model does, in words that are the same for every host.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Host;

/// What a sub-agent is to do.
const TASK: &str = "look around";

/// What tells the model that a sub-agent of [`Turn::Subagent`] asks.
pub(crate) const OF_SUB_AGENT: &str = "[[SUB]]";

/// The MCP server of [`crate::Session::mcp`], by its name.
pub(crate) const SERVER: &str = "mock";

/// Its only tool.
pub(crate) const SERVERS_TOOL: &str = "do_thing";

/// One answer of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// Calls the shell tool with this command.
    Shell(String),
    /// Writes a file: path, content.
    Write(String, String),
    /// Replaces a string in a file: path, old, new.
    Edit(String, String, String),
    /// Reads a file.
    Read(String),
    /// Starts a sub-agent of this name.
    Agent(String),
    /// Starts a sub-agent for any purpose, which then does this.
    Subagent(Vec<Turn>),
    /// Calls another tool by the host's own name: name, input. One of the MCP server of a session is named as hooks see it.
    Tool(String, Value),
    /// Calls several tools in one answer.
    Tools(Vec<Turn>),
    /// Says this, and is done.
    Text(String),
}

/// A call of one of the host's own tools.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    /// Where the tool is one of many of that name: Codex has MCP tools below their server.
    pub(crate) namespace: Option<String>,
    pub(crate) input: Value,
    /// Whether the input is a string of its own form and no JSON object, as Codex has it for patches.
    pub(crate) is_text: bool,
}

impl Turn {
    /// The calls of the host's own tools. None for [`Turn::Text`].
    pub(crate) fn calls(&self, host: Host, project: &str) -> Vec<ToolCall> {
        match self {
            Self::Tools(turns) => turns.iter().filter_map(|turn| turn.call(host, project)).collect(),
            turn => Vec::from_iter(turn.call(host, project)),
        }
    }

    /// What sub-agents that it starts will do.
    pub(crate) fn of_sub_agents(&self) -> Vec<Self> {
        match self {
            Self::Subagent(turns) => turns.clone(),
            Self::Tools(turns) => turns.iter().flat_map(Self::of_sub_agents).collect(),
            _ => Vec::new(),
        }
    }

    fn call(&self, host: Host, project: &str) -> Option<ToolCall> {
        let path = |path: &str| {
            if path.starts_with('/') { path.to_owned() } else { format!("{project}/{path}") }
        };
        let (name, input) = match (host, self) {
            (_, Self::Text(_) | Self::Tools(_)) => return None,
            (_, Self::Tool(name, input)) => {
                let input = input.to_string().replace("$PROJECT", project);
                return Some(named(host, name, serde_json::from_str(&input).unwrap_or_default()));
            }
            (_, Self::Subagent(_)) => {
                let mut call = Self::Agent("general-purpose".to_owned()).call(host, project)?;
                if let (Host::VsCode, Some(input)) = (host, call.input.as_object_mut()) {
                    // Its agent for any purpose has no name.
                    input.remove("agentName");
                }
                for key in ["prompt", "message"] {
                    if call.input.get(key).is_some() {
                        call.input[key] = json!(format!("{OF_SUB_AGENT} {TASK}"));
                    }
                }
                return Some(call);
            }
            (Host::Claude, Self::Shell(command)) => {
                ("Bash", json!({"command": command, "description": "run a command"}))
            }
            (Host::Claude, Self::Write(file, content)) => {
                ("Write", json!({"file_path": path(file), "content": content}))
            }
            (Host::Claude, Self::Edit(file, old, new)) => {
                ("Edit", json!({"file_path": path(file), "old_string": old, "new_string": new}))
            }
            (Host::Claude, Self::Read(file)) => ("Read", json!({"file_path": path(file)})),
            (Host::Copilot | Host::Sdk, Self::Shell(command)) => {
                ("bash", json!({"command": command, "description": "run a command"}))
            }
            (Host::Copilot | Host::Sdk, Self::Write(file, content)) => {
                ("create", json!({"path": path(file), "file_text": content}))
            }
            (Host::Copilot | Host::Sdk, Self::Edit(file, old, new)) => {
                ("edit", json!({"path": path(file), "old_str": old, "new_str": new}))
            }
            (Host::Copilot | Host::Sdk, Self::Read(file)) => ("view", json!({"path": path(file)})),
            (Host::Codex, Self::Shell(command)) => {
                ("exec_command", json!({"cmd": command, "workdir": project}))
            }
            (Host::Codex, Self::Read(file)) => {
                ("exec_command", json!({"cmd": format!("cat {file}"), "workdir": project}))
            }
            (Host::Codex, Self::Write(file, content)) => {
                let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
                return Some(patch(&format!("*** Add File: {file}\n{lines}")));
            }
            (Host::Codex, Self::Edit(file, old, new)) => {
                return Some(patch(&format!("*** Update File: {file}\n@@\n-{old}\n+{new}\n")));
            }
            (Host::Qwen, Self::Shell(command)) => {
                ("run_shell_command", json!({"command": command, "is_background": false}))
            }
            (Host::Qwen, Self::Edit(file, old, new)) => {
                ("edit", json!({"file_path": path(file), "old_string": old, "new_string": new}))
            }
            (Host::Cline, Self::Shell(command)) => ("run_commands", json!({ "commands": [command] })),
            (Host::Cline, Self::Write(file, content)) => {
                ("editor", json!({"path": path(file), "new_text": content}))
            }
            (Host::Cline, Self::Edit(file, old, new)) => {
                ("editor", json!({"path": path(file), "old_text": old, "new_text": new}))
            }
            (Host::Cline, Self::Read(file)) => ("read_files", json!({"files": [{ "path": path(file) }]})),
            (Host::OpenCode, Self::Shell(command)) => {
                ("bash", json!({"command": command, "description": "run a command"}))
            }
            (Host::OpenCode, Self::Write(file, content)) => {
                ("write", json!({"filePath": path(file), "content": content}))
            }
            (Host::OpenCode, Self::Edit(file, old, new)) => {
                ("edit", json!({"filePath": path(file), "oldString": old, "newString": new}))
            }
            (Host::OpenCode, Self::Read(file)) => ("read", json!({"filePath": path(file)})),
            (Host::Pi, Self::Shell(command)) => ("bash", json!({ "command": command })),
            (Host::Pi, Self::Write(file, content)) => {
                ("write", json!({"path": path(file), "content": content}))
            }
            (Host::Pi, Self::Edit(file, old, new)) => {
                ("edit", json!({"path": path(file), "edits": [{"oldText": old, "newText": new}]}))
            }
            (Host::Pi, Self::Read(file)) => ("read", json!({ "path": path(file) })),
            (Host::OpenHands, Self::Shell(command)) => ("terminal", risky(json!({ "command": command }))),
            (Host::OpenHands, Self::Write(file, content)) => {
                ("file_editor", risky(json!({"command": "create", "path": path(file), "file_text": content})))
            }
            (Host::OpenHands, Self::Edit(file, old, new)) => {
                let edit =
                    json!({"command": "str_replace", "path": path(file), "old_str": old, "new_str": new});
                ("file_editor", risky(edit))
            }
            (Host::OpenHands, Self::Read(file)) => {
                ("file_editor", risky(json!({"command": "view", "path": path(file)})))
            }
            (Host::OpenHands, Self::Agent(name)) => {
                ("task", risky(json!({"description": "look", "prompt": TASK, "subagent_type": name})))
            }
            // It has none: a tool of that name comes from an extension.
            (Host::Pi, Self::Agent(name)) => ("subagent", json!({"agent": name, "task": TASK})),
            (Host::Gemini, Self::Shell(command)) => {
                ("run_shell_command", json!({"command": command, "description": "run a command"}))
            }
            (Host::Gemini | Host::Qwen, Self::Write(file, content)) => {
                ("write_file", json!({"file_path": path(file), "content": content}))
            }
            (Host::Gemini, Self::Edit(file, old, new)) => (
                "replace",
                json!({"file_path": path(file), "instruction": "edit", "old_string": old, "new_string": new}),
            ),
            (Host::Gemini | Host::Qwen, Self::Read(file)) => ("read_file", json!({"file_path": path(file)})),
            (Host::VsCode, Self::Shell(command)) => (
                "run_in_terminal",
                json!({
                    "command": command, "explanation": "run a command", "goal": "go on", "mode": "sync",
                    "timeout": 120_000
                }),
            ),
            (Host::VsCode, Self::Write(file, content)) => {
                ("create_file", json!({"filePath": path(file), "content": content}))
            }
            (Host::VsCode, Self::Edit(file, old, new)) => (
                "replace_string_in_file",
                json!({"filePath": path(file), "oldString": old, "newString": new}),
            ),
            (Host::VsCode, Self::Read(file)) => {
                ("read_file", json!({"filePath": path(file), "startLine": 1, "endLine": 100}))
            }
            (Host::VsCode, Self::Agent(name)) => {
                ("runSubagent", json!({"agentName": name, "prompt": TASK, "description": "look"}))
            }
            (Host::Claude, Self::Agent(name)) => (
                "Agent",
                json!({"description": "look", "prompt": TASK, "subagent_type": name, "run_in_background": false}),
            ),
            (Host::Copilot | Host::Sdk, Self::Agent(name)) => (
                "task",
                json!({"name": "sub", "description": "look", "prompt": TASK, "agent_type": name, "mode": "sync"}),
            ),
            (Host::Qwen, Self::Agent(name)) => {
                ("agent", json!({"description": "look", "prompt": TASK, "subagent_type": name}))
            }
            // Its sub-agents have no names.
            (Host::Cline, Self::Agent(name)) => ("spawn_agent", json!({"systemPrompt": name, "task": TASK})),
            (Host::OpenCode, Self::Agent(name)) => {
                ("task", json!({"description": "look", "prompt": TASK, "subagent_type": name}))
            }
            (Host::Codex, Self::Agent(name)) => ("spawn_agent", json!({"message": TASK, "agent_type": name})),
            (Host::Gemini, Self::Agent(name)) => {
                ("invoke_agent", json!({"agent_name": name, "prompt": TASK}))
            }
        };
        Some(ToolCall { name: name.to_owned(), namespace: None, input, is_text: false })
    }

    /// What the model says in this turn, if it says something.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// With what OpenHands wants its model to say of every call.
fn risky(mut input: Value) -> Value {
    input["security_risk"] = "LOW".into();
    input
}

/// A call by the name of a tool. The model of Codex calls MCP tools below their server's namespace.
fn named(host: Host, name: &str, input: Value) -> ToolCall {
    let namespace = format!("mcp__{SERVER}");
    let inside = name.strip_prefix(&namespace).and_then(|rest| rest.strip_prefix("__"));
    let inside = inside.filter(|_| host == Host::Codex);
    let namespace = inside.map(|_| namespace.clone());
    ToolCall { name: inside.unwrap_or(name).to_owned(), namespace, input, is_text: false }
}

fn patch(body: &str) -> ToolCall {
    let text = format!("*** Begin Patch\n{body}*** End Patch");
    ToolCall { name: "apply_patch".to_owned(), namespace: None, input: Value::String(text), is_text: true }
}
