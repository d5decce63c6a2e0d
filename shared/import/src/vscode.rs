//! VS Code's `chat.tools.terminal.autoApprove`, `chat.tools.edits.autoApprove` and `chat.tools.urls.autoApprove`.
//!
//! By source: a key is the beginning of a sub-command (`^key\b`) or `/regex/flags`; `false` asks, and wins; of the
//! patterns for edits the last that fits counts.

use host::tree::{Node, Value};
use payload::quote;

use crate::draft::{Draft, Effect, Example, Kind};
use crate::words::{self, Reach};
use crate::{About, Broken, Found, Permission, claude, expression, json, pattern};

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    let mut any = false;
    for member in root.members() {
        let node = &member.node;
        match member.key.as_str() {
            "chat.tools.terminal.autoApprove" | "github.copilot.chat.agent.terminal.allowList" => {
                any = true;
                object(found, &member.key, node)?;
                terminal(found, node)?;
            }
            "chat.tools.edits.autoApprove" => {
                any = true;
                object(found, &member.key, node)?;
                edits(found, node)?;
            }
            "chat.tools.urls.autoApprove" => {
                any = true;
                object(found, &member.key, node)?;
                urls(found, node);
            }
            key if key.starts_with("chat.tools.") && key.to_ascii_lowercase().contains("autoapprove") => {
                any = true;
                let entry =
                    found.entry(member.key_span.start, format!("{key}: {}", json::written(found, node)));
                if node.truth() == Some(true) && key.ends_with("autoApprove") {
                    found.leaky(&entry, "every tool runs without a question");
                }
                found.left(&entry, "a setting of the host, not a rule");
            }
            _ => {}
        }
    }
    if !any {
        return Err(found.broken(root.span.start, "these settings have no `chat.tools.….autoApprove`"));
    }
    Ok(())
}

fn object(found: &Found<'_>, key: &str, node: &Node) -> Result<(), Broken> {
    if node.is_object() {
        Ok(())
    } else {
        Err(found.broken(node.span.start, format!("`{key}` must be an object")))
    }
}

fn terminal(found: &mut Found<'_>, node: &Node) -> Result<(), Broken> {
    for member in node.members() {
        let value = json::written(found, &member.node).to_owned();
        let entry = found.entry(member.key_span.start, format!("{}: {value}", member.key));
        let (approve, line) = match &member.node.value {
            Value::Null => {
                found.left(&entry, "it removes a default of the host, and decides nothing itself");
                continue;
            }
            Value::Bool(approve) => (*approve, false),
            Value::Object(_) => {
                let flag = |key: &str| member.node.at(key).and_then(Node::truth);
                let Some(approve) = flag("approve") else {
                    found.left(&entry, "it has no `approve`");
                    continue;
                };
                (approve, flag("matchCommandLine") == Some(true))
            }
            _ => {
                return Err(found.broken(member.node.span.start, "expected true, false, null or an object"));
            }
        };
        if approve && line {
            found.leaky(
                &entry,
                "it is compared with the whole line, so that `; anything` after it runs as well",
            );
        }
        let effect = if approve { Effect::Allow } else { Effect::Ask };
        match regex(&member.key) {
            Some((pattern, flags)) => expressed(found, Permission { entry: &entry, effect }, pattern, flags),
            None if member.key.trim().is_empty() => found.left(&entry, "it names no command"),
            None => {
                words::command(found, Permission { entry: &entry, effect }, member.key.trim(), Reach::Begins);
            }
        }
    }
    Ok(())
}

/// `/pattern/flags`
fn regex(key: &str) -> Option<(&str, &str)> {
    let (pattern, flags) = key.strip_prefix('/')?.rsplit_once('/')?;
    // The flags of JavaScript. With any other letter it is the path of a program.
    let known = flags.chars().all(|flag| "dgimsuvy".contains(flag));
    (known && !pattern.is_empty()).then_some((pattern, flags))
}

/// An expression: as the commands that it lists, or as a string.
pub(crate) fn expressed(found: &mut Found<'_>, permission: Permission<'_>, pattern: &str, flags: &str) {
    let Permission { entry, effect } = permission;
    if effect == Effect::Allow {
        // Upper case would be allowed as well, and our words are compared as they are written.
        let listed = expression::commands(pattern).filter(|_| !flags.contains('i'));
        let listed: Option<Vec<(Vec<String>, bool)>> = listed
            .and_then(|all| all.into_iter().map(|(text, open)| Some((words::split(&text)?, open))).collect());
        let Some(listed) = listed else {
            return found
                .left(entry, "a regular expression allows strings, and more of them than meets the eye");
        };
        for (words, open) in listed {
            let reach = if open { Reach::Begins } else { Reach::Exact };
            words::allow(found, entry, &words, reach);
        }
        return;
    }
    let listed = expression::commands(pattern).unwrap_or_default();
    let listed: Vec<_> = listed.iter().filter_map(|(text, _)| words::split(text)).collect();
    match expression::known(pattern, flags) {
        Ok(known) => {
            let mut draft = Draft::new(permission, Kind::Text(known.pattern));
            draft.matches.push(Example::Command(known.sample));
            // A rule about strings needs an example of each kind.
            draft.spares.push(Example::Command("made-up".to_owned()));
            found.leaky(
                entry,
                "it compares strings: full paths, wrappers, quotes and options in another order bypass it",
            );
            found.drafts.push(draft);
        }
        Err(why) if listed.is_empty() => return found.lost(permission, About::Commands, why),
        Err(_) => {}
    }
    // Where it is a list of commands, also by what they mean.
    for words in listed {
        words::restrict(found, permission, &words, Reach::Begins);
    }
}

