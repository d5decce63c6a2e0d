//! The fields of a payload that have a meaning for every host, and how each host spells them.

use crate::json::{Json, JsonType};

/// Declares [`Field`] with its spellings and types in one table.
macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident $types:ident $($spelling:literal)+;)*) => {
        /// A field that has a meaning for every host.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Field { $($(#[$doc])* $field,)* }

        impl Field {
            /// Every field.
            pub const ALL: &[Self] = &[$(Self::$field),*];

            /// The hosts' spellings of the field.
            pub fn spellings(self) -> &'static [&'static str] {
                match self { $(Self::$field => &[$($spelling),+],)* }
            }

            /// The field that a key stands for.
            pub(crate) fn of(key: &str) -> Option<Self> {
                match key {
                    $($($spelling)|+ => Some(Self::$field),)*
                    _ => None,
                }
            }

            fn types(self) -> Types {
                match self { $(Self::$field => Types::$types,)* }
            }
        }
    };
}

fields! {
    /// The event's name. Copilot's permission requests call it `hookName`, VS Code before 2026-02-25 `hookEventName`.
    EventName Text "hook_event_name" "hookEventName" "hookName";
    /// The session, which for Copilot's sub-agents is the sub-agent's own.
    SessionId Text "session_id" "sessionId";
    /// When: milliseconds (Copilot camelCase), ISO 8601 (VS Code, Copilot `PascalCase`, Gemini), absent (Claude, Codex).
    Timestamp Moment "timestamp";
    /// The working directory.
    Cwd Text "cwd";
    /// The conversation's log file; Codex may say `null`.
    TranscriptPath Text "transcript_path" "transcriptPath";
    /// The sub-agent's log file (Claude).
    AgentTranscriptPath Text "agent_transcript_path" "agentTranscriptPath";
    ToolName Text "tool_name" "toolName";
    /// The tool's arguments: an object, a raw string (patches), or an object encoded as a string (older Copilot).
    ToolInput Input "tool_input" "toolArgs" "toolInput" "tool_args" "arguments";
    /// The identifier of the call; Copilot and Gemini have none.
    ToolUseId Text "tool_use_id" "toolUseId" "tool_call_id" "toolCallId";
    /// What the tool returned: a string, an object or an array.
    ToolResult Any "tool_response" "tool_result" "toolResult" "toolResponse";
    /// What went wrong: a string, or an object with `message`.
    Error Any "error";
    /// The user's prompt.
    Prompt Text "prompt";
    /// The first prompt of a session (Copilot's `SessionStart`).
    InitialPrompt Text "initial_prompt" "initialPrompt";
    /// Copilot's expanded prompt.
    TransformedPrompt Text "transformed_prompt" "transformedPrompt";
    /// Whether a stop hook made the agent go on already; snake case also in camelCase payloads.
    StopHookActive Flag "stop_hook_active" "stopHookActive";
    /// Why the agent stops (Copilot).
    StopReason Text "stop_reason" "stopReason";
    /// The agent's last words.
    LastMessage Text "last_assistant_message" "lastAssistantMessage" "response" "prompt_response";
    /// The sub-agent's identifier.
    AgentId Text "agent_id" "agentId";
    /// The sub-agent's type.
    AgentType Text "agent_type" "agentType";
    /// The sub-agent's name (Copilot).
    AgentName Text "agent_name" "agentName";
    /// The agent that started the sub-agent (Copilot).
    ParentAgentId Text "parent_agent_id" "parentAgentId";
    /// How the host treats calls that no rule decides (Claude, Codex).
    PermissionMode Text "permission_mode" "permissionMode";
    /// What started a session.
    Source Text "source";
    /// What started a compaction.
    Trigger Text "trigger";
    /// Why a session ended.
    Reason Text "reason";
    /// The model's name (Codex, newer VS Code).
    Model Text "model";
    /// The turn (Codex; Claude's `MessageDisplay`).
    TurnId Text "turn_id" "turnId";
    /// The prompt's identifier (Claude since 2.1.196).
    PromptId Text "prompt_id" "promptId";
    /// The MCP server of the tool (Claude; Copilot's `preMcpToolCall`).
    McpServer Server "mcp_server" "mcpServer" "serverName";
    /// What the host offers to remember; only permission requests have it.
    PermissionSuggestions List "permission_suggestions" "permissionSuggestions";
}

/// The types that a field may have. `null` stands for absence everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Types {
    Text,
    Moment,
    Input,
    Flag,
    List,
    Server,
    Any,
}

impl Field {
    /// Whether the value has a type that the field may have.
    pub(crate) fn takes(self, value: Json<'_>) -> bool {
        let kind = value.kind();
        match self.types() {
            Types::Text => kind == JsonType::String,
            Types::Moment => matches!(kind, JsonType::String | JsonType::Number),
            Types::Input => matches!(kind, JsonType::String | JsonType::Object),
            Types::Flag => value.as_bool().is_some(),
            Types::List => kind == JsonType::Array,
            Types::Server => matches!(kind, JsonType::Object | JsonType::String),
            Types::Any => true,
        }
    }
}

/// A known field whose value has a type that no host writes; the field counts as absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defect {
    pub field: Field,
    pub found: JsonType,
}

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.field.spellings().first().copied().unwrap_or_default();
        let found = match self.found {
            JsonType::Null => "null",
            JsonType::Bool => "a boolean",
            JsonType::Number => "a number",
            JsonType::String => "a string",
            JsonType::Array => "an array",
            JsonType::Object => "an object",
        };
        write!(f, "`{name}` is {found}")
    }
}
