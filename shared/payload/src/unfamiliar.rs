//! A payload that no known host writes: what can still be read from it.
//!
//! A host that we do not know, or one that we know after an update: its event, its tool and the tool's arguments are found
//! by what their keys are like, wherever they stand.

use crate::expand;
use crate::field::Field;
use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};
use crate::kind::EventKind;
use crate::path::words;

/// How deep an event or a tool may be wrapped: messages that quote a call are deeper.
const DEEPEST: usize = 4;

/// What a payload says besides its known fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Unfamiliar {
    /// The event's name.
    pub(crate) name: Option<String>,
    /// The tool's name.
    pub(crate) tool: Option<String>,
    /// The tool's arguments, as JSON.
    pub(crate) arguments: Option<String>,
    /// Whether a tool and its arguments stand together.
    pub(crate) paired: bool,
    /// Whether there is something like a tool that has not run.
    pending: bool,
    /// Whether there is a tool with its result.
    ran: bool,
}

/// What an unfamiliar payload is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// A call that has not run, or may not have.
    Call(EventKind),
    /// Something else.
    Event(EventKind),
    /// No one knows; what it carries decides.
    Open,
}

impl Unfamiliar {
    /// Looks at a whole payload, in which JSON in strings was expanded.
    pub(crate) fn look(payload: Json<'_>) -> Self {
        let mut found = Self::default();
        found.object(payload, false, 0);
        found
    }

    fn object(&mut self, object: Json<'_>, call: bool, depth: usize) {
        let (mut tool, mut arguments, mut result, mut ran) = (None, None, false, false);
        for (key, value) in object.members() {
            let letters = keys::letters(&key);
            let role = Role::of(&letters, call || tool.is_some());
            match role {
                Role::Event => {
                    // The outermost name is the event's; deeper ones are quoted.
                    if let (None, Some(name)) = (&self.name, text_in(value, 0)) {
                        self.name = Some(name);
                    }
                }
                Role::Tool => tool = text_in(value, 0).or(tool),
                // Hosts write `null` for what is not there.
                Role::Arguments if value.kind() != JsonType::Null => arguments = Some(value),
                Role::Result => result |= value.kind() != JsonType::Null,
                Role::ToolResult => ran |= value.kind() != JsonType::Null,
                _ => {}
            }
        }
        self.ran |= ran && (tool.is_some() || arguments.is_some());
        // A result beside it says that the call is over.
        if !result && !ran && (tool.is_some() || arguments.is_some()) {
            self.pending = true;
            // A tool with its arguments is more surely the call than either alone.
            let both = tool.is_some() && arguments.is_some_and(|found| found.kind() != JsonType::Null);
            if both && !self.paired || self.arguments.is_none() {
                self.arguments = arguments.map(|found| found.text().to_owned()).or(self.arguments.take());
            }
            self.paired |= both;
        }
        // A tool that has not run matters more than one that is quoted with its result.
        if tool.is_some() && (self.tool.is_none() || !(result || ran)) {
            self.tool = tool;
        }
        if depth < DEEPEST {
            for (key, value) in object.members() {
                let letters = keys::letters(&key);
                // The arguments themselves are not searched for another call: their keys are the tool's.
                let arguments = arguments.is_some_and(|found| found.text().as_ptr() == value.text().as_ptr());
                if !arguments && !matches!(Role::of(&letters, call), Role::Result | Role::ToolResult) {
                    self.inside(value, is_call(&letters), depth + 1);
                }
            }
        }
    }

    fn inside(&mut self, value: Json<'_>, call: bool, depth: usize) {
        match value.kind() {
            JsonType::Object => self.object(value, call, depth),
            JsonType::Array if depth < DEEPEST => {
                value.elements().for_each(|element| self.inside(element, call, depth + 1));
            }
            _ => {}
        }
    }

    /// What the payload is about, as far as its event's name and its tools say.
    pub(crate) fn about(&self) -> About {
        let name = self.name.as_deref().unwrap_or("");
        let kind = EventKind::from_name(name);
        if kind.is_before_tool() {
            return About::Call(kind);
        }
        if kind != EventKind::Other {
            return About::Event(kind);
        }
        let has = |of: &[&str]| words(name).any(|word| of.contains(&&*word));
        if has(AFTER) {
            let kind = if self.ran || self.pending { EventKind::PostToolUse } else { EventKind::Other };
            return About::Event(kind);
        }
        // `sessionStart` with a tool in it is about the session.
        if (self.pending || has(&["before", "pre"])) && !has(NOT_A_CALL) {
            return About::Call(EventKind::PreToolUse);
        }
        if self.ran && name.is_empty() {
            return About::Event(EventKind::PostToolUse);
        }
        About::Open
    }
}

