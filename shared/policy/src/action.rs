//! What a call would do, in one shape for every host.

use std::borrow::Cow;

use payload::{Access, Event, Host, JsonType, Language, Reach};
use rules::CommandText;

use crate::model::ToolWord;

/// A call that is judged.
#[derive(Debug, Clone)]
pub struct Action<'a> {
    /// Who asks.
    pub host: Host,
    /// Whether an `ask` reaches a person.
    pub reach: Reach,
    /// The permission mode, where the host tells it.
    pub mode: Option<Cow<'a, str>>,
    /// The type of the sub-agent that acts.
    pub agent_type: Option<Cow<'a, str>>,
    /// The folder in which it acts.
    pub cwd: Option<&'a str>,
    /// The branch that is checked out there, where an example says so; the disk says it otherwise.
    pub branch: Option<&'a str>,
    /// What kind of tool is called.
    pub tool: ToolWord,
    /// Commands that would run.
    pub commands: Vec<CommandText<'a>>,
    /// Files that the tool touches by itself.
    pub paths: Vec<(Cow<'a, str>, Access)>,
    /// Addresses that the tool fetches by itself.
    pub urls: Vec<Cow<'a, str>>,
    /// The MCP tool.
    pub mcp: Option<McpCall<'a>>,
    /// The sub-agent that is started.
    pub agent: Option<AgentStart<'a>>,
    /// The strings in the arguments of a tool that runs no command.
    pub texts: Vec<Cow<'a, str>>,
    /// Whether nothing can be saved before it is lost, so that `keep` does not count.
    pub keeps_nothing: bool,
}

/// A call of an MCP server's tool.
#[derive(Debug, Clone, Default)]
pub struct McpCall<'a> {
    /// The server and the tool; several where the host's form does not tell where one ends.
    pub readings: Vec<(String, String)>,
    /// The arguments' strings, by key.
    pub args: Vec<(Cow<'a, str>, String)>,
}

/// A sub-agent that is started.
#[derive(Debug, Clone, Default)]
pub struct AgentStart<'a> {
    /// Its name; `None` where the call leaves it to the host.
    pub name: Option<Cow<'a, str>>,
}

impl AgentStart<'_> {
    /// The name, if the call gives one.
    pub(crate) fn given(&self) -> Option<&str> {
        self.name.as_deref().map(str::trim).filter(|name| !name.is_empty())
    }
}

/// A part of a call that rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A command that would run: which text, and which atom of it.
    Command {
        /// The index of the text.
        text: usize,
        /// The index of the atom.
        atom: usize,
    },
    /// A file that the tool touches by itself.
    Path(usize),
    /// An address that the tool fetches by itself.
    Url(usize),
    /// The MCP tool.
    Mcp,
    /// The sub-agent.
    Agent,
    /// The call as a whole.
    Whole,
}

impl Default for Action<'_> {
    fn default() -> Self {
        Self {
            host: Host::Unknown,
            reach: Reach::Known(true),
            mode: None,
            agent_type: None,
            cwd: None,
            branch: None,
            tool: ToolWord::Other,
            commands: Vec::new(),
            paths: Vec::new(),
            urls: Vec::new(),
            mcp: None,
            agent: None,
            texts: Vec::new(),
            keeps_nothing: false,
        }
    }
}

impl<'a> Action<'a> {
    /// A shell command, as an example of a rule writes it.
    pub fn command(text: &'a str, cwd: Option<&'a str>) -> Self {
        let commands = vec![CommandText { text, language: Language::Posix }];
        Self { tool: ToolWord::Shell, commands, cwd, ..Self::default() }
    }

    /// The agent that acts; `main` for the main agent.
    pub fn caller(&self) -> &str {
        self.agent_type.as_deref().unwrap_or("main")
    }

    /// Whether the call only looks: it stays possible where a policy is broken, so that someone can fix it.
    pub(crate) fn only_looks(&self) -> bool {
        self.tool == ToolWord::Read
            && self.commands.is_empty()
            && self.paths.iter().all(|(_, access)| *access == Access::Read)
    }
}

/// What an event keeps alive for its [`Action`].
#[derive(Debug)]
pub struct Parts<'e> {
    commands: Vec<payload::ShellCommand<'e>>,
    sql: Vec<Cow<'e, str>>,
    cwd: Option<Cow<'e, str>>,
}

impl<'e> Parts<'e> {
    /// The parts of an event.
    pub fn of(event: &'e Event<'_>) -> Self {
        Self { commands: event.commands(), sql: event.sql(), cwd: event.cwd() }
    }

