//! Claude Code's `permissions`: `allow`, `ask` and `deny` with `Tool` or `Tool(what)`.
//!
//! Read: Claude Code 2.1.329's documentation, and what its rules are known to match: strings of commands, split at
//! operators, after a fixed list of wrappers; paths as in git's ignore files.

use host::tree::{Node, Value};
use payload::quote;

use crate::draft::{Draft, Effect, Example, Kind, Run};
use crate::words::{self, Reach};
use crate::{About, Broken, Entry, Found, Permission, expression, json, managed, pattern};

/// Qwen Code's `permissions` of `.qwen/settings.json`: the same rules, under the same names of tools.
pub(crate) fn qwen(found: &mut Found<'_>) -> Result<(), Broken> {
    found.names_hosts = true;
    read(found)
}

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    let Some(permissions) = root.at("permissions") else {
        return Err(found.broken(root.span.start, "these settings have no `permissions`"));
    };
    if !permissions.is_object() {
        return Err(found.broken(permissions.span.start, "`permissions` must be an object"));
    }
    for member in permissions.members() {
        let effect = match member.key.as_str() {
            "allow" => Effect::Allow,
            "ask" => Effect::Ask,
            "deny" => Effect::Deny,
            key => {
                let entry = found
                    .entry(member.key_span.start, format!("{key}: {}", json::written(found, &member.node)));
                other(found, &entry, key, &member.node);
                continue;
            }
        };
        let Some(rules) = member.node.elements() else {
            return Err(found.broken(member.node.span.start, format!("`{}` must be a list", member.key)));
        };
        for node in rules {
            let Some(rule) = node.text() else {
                return Err(found.broken(node.span.start, "a rule is a string such as \"Bash(git push:*)\""));
            };
            let entry = found.entry(node.span.start, rule);
            one(found, Permission { entry: &entry, effect }, rule);
        }
    }
    if let Some(off) = root.get("disableAllHooks").filter(|member| member.node.truth() == Some(true)) {
        let entry = found.entry(off.key_span.start, "disableAllHooks: true");
        found.leaky(&entry, "with this, no hook runs, and no policy takes effect");
    }
    // Not an error: the rules are carried over, and work once hooks do.
    Ok(())
}

/// A setting that is not a list of rules.
fn other(found: &mut Found<'_>, entry: &Entry, key: &str, node: &Node) {
    match (key, &node.value) {
        ("defaultMode", Value::Text(mode)) => {
            if mode == "bypassPermissions" {
                found.leaky(entry, "everything runs without a question");
            }
            found.left(entry, "a mode of the host: it stays in its settings");
        }
        ("additionalDirectories", _) => {
            found.left(
                entry,
                "which folders the host opens stays in its settings; a policy decides what may be touched",
            );
        }
        _ => found.left(entry, "a setting of the host, not a rule"),
    }
}

fn one(found: &mut Found<'_>, permission: Permission<'_>, rule: &str) {
    let Permission { entry, effect } = permission;
    let (tool, what) = match rule.trim().split_once('(') {
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(what) => (tool.trim(), Some(what.trim()).filter(|what| !what.is_empty())),
            None => return found.left(entry, "the bracket is not closed: the host ignores it"),
        },
        None => (rule.trim(), None),
    };
    match (tool, what) {
        ("Bash" | "PowerShell", what) => bash(found, permission, what.unwrap_or("*")),
        ("Read", what) => path(found, permission, "read", what),
        ("Edit", what) => path(found, permission, "write", what),
        ("Write" | "MultiEdit" | "NotebookEdit", Some(_)) if effect == Effect::Allow => {
            found.left(entry, "the host never looks at paths of this tool: `Edit(…)` is meant");
        }
        ("Write" | "MultiEdit" | "NotebookEdit", what) => {
            if what.is_some() {
                found.leaky(entry, "the host never looks at paths of this tool, so it held nothing back");
            }
            path(found, permission, "write", what);
        }
        ("Glob" | "Grep" | "LS", what) => {
            if effect == Effect::Allow {
                return found.left(entry, "the host never asks about searches");
            }
            path(found, permission, "read", what);
        }
        ("WebFetch", what) => fetch(found, permission, what),
        ("Agent" | "Task", Some(name)) => {
            let mut draft = Draft::new(permission, Kind::Agent { callee: words::escaped(name) });
            draft.matches.push(Example::Agent(name.to_owned()));
            draft.spares.push(Example::Agent("made-up".to_owned()));
            found.drafts.push(draft);
        }
        ("Agent" | "Task", None) => {
            let mut draft = Draft::new(permission, Kind::Agent { callee: "*".to_owned() });
            draft.matches.push(Example::Agent("any".to_owned()));
            found.drafts.push(draft);
        }
        (tool, None) if tool.starts_with("mcp__") => mcp(found, permission, tool),
        (tool, Some(_)) if tool.starts_with("mcp__") => found.left(entry, "MCP rules have no brackets"),
        ("", _) => found.left(entry, "it names no tool"),
        ("*", _) => {
            let why = "it covers every tool: `[defaults] unmatched` comes closest";
            found.lost(permission, About::Everything, why);
        }
        (tool, _) => found.left(entry, format!("policies have no rules about `{tool}`")),
    }
}

