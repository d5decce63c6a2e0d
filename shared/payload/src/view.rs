//! Other typed views on a tool call: addresses, MCP servers, sub-agents.

use std::borrow::Cow;

use crate::event::Event;
use crate::field::Field;
use crate::json::{Json, JsonType};
use crate::tool::ToolKind;

/// A call of a tool that an MCP server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpCall<'a> {
    /// The server's name as the host writes it.
    pub server: Cow<'a, str>,
    /// The tool's name.
    pub tool: Cow<'a, str>,
}

/// A sub-agent that a tool call starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStart<'a> {
    /// The agent's type or name; `None` when the call leaves it to the host.
    pub name: Option<Cow<'a, str>>,
    /// Its instructions.
    pub prompt: Option<Cow<'a, str>>,
}

impl Event<'_> {
    /// The server and tool of a call to an MCP tool.
    ///
    /// Forms: `mcp__server__tool` (Claude, Codex), `mcp_server_tool` (VS Code, Gemini; a server with `_` in its name is
    /// cut at the first), `server/tool` (Copilot's permission requests), `server-tool` (Copilot; `None` when there is more
    /// than one `-`, because then it is not clear where the server's name ends). Claude's `mcp_server` field wins.
    pub fn mcp(&self) -> Option<McpCall<'_>> {
        let tool = self.tool.as_ref().filter(|tool| tool.kind == ToolKind::Mcp)?;
        let name: &str = &tool.name;
        let call = |server, tool| Some(McpCall { server, tool });
        let named = self
            .field(Field::McpServer)
            .and_then(|server| server.as_str().or_else(|| server.get_str("name")));
        if let Some(server) = named {
            let tool =
                name.strip_prefix("mcp__").and_then(|rest| rest.strip_prefix(&*server)?.strip_prefix("__"));
            return call(server, Cow::Borrowed(tool.unwrap_or(name)));
        }
        let parts = if let Some(rest) = name.strip_prefix("mcp__") {
            rest.split_once("__")
        } else if let Some(rest) = name.strip_prefix("mcp_") {
            rest.split_once('_')
        } else if name.contains('/') {
            name.rsplit_once('/')
        } else if self.host.traits().dashed_servers && name.matches('-').count() == 1 {
            name.split_once('-')
        } else {
            None
        };
        let (server, tool) = parts.filter(|(server, tool)| !server.is_empty() && !tool.is_empty())?;
        call(Cow::Borrowed(server), Cow::Borrowed(tool))
    }

    /// The sub-agent that the tool call starts: `runSubagent` (VS Code), `task` (Copilot), `Agent` and `Task` (Claude),
    /// `invoke_agent` (Gemini), `spawn_agent` (Codex).
    ///
    /// A `name` in the arguments is what the call is to be known by, and no agent's. Tools that each start one agent of
    /// their own (`search_subagent`) give their name to it.
    pub fn agent_started(&self) -> Option<AgentStart<'_>> {
        let tool = self.tool.as_ref().filter(|tool| tool.kind == ToolKind::Agent)?;
        let input = self.input();
        let first =
            |keys: &[&str]| keys.iter().find_map(|key| input?.get_str(key)).filter(|text| !text.is_empty());
        let own = matches!(&*tool.name, "search_subagent" | "execution_subagent" | "explore_subagent")
            .then(|| Cow::Borrowed(&*tool.name));
        Some(AgentStart {
            name: own.or_else(|| {
                first(&["subagent_type", "agent_type", "agentType", "agentName", "agent_name", "agent"])
            }),
            prompt: first(&["prompt", "query", "task", "message", "description"]),
        })
    }

    /// The network addresses that the tool call would fetch (or fetched), in the order of the payload.
    ///
    /// In fetch tools also those inside a string (Gemini's `web_fetch` takes a prompt), in other tools only arguments that
    /// are an address as a whole. Addresses in shell commands and in file contents are not here.
    pub fn urls(&self) -> Vec<Cow<'_, str>> {
        let mut found = Vec::new();
        let kind = self.tool_kind();
        let fetch = kind == ToolKind::Fetch;
        let looks =
            fetch || matches!(kind, ToolKind::Mcp | ToolKind::Other | ToolKind::Ide | ToolKind::Shell);
        if let Some(input) = self.scope().filter(|_| looks && self.kind.may_carry_tool()) {
            walk(input, fetch, false, &mut found);
        }
        found
    }
}

fn walk<'e>(value: Json<'e>, fetch: bool, named: bool, found: &mut Vec<Cow<'e, str>>) {
    match value.kind() {
        JsonType::Object => {
            for (key, value) in value.members() {
                // In a fetch tool the address may lack its scheme.
                let named = fetch && matches!(&*key, "url" | "urls" | "uri" | "href");
                walk(value, fetch, named, found);
            }
        }
        JsonType::Array => value.elements().for_each(|element| walk(element, fetch, named, found)),
        JsonType::String => {
            let Some(text) = value.as_str() else { return };
            if named || (is_address(&text) && !text.contains(char::is_whitespace)) {
                found.push(text);
            } else if fetch {
                found.extend(addresses_in(&text).map(|address| Cow::Owned(address.to_owned())));
            }
        }
        _ => {}
    }
}

