//! `policy diff`: what changes for recorded calls between two policies.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use clap::ArgMatches;
use payload::Hints;
use rules::Facts;
use serde_json::{Value, json};

use super::examples::{CWD, HOME};
use super::{Done, Exit, one_line};
use crate::action::{Action, Parts};
use crate::decide::{Ruling, decide};
use crate::layers::{Source, Stack, today};
use crate::model::Effect;

/// What changes between two policies.
#[derive(Debug, Default)]
pub struct Changes {
    /// One line a call whose decision changes: `old -> new`, the rules, the call.
    pub text: String,
    /// How many those are.
    pub changed: usize,
    /// How many calls were judged.
    pub calls: usize,
    /// The lines that hold no call: number, and why.
    pub strange: Vec<(usize, &'static str)>,
}

/// Compares two policies by calls, one on a line: a command, a payload in JSON, or a record of the audit log. A call with
/// several records counts once.
pub fn diff(old: &Source, new: &Source, calls: &str) -> Changes {
    let (old, new) = (std::slice::from_ref(old), std::slice::from_ref(new));
    let (old, new) = (Stack::of(old, today()), Stack::of(new, today()));
    let mut changes = Changes::default();
    let mut known: HashSet<(String, String)> = HashSet::new();
    let lines: Vec<(usize, &str)> = calls.lines().map(str::trim).enumerate().collect();
    screen::each("comparing", &lines, |&(index, line)| {
        if line.is_empty() {
            return;
        }
        let call = match call(line) {
            Ok(call) => call,
            Err(why) => {
                changes.strange.push((index + 1, why));
                return;
            }
        };
        // Several hooks write a record of the same call.
        if call.id.is_some_and(|id| !known.insert(id)) {
            return;
        }
        changes.calls += 1;
        let (before, after) = (judge(&old, &call.what), judge(&new, &call.what));
        // The rule counts, too: another reason is a change that people see.
        if before != after {
            changes.changed += 1;
            let _ = writeln!(
                changes.text,
                "{:>5} -> {:<5} {:<28} {}",
                before.0,
                after.0,
                if after.1.is_empty() { &before.1 } else { &after.1 },
                one_line(&call.shown)
            );
        }
    });
    changes
}

/// A call as it was written down.
struct Call {
    what: What,
    shown: String,
    /// Its session and number, where a record tells them.
    id: Option<(String, String)>,
}

enum What {
    /// A command line.
    Command(String),
    /// A host's payload.
    Payload(String),
}

/// Reads a line; why it is not a call, otherwise.
fn call(line: &str) -> Result<Call, &'static str> {
    let plain = |what, shown: &str| Call { what, shown: shown.to_owned(), id: None };
    if !line.starts_with('{') {
        return Ok(plain(What::Command(line.to_owned()), line));
    }
    let Ok(json) = serde_json::from_str::<Value>(line) else {
        // A group of a shell: `{ make; ls; }`.
        let group = line[1..].starts_with(char::is_whitespace) && line.ends_with('}');
        return if group { Ok(plain(What::Command(line.to_owned()), line)) } else { Err("it is not JSON") };
    };
    if json["kind"].is_string() && json["id"].is_string() && json["v"].is_u64() {
        return recorded(&json);
    }
    let event = payload::parse(line.as_bytes(), Hints::default()).map_err(|_| "it is not a payload")?;
    if event.tool().is_none() || !event.kind.is_about_tool() {
        return Err("it is not a tool call");
    }
    Ok(plain(What::Payload(line.to_owned()), line))
}

/// The call that a record of the audit log is about.
fn recorded(record: &Value) -> Result<Call, &'static str> {
    let text =
        |path: &str| path.split('.').fold(record, |value, key| &value[key]).as_str().unwrap_or_default();
    if !matches!(text("kind"), "event" | "decision") || text("tool.name").is_empty() {
        return Err("it is a record, and not of a tool call");
    }
    // Only the first: the call that is made up below has room for one.
    let list = |key: &str| record[key].as_array().into_iter().flatten().find_map(Value::as_str);
    let command = record["command"].as_str().or_else(|| list("commands"));
    let (name, input) = match (command, list("paths"), list("urls"), text("tool.kind")) {
        (Some(command), ..) => (None, json!({ "command": command })),
        (None, Some(path), _, "create") => (Some("Write"), json!({ "file_path": path, "content": "" })),
        (None, Some(path), _, "read" | "search") => (Some("Read"), json!({ "file_path": path })),
        (None, Some(path), ..) => {
            (Some("Edit"), json!({ "file_path": path, "old_string": "", "new_string": "" }))
        }
        (None, None, Some(url), _) => (Some("WebFetch"), json!({ "url": url, "prompt": "" })),
        _ => return Err("the record does not say what was called"),
    };
    let name = name.unwrap_or_else(|| if text("tool.kind") == "shell" { "Bash" } else { text("tool.name") });
    let payload = json!({
        "session_id": text("session"), "transcript_path": "", "cwd": text("cwd"), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input, "tool_use_id": text("call"),
    });
    let shown = command.or_else(|| list("paths")).or_else(|| list("urls")).unwrap_or_default();
    Ok(Call {
        what: What::Payload(payload.to_string()),
        shown: format!("{}: {shown}", text("tool.name")),
        id: Some((text("session").to_owned(), text("call").to_owned())),
    })
}