fn bash(found: &mut Found<'_>, permission: Permission<'_>, what: &str) {
    let Permission { entry, effect } = permission;
    if what == "*" || what == ":*" {
        return every(found, permission);
    }
    let begins = what.strip_suffix(":*").or_else(|| what.strip_suffix(" *"));
    match begins.map(str::trim) {
        Some(words) if !words.contains('*') => words::command(found, permission, words, Reach::Begins),
        None if !what.contains('*') => words::command(found, permission, what, Reach::Exact),
        _ if effect == Effect::Allow => {
            found.left(
                entry,
                "`*` in the middle stands for any words, also for options that change what it does",
            );
        }
        _ => wildcard(found, permission, what),
    }
}

/// A string with `*` in it: the text of every command, as the host looks at it.
pub(crate) fn wildcard(found: &mut Found<'_>, permission: Permission<'_>, what: &str) {
    let entry = permission.entry;
    // As above: `git:*` stands for `git *`.
    let what = what.strip_suffix(":*").map_or_else(|| what.to_owned(), |begin| format!("{begin} *"));
    let parts: Vec<String> = what.split('*').map(expression::escape).collect();
    let mut draft = Draft::new(permission, Kind::Text(format!(r"(?s)^\s*{}$", parts.join(".*"))));
    draft.matches.push(Example::Command(what.replace('*', "x")));
    draft.spares.push(Example::Command("made-up".to_owned()));
    found.leaky(
        entry,
        "it compares strings: other spacing, quotes, options in another order and full paths bypass it",
    );
    found.drafts.push(draft);
}

/// A rule about every command.
pub(crate) fn every(found: &mut Found<'_>, permission: Permission<'_>) {
    let Permission { entry, effect } = permission;
    if effect == Effect::Allow {
        return found.left(entry, "it allows every command");
    }
    let run = Run { program: vec!["*".to_owned()], ..Run::default() };
    let mut draft = Draft::new(permission, Kind::Run(vec![run]));
    draft.matches.push(Example::Command("ls".to_owned()));
    found.drafts.push(draft);
}

/// `//x` is a path of the machine, `~/x` of the user, `/x` of the project, anything else of the folder in which the
/// host was started.
pub(crate) fn path(
    found: &mut Found<'_>,
    permission: Permission<'_>,
    access: &'static str,
    what: Option<&str>,
) {
    let Permission { entry, effect } = permission;
    let allows = effect == Effect::Allow;
    // These mean every file, however they are written.
    let any = match what.filter(|what| !matches!(*what, "*" | "**" | "//**")) {
        None if allows => return found.left(entry, "it allows every file of the machine"),
        None => vec!["**".to_owned()],
        Some(what) => {
            if what.contains(['{', '}']) {
                let why = "braces are literal there, but mean alternatives here";
                return found.lost(permission, About::Files, why);
            }
            if let Some(rest) = what.strip_prefix("//") {
                pattern::ignored(&format!("/{rest}"), "").iter().map(|path| format!("/{path}")).collect()
            } else if let Some(rest) = what.strip_prefix("~/") {
                // As in gitignore, a pattern without a slash fits at any depth; below `~` it is meant right there.
                let rest = if rest.contains('/') { rest.to_owned() } else { format!("/{rest}") };
                pattern::ignored(&rest, "~")
            } else if what.starts_with('/') && (found.of_project || !allows) {
                pattern::ignored(what, "")
            } else if what.starts_with('/') {
                return found.left(
                    entry,
                    "it is relative to the folder of its settings, which may not be a repository",
                );
            } else if allows {
                return found.left(
                    entry,
                    "it is relative to the folder in which the host was started: use `/…`, relative to the project, instead",
                );
            } else {
                let what = what.strip_prefix("./").unwrap_or(what);
                let mut all = pattern::ignored(what, "");
                // Wherever the host was started.
                let deeper: Vec<String> =
                    all.iter().filter(|one| !one.starts_with("**")).map(|one| format!("**/{one}")).collect();
                if !deeper.is_empty() {
                    found.stricter(entry, "now below any folder, as the host may be started in any");
                }
                all.extend(deeper);
                all
            }
        }
    };
    let example = pattern::sample(&any[0]);
    let example = if any[0] == "**" { "README.md".to_owned() } else { example };
    // Whoever forbids writing does not want the file deleted either.
    let access_of = if access == "write" && !allows { vec!["write", "delete"] } else { vec![access] };
    let mut draft =
        Draft::new(permission, Kind::Path { access: access_of, any: any.clone(), except: Vec::new() });
    if allows {
        draft.tools.push(access);
    } else {
        found.leaky(
            entry,
            if access == "read" {
                "commands read the same files (`cat`, `grep`, `cp`, scripts): the host sees few of them"
            } else {
                "commands write the same files (`tee`, `sed -i`, `>`, `cp`): the host sees few of them"
            },
        );
        let command = if access == "read" { "cat" } else { "rm" };
        draft.matches.push(Example::Path(access, example.clone()));
        draft.matches.push(Example::Command(format!("{command} {}", shell_word(&example))));
    }
    if draft.matches.is_empty() {
        draft.matches.push(Example::Path(access, example));
    }
    if any[0] != "**" {
        // Each rule needs an example that it leaves alone: a path that no one has written a pattern for.
        draft.spares.push(Example::Path(access, "made-up/elsewhere.made-up".to_owned()));
    }
    found.drafts.push(draft);
}

