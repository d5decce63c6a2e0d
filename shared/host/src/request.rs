//! Something that happens, and the payload in which each host tells a hook of it.

use payload::{Dialect, Event, EventKind};
use serde_json::{Map, Value, json};

use crate::event;
use crate::record::{Product, Quirk, Said};
use crate::tools::Deed;

/// What an event is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// A tool call.
    Tool {
        /// The host's own name of the tool, before Copilot translates it.
        name: String,
        /// Its input: an object, or the text of a patch.
        input: Value,
        /// What it returned, after it ran.
        result: Option<Value>,
    },
    Prompt(String),
    /// Nothing more than that it happens: how a session started, or why it ends.
    Plain(String),
}

/// Something that happens.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub kind: EventKind,
    /// About what.
    pub subject: Subject,
    /// The working folder.
    pub cwd: String,
    pub session: String,
    /// Whether a stop hook made the agent go on already.
    pub stop_hook_active: bool,
    /// The sub-agent in which it happens.
    pub agent: Option<String>,
    /// The payload that was given, and its form: hooks of that form get it as it is.
    pub given: Option<(Dialect, String)>,
}

impl Request {
    /// An event in a folder, about nothing more.
    pub fn new(kind: EventKind, cwd: impl Into<String>) -> Self {
        let subject = match kind {
            EventKind::SessionStart => Subject::Plain("startup".to_owned()),
            EventKind::SessionEnd => Subject::Plain("other".to_owned()),
            EventKind::PreCompact => Subject::Plain("auto".to_owned()),
            EventKind::UserPromptSubmit => Subject::Prompt("What does this project do?".to_owned()),
            _ => Subject::Plain(String::new()),
        };
        Self {
            kind,
            subject,
            cwd: cwd.into(),
            session: "hook-runner".to_owned(),
            stop_hook_active: false,
            agent: None,
            given: None,
        }
    }

    /// A call of the host's shell tool.
    pub fn shell(kind: EventKind, product: Product, command: &str, cwd: &str) -> Self {
        let (name, input) = (product.call)(Deed::Shell(command));
        Self::tool(kind, name, input, cwd)
    }

    /// A call of the host's tool that changes a file.
    pub fn edit(kind: EventKind, product: Product, path: &str, cwd: &str) -> Self {
        let (name, input) = (product.call)(Deed::Edit(path, "old", "new"));
        Self::tool(kind, name, input, cwd)
    }

    /// A call of any tool.
    pub fn tool(kind: EventKind, name: &str, input: Value, cwd: &str) -> Self {
        // After a tool there is always a result, which hooks may look for.
        let result = (!kind.is_before_tool()).then(|| Value::from("done"));
        Self { subject: Subject::Tool { name: name.to_owned(), input, result }, ..Self::new(kind, cwd) }
    }

    /// What a payload says.
    pub fn of(event: &Event<'_>) -> Self {
        let subject = match (event.tool(), event.prompt()) {
            (Some(tool), _) => {
                let input = match (event.input(), event.input_text()) {
                    (Some(input), _) => serde_json::from_str(input.text()).unwrap_or(Value::Null),
                    // A tool that takes a patch may have text for its input.
                    (_, Some(text)) => Value::from(text),
                    _ => Value::Null,
                };
                let result = event.tool_result_text().map(|text| Value::from(text.into_owned()));
                Subject::Tool { name: tool.name.clone().into_owned(), input, result }
            }
            (None, Some(prompt)) if event.kind == EventKind::UserPromptSubmit => {
                Subject::Prompt(prompt.into_owned())
            }
            _ => Subject::Plain(event.source().unwrap_or_default().into_owned()),
        };
        Self {
            kind: event.kind,
            subject,
            cwd: event.cwd().unwrap_or_default().into_owned(),
            session: event.session_id().unwrap_or_default().into_owned(),
            stop_hook_active: event.stop_hook_active(),
            agent: event.agent().and_then(|agent| agent.id.or(agent.kind)).map(std::borrow::Cow::into_owned),
            given: Some((event.dialect, event.raw().to_owned())),
        }
    }

    /// The name of a tool in this event.
    fn asked_as(&self, product: Product, name: &str) -> String {
        match name.rsplit_once('-') {
            Some((server, tool))
                if self.kind == EventKind::PermissionRequest && product.has(Quirk::AsksWithSlash) =>
            {
                format!("{server}/{tool}")
            }
            _ => name.to_owned(),
        }
    }

    /// The names that a matcher is compared with.
    pub fn names(&self, product: Product) -> Vec<String> {
        match &self.subject {
            Subject::Tool { name, .. } => {
                let name = &self.asked_as(product, name);
                let others = product.other_names.iter().filter(|(own, _)| own == name);
                let translated = product.translated.iter().filter_map(|(own, other)| match name.as_str() {
                    name if name == *own => Some(*other),
                    // A payload that was given may have the translated name already.
                    name if name == *other => Some(*own),
                    _ => None,
                });
                let more = others.flat_map(|(_, names)| names.iter().copied()).chain(translated);
                std::iter::once(name.clone()).chain(more.map(str::to_owned)).collect()
            }
            Subject::Prompt(_) => vec![String::new()],
            Subject::Plain(source) => vec![source.clone()],
        }
    }

