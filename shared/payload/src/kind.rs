//! What happened, whatever the host calls it.

use std::str::FromStr;

use thiserror::Error;

/// Declares [`EventKind`], its canonical names and every other spelling in one table.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $(= $($other:literal)|+)?;)*) => {
        /// What happened, whatever the host calls it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum EventKind {
            $($(#[$doc])* $kind,)*
            /// An event that we do not know, or whose name the host does not give; the host's own name is kept in
            /// [`crate::Event::name`].
            Other,
        }

        impl EventKind {
            /// Every kind that has a name.
            pub const NAMED: &[Self] = &[$(Self::$kind),*];

            /// The canonical name: Claude Code's where it has the event.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => stringify!($kind),)*
                    Self::Other => "",
                }
            }

            /// All spellings: canonical ones first, then those of other hosts.
            /// Every host's name for each kind.
            pub const SPELLINGS: &[(&'static str, Self)] = &[
                $((stringify!($kind), Self::$kind),)*
                $($($((($other), Self::$kind),)+)?)*
            ];
        }
    };
}

kinds! {
    /// Before a tool runs: the only place where a call can be stopped.
    PreToolUse = "BeforeTool"
        | "ToolCall"
        | "PreToolCall"
        | "ToolExecuteBefore"
        | "BeforeShellExecution"
        | "BeforeMCPExecution"
        | "BeforeReadFile"
        | "BeforeTabFileRead"
        | "PreRunCommand"
        | "PreWriteCode"
        | "PreReadCode"
        | "PreMCPToolUse";
    /// Before an MCP server is asked to run its tool, after `PreToolUse` and the permission (Copilot). Copilot CLI 1.0.102
    /// reads no decision from the answer, and no exit code: only the request's `_meta` can be changed.
    PreMcpToolCall;
    /// After a tool ran. Gemini's `AfterTool` also reports failures.
    PostToolUse = "AfterTool"
        | "ToolResult"
        | "PostToolCall"
        | "ToolExecuteAfter"
        | "AfterShellExecution"
        | "AfterMCPExecution"
        | "AfterFileEdit"
        | "AfterTabFileEdit"
        | "PostRunCommand"
        | "PostWriteCode"
        | "PostReadCode"
        | "PostMCPToolUse";
    /// A tool failed (Claude: also a shell command with an exit code other than 0; Copilot: tool errors only).
    PostToolUseFailure;
    /// After all tools of one model answer ran (Claude).
    PostToolBatch;
    /// The host is about to ask the user for permission. Copilot CLI 1.0.102 fires it for every call that writes.
    PermissionRequest;
    /// A permission was refused (Claude).
    PermissionDenied;
    /// The user sent a prompt.
    UserPromptSubmit = "userPromptSubmitted"
        | "BeforeAgent"
        | "BeforeSubmitPrompt"
        | "PreUserPrompt"
        | "PreLLMCall"
        | "PromptSubmit"
        | "ChatMessage"
        | "Input";
    /// A slash command was expanded (Claude).
    UserPromptExpansion;
    /// Copilot added context to a prompt.
    UserPromptTransformed;
    /// The agent is about to stop.
    Stop = "agentStop"
        | "AfterAgent"
        | "SessionIdle"
        | "AgentEnd"
        | "AgentBeforeSettle"
        | "TaskComplete"
        | "PostCascadeResponse";
    /// The agent stopped because of an error (Claude).
    StopFailure;
    /// A sub-agent starts.
    SubagentStart;
    /// A sub-agent is about to stop.
    SubagentStop;
    SessionStart = "AgentSpawn"
        | "OnSessionStart"
        | "TaskStart"
        | "AgentStart"
        | "TaskResume"
        | "AgentResume"
        | "SessionCreated";
    SessionEnd = "OnSessionEnd" | "SessionShutdown" | "TaskCancel" | "AgentAbort";
    /// A session was deleted (Qwen Code).
    SessionDelete;
    /// One-time set-up (Claude).
    Setup;
    /// Instruction files were read (Claude).
    InstructionsLoaded;
    /// Text is shown to the user (Claude).
    MessageDisplay = "AfterAgentResponse" | "AfterAgentThought";
    /// The user is notified.
    Notification;
    /// An error occurred (Copilot).
    ErrorOccurred = "TaskError" | "AgentError";
    /// A task was created (Claude).
    TaskCreated = "TodoCreated" | "PreTaskExec";
    /// A task was completed (Claude).
    TaskCompleted = "TodoCompleted" | "PostTaskExec";
    /// A team mate has nothing to do (Claude).
    TeammateIdle;
    /// Settings changed (Claude).
    ConfigChange;
    /// The working directory changed (Claude).
    CwdChanged;
    /// A directory was added to the workspace (Claude).
    DirectoryAdded;
    /// A watched file changed (Claude).
    FileChanged = "PostFileSave" | "PostFileCreate" | "PostFileDelete";
    /// A worktree is created (Claude).
    WorktreeCreate;
    /// A worktree is removed (Claude).
    WorktreeRemove;
    /// Before the conversation is compacted.
    PreCompact = "PreCompress";
    /// After the conversation was compacted.
    PostCompact;
    /// Before the model is switched (Claude).
    PreModelSwitch;
    /// After the model was switched (Claude).
    PostModelSwitch;
    /// An MCP server asks the user something (Claude).
    Elicitation;
    /// The user answered an MCP server (Claude).
    ElicitationResult;
    /// Before a request to the model (Gemini).
    BeforeModel = "PreInvocation";
    /// After an answer of the model (Gemini).
    AfterModel = "PostInvocation" | "PostLLMCall";
    /// Before the model's tools are chosen (Gemini).
    BeforeToolSelection;
    /// The user interrupted a turn (Codex).
    Interrupt;
}

