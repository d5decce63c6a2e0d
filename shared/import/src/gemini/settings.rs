//! Gemini CLI's `settings.json`: which tools there are, which run without a question, and which servers.
//!
//! By `docs/reference/configuration.md` of 0.61.0: a tool has its own name or that of its class; what stands in brackets
//! after the shell is the beginning of a command's text. The old names of the keys stand at the top.

use host::tree::{Member, Node};

use super::of_tool;
use crate::draft::Effect;
use crate::words::{self, Reach};
use crate::{About, Broken, Entry, Found, Permission, claude, json};

/// What a list says.
#[derive(Clone, Copy)]
enum Says {
    /// This about its tools.
    Tools(Effect),
    /// There are none of its servers.
    NoServers,
    /// There is nothing but what it names.
    Only(About),
}

/// The lists: their group and key, and the key that they had before.
const LISTS: [(&str, &str, &str, Says); 5] = [
    ("tools", "exclude", "excludeTools", Says::Tools(Effect::Deny)),
    ("tools", "allowed", "allowedTools", Says::Tools(Effect::Allow)),
    ("tools", "core", "coreTools", Says::Only(About::Everything)),
    ("mcp", "excluded", "excludeMCPServers", Says::NoServers),
    ("mcp", "allowed", "allowMCPServers", Says::Only(About::Mcp)),
];

/// Settings that say when someone is asked.
const MODES: [(&str, &str); 3] =
    [("tools", "autoAccept"), ("general", "defaultApprovalMode"), ("security", "disableYoloMode")];

pub(super) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    let mut any = false;
    for (group, key, old, says) in LISTS {
        let own = root.at(group).and_then(|group| group.get(key));
        // Under both names: the host still reads the old one.
        for member in own.into_iter().chain(root.get(old)) {
            any = true;
            list(found, says, member)?;
        }
    }
    for (group, key) in MODES {
        if let Some(member) = root.at(group).and_then(|group| group.get(key)) {
            any = true;
            let entry = shown(found, member);
            found.left(&entry, "a setting of the host, not a rule");
        }
    }
    for server in root.at("mcpServers").map(Node::members).into_iter().flatten() {
        for key in ["trust", "includeTools", "excludeTools"] {
            if let Some(member) = server.node.get(key) {
                any = true;
                of_server(found, &server.key, member)?;
            }
        }
    }
    if any {
        return Ok(());
    }
    let message = "no `tools`, `mcp` or `mcpServers` says what may run";
    Err(found.broken(root.span.start, message))
}

fn shown(found: &Found<'_>, member: &Member) -> Entry {
    found.entry(member.key_span.start, format!("{}: {}", member.key, json::written(found, &member.node)))
}

/// The strings of a list, each as an entry.
fn texts(found: &Found<'_>, member: &Member) -> Result<Vec<(Entry, String)>, Broken> {
    let Some(nodes) = member.node.elements() else {
        return Err(found.broken(member.node.span.start, format!("`{}` must be a list", member.key)));
    };
    let text = |node: &Node| match node.text() {
        Some(text) => Ok((found.entry(node.span.start, format!("{}: {text}", member.key)), text.to_owned())),
        None => Err(found.broken(node.span.start, "the name of a tool or of a server must be a string")),
    };
    nodes.iter().map(text).collect()
}

fn list(found: &mut Found<'_>, says: Says, member: &Member) -> Result<(), Broken> {
    let texts = texts(found, member)?;
    match says {
        Says::Tools(effect) => {
            for (entry, text) in texts {
                tool(found, Permission { entry: &entry, effect }, &text);
            }
        }
        Says::NoServers => {
            for (entry, server) in texts {
                claude::server_tool(found, Permission { entry: &entry, effect: Effect::Deny }, &server, None);
            }
        }
        Says::Only(about) => {
            // One entry for the whole list: what it leaves out cannot be named by a rule.
            let entry = shown(found, member);
            let why = "nothing else is available then: a policy says what may not run, and `[defaults] unmatched` comes closest";
            found.lost(Permission { entry: &entry, effect: Effect::Deny }, about, why);
        }
    }
    Ok(())
}

/// `Tool`, or `Tool(beginning of a command)`.
fn tool(found: &mut Found<'_>, permission: Permission<'_>, text: &str) {
    let (name, what) = match text.trim().split_once('(') {
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(what) => (name.trim(), Some(what.trim()).filter(|what| !what.is_empty())),
            None => return found.lost(permission, About::Commands, "the bracket is not closed"),
        },
        None => (text.trim(), None),
    };
    let name = own_name(name);
    match (name, what) {
        ("run_shell_command", Some(command)) => words::command(found, permission, command, Reach::Begins),
        (_, Some(_)) => {
            found.lost(permission, About::Everything, "only the shell has something in brackets");
        }
        (name, None) => of_tool(found, permission, name),
    }
}

/// The name of a tool, which may be given as that of its class.
fn own_name(name: &str) -> &str {
    match name {
        "ShellTool" => "run_shell_command",
        "WriteFileTool" => "write_file",
        "EditTool" | "SmartEditTool" => "replace",
        "ReadFileTool" => "read_file",
        "ReadManyFilesTool" => "read_many_files",
        "LSTool" => "list_directory",
        "GlobTool" => "glob",
        "GrepTool" | "RipGrepTool" => "grep_search",
        "WebFetchTool" => "web_fetch",
        "WebSearchTool" => "google_web_search",
        name => name,
    }
}

fn of_server(found: &mut Found<'_>, server: &str, member: &Member) -> Result<(), Broken> {
    let entry = shown(found, member);
    match member.key.as_str() {
        "trust" => {
            if member.node.truth() == Some(true) {
                found.leaky(&entry, "every tool of this server runs without a question");
            }
            found.left(&entry, "a setting of the host, not a rule");
        }
        "includeTools" => {
            let why = "nothing else is available then: name the others in `excludeTools`";
            found.lost(Permission { entry: &entry, effect: Effect::Deny }, About::Mcp, why);
        }
        _ => {
            for (entry, tool) in texts(found, member)? {
                // `tool(argument)` takes the tool as a whole.
                let tool = tool.split('(').next().unwrap_or_default().trim();
                claude::server_tool(
                    found,
                    Permission { entry: &entry, effect: Effect::Deny },
                    server,
                    Some(tool),
                );
            }
        }
    }
    Ok(())
}