    /// The names that a Copilot matcher of one dialect is compared with: camelCase knows runtime names only, `PascalCase`
    /// Claude's where there is one.
    pub fn names_in(&self, product: Product, dialect: Dialect) -> Vec<String> {
        let mut names = self.names(product);
        if !product.translated.is_empty() {
            let claudes = |name: &String| product.translated.iter().any(|(_, claude)| claude == name);
            let wanted = dialect != Dialect::Flat;
            if !wanted || names.iter().any(claudes) {
                names.retain(|name| claudes(name) == wanted);
            }
        }
        names
    }

    /// The same with another tool input.
    #[must_use]
    pub fn with_input(&self, text: &str) -> Self {
        let mut changed = self.clone();
        if let Subject::Tool { input, .. } = &mut changed.subject
            && let Ok(value) = serde_json::from_str(text)
        {
            *input = value;
            // The payload as it was given no longer fits.
            changed.given = None;
        }
        changed
    }

    /// The payload as a host writes it for a hook of one dialect.
    pub fn payload(&self, product: Product, dialect: Dialect, key: &str) -> String {
        if let Some((given, text)) = &self.given
            // Only in the dialect in which it came; for others it is written anew.
            && *given == dialect
        {
            return text.clone();
        }
        if let Some(payload) = product.written.payload {
            return payload(&self.said(key)).to_string();
        }
        let fields = match dialect {
            Dialect::Flat => self.flat(product),
            _ => self.snake(product, dialect, key),
        };
        Value::Object(fields).to_string()
    }

    /// What it says, for a host that has a form of its own.
    fn said<'r>(&'r self, key: &'r str) -> Said<'r> {
        let (tool, result) = match &self.subject {
            Subject::Tool { name, input, result } => {
                ((name.as_str(), input), result.as_ref().unwrap_or(&Value::Null))
            }
            _ => (("", &Value::Null), &Value::Null),
        };
        let prompt = if let Subject::Prompt(prompt) = &self.subject { prompt.as_str() } else { "" };
        Said {
            kind: self.kind,
            key,
            cwd: &self.cwd,
            session: &self.session,
            tool,
            result,
            prompt,
            goes_on: self.stop_hook_active,
        }
    }

    /// Copilot's camelCase form.
    fn flat(&self, product: Product) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("sessionId", self.session.clone().into());
        // Always the same, so that two runs give a hook the same payload.
        put("timestamp", 1_795_238_699_598_u64.into());
        put("cwd", self.cwd.clone().into());
        match &self.subject {
            Subject::Tool { name, input, result } => {
                match self.kind {
                    EventKind::PermissionRequest => {
                        put("toolName", self.asked_as(product, name).into());
                        put("hookName", "permissionRequest".into());
                        put("toolInput", input.clone());
                        put("permissionSuggestions", json!([]));
                    }
                    EventKind::PreMcpToolCall => {
                        // Copilot joins the two with `-`. Of several the last is taken, as no list of servers
                        // is at hand.
                        let (server, tool) = name.rsplit_once('-').unwrap_or(("server", name));
                        put("toolCallId", "call_1".into());
                        put("serverName", server.into());
                        put("toolName", tool.into());
                        put("arguments", input.clone());
                    }
                    _ => {
                        put("toolName", name.clone().into());
                        put("toolArgs", input.clone());
                    }
                }
                match (self.kind, result) {
                    (EventKind::PostToolUse, Some(text)) => {
                        put("toolResult", json!({"resultType": "success", "textResultForLlm": text}));
                    }
                    (EventKind::PostToolUseFailure, Some(text)) => {
                        put("error", text.clone());
                    }
                    _ => {}
                }
            }
            Subject::Prompt(prompt) => {
                put("prompt", prompt.clone().into());
            }
            Subject::Plain(source) => self.flat_plain(source, &mut put),
        }
        if let Some(agent) = &self.agent {
            put("agentId", agent.clone().into());
        }
        fields
    }

    fn flat_plain(&self, source: &str, put: &mut dyn FnMut(&str, Value) -> Option<Value>) {
        match self.kind {
            EventKind::SessionStart => {
                put("source", "new".into());
            }
            EventKind::SessionEnd => {
                put("reason", "complete".into());
            }
            EventKind::Stop | EventKind::SubagentStop => {
                put("transcriptPath", "/dev/null".into());
                put("stopReason", "end_turn".into());
                put("stop_hook_active", self.stop_hook_active.into());
            }
            EventKind::PreCompact => {
                put("trigger", source.into());
            }
            _ => {}
        }
    }

    /// The form with `session_id`, as Claude Code made it known.
    fn snake(&self, product: Product, dialect: Dialect, key: &str) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("session_id", self.session.clone().into());
        put("cwd", self.cwd.clone().into());
        put("hook_event_name", key.into());
        if dialect == Dialect::Timed {
            put("timestamp", "2026-11-22T05:00:00.000Z".into());
        }
        if dialect == Dialect::Strict {
            put("permission_mode", "default".into());
        }
        for (name, value) in product.fields {
            put(name, (*value).into());
        }
        match &self.subject {
            Subject::Tool { name, input, result } => {
                put("tool_name", product.translate(name).into());
                put("tool_input", input.clone());
                if let Some(id) = product.call_id.filter(|_| self.kind != EventKind::PermissionRequest) {
                    put("tool_use_id", id.into());
                }
                if let Some(text) = result.clone().filter(|_| !self.kind.is_before_tool()) {
                    let (name, value) = match self.kind {
                        EventKind::PostToolUseFailure => ("error", text),
                        _ => (product.result)(&text),
                    };
                    put(name, value);
                }
            }
            Subject::Prompt(prompt) => {
                put("prompt", prompt.clone().into());
            }
            Subject::Plain(source) => match self.kind {
                EventKind::SessionStart => {
                    put("source", product.source.unwrap_or(source).into());
                }
                EventKind::SessionEnd => {
                    put("reason", source.as_str().into());
                }
                EventKind::PreCompact => {
                    put("trigger", source.as_str().into());
                }
                EventKind::Stop | EventKind::SubagentStop => {
                    put("stop_hook_active", self.stop_hook_active.into());
                }
                _ => {}
            },
        }
        for (_, name, value) in product.event_fields.iter().filter(|(kind, ..)| *kind == self.kind) {
            put(name, (*value).into());
        }
        if let Some(agent) = &self.agent {
            put("agent_id", agent.clone().into());
        }
        fields
    }
}