    /// The call that the event is about.
    pub fn action<'a>(&'a self, event: &'a Event<'_>) -> Action<'a>
    where
        'e: 'a,
    {
        let commands: Vec<CommandText<'a>> = self
            .commands
            .iter()
            .map(|command| {
                // A policy reads as bash what no one names, as its examples are.
                let unnamed = command.language == Language::Unknown;
                let language = if unnamed { Language::Posix } else { command.language };
                CommandText { text: &command.text, language }
            })
            .chain(self.sql.iter().map(|text| CommandText { text, language: Language::Sql }))
            .collect();
        let mcp = mcp(event);
        let mut texts = Vec::new();
        if self.commands.is_empty() {
            if let Some(text) = event.input_text() {
                texts.push(Cow::Borrowed(text));
            }
            if let Some(input) = event.input() {
                all_texts(input, 0, &mut |_, text| texts.push(text));
            }
        }
        let tool = if self.commands.is_empty() { ToolWord::of(event.tool_kind()) } else { running(event) };
        Action {
            host: event.host,
            reach: event.reach(),
            mode: event.permission_mode(),
            // Some hosts give a sub-agent an id and no type.
            agent_type: event.agent().and_then(|agent| agent.kind.or(agent.id)),
            cwd: self.cwd.as_deref(),
            branch: None,
            tool,
            commands,
            paths: event.paths().into_iter().map(|touched| (touched.path, touched.access)).collect(),
            urls: event.urls(),
            mcp,
            agent: event.agent_started().map(|start| AgentStart { name: start.name }),
            texts,
            keeps_nothing: false,
        }
    }
}

/// What a tool that carries a command is: MCP tools stay what they are.
fn running(event: &Event<'_>) -> ToolWord {
    match ToolWord::of(event.tool_kind()) {
        // A rule with `tool = "mcp"` is about the server, whatever the tool runs there.
        ToolWord::Mcp => ToolWord::Mcp,
        _ => ToolWord::Shell,
    }
}

fn mcp<'e>(event: &'e Event<'_>) -> Option<McpCall<'e>> {
    let tool = event.tool().filter(|tool| tool.kind == payload::ToolKind::Mcp)?;
    let mut call = McpCall::default();
    // The host's own word first, then every other way to cut the name.
    if let Some(named) = event.mcp() {
        call.readings.push((named.server.into_owned(), named.tool.into_owned()));
    }
    let sure = event.field(payload::Field::McpServer).is_some() && !call.readings.is_empty();
    // Neither the name of a server nor that of a tool is kept free of the separator, so every place may be the one.
    let (rest, separator) = if let Some(rest) = tool.name.strip_prefix("mcp__") {
        (rest, "__")
    } else if let Some(rest) = tool.name.strip_prefix("mcp_") {
        (rest, "_")
    } else if tool.name.contains('/') {
        (&*tool.name, "/")
    } else {
        (&*tool.name, "-")
    };
    if !sure {
        for (at, _) in rest.match_indices(separator) {
            let reading = (rest[..at].to_owned(), rest[at + separator.len()..].to_owned());
            if !reading.0.is_empty() && !reading.1.is_empty() && !call.readings.contains(&reading) {
                call.readings.push(reading);
            }
        }
    }
    // A rule that names only the tool still matches.
    if call.readings.is_empty() {
        call.readings.push((String::new(), tool.name.clone().into_owned()));
    }
    if let Some(input) = event.input() {
        all_texts(input, 0, &mut |key, text| call.args.push((key.to_owned().into(), text.into_owned())));
    }
    Some(call)
}

/// Every string in the arguments, with the key that it follows.
fn all_texts<'e>(value: payload::Json<'e>, depth: u32, found: &mut impl FnMut(&str, Cow<'e, str>)) {
    // Deeper than the arguments of any tool; an agent writes them, and must not decide how deep this goes.
    if depth > 8 {
        return;
    }
    let mut each = |key: &str, value: payload::Json<'e>| match value.kind() {
        JsonType::String => {
            if let Some(text) = value.as_str() {
                found(key, text);
            }
        }
        // A policy writes its patterns as strings: `args = { force = "true" }`.
        JsonType::Bool | JsonType::Number => found(key, Cow::Borrowed(value.text())),
        JsonType::Array => {
            for element in value.elements() {
                match element.as_str() {
                    Some(text) => found(key, text),
                    None => all_texts(element, depth + 1, found),
                }
            }
        }
        JsonType::Object => all_texts(value, depth + 1, found),
        JsonType::Null => {}
    };
    for (key, value) in value.members() {
        each(&key, value);
    }
}
