//! Who wrote a payload, told from its keys.
//!
//! Environment variables are no help: `CLAUDE_PROJECT_DIR` is set by three hosts, and a host started inside another
//! inherits its parent's.

use crate::field::Field;
use crate::host::{Dialect, Host};
use crate::json::Json;
use crate::kind::EventKind;

/// Which telling keys a payload has, whatever their values.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen(u16);

impl Seen {
    const SNAKE_SESSION: u16 = 1;
    const CAMEL_SESSION: u16 = 1 << 1;
    const CAMEL_TOOL: u16 = 1 << 2;
    const HOOK_NAME: u16 = 1 << 3;
    const OLD_EVENT: u16 = 1 << 4;
    const TIMESTAMP: u16 = 1 << 5;
    const ERROR_CONTEXT: u16 = 1 << 6;
    const SNAKE_TOOL: u16 = 1 << 7;

    /// Notes a key.
    #[inline]
    pub(crate) fn note(&mut self, key: &str) {
        self.0 |= match key {
            "session_id" => Self::SNAKE_SESSION,
            "sessionId" => Self::CAMEL_SESSION,
            "toolName" => Self::CAMEL_TOOL,
            "tool_name" => Self::SNAKE_TOOL,
            "hookName" => Self::HOOK_NAME,
            "hookEventName" => Self::OLD_EVENT,
            "timestamp" => Self::TIMESTAMP,
            "errorContext" | "error_context" => Self::ERROR_CONTEXT,
            _ => 0,
        };
    }

    fn any(self, keys: u16) -> bool {
        self.0 & keys != 0
    }
}

/// The form in which the writer of such keys reads answers.
pub(crate) fn dialect(seen: Seen) -> Dialect {
    if seen.any(Seen::OLD_EVENT) {
        return if seen.any(Seen::SNAKE_SESSION) { Dialect::Unknown } else { Dialect::Timed };
    }
    // No host writes both.
    if seen.any(Seen::SNAKE_SESSION) && seen.any(Seen::CAMEL_TOOL)
        || seen.any(Seen::CAMEL_SESSION) && seen.any(Seen::SNAKE_TOOL)
    {
        return Dialect::Unknown;
    }
    match (seen.any(Seen::SNAKE_SESSION), seen.any(Seen::TIMESTAMP)) {
        (true, true) => Dialect::Timed,
        (true, false) => Dialect::Strict,
        _ if seen.any(Seen::CAMEL_SESSION | Seen::CAMEL_TOOL | Seen::HOOK_NAME) => Dialect::Flat,
        _ => Dialect::Unknown,
    }
}

/// The host inside a dialect.
pub(crate) fn host(dialect: Dialect, name: &str, fields: &[Option<Json<'_>>], seen: Seen) -> Host {
    let has = |field: Field| fields[field as usize].is_some();
    let transcript = fields[Field::TranscriptPath as usize].map_or("", Json::text);
    match dialect {
        Dialect::Unknown => Host::Unknown,
        Dialect::Flat => Host::Copilot,
        Dialect::Strict => {
            // Claude's MessageDisplay has a turn_id too, but with a prompt_id.
            let codex = (has(Field::TurnId) && !has(Field::PromptId))
                || (name == "SessionStart" && has(Field::Model) && has(Field::PermissionMode))
                || file_name(transcript).starts_with("rollout-");
            if codex {
                Host::Codex
            } else if is_foreign(fields) {
                Host::Unknown
            } else {
                Host::Claude
            }
        }
        Dialect::Timed if seen.any(Seen::OLD_EVENT) => Host::VsCode,
        Dialect::Timed => {
            if name.starts_with("Before")
                || name.starts_with("After")
                || name == "PreCompress"
                || under(transcript, ".gemini")
            {
                Host::Gemini
            } else if under(transcript, ".copilot") || (transcript.is_empty() && !has(Field::ToolUseId)) {
                Host::Copilot
            } else if has(Field::PromptId) {
                // Qwen Code 0.24.4: Claude's fields, with a time.
                Host::Unknown
            } else {
                Host::VsCode
            }
        }
    }
}

/// Whether a payload in Claude's form is another host's (Kiro CLI, Devin CLI, Crush, Hermes, by their documents): Claude Code
/// always tells its transcript, and none of its tools is written in small letters.
fn is_foreign(fields: &[Option<Json<'_>>]) -> bool {
    let has = |field: Field| fields[field as usize].is_some();
    let tool = fields[Field::ToolName as usize].and_then(Json::as_str).unwrap_or_default();
    let own = tool.starts_with("mcp_") || !tool.starts_with(|c: char| c.is_ascii_lowercase());
    !own && !has(Field::TranscriptPath) && !has(Field::PermissionMode) && !has(Field::PromptId)
}

/// Whether a path, still in JSON, goes through a directory.
fn under(path: &str, directory: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == directory)
}

/// The last part of a path that is still in JSON.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The event of a payload that does not name it: Copilot's camelCase payloads, and its `PascalCase` `SubagentStart`.
pub(crate) fn kind(fields: &[Option<Json<'_>>], seen: Seen) -> EventKind {
    let has = |field: Field| fields[field as usize].is_some();
    let tool = has(Field::ToolName) || has(Field::ToolInput);
    let stops = has(Field::StopReason) || has(Field::StopHookActive);
    let rules = [
        (tool && has(Field::PermissionSuggestions), EventKind::PermissionRequest),
        (tool && has(Field::McpServer), EventKind::PreMcpToolCall),
        (tool && has(Field::Error), EventKind::PostToolUseFailure),
        (tool && has(Field::ToolResult), EventKind::PostToolUse),
        (tool, EventKind::PreToolUse),
        (has(Field::Error) || seen.any(Seen::ERROR_CONTEXT), EventKind::ErrorOccurred),
        (has(Field::TransformedPrompt), EventKind::UserPromptTransformed),
        (has(Field::Prompt), EventKind::UserPromptSubmit),
        // agentStop has agent ids too when a sub-agent stops, but no agentName.
        (stops && has(Field::AgentName), EventKind::SubagentStop),
        (stops, EventKind::Stop),
        (has(Field::AgentName), EventKind::SubagentStart),
        (has(Field::Trigger), EventKind::PreCompact),
        (has(Field::Source), EventKind::SessionStart),
        (has(Field::Reason), EventKind::SessionEnd),
    ];
    rules.into_iter().find(|(holds, _)| *holds).map_or(EventKind::Other, |(_, kind)| kind)
}