/// The decision, and the rule that it comes from.
fn judge(stack: &Stack<'_>, call: &What) -> (&'static str, String) {
    let said = |ruling: &Ruling| {
        let rule = ruling
            .findings
            .iter()
            .find(|finding| Some(finding.effect) == ruling.decision && finding.excepted.is_none());
        (
            ruling.decision.map_or("none", Effect::as_str),
            rule.map(|finding| finding.rule.clone()).unwrap_or_default(),
        )
    };
    let command = match call {
        What::Payload(text) => match payload::parse(text.as_bytes(), Hints::default()) {
            Ok(event) => {
                let parts = Parts::of(&event);
                let action = parts.action(&event);
                // On paper: the folders of the recorded call may not be on this machine.
                return said(&decide(stack, &action, &Facts::on_paper(action.cwd, Some(HOME))));
            }
            Err(_) => return ("none", String::new()),
        },
        What::Command(command) => command,
    };
    let action = Action::command(command, Some(CWD));
    said(&decide(stack, &action, &Facts::on_paper(Some(CWD), Some(HOME))))
}

/// As many lines that hold no call are named.
const NAMED: usize = 10;

pub(super) fn command(matches: &ArgMatches) -> Done {
    let path = |name: &str| Path::new(matches.get_one::<String>(name).map_or("", String::as_str));
    let (old, new) = (super::open(path("old"))?, super::open(path("new"))?);
    let calls = std::fs::read_to_string(path("calls"))
        .map_err(|error| format!("{}: {error}", path("calls").display()))?;
    let changes = diff(&old, &new, &calls);
    let Changes { mut text, changed, calls, strange } = changes;
    // Without a call nothing changes, which must not look like success.
    if calls == 0 {
        let why =
            strange.first().map_or("it is empty".to_owned(), |(line, why)| format!("line {line}: {why}"));
        return Err(format!("{}: no line is a call ({why})", path("calls").display()));
    }
    let _ = writeln!(text, "{changed} of {calls} calls change");
    if !strange.is_empty() {
        let _ = writeln!(text, "{} lines are not calls:", strange.len());
        for (line, why) in strange.iter().take(NAMED) {
            let _ = writeln!(text, "  line {line}: {why}");
        }
        if strange.len() > NAMED {
            let _ = writeln!(text, "  and {} more", strange.len() - NAMED);
        }
    }
    Ok((text, if changed == 0 { Exit::Fine } else { Exit::Findings }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    fn policy(rules: &str) -> Source {
        Source::of(Layer::User, "p.toml", format!("schema = 1\n{rules}"))
    }

    #[test]
    fn records_of_the_audit_log_are_calls() {
        let old = policy("");
        let new = policy(
            "[[rule]]\nid = \"x.make\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"make\" }\n\
             [[rule]]\nid = \"x.env\"\ndecision = \"deny\"\nreason = \"r\"\npath = { access = [\"write\"], any = [\"**/secret\"] }\n",
        );
        let record = |kind: &str, rest: &str| {
            format!("{{\"v\":1,\"id\":\"0\",\"kind\":\"{kind}\",\"session\":\"s\",{rest}}}")
        };
        let shell = |call: &str, command: &str| {
            format!(
                "\"call\":\"{call}\",\"tool\":{{\"name\":\"Bash\",\"kind\":\"shell\"}},\"command\":\"{command}\""
            )
        };
        let log = [
            record("begin", "\"x\":1"),
            record("event", &shell("1", "make build")),
            record("decision", &shell("1", "make build")),
            record("event", &shell("2", "ls")),
            record(
                "event",
                "\"call\":\"3\",\"tool\":{\"name\":\"edit\",\"kind\":\"edit\"},\"paths\":[\"/p/secret\"]",
            ),
            "{\"foo\":1}".to_owned(),
            "{broken".to_owned(),
            "make".to_owned(),
        ]
        .join("\n");
        let changes = diff(&old, &new, &log);
        assert!(new.fault.is_none());
        assert_eq!((changes.changed, changes.calls), (3, 4), "{changes:?}");
        let lines: Vec<usize> = changes.strange.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 6, 7], "{changes:?}");
    }
}
