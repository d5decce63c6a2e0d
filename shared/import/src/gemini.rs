//! Gemini CLI's policies: TOML with `[[rule]]`; and what its settings say about tools.
//!
//! By `docs/reference/policy-engine.md` of 0.61.0: the rule of the highest priority counts; a prefix is compared with
//! the text of a command after its split at operators; patterns are compared with the arguments as JSON.

mod settings;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::draft::{Draft, Effect, Example, Kind};
use crate::words::{self, Reach};
use crate::{About, Broken, Entry, Found, Permission, claude, vscode};

/// Keys of a rule.
const KEYS: &[&str] = &[
    "name",
    "toolName",
    "mcpName",
    "subagent",
    "toolAnnotations",
    "argsPattern",
    "commandPrefix",
    "commandRegex",
    "decision",
    "priority",
    "denyMessage",
    "deny_message",
    "modes",
    "interactive",
    "allowRedirection",
    "allow_redirection",
    "description",
];

pub(crate) fn read(found: &mut Found<'_>) -> Result<(), Broken> {
    let text = found.text;
    if text.trim_start().starts_with(['{', '/']) {
        return settings::read(found);
    }
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        found.broken(at, format!("this is not TOML: {}", error.message()))
    })?;
    let mut any = false;
    let mut tops: Vec<_> = table.get_ref().iter().collect();
    // A table comes in any order; the report follows the text.
    tops.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in tops {
        if key.get_ref() != "rule" {
            let entry = found.entry(key.span().start, key.get_ref().to_string());
            found.lost(
                Permission { entry: &entry, effect: Effect::Deny },
                About::Everything,
                "only `[[rule]]` is carried over",
            );
            any |= key.get_ref() == "safety_checker";
            continue;
        }
        let DeValue::Array(rules) = value.get_ref() else {
            return Err(found.broken(value.span().start, "`rule` must be a list of tables: use [[rule]]"));
        };
        any = true;
        let mut tables: Vec<Rule<'_>> =
            rules.iter().map(|rule| Rule::read(found, rule)).collect::<Result<_, _>>()?;
        // All of them first: what one of them says depends on the priorities of the others.
        let allows = tables.iter().filter(|rule| rule.effect == Effect::Allow);
        let lowest = allows.map(|rule| rule.priority).min();
        for rule in &mut tables {
            rule.over_an_allow = lowest.is_some_and(|lowest| lowest <= rule.priority);
        }
        for rule in &tables {
            let over = |other: &Rule<'_>| {
                other.effect == Effect::Allow && other.priority > rule.priority && other.may_meet(rule)
            };
            let higher = rule.effect != Effect::Allow && tables.iter().any(over);
            rule.carry(found, higher);
        }
    }
    if any { Ok(()) } else { Err(found.broken(0, "this file has no [[rule]]")) }
}

struct Rule<'t> {
    entry: Entry,
    effect: Effect,
    priority: i64,
    /// Whether something is allowed with no higher priority.
    over_an_allow: bool,
    table: &'t DeTable<'t>,
}

/// Strings: one, or a list of them.
fn texts(found: &Found<'_>, value: &Spanned<DeValue<'_>>, key: &str) -> Result<Vec<String>, Broken> {
    let one = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        _ => Err(found.broken(value.span().start, format!("`{key}` must be a string"))),
    };
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(one).collect(),
        _ => Ok(vec![one(value)?]),
    }
}

impl<'t> Rule<'t> {
    fn read(found: &Found<'_>, rule: &'t Spanned<DeValue<'t>>) -> Result<Self, Broken> {
        let DeValue::Table(table) = rule.get_ref() else {
            return Err(found.broken(rule.span().start, "a rule must be a table"));
        };
        let mut start = rule.span().start;
        for (key, value) in table {
            start = start.min(key.span().start);
            let textual = [
                "toolName",
                "mcpName",
                "subagent",
                "argsPattern",
                "commandPrefix",
                "commandRegex",
                "modes",
                "decision",
                "denyMessage",
            ];
            // Wrong types are found here, with their place, so that later on they are known to be strings.
            if textual.contains(&&**key.get_ref()) {
                texts(found, value, key.get_ref())?;
            }
        }
        let decision = match table.get("decision") {
            Some(value) => texts(found, value, "decision")?.pop().unwrap_or_default(),
            None => return Err(found.broken(start, "a rule has no `decision`")),
        };
        let effect = match decision.as_str() {
            "allow" => Effect::Allow,
            "ask_user" => Effect::Ask,
            "deny" => Effect::Deny,
            other => {
                let at = table.get("decision").map_or(start, |value| value.span().start);
                return Err(
                    found.broken(at, format!("unknown decision `{other}`: use allow, deny or ask_user"))
                );
            }
        };
        let priority = match table.get("priority").map(Spanned::get_ref) {
            Some(DeValue::Integer(number)) => {
                i64::from_str_radix(number.as_str(), number.radix()).unwrap_or(0)
            }
            _ => 0,
        };
        let shown = |key: &str| {
            let all = table.get(key).and_then(|value| texts(found, value, key).ok())?;
            Some(format!("{key} {}", all.join(", ")))
        };
        let about: Vec<String> =
            ["toolName", "mcpName", "subagent", "commandPrefix", "commandRegex", "argsPattern"]
                .into_iter()
                .filter_map(shown)
                .collect();
        let entry = found.entry(start, format!("{decision}: {}", about.join("; ")));
        Ok(Self { entry, effect, priority, over_an_allow: false, table })
    }