/// Words of an event's name that say that it is over.
const AFTER: &[&str] = &[
    "after",
    "post",
    "result",
    "response",
    "completed",
    "complete",
    "finished",
    "done",
    "failed",
    "failure",
    "error",
    "denied",
    "ended",
];

/// Words of an event's name that say that it is about no tool.
const NOT_A_CALL: &[&str] = &[
    "prompt",
    "session",
    "notification",
    "notify",
    "stop",
    "start",
    "resume",
    "cancel",
    "end",
    "compact",
    "compress",
    "idle",
    "model",
    "message",
    "thought",
    "setup",
    "config",
    "worktree",
    "subagent",
    "agent",
    "turn",
    "user",
];

/// What a key stands for in the envelope of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Event,
    Tool,
    Arguments,
    /// What the tool returned, by a key that says so.
    ToolResult,
    /// What something returned.
    Result,
    None,
}

impl Role {
    /// The role of a key, in letters; `call` says that it stands beside a tool, or in an object that is a call.
    fn of(letters: &str, call: bool) -> Self {
        match letters {
            "event" | "eventtype" | "agentactionname" | "hookevent" | "hooktype" | "hook" => Self::Event,
            "tool" => Self::Tool,
            // On its own, a name may be anyone's.
            "name" if call => Self::Tool,
            "input" | "args" | "arguments" | "parameters" | "params" if call => Self::Arguments,
            "toolinfo" | "toolparameters" | "toolparams" | "toolarguments" => Self::Arguments,
            "result" | "response" | "output" if call => Self::Result,
            // Any casing and any prefix: `hookEventName`, `hook_event_name`, `eventName`.
            _ if letters.contains("eventname") || letters.contains("hookname") => Self::Event,
            _ if letters.contains("toolname") => Self::Tool,
            _ if letters.contains("toolinput") || letters.contains("toolargs") => Self::Arguments,
            _ if letters.contains("toolresult") || letters.contains("toolresponse") => Self::ToolResult,
            _ if letters.contains("tooloutput") => Self::ToolResult,
            // A call that failed has run.
            _ if letters.starts_with("error") => Self::Result,
            _ => Self::None,
        }
    }
}

/// Whether the object under a key is a call.
fn is_call(letters: &str) -> bool {
    ["tool", "function", "pretool"].iter().any(|word| letters.starts_with(word)) || letters.ends_with("call")
}

/// Whether an unknown field of a payload says that its tool has run: a renamed or wrapped result.
pub(crate) fn says_it_ran(payload: Json<'_>) -> bool {
    fn any(object: Json<'_>, depth: usize) -> bool {
        object.members().any(|(key, value)| {
            let field = if depth == 0 { Field::of(&key) } else { None };
            field.is_none()
                && (matches!(Role::of(&keys::letters(&key), true), Role::Result | Role::ToolResult)
                    && value.kind() != JsonType::Null
                    // A wrapped result stands one or two levels down; deeper lies what the tool printed.
                    || depth < 2 && any(value, depth + 1))
        })
    }
    any(payload, 0)
}

/// The first text of a value.
fn text_in(value: Json<'_>, depth: usize) -> Option<String> {
    match value.kind() {
        JsonType::String => value.as_str().map(std::borrow::Cow::into_owned).filter(|text| !text.is_empty()),
        JsonType::Object if depth < DEEPEST => {
            // `{"tool": {"name": "Bash"}}`
            value.members().find_map(|(_, value)| text_in(value, depth + 1))
        }
        JsonType::Array if depth < DEEPEST => value.elements().find_map(|value| text_in(value, depth + 1)),
        _ => None,
    }
}

/// A field of the envelope under another host's name: a string, or the first of a list.
pub(crate) fn field(payload: Json<'_>, field: Field) -> Option<Json<'_>> {
    let names: &[&str] = match field {
        Field::Cwd => {
            &["workingdir", "workingdirectory", "workspaceroots", "workspacepaths", "rootpath", "projectdir"]
        }
        Field::SessionId => &["conversationid", "taskid", "trajectoryid"],
        _ => return None,
    };
    payload.members().find_map(|(key, value)| {
        let first = if value.kind() == JsonType::Array { value.elements().next()? } else { value };
        let named = names.contains(&&*keys::letters(&key)) || field_is(&key, field);
        (named && first.kind() == JsonType::String).then_some(first)
    })
}

fn field_is(key: &str, field: Field) -> bool {
    field == Field::Cwd && keys::guess(key).is(Meaning::FOLDER)
}

/// Whether a payload has any field that a known host writes.
pub(crate) fn has_known_field(fields: &[Option<Json<'_>>]) -> bool {
    fields.iter().any(Option::is_some)
}

/// The whole payload, with JSON in strings expanded.
pub(crate) fn whole(raw: &str) -> Option<String> {
    expand::expand(Json::checked(raw), true)
}
