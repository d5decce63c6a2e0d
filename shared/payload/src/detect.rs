//! Who wrote a payload, recognised by its keys.
//!
//! Environment variables are no help: `CLAUDE_PROJECT_DIR` is set by three hosts, and a host started inside another
//! inherits its parent's.

use std::borrow::Cow;

use crate::field::Field;
use crate::host::Dialect;
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
    const FOREIGN: u16 = 1 << 8;

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

    /// Notes a key that no host has as a field.
    pub(crate) fn note_other(&mut self, key: &str) {
        // None of the everyday hosts writes these.
        self.0 |= match key {
            "cursor_version" | "conversation_id" | "conversationId" | "agent_action_name" | "toolCall"
            | "tool_call" | "clineVersion" | "event" | "event_type" => Self::FOREIGN,
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
        // The old form of VS Code had camel case throughout.
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

/// What tells the hosts of one dialect apart.
pub(crate) struct Clues<'a> {
    pub(crate) dialect: Dialect,
    /// The event's name.
    pub(crate) name: &'a str,
    /// The path of the transcript, still in JSON.
    pub(crate) transcript: &'a str,
    fields: &'a [Option<Json<'a>>],
    seen: Seen,
    raw: &'a str,
}

impl<'a> Clues<'a> {
    pub(crate) fn new(
        dialect: Dialect,
        name: &'a str,
        (fields, seen): (&'a [Option<Json<'a>>], Seen),
        raw: &'a str,
    ) -> Self {
        let transcript = fields[Field::TranscriptPath as usize].map_or("", Json::text);
        Self { dialect, name, transcript, fields, seen, raw }
    }

    /// Whether it has a key that none of the everyday hosts writes.
    pub(crate) fn is_foreign(&self) -> bool {
        self.seen.any(Seen::FOREIGN)
    }

    /// Whether the payload has a key that is not a known field: looks through all of it.
    pub(crate) fn key(&self, wanted: &str) -> bool {
        Json::checked(self.raw).members().any(|(key, _)| key == wanted)
    }

    /// The text of a key that is not a known field: looks through all of the payload.
    pub(crate) fn text(&self, wanted: &str) -> Option<Cow<'a, str>> {
        Json::checked(self.raw).get_str(wanted)
    }

    pub(crate) fn has(&self, field: Field) -> bool {
        self.fields[field as usize].is_some()
    }

    /// Whether it is VS Code's form before 2026-02-25.
    pub(crate) fn is_old(&self) -> bool {
        self.seen.any(Seen::OLD_EVENT)
    }

    /// The tool's name.
    pub(crate) fn tool(&self) -> Cow<'a, str> {
        self.fields[Field::ToolName as usize].and_then(Json::as_str).unwrap_or_default()
    }

    /// Whether the transcript lies in a directory, at whatever depth.
    pub(crate) fn transcript_is_under(&self, directory: &str) -> bool {
        // Still in JSON, where a backslash stands twice: the empty parts in between match nothing.
        self.transcript.split(['/', '\\']).any(|part| part == directory)
    }

    /// The last part of the transcript's path.
    pub(crate) fn transcript_name(&self) -> &str {
        self.transcript.rsplit(['/', '\\']).next().unwrap_or_default()
    }
}

/// The event of a payload that does not name it: Copilot's camelCase payloads, and its `PascalCase` `SubagentStart`.
pub(crate) fn kind(fields: &[Option<Json<'_>>], seen: Seen) -> EventKind {
    let has = |field: Field| fields[field as usize].is_some();
    // Either alone: after a host's update one of them may have another name.
    let tool = has(Field::ToolName) || has(Field::ToolInput);
    // Order matters below: each rule takes what the more telling ones before it have left.
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