    /// The strings of a key; nothing where it is not there.
    fn texts(&self, key: &str) -> Vec<String> {
        let Some(value) = self.table.get(key) else { return Vec::new() };
        let one = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => None,
        };
        match value.get_ref() {
            DeValue::Array(list) => list.iter().filter_map(one).collect(),
            _ => one(value).into_iter().collect(),
        }
    }

    /// The tools that it is about.
    fn tools(&self) -> Vec<String> {
        if self.has("commandPrefix") || self.has("commandRegex") {
            return vec!["run_shell_command".to_owned()];
        }
        if self.has("mcpName") { vec!["mcp_*".to_owned()] } else { self.texts("toolName") }
    }

    /// Whether both may be about one call.
    fn may_meet(&self, other: &Self) -> bool {
        let (own, others) = (self.tools(), other.tools());
        let mcp = |tool: &String| tool.starts_with("mcp_");
        own.iter().any(|one| {
            one == "*" || others.iter().any(|other| other == "*" || other == one || mcp(one) && mcp(other))
        })
    }

    fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    fn carry(&self, found: &mut Found<'_>, higher: bool) {
        let entry = &self.entry;
        let allows = self.effect == Effect::Allow;
        let modes = self.texts("modes");
        // With every mode named, nothing is restricted.
        let some_modes = self.has("modes")
            && !modes.is_empty()
            && !["default", "autoEdit", "plan", "yolo"]
                .iter()
                .all(|mode| modes.iter().any(|one| one == mode));
        for (given, what) in [
            (some_modes, "`modes`"),
            (self.has("interactive"), "`interactive`"),
            (self.has("subagent"), "`subagent`"),
        ] {
            if !given {
                continue;
            }
            if allows {
                return found.left(entry, format!("{what} restricts it, which no hook learns"));
            }
            found.stricter(entry, format!("without {what}, which no hook learns"));
        }
        if self.has("toolAnnotations") {
            return found.lost(
                self.permission(),
                About::Everything,
                "hooks do not learn what a tool says of itself",
            );
        }
        if higher {
            found.stricter(entry, "an `allow` of a higher priority no longer overrules it");
        }
        let unknown = self.table.keys().map(Spanned::get_ref).find(|key| !KEYS.contains(&&***key));
        if let Some(key) = unknown {
            if allows {
                return found.left(entry, format!("unknown key `{key}`, which may restrict it"));
            }
            found.stricter(entry, format!("without the unknown key `{key}`"));
        }
        let before = found.drafts.len();
        self.rules(found);
        let reason = self.texts("denyMessage").pop().or_else(|| self.texts("deny_message").pop());
        for draft in &mut found.drafts[before..] {
            draft.reason = reason.clone().filter(|reason| !reason.trim().is_empty());
        }
    }

    fn permission(&self) -> Permission<'_> {
        Permission { entry: &self.entry, effect: self.effect }
    }

    fn rules(&self, found: &mut Found<'_>) {
        let permission = self.permission();
        let entry = permission.entry;
        let prefixes = self.texts("commandPrefix");
        let regexes = self.texts("commandRegex");
        // The host takes these two for the shell's, whatever `toolName` says.
        if !prefixes.is_empty() || !regexes.is_empty() {
            for prefix in &prefixes {
                words::command(found, permission, prefix, Reach::Begins);
            }
            for regex in &regexes {
                vscode::expressed(found, permission, &anchored(regex), "");
            }
            return;
        }
        let tools = self.texts("toolName");
        let pattern = self.texts("argsPattern").pop();
        if let Some(server) = self.texts("mcpName").pop() {
            if pattern.is_some() {
                return found.lost(permission, About::Mcp, JSON);
            }
            if server.contains('_') {
                found.leaky(entry, "the host cuts names of servers at the first `_`, so it matched nothing");
            }
            if tools.is_empty() {
                claude::server_tool(found, permission, &server, None);
            }
            for tool in &tools {
                claude::server_tool(
                    found,
                    permission,
                    &server,
                    Some(tool.as_str()).filter(|tool| *tool != "*"),
                );
            }
            return;
        }
        if tools.is_empty() {
            return found.left(entry, "it names no tool");
        }
        for tool in &tools {
            self.tool(found, tool, pattern.as_deref());
        }
    }

    fn tool(&self, found: &mut Found<'_>, tool: &str, pattern: Option<&str>) {
        let permission = self.permission();
        let Permission { entry, effect } = permission;
        let command = pattern.and_then(|pattern| {
            let pattern =
                // The two ways in which people begin a pattern of the arguments.
                pattern.strip_prefix("\\{").or_else(|| pattern.strip_prefix("^\\{")).unwrap_or(pattern);
            pattern.strip_prefix("\"command\":\"")
        });
        match (tool, pattern) {
            ("run_shell_command" | "*", Some(_)) if command.is_some() => {
                vscode::expressed(found, permission, &anchored(command.unwrap_or_default()), "");
            }
            (_, Some(_)) if tool != "invoke_agent" => found.lost(permission, about(tool), JSON),
            ("invoke_agent", Some(pattern)) => match agent(pattern) {
                Some(name) => {
                    let mut draft = Draft::new(permission, Kind::Agent { callee: words::escaped(name) });
                    draft.matches.push(Example::Agent(name.to_owned()));
                    draft.spares.push(Example::Agent("made-up".to_owned()));
                    found.drafts.push(draft);
                }
                None => found.lost(permission, About::Agents, JSON),
            },
            ("*", _) if effect != Effect::Allow => {
                let why =
                    "a default for everything: `[defaults] unmatched = \"ask\"` or \"deny\" comes closest";
                // What has a higher priority is still allowed.
                if self.over_an_allow {
                    found.lost(permission, About::Everything, why);
                } else {
                    found.left(entry, why);
                }
            }
            (tool, _) => of_tool(found, permission, tool),
        }
    }
}

