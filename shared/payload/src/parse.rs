//! Bytes on stdin become an [`Event`].

use std::borrow::Cow;

use crate::asking::PersonSearch;
use crate::command::Level;
use crate::detect::{self, Clues};
use crate::error::PayloadError;
use crate::event::{Event, Input};
use crate::expand::expand;
use crate::field::{Defect, Field};
use crate::host::{Dialect, Host};
use crate::hosts;
use crate::json::{Json, JsonType, decode_key};
use crate::kind::EventKind;
use crate::scan::{self, Fault, FaultKind, Items, MAX_DEPTH};
use crate::tool::{Tool, ToolKind};
use crate::unfamiliar::{self, About, Unfamiliar};

/// What the hook's configuration says about its caller, from `--host` and `--event`; overrides detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    pub host: Option<Host>,
    /// The event. Copilot's camelCase payloads carry no event name; without a hint it is inferred from their keys.
    pub event: Option<EventKind>,
}

/// Reads a payload of any host.
///
/// A byte order mark and white space around the object are skipped. Of duplicate keys the last wins. Fields of a wrong
/// type are not an error: see [`Event::defects`]. The size is the caller's to limit.
pub fn parse(bytes: &[u8], hints: Hints) -> Result<Event<'_>, PayloadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text =
        std::str::from_utf8(bytes).map_err(|error| PayloadError::NotUtf8 { offset: error.valid_up_to() })?;
    let start = scan::blank(text.as_bytes(), 0);
    expect_object(text, start)?;
    let found = members(&text[start..]).map_err(|fault| describe(text, start, fault))?;
    let end = start + found.end;
    let rest = scan::blank(text.as_bytes(), end);
    if rest < text.len() {
        return Err(syntax(text, rest, "text after the object"));
    }
    Ok(event(&text[start..end], found, hints))
}

/// Says what stands there where it is not an object.
fn expect_object(text: &str, start: usize) -> Result<(), PayloadError> {
    let found = match text.as_bytes().get(start) {
        None => return Err(PayloadError::Empty),
        Some(b'{') => return Ok(()),
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b'-' | b'0'..=b'9') => "a number",
        // Named only for the message: a host that sends no object has another fault than a payload that is cut off.
        Some(_) => match text[start..].trim_end() {
            "null" => "null",
            "true" | "false" => "a boolean",
            _ => return Err(syntax(text, start, "an object was expected")),
        },
    };
    Err(PayloadError::NotAnObject { found })
}

type Fields<'a> = [Option<Json<'a>>; Field::ALL.len()];

/// What one pass over the payload finds.
struct Members<'a> {
    fields: Fields<'a>,
    seen: detect::Seen,
    level: Option<Level<'a>>,
    /// Whether there is a field that we do not know.
    unknown: bool,
    /// Where the object ends.
    end: usize,
}

fn members(text: &str) -> Result<Members<'_>, Fault> {
    let mut found = Members {
        fields: [None; Field::ALL.len()],
        seen: detect::Seen::default(),
        level: None,
        unknown: false,
        end: 0,
    };
    let mut items = Items::new(text);
    loop {
        let key = match items.key()? {
            Ok(key) => decode_key(key),
            Err(end) => {
                found.end = end;
                return Ok(found);
            }
        };
        found.seen.note(&key);
        let Some(field) = Field::of(&key) else {
            items.value()?;
            found.seen.note_other(&key);
            found.unknown = true;
            continue;
        };
        let value = if field == Field::ToolInput {
            input_value(&mut items, &mut found.level)?
        } else {
            items.value()?
        };
        found.fields[field as usize] = Some(Json::checked(value));
    }
}

/// The tool's input, and on the way its command-like members.
fn input_value<'a>(items: &mut Items<'a>, level: &mut Option<Level<'a>>) -> Result<&'a str, Fault> {
    // Of duplicates the last counts, and with it its members.
    *level = None;
    let Some(mut inner) = items.enter() else { return items.value() };
    let mut found = Level::default();
    loop {
        match inner.step()? {
            Ok((key, value)) => found.note(decode_key(key), Json::checked(value)),
            Err(end) => {
                *level = Some(found);
                return Ok(items.leave(end));
            }
        }
    }
}