impl EventKind {
    /// The kind that a host's own event name stands for, in any casing; [`EventKind::Other`] when unknown.
    pub fn from_name(name: &str) -> Self {
        // Nearly every call that a guard judges, without a walk through the table.
        if name == "PreToolUse" {
            return Self::PreToolUse;
        }
        Self::SPELLINGS
            .iter()
            .find(|(known, _)| same_name(known, name))
            .map_or(Self::Other, |(_, kind)| *kind)
    }

    /// Whether the event is about one tool call that has not run yet.
    pub fn is_before_tool(self) -> bool {
        matches!(self, Self::PreToolUse | Self::PermissionRequest | Self::PreMcpToolCall)
    }

    /// Whether the event may carry one tool call: the known ones that do, and every event that we do not know.
    pub(crate) fn may_carry_tool(self) -> bool {
        self.is_about_tool() || self == Self::Other
    }

    /// Whether the event is about one tool call, before or after it.
    pub fn is_about_tool(self) -> bool {
        self.is_before_tool()
            || matches!(self, Self::PostToolUse | Self::PostToolUseFailure | Self::PermissionDenied)
    }
}

/// Compares without regard to case, `-`, `_` and `.`, so that `pre-tool-use` and `pre_tool_use` are understood too.
fn same_name(known: &str, name: &str) -> bool {
    let letters = |text: &'_ str| -> Vec<u8> {
        text.bytes().filter(|b| !matches!(b, b'-' | b'_' | b'.')).map(|b| b.to_ascii_lowercase()).collect()
    };
    // Signs only make a name longer, so a shorter one cannot be the same.
    known.len() <= name.len()
        && (known.eq_ignore_ascii_case(name) || (known.len() < name.len() && letters(known) == letters(name)))
}

impl std::fmt::Display for EventKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An `--event` value that names no event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown event `{0}`")]
pub struct UnknownEvent(pub String);

impl UnknownEvent {
    pub fn hint(&self) -> &'static str {
        "Use the host's own event name in any casing, such as PreToolUse, preToolUse, BeforeTool, agentStop or Stop."
    }
}

impl FromStr for EventKind {
    type Err = UnknownEvent;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match Self::from_name(name) {
            Self::Other => Err(UnknownEvent(name.to_owned())),
            kind => Ok(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_spelling_is_read_in_every_casing() {
        for (spelling, kind) in EventKind::SPELLINGS {
            let camel = spelling[..1].to_ascii_lowercase() + &spelling[1..];
            let snake: String = spelling
                .chars()
                .flat_map(|c| c.is_uppercase().then_some('_').into_iter().chain([c]))
                .collect();
            let kebab = snake.trim_start_matches('_').replace('_', "-").to_lowercase();
            for name in [(*spelling).to_owned(), camel, snake, kebab, spelling.to_lowercase()] {
                assert_eq!(name.parse(), Ok(*kind), "{name}");
            }
        }
    }

    #[test]
    fn the_events_of_all_hosts_are_known() {
        let gemini = "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection SessionStart \
                      SessionEnd PreCompress Notification";
        let copilot = "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse preMcpToolCall postToolUse \
                       postToolUseFailure permissionRequest agentStop subagentStart subagentStop preCompact errorOccurred \
                       notification";
        let claude = "SessionStart SessionEnd Setup InstructionsLoaded UserPromptSubmit UserPromptExpansion MessageDisplay \
                      PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure PostToolBatch \
                      Notification SubagentStart SubagentStop TaskCreated TaskCompleted TeammateIdle Stop StopFailure \
                      ConfigChange CwdChanged DirectoryAdded FileChanged WorktreeCreate WorktreeRemove PreCompact \
                      PostCompact PreModelSwitch PostModelSwitch Elicitation ElicitationResult";
        for (names, count) in [(gemini, 11), (copilot, 15), (claude, 33)] {
            let names: Vec<_> = names.split_whitespace().collect();
            assert_eq!(names.len(), count);
            for name in names {
                assert!(name.parse::<EventKind>().is_ok(), "{name}");
            }
        }
        assert_eq!("PreTool".parse::<EventKind>().unwrap_err().to_string(), "unknown event `PreTool`");
        assert_eq!(EventKind::from_name(""), EventKind::Other);
    }
}
