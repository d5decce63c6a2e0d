//! GitHub's managed permissions for Copilot: `permissions` of `managed-settings.json`, with `Shell()`, `Read()`, `Edit()` and
//! `Domain()`.
//!
//! By GitHub's reference of enterprise managed settings (docs.github.com, November 2026): `deny` over `ask` over `allow`;
//! `Shell(git push *)` is a beginning, anything else the whole text; `//` is the root of the machine, `/` that of the
//! workspace; `*.example.com` is `example.com` as well.

use host::tree::Node;

use crate::draft::{Draft, Effect, Example, Kind};
use crate::words::{self, Reach};
use crate::{About, Broken, Found, Permission, claude, json, vscode};

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    // All of them are of a workspace: that is what `/` means there.
    found.of_project = true;
    lists(found, &root, one)
}

/// What one rule of a list comes to.
pub(crate) type One = fn(&mut Found<'_>, Permission<'_>, &str, Option<&str>);

/// Each rule of `permissions`, as `Tool` or `Tool(what)`.
pub(crate) fn lists(found: &mut Found<'_>, root: &Node, one: One) -> Result<(), Broken> {
    let Some(permissions) = root.at("permissions").filter(|node| node.is_object()) else {
        return Err(found.broken(root.span.start, "these settings have no object `permissions`"));
    };
    for member in permissions.members() {
        let effect = match member.key.as_str() {
            "allow" => Effect::Allow,
            "ask" => Effect::Ask,
            "deny" => Effect::Deny,
            // What else stands there is a setting of the host, and stays in force there.
            _ => continue,
        };
        // Teams may have a list of their own: `{ "overridable": […] }`.
        let list = member.node.at("overridable").unwrap_or(&member.node);
        let Some(rules) = list.elements() else {
            return Err(found.broken(list.span.start, format!("`{}` must be a list", member.key)));
        };
        for node in rules {
            let Some(rule) = node.text() else {
                return Err(found.broken(node.span.start, "a rule is a string such as \"Shell(git push *)\""));
            };
            let entry = found.entry(node.span.start, rule);
            match split(rule) {
                Some((tool, what)) => one(found, Permission { entry: &entry, effect }, tool, what),
                None => found.left(&entry, "the bracket is not closed"),
            }
        }
    }
    Ok(())
}

/// `Tool(what)`
fn split(rule: &str) -> Option<(&str, Option<&str>)> {
    match rule.trim().split_once('(') {
        Some((tool, rest)) => {
            Some((tool.trim(), Some(rest.strip_suffix(')')?.trim()).filter(|what| !what.is_empty())))
        }
        None => Some((rule.trim(), None)),
    }
}

fn one(found: &mut Found<'_>, permission: Permission<'_>, tool: &str, what: Option<&str>) {
    let entry = permission.entry;
    match tool {
        "Shell" | "Bash" | "PowerShell" => match what {
            None | Some("*") => claude::every(found, permission),
            Some(what) => match what.strip_suffix(" *").or_else(|| what.strip_suffix(":*")) {
                Some(begins) => words::command(found, permission, begins.trim(), Reach::Begins),
                None => words::command(found, permission, what, Reach::Exact),
            },
        },
        "Read" => claude::path(found, permission, "read", what),
        "Edit" | "Write" => claude::path(found, permission, "write", what),
        "Domain" => domain(found, permission, what),
        "" => found.left(entry, "it names no selector"),
        tool => found.left(entry, format!("policies have no rules about `{tool}`")),
    }
}

/// A host, with its sub-domains where it begins with `*.`.
pub(crate) fn domain(found: &mut Found<'_>, permission: Permission<'_>, what: Option<&str>) {
    let Permission { entry, effect } = permission;
    let allows = effect == Effect::Allow;
    let host = match what {
        None | Some("*") if allows => return found.left(entry, "it allows every address"),
        None | Some("*") => return claude::net(found, permission, "*"),
        Some(what) if what.contains(['/', ':']) => return vscode::url(found, permission, what),
        Some(what) => what.to_ascii_lowercase(),
    };
    if !claude::is_host(&host) {
        return found.lost(permission, About::Hosts, "it names no host");
    }
    let Some(base) = host.strip_prefix("*.").filter(|base| !base.contains('*')) else {
        return claude::net(found, permission, &host);
    };
    let mut draft = Draft::new(permission, Kind::Net { hosts: vec![host.clone(), base.to_owned()] });
    for name in [base.to_owned(), format!("x.{base}")] {
        draft.matches.push(Example::Url(format!("https://{name}/")));
        if allows {
            draft.tools = vec!["fetch"];
        } else {
            draft.matches.push(Example::Command(format!("curl https://{name}/")));
        }
    }
    draft.spares.push(Example::Url("https://made-up.invalid/".to_owned()));
    if !allows {
        found.leaky(entry, format!("`curl https://{base}/` and whatever else a command fetches bypassed it"));
    }
    found.drafts.push(draft);
}

/// A pattern of files as most hosts write it: from the root of the workspace, `/` for the machine's, `~/` for the user's.
pub(crate) fn files(found: &mut Found<'_>, permission: Permission<'_>, access: &'static str, pattern: &str) {
    let Permission { entry, effect } = permission;
    let allows = effect == Effect::Allow;
    if pattern.contains(['{', '}', '[', ']', '\\']) && allows {
        return found.left(entry, "brackets may mean something else there");
    }
    let bare = pattern.strip_prefix("./").unwrap_or(pattern);
    let whole = matches!(bare, "*" | "**" | "**/*");
    if whole && allows {
        return found.left(entry, "it allows every file");
    }
    let mut any = vec![if whole { "**".to_owned() } else { bare.to_owned() }];
    if !allows && !whole && !bare.starts_with(['/', '~']) && !bare.starts_with("**") {
        // Wherever in the workspace the host was started.
        any.push(format!("**/{bare}"));
        found.stricter(entry, "now below any folder, as the host may be started in any");
    }
    let path = if whole { "README.md".to_owned() } else { crate::pattern::sample(bare) };
    let access_of = if access == "write" && !allows { vec!["write", "delete"] } else { vec![access] };
    let mut draft = Draft::new(permission, Kind::Path { access: access_of, any, except: Vec::new() });
    draft.matches.push(Example::Path(access, path));
    if allows {
        draft.tools.push(access);
    } else {
        found.leaky(
            entry,
            "commands reach the same files (`cat`, `tee`, `cp`, scripts): the host sees few of them",
        );
    }
    if !whole {
        draft.spares.push(Example::Path(access, "made-up/elsewhere.made-up".to_owned()));
    }
    found.drafts.push(draft);
}
