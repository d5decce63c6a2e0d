//! Copilot CLI: `--allow-tool`, `--deny-tool` and the like on a command line, or `permissions-config.json`.
//!
//! `copilot help permissions` of 1.0.102 says what the forms mean; its runtime holds the keys of the file.

use host::tree::Node;
use shell::Surroundings;

use crate::draft::{Draft, Effect, Example, Kind};
use crate::words::{self, Reach};
use crate::{About, Broken, Found, Permission, claude, json, pattern, vscode};

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    if found.text.trim_start().starts_with(['{', '/']) { file(found) } else { options(found) }
}

/// Options that open more than one door.
const OPEN: &[(&str, &str)] = &[
    ("--allow-all-tools", "every tool runs without a question"),
    ("--allow-all", "everything runs without a question, anywhere"),
    ("--yolo", "everything runs without a question, anywhere"),
    ("--allow-all-paths", "every file of the machine is open"),
    ("--allow-all-urls", "every address is open"),
];

/// Options with a value that are not rules.
const SETTINGS: &[&str] = &["--available-tools", "--excluded-tools", "--add-dir", "--disable-mcp-server"];

fn options(found: &mut Found<'_>) -> Result<(), Broken> {
    let text = found.text;
    // Read as a shell reads it: values stand in quotes.
    let analysis = shell::analyze(text, Surroundings::default());
    let mut any = false;
    for atom in &analysis.atoms {
        let mut args = atom.args.iter().peekable();
        let start = atom.span.start as usize;
        while let Some(arg) = args.next() {
            let (name, inline) = match arg.text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (arg.text.as_str(), None),
            };
            let effect = match name {
                "--allow-tool" | "--allow-url" => Some(Effect::Allow),
                "--deny-tool" | "--deny-url" => Some(Effect::Deny),
                _ => None,
            };
            let open = OPEN.iter().find(|(option, _)| *option == name);
            let setting = SETTINGS.contains(&name);
            if effect.is_none() && open.is_none() && !setting {
                continue;
            }
            any = true;
            let mut values = Vec::new();
            if let Some(value) = inline {
                values.push(value);
            } else if open.is_none() {
                // One option may be given several values.
                while let Some(value) = args.next_if(|next| !next.text.starts_with('-')) {
                    values.push(value.text.clone());
                }
            }
            // The place in the text as it was given, for the report.
            let at = text[start.min(text.len())..].find(name).map_or(start, |at| start + at);
            let shown = format!("{name} {}", values.join(" "));
            let entry = found.entry(at, shown.trim_end());
            if let Some((_, why)) = open {
                found.leaky(&entry, *why);
                found.left(&entry, "nothing is allowed as a whole");
            } else if setting {
                found.left(&entry, "a setting of the host, not a rule");
            }
            let Some(effect) = effect else { continue };
            if values.is_empty() {
                return Err(found.broken(at, format!("`{name}` has no value")));
            }
            for value in values.iter().flat_map(|value| separated(value)) {
                let place = text[at..].find(&value).map_or(at, |offset| at + offset);
                let entry = found.entry(place, value.clone());
                if arg.text.contains("url") {
                    vscode::url(found, Permission { entry: &entry, effect }, &value);
                } else {
                    tool(found, Permission { entry: &entry, effect }, &value);
                }
            }
        }
    }
    if any { Ok(()) } else { Err(found.broken(0, "no --allow-tool, --deny-tool or similar option")) }
}