/// Whether a string starts with a network scheme.
fn is_address(text: &str) -> bool {
    ["http://", "https://", "ftp://", "ws://", "wss://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// The addresses inside a string.
fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    let edge = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '[' | ']' | '`' | ',')
    };
    // A sentence ends with signs that an address hardly does.
    text.split(edge).filter(|word| is_address(word)).map(|word| word.trim_end_matches(['.', ';', '!', '?']))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Event, Hints, parse};

    fn claude(tool: &str, input: &str) -> String {
        format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
        )
    }

    fn copilot(tool: &str) -> String {
        format!(r#"{{"sessionId":"s","timestamp":1,"toolName":"{tool}","toolArgs":{{}}}}"#)
    }

    fn event(text: &str) -> Event<'_> {
        parse(text.as_bytes(), Hints::default()).unwrap()
    }

    #[test]
    fn mcp_names_of_every_host() {
        let cases = [
            (claude("mcp__my-srv__do_thing", "{}"), Some(("my-srv", "do_thing"))),
            (claude("mcp__plugin_p_s__a__b", "{}"), Some(("plugin_p_s", "a__b"))),
            (claude("mcp_github_create_issue", "{}"), Some(("github", "create_issue"))),
            (copilot("mockmcp/do_thing"), Some(("mockmcp", "do_thing"))),
            (copilot("mockmcp-do_thing"), Some(("mockmcp", "do_thing"))),
            (copilot("my-srv-do_thing"), None),
            (claude("some-tool", "{}"), None),
            (claude("mcp__only", "{}"), None),
            (claude("Bash", "{}"), None),
        ];
        for (text, expected) in cases {
            let event = event(&text);
            let found = event.mcp();
            assert_eq!(found.as_ref().map(|call| (&*call.server, &*call.tool)), expected, "{text}");
        }
        let text = claude("mcp__a__b__c", "{}")
            .replace("\"session_id\"", r#""mcp_server":{"name":"a__b"},"session_id""#);
        let event = event(&text);
        let call = event.mcp().unwrap();
        assert_eq!((&*call.server, &*call.tool), ("a__b", "c"));
    }

    #[test]
    fn agents_and_addresses() {
        let text = claude("Agent", r#"{"description":"d","prompt":"look","subagent_type":"Explore"}"#);
        let started = event(&text);
        let started = started.agent_started().unwrap();
        assert_eq!((started.name.as_deref(), started.prompt.as_deref()), (Some("Explore"), Some("look")));
        assert_eq!(event(&claude("Bash", "{}")).agent_started(), None);
        for (tool, input, name) in [
            ("runSubagent", r#"{"agentName":"Plan"}"#, Some("Plan")),
            ("task", r#"{"agent_type":"explore","name":"n"}"#, Some("explore")),
            ("task", r#"{"agent_type":"","name":"n"}"#, None),
            ("Agent", r#"{"name":"n"}"#, None),
            ("Task", r#"{"subagent_type":"x"}"#, Some("x")),
            ("invoke_agent", r#"{"agent_name":"x"}"#, Some("x")),
            ("run_subagent", r#"{"agentName":"x"}"#, Some("x")),
            ("delegate_to_agent", r#"{"agent_name":"x"}"#, Some("x")),
            ("search_subagent", r#"{"query":"x"}"#, Some("search_subagent")),
        ] {
            let text = claude(tool, input);
            let event = event(&text);
            assert_eq!(event.agent_started().unwrap().name.as_deref(), name, "{tool} {input}");
        }

        for (tool, input, expected) in [
            (
                "fetch_webpage",
                r#"{"urls":["https://a.test/x","b.test"],"query":"x"}"#,
                &["https://a.test/x", "b.test"][..],
            ),
            (
                "web_fetch",
                r#"{"prompt":"read <https://a.test/1>, then HTTP://b.test."}"#,
                &["https://a.test/1", "HTTP://b.test"],
            ),
            ("WebFetch", r#"{"url":"https://a.test","prompt":"sum"}"#, &["https://a.test"]),
            (
                "mcp__web__get",
                r#"{"to":{"where":"https://a.test"},"note":"see https://b.test"}"#,
                &["https://a.test"],
            ),
            ("Bash", r#"{"command":"curl https://a.test"}"#, &[]),
            ("Write", r#"{"content":"https://a.test"}"#, &[]),
        ] {
            let text = claude(tool, input);
            assert_eq!(event(&text).urls(), expected, "{tool}");
        }
    }
}