fn event<'a>(raw: &'a str, found: Members<'a>, hints: Hints) -> Event<'a> {
    let Members { mut fields, seen, level, unknown, .. } = found;
    let mut defects = Vec::new();
    // Noted before `null` becomes absence: a tool without arguments is not one that lost them.
    let null_input = fields[Field::ToolInput as usize].is_some_and(|value| value.kind() == JsonType::Null);
    for (field, slot) in Field::ALL.iter().zip(&mut fields) {
        let Some(value) = *slot else { continue };
        // Hosts write `null` for what is not there.
        if value.kind() == JsonType::Null {
            *slot = None;
        } else if !field.takes(value) {
            defects.push(Defect { field: *field, found: value.kind() });
            *slot = None;
        }
    }
    let get = |field: Field| fields[field as usize];
    let mut name = get(Field::EventName).and_then(Json::as_str).unwrap_or(Cow::Borrowed(""));
    let mut dialect = detect::dialect(seen);
    let detected_dialect = dialect;
    let detected = hosts::writer(&Clues::new(dialect, &name, (&fields, seen), raw));
    if detected.is_late() {
        unpack(raw, detected, &mut fields);
        name = fields[Field::EventName as usize].and_then(Json::as_str).unwrap_or(name);
    }
    let get = |field: Field| fields[field as usize];
    let kind = match hints.event {
        Some(kind) => kind,
        None if name.is_empty() => match detect::kind(&fields, seen) {
            // A result under a key that is new would else make a call of what has run.
            EventKind::PreToolUse if unknown && unfamiliar::says_it_ran(Json::checked(raw)) => {
                EventKind::PostToolUse
            }
            kind => kind,
        },
        None => EventKind::from_name(&name),
    };
    let host = hints.host.unwrap_or(detected);
    // Their answers are no one else's.
    let strange = detected == Host::Unknown || detected.is_late() && host != detected;
    if strange && (hints.host.is_none() || kind.is_before_tool()) {
        // Who is not recognised may not read the answer of the host that the settings name.
        dialect = Dialect::Unknown;
    } else if !host.dialects().contains(&dialect) {
        // Another host than the settings name wrote it, or it reads another form than it writes.
        dialect = host.dialects().first().copied().unwrap_or(Dialect::Unknown);
    }
    let input = match get(Field::ToolInput) {
        None if defects.iter().any(|defect| defect.field == Field::ToolInput) => Input::Unreadable,
        None if null_input => Input::Null,
        None => Input::Absent,
        Some(value) => input(value),
    };
    // An empty name is none, and the payload is looked at again.
    let tool = get(Field::ToolName).and_then(Json::as_str).filter(|name| !name.is_empty()).map(|name| {
        let kind = tool_kind(&name, host, get(Field::McpServer).is_some(), &input);
        Tool { name, kind }
    });
    let mut event = Event {
        host,
        dialect,
        kind,
        name,
        raw,
        fields,
        defects,
        input,
        level,
        tool,
        person: PersonSearch::default(),
        expanded: None,
        unfamiliar: None,
    };
    // Whoever writes in snake case names the event.
    let nameless = hints.event.is_none()
        && event.name.is_empty()
        && detected_dialect != Dialect::Flat
        && !detected.is_late();
    if kind == EventKind::Other || kind.is_before_tool() && (nameless || !is_whole_call(&event)) {
        look_again(&mut event, hints, detected.is_late() && !strange);
    } else if kind.is_about_tool() && reads_by_keys(&event) {
        event.expanded = event.input().and_then(|input| expand(input, false));
    }
    event
}

/// Puts what a host keeps elsewhere where others have it.
fn unpack<'a>(raw: &'a str, host: Host, fields: &mut Fields<'a>) {
    let mut fill = |field: Field, value: Option<Json<'a>>| {
        let slot = &mut fields[field as usize];
        // A host that counts how often a stop hook made it go on.
        let value = value.map(|value| match value.kind() {
            JsonType::Number if field == Field::StopHookActive => {
                Json::checked(if value.text() == "0" { "false" } else { "true" })
            }
            _ => value,
        });
        *slot = slot.or_else(|| value.filter(|value| field.takes(*value)));
    };
    let whole = Json::checked(raw);
    for field in [Field::Cwd, Field::SessionId] {
        fill(field, unfamiliar::field(whole, field));
    }
    let Some(envelope) = host.traits().envelope else { return };
    let at = |path: &str| path.split('.').filter(|key| !key.is_empty()).try_fold(whole, Json::get);
    for (field, path) in envelope.fields {
        fill(*field, at(path));
    }
    if envelope.names_main_agent && fields[Field::ParentAgentId as usize].is_none() {
        fields[Field::AgentId as usize] = None;
    }
    let name = fields[Field::EventName as usize].and_then(Json::as_str).unwrap_or_default();
    let tool = envelope.tools.iter().find(|(event, _)| *event == name);
    if let (Some((_, tool)), slot @ None) = (tool, &mut fields[Field::ToolName as usize]) {
        *slot = Some(Json::checked(tool));
    }
}

/// Whether a call has its tool and its arguments where they should be.
fn is_whole_call(event: &Event<'_>) -> bool {
    let arguments = match &event.input {
        Input::Absent | Input::Unreadable => false,
        Input::Text(text) => crate::expand::inside(text).is_none(),
        Input::Null | Input::Object(_) => true,
    };
    event.tool.is_some() && arguments
}