/// A path as one word of a command; `~` stands for itself in quotes.
fn shell_word(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '~' | '+' | '@');
    if path.chars().all(plain) { path.to_owned() } else { quote(path).into_owned() }
}

fn fetch(found: &mut Found<'_>, permission: Permission<'_>, what: Option<&str>) {
    let Permission { entry, effect } = permission;
    let host = match what {
        None | Some("domain:*") if effect == Effect::Allow => {
            return found.left(entry, "it allows every address");
        }
        None => "*",
        // Qwen Code names the host alone.
        Some(what) if found.names_hosts && is_host(what) => {
            return managed::domain(found, permission, Some(what));
        }
        Some(what) => match what.strip_prefix("domain:").map(str::trim).filter(|host| is_host(host)) {
            Some(host) => host,
            None => {
                return found
                    .left(entry, "`WebFetch(domain:example.com)` is the only form that the host reads");
            }
        },
    };
    net(found, permission, host);
}

/// Whether a string is a host, perhaps with a wildcard.
pub(crate) fn is_host(host: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '*' | '_');
    !host.is_empty() && host.chars().all(known)
}

/// A rule about a host: for whatever fetches, if it holds back, and for fetch tools alone, if it allows.
pub(crate) fn net(found: &mut Found<'_>, permission: Permission<'_>, host: &str) {
    let Permission { entry, effect } = permission;
    let mut draft = Draft::new(permission, Kind::Net { hosts: vec![host.to_ascii_lowercase()] });
    // The example needs a name that fits the wildcard.
    let name = host.replace("*.", "x.").replace('*', "example.com");
    draft.matches.push(Example::Url(format!("https://{name}/")));
    if effect == Effect::Allow {
        draft.tools.push("fetch");
    } else {
        draft.matches.push(Example::Command(format!("curl https://{name}/")));
        found.leaky(entry, format!("`curl https://{name}/` and whatever else a command fetches bypassed it"));
    }
    if host != "*" {
        draft.spares.push(Example::Url("https://made-up.invalid/".to_owned()));
    }
    found.drafts.push(draft);
}

fn mcp(found: &mut Found<'_>, permission: Permission<'_>, rule: &str) {
    let rest = &rule["mcp__".len()..];
    // Two underscores: the server's own name may have single ones.
    let (server, tool) = match rest.split_once("__") {
        Some((server, tool)) => (server, Some(tool).filter(|tool| *tool != "*")),
        None => (rest, None),
    };
    server_tool(found, permission, server, tool);
}

/// A rule about a tool of an MCP server.
pub(crate) fn server_tool(
    found: &mut Found<'_>,
    permission: Permission<'_>,
    server: &str,
    tool: Option<&str>,
) {
    let Permission { entry, effect } = permission;
    let odd = |text: &str| text.is_empty() || text.contains(['{', '}', '[', ']', '\\', '?', '/']);
    if odd(server) || tool.is_some_and(odd) {
        return found.lost(permission, About::Mcp, "the name of the server or of the tool is invalid");
    }
    if effect == Effect::Allow && server.contains('*') {
        return found.left(entry, "it allows tools of every server");
    }
    let kind = Kind::Mcp { server: server.to_owned(), tool: tool.map(str::to_owned) };
    let mut draft = Draft::new(permission, kind);
    let example = |text: &str| text.replace('*', "x");
    draft.matches.push(Example::Mcp(example(server), tool.map_or_else(|| "any".to_owned(), example)));
    draft.spares.push(Example::Mcp("made-up".to_owned(), "made-up".to_owned()));
    found.drafts.push(draft);
}