/// The host's own name of an event, for a payload without a hook: `PascalCase` on Copilot.
pub fn event_name(product: Product, kind: EventKind) -> &'static str {
    event::name(product, kind, false).unwrap_or_else(|| kind.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use payload::{Hints, parse};

    #[test]
    fn payloads_are_recognised_as_their_hosts_own() {
        for product in Product::ALL {
            for key in product.events.iter().copied() {
                let known = event::known(product, key).unwrap();
                let request = match known.kind {
                    kind if kind.is_about_tool() => Request::shell(kind, product, "git status", "/p"),
                    kind => Request::new(kind, "/p"),
                };
                let shell = (product.call)(Deed::Shell("")).0;
                if known.kind.is_about_tool() && !event::is_for(product, key, shell) {
                    continue;
                }
                let text = request.payload(product, known.dialect, key);
                // As its commands have it.
                let host = product.written.arguments.contains("--host").then_some(product.host);
                let event = parse(text.as_bytes(), Hints { host, event: Some(known.kind) }).unwrap();
                assert_eq!(event.dialect, known.dialect, "{product} {key}: {text}");
                assert_eq!(event.defects(), [], "{product} {key}: {text}");
                if known.kind == EventKind::PreToolUse {
                    assert_eq!(event.host, product.host, "{product} {key}: {text}");
                    assert_eq!(event.commands()[0].text, "git status", "{product} {key}: {text}");
                }
            }
        }
    }

    #[test]
    fn edits_touch_the_path() {
        for product in Product::ALL {
            let request = Request::edit(EventKind::PreToolUse, product, "/p/src/a.rs", "/p");
            let (edit, _) = (product.call)(Deed::Edit("", "", ""));
            let before = |key: &&str| {
                EventKind::from_name(key) == EventKind::PreToolUse && event::is_for(product, key, edit)
            };
            let key = product.events.iter().copied().find(before).unwrap();
            let known = event::known(product, key).unwrap();
            let text = request.payload(product, known.dialect, key);
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            let paths: Vec<_> = event.paths().iter().map(|path| path.path.to_string()).collect();
            assert!(paths.iter().any(|path| path.ends_with("src/a.rs")), "{product}: {text} {paths:?}");
        }
    }

    #[test]
    fn a_given_payload_is_passed_on_and_translated() {
        let given = br#"{"session_id":"s","timestamp":"2026-11-21T05:24:25.234Z","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
        let event = parse(given, Hints::default()).unwrap();
        let request = Request::of(&event);
        assert_eq!(request.payload(Product::COPILOT_CLI, Dialect::Timed, "PreToolUse").as_bytes(), given);
        let flat = request.payload(Product::COPILOT_CLI, Dialect::Flat, "preToolUse");
        let again = parse(flat.as_bytes(), Hints::default()).unwrap();
        assert_eq!(again.commands()[0].text, "ls");
        assert!(request.names(Product::COPILOT_CLI).contains(&"bash".to_owned()));
        assert!(!request.names_in(Product::COPILOT_CLI, Dialect::Flat).contains(&"Bash".to_owned()));
    }
}
