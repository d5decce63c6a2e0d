//! OpenCode's `permission` of `opencode.json`, and the ordered `permissions` of its second version.
//!
//! By opencode.ai/docs/permissions: the last rule that matches wins; `*` is any text, also with slashes, `?` one character; a
//! pattern that ends in ` *` is the command without arguments as well.

use host::tree::Node;

use crate::draft::{Draft, Effect, Example, Kind};
use crate::words::{self, Reach};
use crate::{About, Broken, Found, Permission, claude, json, managed, vscode};

/// A rule, in its place.
struct Said {
    at: usize,
    tool: String,
    pattern: String,
    effect: Effect,
}

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    let mut all = Vec::new();
    if let Some(permissions) = root.at("permissions") {
        second(found, permissions, &mut all)?;
    } else if let Some(permission) = root.at("permission") {
        first(found, permission, &mut all)?;
    } else {
        return Err(
            found.broken(root.span.start, "these settings have neither `permission` nor `permissions`")
        );
    }
    for (index, said) in all.iter().enumerate() {
        let entry =
            found.entry(said.at, format!("{}: {} = {}", said.tool, said.pattern, said.effect.as_str()));
        // What a later rule opens again is opened by no rule of ours: denials win, wherever they stand.
        let opened = |later: &Said| {
            later.tool == said.tool
                && later.effect == Effect::Allow
                && said.effect != Effect::Allow
                && later.pattern != said.pattern
        };
        let opens = all[index + 1..].iter().any(opened);
        if opens && said.pattern == "*" {
            found.left(&entry, "later rules open parts of it: `[defaults] unmatched` comes closest");
            continue;
        }
        if opens
            && all[index + 1..].iter().any(|later| opened(later) && overlaps(&later.pattern, &said.pattern))
        {
            found.stricter(&entry, "a later rule that allows a part of it no longer does");
        }
        one(found, Permission { entry: &entry, effect: said.effect }, &said.tool, &said.pattern);
    }
    Ok(())
}

/// Whether two patterns may be about the same, as far as what stands before their wildcards tells.
fn overlaps(one: &str, other: &str) -> bool {
    let fixed = |text: &str| text.split(['*', '?']).next().unwrap_or_default().to_owned();
    let (one, other) = (fixed(one), fixed(other));
    one.starts_with(&other) || other.starts_with(&one)
}

fn effect(found: &Found<'_>, node: &Node) -> Result<Effect, Broken> {
    match node.text() {
        Some("allow") => Ok(Effect::Allow),
        Some("ask") => Ok(Effect::Ask),
        Some("deny") => Ok(Effect::Deny),
        _ => Err(found.broken(node.span.start, "it must be \"allow\", \"ask\" or \"deny\"")),
    }
}

/// `"permission": "ask"`, `{ "bash": "ask" }`, `{ "bash": { "git *": "allow" } }`
fn first(found: &Found<'_>, node: &Node, all: &mut Vec<Said>) -> Result<(), Broken> {
    if !node.is_object() {
        let effect = effect(found, node)?;
        all.push(Said { at: node.span.start, tool: "*".to_owned(), pattern: "*".to_owned(), effect });
        return Ok(());
    }
    for member in node.members() {
        let (at, tool) = (member.key_span.start, member.key.clone());
        if !member.node.is_object() {
            let effect = effect(found, &member.node)?;
            all.push(Said { at, tool, pattern: "*".to_owned(), effect });
            continue;
        }
        for rule in member.node.members() {
            let effect = effect(found, &rule.node)?;
            all.push(Said { at: rule.key_span.start, tool: tool.clone(), pattern: rule.key.clone(), effect });
        }
    }
    Ok(())
}

/// `[{ "action": "shell", "resource": "git *", "effect": "allow" }]`
fn second(found: &Found<'_>, node: &Node, all: &mut Vec<Said>) -> Result<(), Broken> {
    let Some(rules) = node.elements() else {
        return Err(found.broken(node.span.start, "`permissions` must be a list of rules"));
    };
    for rule in rules {
        let text = |key: &str| rule.at(key).and_then(Node::text);
        let (Some(tool), Some(pattern), Some(said)) = (text("action"), text("resource"), rule.at("effect"))
        else {
            return Err(found.broken(rule.span.start, "a rule has `action`, `resource` and `effect`"));
        };
        let effect = effect(found, said)?;
        all.push(Said { at: rule.span.start, tool: tool.to_owned(), pattern: pattern.to_owned(), effect });
    }
    Ok(())
}

fn one(found: &mut Found<'_>, permission: Permission<'_>, tool: &str, pattern: &str) {
    let Permission { entry, effect } = permission;
    match tool {
        "*" => {
            let why = "it covers every tool: `[defaults] unmatched` comes closest";
            if effect == Effect::Deny {
                found.lost(permission, About::Everything, why);
            } else {
                found.left(entry, why);
            }
        }
        "bash" | "shell" => shell(found, permission, pattern),
        "read" | "edit" | "write" | "glob" | "grep" | "list" => {
            if effect == Effect::Allow && matches!(tool, "glob" | "grep" | "list") {
                return found.left(entry, "searches are not asked about");
            }
            let access = if matches!(tool, "edit" | "write") { "write" } else { "read" };
            // `*` goes past slashes there.
            let pattern =
                if pattern == "*" { "**".to_owned() } else { pattern.replace("**", "*").replace('*', "**") };
            let pattern = pattern.strip_prefix("$HOME/").map_or(pattern.clone(), |rest| format!("~/{rest}"));
            managed::files(found, permission, access, &pattern);
        }
        "webfetch" if pattern == "*" => managed::domain(found, permission, None),
        "webfetch" => vscode::url(found, permission, pattern),
        "task" | "subagent" => {
            let name = if pattern == "*" { "any" } else { pattern };
            let mut draft = Draft::new(permission, Kind::Agent { callee: pattern.to_owned() });
            draft.matches.push(Example::Agent(name.replace('*', "x")));
            if pattern != "*" {
                draft.spares.push(Example::Agent("made-up".to_owned()));
            }
            found.drafts.push(draft);
        }
        tool => found.left(entry, format!("policies have no rules about `{tool}`")),
    }
}

fn shell(found: &mut Found<'_>, permission: Permission<'_>, pattern: &str) {
    if pattern == "*" {
        return claude::every(found, permission);
    }
    match pattern.strip_suffix(" *") {
        Some(begins) if !begins.contains(['*', '?']) => {
            words::command(found, permission, begins, Reach::Begins);
        }
        None if !pattern.contains(['*', '?']) => words::command(found, permission, pattern, Reach::Exact),
        _ if permission.effect == Effect::Allow => found.left(
            permission.entry,
            "`*` in the middle stands for any words, also for options that change what it does",
        ),
        _ => claude::wildcard(found, permission, pattern),
    }
}