/// A rule about a tool, whatever it is given.
fn of_tool(found: &mut Found<'_>, permission: Permission<'_>, tool: &str) {
    let Permission { entry, effect } = permission;
    match tool {
        "run_shell_command" => claude::every(found, permission),
        "write_file" | "replace" | "edit" => files(found, permission, "write"),
        "read_file"
        | "read_many_files"
        | "list_directory"
        | "glob"
        | "grep_search"
        | "search_file_content" => {
            if effect == Effect::Allow {
                return found.left(entry, "the host never asks about reading");
            }
            files(found, permission, "read");
        }
        "web_fetch" if effect == Effect::Allow => found.left(entry, "it allows every address"),
        "web_fetch" => claude::net(found, permission, "*"),
        "invoke_agent" => {
            let mut draft = Draft::new(permission, Kind::Agent { callee: "*".to_owned() });
            draft.matches.push(Example::Agent("any".to_owned()));
            found.drafts.push(draft);
        }
        "*" if effect == Effect::Allow => found.left(entry, "it allows everything"),
        "*" => found.lost(permission, About::Everything, "it covers every tool"),
        tool => match tool.strip_prefix("mcp_") {
            Some("*") => claude::server_tool(found, permission, "*", None),
            Some(rest) => match rest.split_once('_') {
                Some((server, tool)) => {
                    let tool = Some(tool).filter(|tool| *tool != "*");
                    claude::server_tool(found, permission, server, tool);
                }
                None => found.left(entry, "it names no tool of a server"),
            },
            None => found.left(entry, format!("policies have no rules about `{tool}`")),
        },
    }
}

/// A rule about every file.
fn files(found: &mut Found<'_>, permission: Permission<'_>, access: &'static str) {
    let Permission { entry, effect } = permission;
    let allows = effect == Effect::Allow;
    let any = if allows { "./**" } else { "**" };
    let access_of = if access == "write" && !allows { vec!["write", "delete"] } else { vec![access] };
    let kind = Kind::Path { access: access_of, any: vec![any.to_owned()], except: Vec::new() };
    let mut draft = Draft::new(permission, kind);
    draft.matches.push(Example::Path(access, "made-up/file.txt".to_owned()));
    if allows {
        draft.tools.push(access);
        draft.spares.push(Example::Path(access, "/etc/made-up".to_owned()));
        found.stricter(entry, "only inside the repository");
    } else {
        found.leaky(entry, "commands reach the same files");
    }
    found.drafts.push(draft);
}

const JSON: &str = "patterns of the arguments as JSON have no counterpart";

/// What a rule about a tool is about.
fn about(tool: &str) -> About {
    match tool {
        "run_shell_command" => About::Commands,
        "web_fetch" | "google_web_search" => About::Hosts,
        "invoke_agent" => About::Agents,
        "write_file"
        | "replace"
        | "edit"
        | "read_file"
        | "read_many_files"
        | "list_directory"
        | "glob"
        | "grep_search"
        | "search_file_content" => About::Files,
        tool if tool.starts_with("mcp_") => About::Mcp,
        _ => About::Everything,
    }
}

/// A pattern after `"command":"`, from the command's beginning.
fn anchored(pattern: &str) -> String {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let (mut depth, mut class, mut escaped) = (0u32, false, false);
    let open = pattern.chars().any(|c| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match c {
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '|' && depth == 0 && !class
    });
    // Without a group, `^` would hold for the first alternative alone.
    if open { format!("^(?:{pattern})") } else { format!("^{pattern}") }
}

/// The agent of `"agent_name":\s*"name"`.
fn agent(pattern: &str) -> Option<&str> {
    let rest = pattern.strip_prefix("\"agent_name\":")?;
    let rest = rest.strip_prefix("\\s*").unwrap_or(rest).strip_prefix('"')?.strip_suffix('"')?;
    let plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    (plain && !rest.is_empty()).then_some(rest)
}