fn edits(found: &mut Found<'_>, node: &Node) -> Result<(), Broken> {
    let mut rules = Vec::new();
    for member in node.members() {
        let value = json::written(found, &member.node).to_owned();
        let entry = found.entry(member.key_span.start, format!("{}: {value}", member.key));
        match member.node.value {
            Value::Bool(approve) => rules.push((entry, member.key.as_str(), approve)),
            Value::Null => found.left(&entry, "it removes a default of the host, and decides nothing itself"),
            _ => return Err(found.broken(member.node.span.start, "expected true or false")),
        }
    }
    for at in 0..rules.len() {
        let (entry, glob, approve) = &rules[at];
        // Of all that fit, the last counts.
        let later: Vec<String> = rules[at + 1..]
            .iter()
            // A later one with the same answer changes nothing.
            .filter(|(_, _, other)| other != approve)
            .flat_map(|(_, glob, _)| if *approve { everywhere(glob) } else { vec![inside(glob)] })
            .collect();
        let any = if *approve { vec![inside(glob)] } else { everywhere(glob) };
        if glob.is_empty() {
            found.left(entry, "it names no file");
            continue;
        }
        let effect = if *approve { Effect::Allow } else { Effect::Ask };
        let example = pattern::sample(any[0].trim_start_matches("./"));
        // The host asks before edits; a deletion is one that leaves nothing.
        let access = if *approve { vec!["write"] } else { vec!["write", "delete"] };
        let mut draft = Draft::new(Permission { entry, effect }, Kind::Path { access, any, except: later });
        draft.matches.push(Example::Path("write", example.clone()));
        if *approve {
            draft.tools.push("write");
            draft
                .spares
                .push(Example::Path("write", format!("/made-up/{}", example.trim_start_matches('/'))));
            found.stricter(entry, "only inside the repository, where the host means its workspace");
        } else {
            found.leaky(
                entry,
                "commands in the terminal write the same files: the host asks about them elsewhere",
            );
            draft.matches.push(Example::Command(format!("rm {}", quote(&example))));
            draft.spares.push(Example::Path("write", "made-up/elsewhere.made-up".to_owned()));
        }
        found.drafts.push(draft);
    }
    Ok(())
}

/// A pattern of files in the repository.
fn inside(glob: &str) -> String {
    format!("./{}", glob.trim_start_matches("./").trim_start_matches('/'))
}

/// A pattern of files wherever they are.
fn everywhere(glob: &str) -> Vec<String> {
    if glob.starts_with("**") || glob.starts_with('/') || glob.starts_with("~/") {
        vec![glob.to_owned()]
    } else {
        // What holds back may become wider: the folder that the host was started in is not known.
        let glob = glob.trim_start_matches("./");
        vec![glob.to_owned(), format!("**/{glob}")]
    }
}

fn urls(found: &mut Found<'_>, node: &Node) {
    for member in node.members() {
        let value = json::written(found, &member.node).to_owned();
        let entry = found.entry(member.key_span.start, format!("{}: {value}", member.key));
        let approve = match &member.node.value {
            Value::Bool(approve) => Some(*approve),
            Value::Object(_) => member.node.at("approveRequest").and_then(Node::truth),
            _ => None,
        };
        let Some(approve) = approve else {
            found.left(&entry, "it says nothing about requests");
            continue;
        };
        let effect = if approve { Effect::Allow } else { Effect::Ask };
        url(found, Permission { entry: &entry, effect }, &member.key);
    }
}

/// A rule about an address.
pub(crate) fn url(found: &mut Found<'_>, permission: Permission<'_>, address: &str) {
    let Permission { entry, effect } = permission;
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let bare = host.split(':').next().unwrap_or(host);
    if !claude::is_host(bare) {
        return found.lost(permission, About::Hosts, "it names no host");
    }
    // Our rules know hosts, neither ports nor paths.
    let whole = matches!(path, "" | "*" | "**") && host == bare;
    if effect == Effect::Allow {
        if !whole {
            return found.left(entry, "rules are about hosts, and this allows a part of one");
        }
        if address.contains("://") {
            return found.left(entry, "rules are about hosts, whatever the scheme: this allows only one");
        }
        if bare == "*" {
            return found.left(entry, "it allows every address");
        }
    } else if !whole {
        found.stricter(entry, "now for the whole host");
    }
    claude::net(found, permission, bare);
}
