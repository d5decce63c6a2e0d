//! Cursor's `permissions` of `.cursor/cli.json` and `~/.cursor/cli-config.json`: `allow` and `deny` with `Shell()`, `Read()`,
//! `Write()`, `WebFetch()` and `Mcp()`.
//!
//! By cursor.com/docs/cli/reference/permissions: `Shell(git)` is the first word of a command line, `Shell(curl:*)` says what
//! follows it; paths are globs from the root of the workspace; `deny` wins.

use crate::draft::Effect;
use crate::words::{self, Reach};
use crate::{About, Broken, Found, Permission, claude, json, managed};

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let root = json::object(found)?;
    managed::lists(found, &root, one)
}

fn one(found: &mut Found<'_>, permission: Permission<'_>, tool: &str, what: Option<&str>) {
    let Permission { entry, effect } = permission;
    match (tool, what) {
        ("Shell", None | Some("*" | "**")) => claude::every(found, permission),
        ("Shell", Some(what)) => shell(found, permission, what),
        ("Read", what) => managed::files(found, permission, "read", what.unwrap_or("**")),
        ("Write", what) => managed::files(found, permission, "write", what.unwrap_or("**")),
        ("WebFetch", what) => managed::domain(found, permission, what),
        ("Mcp", Some(what)) => {
            let (server, tool) = what.split_once(':').or_else(|| what.split_once(',')).unwrap_or((what, "*"));
            let tool = Some(tool.trim()).filter(|tool| *tool != "*");
            if server.trim() == "*" && tool.is_none() && effect == Effect::Allow {
                return found.left(entry, "it allows tools of every server");
            }
            claude::server_tool(found, permission, server.trim(), tool);
        }
        ("Mcp", None) => found.lost(permission, About::Mcp, "it names no server"),
        (tool, _) => found.left(entry, format!("policies have no rules about `{tool}`")),
    }
}

/// `git`, `git:status*`, `npm run test`
fn shell(found: &mut Found<'_>, permission: Permission<'_>, what: &str) {
    let (program, rest) = what.split_once(':').unwrap_or((what, "*"));
    let rest = rest.trim();
    let words = match rest.strip_suffix('*').map(str::trim_end) {
        Some("") => (program.to_owned(), Reach::Begins),
        // `git:status*` may be `git statusx` there; ours is the word.
        Some(begins) if !begins.contains('*') => (format!("{program} {begins}"), Reach::Begins),
        None if !rest.contains('*') => (format!("{program} {rest}"), Reach::Exact),
        _ => {
            let why = "`*` in the middle stands for any words, also for options that change what it does";
            return found.lost(permission, About::Commands, why);
        }
    };
    if words.0.contains(['*', '?']) {
        return found.lost(permission, About::Commands, "it names no one program");
    }
    words::command(found, permission, &words.0, words.1);
}