/// Whether the tool's input is looked through by its keys.
fn reads_by_keys(event: &Event<'_>) -> bool {
    match event.tool_kind() {
        ToolKind::Shell => !event.is_plain(),
        ToolKind::ShellInput | ToolKind::Task | ToolKind::Mcp | ToolKind::Other => true,
        _ => false,
    }
}

/// Reads a payload whose event is not known, or whose call is not whole: by what its keys are like.
///
/// A host that is known by its documents keeps its name and its answers: their form does not depend on what it called for.
fn look_again(event: &mut Event<'_>, hints: Hints, documented: bool) {
    let raw = event.raw;
    let whole = unfamiliar::whole(raw);
    let found = Unfamiliar::look(whole.as_deref().map_or(Json::checked(raw), Json::checked));
    let about = match (found.about(), hints.event) {
        // The settings say that it is a call, and the payload does not say that it is not.
        (About::Open, Some(kind)) if kind.is_before_tool() => About::Call(kind),
        (about, _) => about,
    };
    if let About::Event(kind) = about {
        if event.kind != kind {
            event.kind = kind;
            event.tool = event.tool.take().or_else(|| named(&found));
        }
        rename(event, &found);
        return;
    }
    // Kept, because whether it is a call only shows when it has been read as one.
    let before = event.clone();
    event.kind = match about {
        About::Call(kind) => kind,
        _ => EventKind::PreToolUse,
    };
    event.tool = event.tool.take().or_else(|| named(&found));
    rename(event, &found);
    for field in [Field::Cwd, Field::SessionId] {
        let slot = &mut event.fields[field as usize];
        *slot = slot.or_else(|| unfamiliar::field(Json::checked(raw), field));
    }
    if !documented {
        // Whoever it was, its rules for answers are not known to hold for this.
        event.host = Host::Unknown;
        event.dialect = Dialect::Unknown;
    }
    event.input = Input::Object(Cow::Borrowed(raw));
    event.expanded = whole;
    event.level = None;
    event.unfamiliar = Some(Box::new(found));
    if about != About::Open || !event.commands().is_empty() {
        return;
    }
    // Nothing says that it is a call. It is not one, unless nothing says anything at all.
    let mute = before.name.is_empty() && !unfamiliar::has_known_field(&before.fields);
    if mute
        && before.defects.is_empty()
        && event.unfamiliar.as_ref().is_some_and(|found| found.name.is_none())
    {
        event.kind = EventKind::Other;
    } else {
        *event = before;
    }
}

fn named<'a>(found: &Unfamiliar) -> Option<Tool<'a>> {
    let name = found.tool.clone()?;
    Some(Tool { kind: ToolKind::from_name(&name), name: Cow::Owned(name) })
}

fn rename(event: &mut Event<'_>, found: &Unfamiliar) {
    if let Some(name) = found.name.clone().filter(|_| EventKind::from_name(&event.name) == EventKind::Other) {
        event.name = Cow::Owned(name);
    }
}

/// An object, an object encoded in a string (Copilot CLI before its `toolArgs` became an object), or a plain text.
fn input(value: Json<'_>) -> Input<'_> {
    let Some(text) = value.as_str() else { return Input::Object(Cow::Borrowed(value.text())) };
    // A patch or a command may begin with a brace, so it must be JSON to its end.
    if text.trim_start().starts_with('{') && Json::new(&text).is_some() {
        return Input::Object(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        });
    }
    Input::Text(text)
}

fn tool_kind(name: &str, host: Host, mcp_server: bool, input: &Input<'_>) -> ToolKind {
    let kind = ToolKind::from_name(name);
    match (kind, input) {
        // Copilot's PascalCase dialect calls `apply_patch` `Edit`.
        (ToolKind::Edit, Input::Text(text)) if crate::patch::is_patch(text) => ToolKind::Patch,
        (ToolKind::Edit, Input::Object(text)) if only_looks(Json::checked(text)) => ToolKind::Read,
        (ToolKind::Other, _) if mcp_server || (host.traits().dashed_servers && name.contains('-')) => {
            ToolKind::Mcp
        }
        _ => kind,
    }
}

/// Whether a tool that edits has only the word to look: Copilot's `str_replace_editor`, which is `Edit` in `PascalCase` payloads, and
/// OpenHands' `file_editor`. Not where anything else is said, as other hosts' tools know no such word.
fn only_looks(input: Json<'_>) -> bool {
    input.get_str("command").as_deref() == Some("view")
        && input.members().all(|(key, value)| {
            value.kind() == JsonType::Null || matches!(&*key, "command" | "path" | "view_range" | "kind")
        })
}

fn describe(text: &str, start: usize, fault: Fault) -> PayloadError {
    match fault.kind {
        FaultKind::TooDeep => PayloadError::TooDeep { limit: MAX_DEPTH },
        FaultKind::Syntax(message) => syntax(text, start + fault.at, message),
    }
}

fn syntax(text: &str, at: usize, message: &'static str) -> PayloadError {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    PayloadError::Syntax { line, column, message }
}