/// Values with commas between them, where these are not in brackets.
fn separated(value: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0u32);
    for c in value.chars() {
        match c {
            // A command may have commas of its own: `shell(echo a,b)`.
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = all.last_mut() {
            last.push(c);
        }
    }
    all.into_iter().map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

/// `kind(argument)`
fn tool(found: &mut Found<'_>, permission: Permission<'_>, value: &str) {
    let Permission { entry, effect } = permission;
    let (kind, argument) = match value.split_once('(') {
        Some((kind, rest)) => match rest.strip_suffix(')') {
            Some(argument) => (kind.trim(), Some(argument.trim()).filter(|argument| !argument.is_empty())),
            None => return found.left(entry, "the bracket is not closed"),
        },
        None => (value.trim(), None),
    };
    match (kind, argument) {
        ("shell", None) => claude::every(found, permission),
        ("shell", Some(command)) => {
            let begins = command.strip_suffix(":*");
            identifier(found, permission, begins.unwrap_or(command), begins.is_some());
        }
        ("write", path) => write(found, permission, path),
        ("read", _) if effect == Effect::Allow => found.left(entry, "the host never asks about reading"),
        ("read", path) => {
            found.leaky(entry, "`cat` and other commands read the same files");
            file_rule(found, permission, "read", path);
        }
        ("url", None) if effect == Effect::Allow => found.left(entry, "it allows every address"),
        ("url", None) => claude::net(found, permission, "*"),
        ("url", Some(address)) => vscode::url(found, permission, address),
        ("memory", _) => found.left(entry, "policies have no rules about notes of the model"),
        ("", _) => found.left(entry, "it names no tool"),
        (server, tool) => claude::server_tool(found, permission, server, tool),
    }
}

/// A command as the host names it: the program, for git and gh with the sub-command.
fn identifier(found: &mut Found<'_>, permission: Permission<'_>, command: &str, stem: bool) {
    let Permission { entry, effect } = permission;
    let words = command.split_ascii_whitespace().count();
    let program = command.split_ascii_whitespace().next().unwrap_or_default();
    // For other programs, the host compares the first word only.
    if words > 1 && !stem && !matches!(program, "git" | "gh") {
        found.leaky(entry, "the host knows sub-commands of git and gh only, so it had no effect");
        if effect == Effect::Allow {
            return found
                .left(entry, "the host knows sub-commands of git and gh only, so it allowed nothing");
        }
    }
    words::command(found, permission, command, Reach::Begins);
}

fn write(found: &mut Found<'_>, permission: Permission<'_>, path: Option<&str>) {
    if permission.effect == Effect::Deny {
        found.leaky(permission.entry, "commands write files as well, and bypassed it");
    }
    file_rule(found, permission, "write", path);
}

fn file_rule(found: &mut Found<'_>, permission: Permission<'_>, access: &'static str, path: Option<&str>) {
    let Permission { entry, effect } = permission;
    let allows = effect == Effect::Allow;
    let any = match path {
        // The host looks at paths by itself: outside of its folders it asks.
        None if allows => vec!["./**".to_owned()],
        // What allows stays inside the repository; what holds back holds everywhere.
        None => vec!["**".to_owned()],
        Some(path) if path.contains(['*', '?', '[', ']', '{', '}']) => {
            return found.lost(permission, About::Files, "wildcards in paths are literal there");
        }
        Some(path) if path.starts_with(['/', '~']) => vec![path.to_owned()],
        Some(path) if allows => vec![format!("./**/{}", path.trim_start_matches("./"))],
        Some(path) => vec![format!("**/{}", path.trim_start_matches("./"))],
    };
    if allows && path.is_none_or(|path| !path.starts_with(['/', '~'])) {
        found.stricter(entry, "only inside the repository");
    }
    // Who may not write a file may not delete it either. An allow goes no further than what it says.
    let access_of = if access == "write" && !allows { vec!["write", "delete"] } else { vec![access] };
    let example = if any[0].ends_with("**") {
        "README.md".to_owned()
    } else {
        pattern::sample(any[0].trim_start_matches("./"))
    };
    let mut draft = Draft::new(permission, Kind::Path { access: access_of, any, except: Vec::new() });
    draft.matches.push(Example::Path(access, example));
    if allows {
        draft.tools.push(access);
        draft.spares.push(Example::Path(access, "/etc/made-up".to_owned()));
    }
    found.drafts.push(draft);
}

/// `permissions-config.json`: what was approved, for each folder.
fn file(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    let folders = root.at("locations").unwrap_or(&root);
    let mut any = false;
    for member in folders.members() {
        let Some(approvals) = member.node.at("tool_approvals") else { continue };
        any = true;
        let folder = member.key.trim_end_matches('/').to_owned();
        let Some(approvals) = approvals.elements() else {
            return Err(found.broken(approvals.span.start, "`tool_approvals` must be a list"));
        };
        for approval in approvals {
            let before = found.drafts.len();
            approved(found, approval)?;
            for draft in &mut found.drafts[before..] {
                // What was approved in one folder was approved for the folders in it as well, and for no
                // other.
                draft.folders = vec![folder.clone(), format!("{folder}/**")];
            }
        }
        if let Some(other) = member.node.get("allowed_directories") {
            let shown = format!("allowed_directories: {}", json::written(found, &other.node));
            let entry = found.entry(other.key_span.start, shown);
            found.left(&entry, "which folders the host opens stays in its settings");
        }
    }
    if any { Ok(()) } else { Err(found.broken(root.span.start, "this file has no `tool_approvals`")) }
}

fn approved(found: &mut Found<'_>, approval: &Node) -> Result<(), Broken> {
    let text = |key: &str| approval.at(key).and_then(Node::text);
    let Some(kind) = text("kind") else {
        return Err(found.broken(approval.span.start, "an approval has no `kind`"));
    };
    let entry = found.entry(approval.span.start, json::written(found, approval));
    match kind {
        "commands" => {
            let list = approval.at("commandIdentifiers").and_then(Node::elements);
            let Some(list) = list else {
                return Err(found.broken(approval.span.start, "`commandIdentifiers` must be a list"));
            };
            for node in list {
                let Some(command) = node.text() else {
                    return Err(found.broken(node.span.start, "a command must be a string"));
                };
                let entry = found.entry(node.span.start, command);
                let permission = Permission { entry: &entry, effect: Effect::Allow };
                identifier(found, permission, command.trim_end_matches(":*"), command.ends_with(":*"));
            }
        }
        "write" => write(found, Permission { entry: &entry, effect: Effect::Allow }, None),
        "read" => found.left(&entry, "the host never asks about reading"),
        "mcp" => {
            let (server, tool) = (text("serverName"), text("toolName"));
            let Some(server) = server else {
                return Err(found.broken(approval.span.start, "it has no `serverName`"));
            };
            claude::server_tool(found, Permission { entry: &entry, effect: Effect::Allow }, server, tool);
        }
        kind => found.left(&entry, format!("policies have no rules about `{kind}`")),
    }
    Ok(())
}
