//! Examples of rules as calls.

use std::borrow::Cow;

use payload::{Access, Host};

use crate::action::{Action, AgentStart, McpCall};
use crate::error::{Problem, nearest};
use crate::language;
use crate::model::ToolWord;
use crate::read::fields::known_word;
use crate::read::matchers::{ACCESS, HOSTS};
use crate::toml::{Item, Value};

/// A call that an example describes.
#[derive(Debug, Clone, Default)]
pub(super) struct Example<'e> {
    /// How it reads.
    pub(super) title: String,
    /// The command, if it is one.
    pub(super) command: Option<&'e str>,
    pub(super) action: Action<'e>,
}

/// The folder in which examples happen, where they do not say.
pub(super) const CWD: &str = "/home/user/project";
/// The home folder of examples.
pub(super) const HOME: &str = "/home/user";

/// Decodes an example, or says what is wrong with it, and where.
pub(super) fn example<'e>(item: &'e Item<'_>) -> Result<Example<'e>, (u32, Problem)> {
    let wrong = |at: u32, key: &str, wanted, value: &Value<'_>| {
        Err((at, Problem::WrongType { key: key.to_owned(), wanted, found: value.kind() }))
    };
    let Value::Table(table) = &item.value else {
        let Value::Text(text) = &item.value else {
            return wrong(
                item.at,
                "an example",
                "a command, or a table such as { tool = \"read\", path = \"x\" }",
                &item.value,
            );
        };
        let action = Action::command(text, Some(CWD));
        return Ok(Example { title: text.clone().into_owned(), command: Some(text), action });
    };
    let mut example =
        Example { action: Action { cwd: Some(CWD), ..Action::default() }, ..Example::default() };
    let mut access = None;
    let mut path = None;
    for entry in &table.entries {
        let known = language::keys("example");
        if !known.contains(&&*entry.key) {
            let nearest = nearest(&entry.key, known.into_iter());
            let key = entry.key.clone().into_owned();
            return Err((entry.at, Problem::UnknownKey { key, table: "example", nearest }));
        }
        if entry.key == "args" {
            arguments(&entry.item.value, &mut example.action.mcp);
            continue;
        }
        let Value::Text(text) = &entry.item.value else {
            return wrong(entry.item.at, &entry.key, "a string", &entry.item.value);
        };
        let word = |known: &'static [&'static str]| {
            let at = entry.item.at;
            known_word(&entry.key, text, known).map_err(|problem| (at, problem))
        };
        let action = &mut example.action;
        match &*entry.key {
            "command" => {
                let shell = Action::command(text, action.cwd);
                action.tool = ToolWord::Shell;
                action.commands = shell.commands;
                example.command = Some(text);
            }
            "tool" => {
                (action.tool, access) = match word(ACCESS)? {
                    "read" => (ToolWord::Read, Some(Access::Read)),
                    "delete" => (ToolWord::Write, Some(Access::Delete)),
                    _ => (ToolWord::Write, Some(Access::Write)),
                };
            }
            "path" => path = Some(text),
            "url" => {
                action.tool = ToolWord::Fetch;
                action.urls.push(Cow::Borrowed(text));
            }
            "mcp" => {
                let Some((server, tool)) = text.split_once('/') else {
                    return wrong(entry.item.at, "mcp", "SERVER/TOOL", &entry.item.value);
                };
                action.tool = ToolWord::Mcp;
                let call = action.mcp.get_or_insert_with(McpCall::default);
                call.readings = vec![(server.to_owned(), tool.to_owned())];
            }
            "agent" => {
                action.tool = ToolWord::Agent;
                let name = (!text.is_empty()).then(|| Cow::Borrowed(&**text));
                action.agent = Some(AgentStart { name });
            }
            "caller" => action.agent_type = Some(Cow::Borrowed(text)),
            "host" => action.host = word(HOSTS)?.parse::<Host>().unwrap_or(action.host),
            "mode" => action.mode = Some(Cow::Borrowed(text)),
            "branch" => action.branch = Some(text),
            "cwd" => action.cwd = Some(text),
            _ => {}
        }
    }
    if let Some(path) = path {
        example.action.paths.push((Cow::Borrowed(path), access.unwrap_or(Access::Read)));
    }
    example.title = title(&example, path.map(|path| &**path));
    Ok(example)
}

fn title(example: &Example<'_>, path: Option<&str>) -> String {
    let action = &example.action;
    let mcp = action.mcp.as_ref().and_then(|call| call.readings.first());
    if let Some(command) = example.command {
        command.to_owned()
    } else if let Some(path) = path {
        format!("{:?} {path}", action.paths.first().map_or(Access::Read, |(_, access)| *access))
            .to_lowercase()
    } else if let Some(url) = action.urls.first() {
        format!("fetch {url}")
    } else if let Some((server, tool)) = mcp {
        format!("mcp {server}/{tool}")
    } else {
        let name = action.agent.as_ref().and_then(|start| start.name.as_deref()).unwrap_or("without a name");
        format!("agent {name}")
    }
}

fn arguments<'e>(value: &'e Value<'_>, call: &mut Option<McpCall<'e>>) {
    let Value::Table(table) = value else { return };
    let call = call.get_or_insert_with(McpCall::default);
    for entry in &table.entries {
        if let Value::Text(text) = &entry.item.value {
            call.args.push((Cow::Borrowed(&*entry.key), text.clone().into_owned()));
        }
    }
}
