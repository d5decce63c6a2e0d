//! What a host tells a hook, in one shape for all hosts.

use std::borrow::Cow;

use crate::address::Address;
use crate::asking::PersonSearch;
use crate::command::Level;
use crate::field::{Defect, Field};
use crate::host::{Dialect, Host};
use crate::json::{Json, JsonType, decode_key};
use crate::kind::EventKind;
use crate::scan::Items;
use crate::tool::{Tool, ToolKind};
use crate::unfamiliar::Unfamiliar;
use crate::write::{Letters, escape};

/// The sub-agent in which an event happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRef<'a> {
    /// The host's identifier.
    pub id: Option<Cow<'a, str>>,
    /// The agent's name or type.
    pub kind: Option<Cow<'a, str>>,
    /// The identifier of the agent that started it.
    pub parent: Option<Cow<'a, str>>,
}

/// What a tool is called with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input<'a> {
    /// No such field.
    Absent,
    /// `null`: a tool without arguments.
    Null,
    /// The text of a JSON object; owned when the host sent it encoded in a string.
    Object(Cow<'a, str>),
    /// A string that holds no JSON object: patches.
    Text(Cow<'a, str>),
    /// A value of another type.
    Unreadable,
}

/// One call of a hook.
///
/// Everything that is not a public field is read from the payload when it is asked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event<'a> {
    /// Who called.
    pub host: Host,
    /// How it wants to be answered.
    pub dialect: Dialect,
    pub kind: EventKind,
    /// The host's own name of the event, empty when the payload carries none.
    pub name: Cow<'a, str>,
    pub(crate) raw: &'a str,
    pub(crate) fields: [Option<Json<'a>>; Field::ALL.len()],
    pub(crate) defects: Vec<Defect>,
    pub(crate) input: Input<'a>,
    /// The command-like members of an input that was not encoded in a string.
    pub(crate) level: Option<Level<'a>>,
    pub(crate) tool: Option<Tool<'a>>,
    /// Whether a person sits at the host's terminal.
    pub(crate) person: PersonSearch,
    /// The input with JSON in strings expanded, where there is any and the tool is not one whose input is known.
    pub(crate) expanded: Option<String>,
    /// What was found in a payload that is not as any known host writes it.
    pub(crate) unfamiliar: Option<Box<Unfamiliar>>,
}

impl<'a> Event<'a> {
    /// The payload as the host wrote it, without a byte order mark and without white space around it.
    pub fn raw(&self) -> &'a str {
        self.raw
    }

    /// A known field's value, whatever its spelling. `None` when it is absent, `null` or of a wrong type.
    pub fn field(&self, field: Field) -> Option<Json<'a>> {
        self.fields[field as usize]
    }

    /// A known field's text.
    pub fn text(&self, field: Field) -> Option<Cow<'a, str>> {
        self.field(field)?.as_str()
    }

    /// The known fields that have a type which no host writes; each counts as absent.
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }

    /// The fields of the payload that no [`Field`] covers, with their values, in the order of the payload.
    pub fn unknown_fields(&self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        let mut items = Items::new(self.raw);
        // The payload was checked when it was read, so this ends where it does.
        std::iter::from_fn(|| items.step().ok()?.ok())
            .map(|(key, value)| (decode_key(key), Json::checked(value)))
            .filter(|(key, _)| Field::of(key).is_none())
            .collect()
    }

    /// The session. In a Copilot sub-agent it is the sub-agent's own, in a Claude sub-agent the root's.
    pub fn session_id(&self) -> Option<Cow<'a, str>> {
        self.text(Field::SessionId)
    }

    /// The working directory.
    pub fn cwd(&self) -> Option<Cow<'a, str>> {
        self.text(Field::Cwd)
    }

    /// The conversation's log file.
    pub fn transcript_path(&self) -> Option<Cow<'a, str>> {
        self.text(Field::TranscriptPath)
    }

    /// The host's time as it wrote it: ISO 8601, or milliseconds since 1970.
    pub fn timestamp(&self) -> Option<Cow<'a, str>> {
        let value = self.field(Field::Timestamp)?;
        // Copilot writes a number.
        value.as_str().or(Some(Cow::Borrowed(value.text())))
    }

    /// The permission mode of Claude and Codex, such as `default`, `plan` or `bypassPermissions`.
    pub fn permission_mode(&self) -> Option<Cow<'a, str>> {
        self.text(Field::PermissionMode)
    }

    /// What started the session or the compaction, or why the session ended.
    pub fn source(&self) -> Option<Cow<'a, str>> {
        self.text(Field::Source).or_else(|| self.text(Field::Trigger)).or_else(|| self.text(Field::Reason))
    }

    /// Whether a stop hook made the agent go on already. A stop hook must let the agent stop then: Codex and Gemini
    /// know no limit (122 and 324 rounds until they were killed).
    pub fn stop_hook_active(&self) -> bool {
        self.field(Field::StopHookActive).and_then(Json::as_bool).unwrap_or(false)
    }

    /// The prompt of the user, or of the parent agent; at a session's start the first prompt.
    pub fn prompt(&self) -> Option<Cow<'a, str>> {
        self.text(Field::Prompt).or_else(|| self.text(Field::InitialPrompt))
    }

    /// The sub-agent in which the event happened; `None` in the main agent.
    pub fn agent(&self) -> Option<AgentRef<'a>> {
        let agent = AgentRef {
            id: self.text(Field::AgentId),
            kind: self.text(Field::AgentType).or_else(|| self.text(Field::AgentName)),
            parent: self.text(Field::ParentAgentId),
        };
        (agent.id.is_some() || agent.kind.is_some()).then_some(agent)
    }

    /// The tool that is or was called.
    pub fn tool(&self) -> Option<&Tool<'a>> {
        self.tool.as_ref()
    }

    /// The tool's kind; [`ToolKind::Other`] when the event is about no tool.
    pub fn tool_kind(&self) -> ToolKind {
        self.tool.as_ref().map_or(ToolKind::Other, |tool| tool.kind)
    }

    /// The identifier of the call; Copilot and Gemini have none.
    pub fn tool_use_id(&self) -> Option<Cow<'a, str>> {
        self.text(Field::ToolUseId)
    }

    /// The tool's arguments as a JSON object, also when the host sent them encoded in a string.
    pub fn input(&self) -> Option<Json<'_>> {
        match &self.input {
            Input::Object(text) => Some(Json::checked(text)),
            _ => None,
        }
    }

    /// The tool's arguments with another command in the place of the only one, as the text of a JSON object; nothing
    /// where it is not clear which member that is.
    pub fn input_with_command(&self, command: &str) -> Option<String> {
        let [own] = &self.commands()[..] else { return None };
        let input = self.input().filter(|_| self.expanded.is_none())?;
        let is_own = |value: Json<'_>| value.as_str().is_some_and(|text| *text == *own.text);
        if input.members().filter(|(_, value)| is_own(*value)).count() != 1 {
            return None;
        }
        let mut text = String::with_capacity(input.text().len() + command.len());
        for (key, value) in input.raw_members() {
            text.push(if text.is_empty() { '{' } else { ',' });
            text.push_str(key);
            text.push(':');
            if is_own(value) {
                text.push('"');
                escape(&mut text, command, Letters::Ascii, usize::MAX);
                text.push('"');
            } else {
                text.push_str(value.text());
            }
        }
        text.push('}');
        Some(text)
    }

    /// The tool's arguments when they are a plain string: the patch of Copilot's `apply_patch`.
    pub fn input_text(&self) -> Option<&str> {
        match &self.input {
            Input::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Where commands, paths and the like are looked for.
    pub(crate) fn scope(&self) -> Option<Json<'_>> {
        match &self.expanded {
            Some(text) => Some(Json::checked(text)),
            None => self.input(),
        }
    }

    /// Whether the payload is about a tool call that has not run yet, or may be: all that a guard has to judge.
    pub fn may_be_call(&self) -> bool {
        self.kind.is_before_tool() || (self.kind == EventKind::Other && self.is_unfamiliar())
    }

    /// Whether the payload is a call, or may be one, that is not as any known host writes it.
    ///
    /// Its event, its tool and its arguments are not where they should be, or of a wrong type. The whole payload is
    /// [`Event::input`] then, every view looks through all of it, and an answer goes out in the widest form.
    pub fn is_unfamiliar(&self) -> bool {
        self.unfamiliar.is_some()
    }

    /// The tool's arguments in an unfamiliar payload.
    pub(crate) fn unfamiliar_arguments(&self) -> Option<Json<'_>> {
        self.unfamiliar.as_ref()?.arguments.as_deref().map(Json::checked)
    }

    /// Whether this is a tool call that cannot be judged because its arguments are of an unknown shape.
    ///
    /// True when the arguments are missing, or neither an object nor a patch nor a shell's text, when a shell tool carries
    /// no command or an edit tool no path, and when a command-like argument is neither a string nor a list. In an
    /// unfamiliar payload, when nothing is in it that could be judged. A guard should treat it like a refusal.
    pub fn input_unreadable(&self) -> bool {
        if self.is_unfamiliar() {
            return self.nothing_is_read() || self.hides_its_command();
        }
        if !self.kind.is_about_tool() {
            return false;
        }
        match &self.input {
            Input::Unreadable => true,
            // Many tools have no arguments; a shell without any has lost them.
            Input::Absent | Input::Null => self.tool_kind().takes_commands(),
            // A string is a patch, or what is typed into a shell; a cut-off object is neither.
            Input::Text(text) => {
                let shell = self.tool_kind().takes_commands();
                !crate::patch::is_patch(text) && (!shell || text.trim_start().starts_with('{'))
            }
            Input::Object(_) => {
                // After the call, the path only matters to what follows it, and nothing can be held back.
                self.hides_its_command() || self.kind.is_before_tool() && self.hides_its_path()
            }
        }
    }

    /// Whether an unfamiliar payload says nothing that could be judged: no call, no command, no path.
    fn nothing_is_read(&self) -> bool {
        let paired = self.unfamiliar.as_ref().is_some_and(|found| found.paired);
        !paired
            && self.commands().is_empty()
            && self.sql().is_empty()
            && self.paths().is_empty()
            && self.urls().is_empty()
    }

    /// What the tool returned, as the host wrote it: a string, an object or an array.
    pub fn tool_result(&self) -> Option<Json<'a>> {
        self.field(Field::ToolResult)
    }

    /// The text of the tool's result that the model sees, from whichever form the host uses.
    pub fn tool_result_text(&self) -> Option<Cow<'a, str>> {
        let result = self.tool_result()?;
        if let Some(text) = result.as_str() {
            return Some(text);
        }
        // MCP servers answer with a list of blocks, of which the first has the text.
        let block = if result.kind() == JsonType::Array { result.elements().next()? } else { result };
        ["text_result_for_llm", "textResultForLlm", "stdout", "llmContent", "text", "content"]
            .into_iter()
            .find_map(|key| block.get_str(key))
    }

    /// The error of a failed tool or of the host.
    pub fn error(&self) -> Option<Cow<'a, str>> {
        let error = self.field(Field::Error)?;
        error.as_str().or_else(|| error.get_str("message"))
    }

    /// Where an answer to this event goes.
    pub fn address(&self) -> Address<'a> {
        Address { host: self.host, dialect: self.dialect, kind: self.kind, name: self.name.clone() }
    }
}
