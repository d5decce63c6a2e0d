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
    /// The calls about which something else is decided, or by another rule.
    pub changed: Vec<Change>,
    /// How many calls were judged.
    pub calls: usize,
    /// How many records of the audit log are about something else.
    pub others: usize,
    /// The lines that hold no call: number, and why.
    pub strange: Vec<(usize, &'static str)>,
}

/// A call about which something else is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The call, as it reads for a person.
    pub call: String,
    /// How often it was made.
    pub times: usize,
    /// What was decided: the decision, and the rule that it comes from.
    pub old: (Option<Effect>, String),
    pub new: (Option<Effect>, String),
}

impl Changes {
    fn add(&mut self, change: Change) {
        let same = |known: &&mut Change| {
            (&known.call, &known.old, &known.new) == (&change.call, &change.old, &change.new)
        };
        match self.changed.iter_mut().find(same) {
            Some(known) => known.times += 1,
            None => self.changed.push(change),
        }
    }

    /// How many calls change.
    pub fn changed(&self) -> usize {
        self.changed.iter().map(|change| change.times).sum()
    }

    /// How many of them are held back less.
    pub fn loosened(&self) -> usize {
        self.changed.iter().filter(|change| change.loosens()).map(|change| change.times).sum()
    }
}

impl Change {
    /// Whether the new policy holds the call back less.
    pub fn loosens(&self) -> bool {
        strictness(self.new.0) < strictness(self.old.0)
    }
}

/// How much a decision holds back. Where no rule speaks the host still asks what it asks, which is more than `allow`.
fn strictness(decision: Option<Effect>) -> (Effect, bool) {
    match decision {
        Some(Effect::Allow) => (Effect::Note, false),
        None | Some(Effect::Note) => (Effect::Note, true),
        Some(other) => (other, true),
    }
}

/// Compares two policies by calls, one on a line: a command, a payload in JSON, or a record of the audit log. A call with
/// several records counts once.
pub fn diff(old: &Source, new: &Source, calls: &str) -> Changes {
    let (old, new) = (std::slice::from_ref(old), std::slice::from_ref(new));
    let (old, new) = (Stack::of(old, today()), Stack::of(new, today()));
    let mut changes = Changes::default();
    let mut known: HashSet<[String; 2]> = HashSet::new();
    let lines: Vec<(usize, &str)> = calls.lines().map(str::trim).enumerate().collect();
    screen::each("comparing", &lines, |&(index, line)| {
        if line.is_empty() {
            return;
        }
        let call = match call(line) {
            Ok(call) => call,
            Err(NoCall::Other) => {
                changes.others += 1;
                return;
            }
            Err(NoCall::Strange(why)) => {
                changes.strange.push((index + 1, why));
                return;
            }
        };
        if call.record.is_some_and(|record| record.repeats(&mut known)) {
            return;
        }
        changes.calls += 1;
        let (before, after) = (judge(&old, &call.what), judge(&new, &call.what));
        // The rule counts, too: another reason is a change that people see.
        if before != after {
            changes.add(Change { call: call.shown, times: 1, old: before, new: after });
        }
    });
    changes
}

/// Why a line holds no call.
enum NoCall {
    /// It is a record of the audit log about something else.
    Other,
    Strange(&'static str),
}

/// A call as it was written down.
struct Call {
    what: What,
    shown: String,
    /// What a record tells besides.
    record: Option<Recorded>,
}

/// Which call a record is about. Several hooks write one of the same call, and so does every event of it.
struct Recorded {
    /// Its session and number, where it has one.
    number: Option<[String; 2]>,
    /// Its session and what it was about: some hosts number no calls.
    about: [String; 2],
    /// Whether it was written before the call.
    before: bool,
}

impl Recorded {
    /// Whether its call is known. From then on it is.
    fn repeats(self, known: &mut HashSet<[String; 2]>) -> bool {
        let is_new = self.number.is_none_or(|number| known.insert(number));
        // The same may be called twice, but what follows a call belongs to it.
        let is_about_new = known.insert(self.about);
        !is_new || !self.before && !is_about_new
    }
}

enum What {
    /// Command lines, and where they run.
    Commands(Vec<String>, String),
    /// A host's payload.
    Payload(String),
}

/// Reads a line; why it is not a call, otherwise.
fn call(line: &str) -> Result<Call, NoCall> {
    let plain = |what, shown: &str| Call { what, shown: shown.to_owned(), record: None };
    if !line.starts_with('{') {
        return Ok(plain(What::Commands(vec![line.to_owned()], CWD.to_owned()), line));
    }
    let Ok(json) = serde_json::from_str::<Value>(line) else {
        // A group of a shell: `{ make; ls; }`.
        let group = line[1..].starts_with(char::is_whitespace) && line.ends_with('}');
        return if group {
            Ok(plain(What::Commands(vec![line.to_owned()], CWD.to_owned()), line))
        } else {
            Err(NoCall::Strange("it is not JSON"))
        };
    };
    if json["kind"].is_string() && json["id"].is_string() && json["v"].is_u64() {
        return recorded(&json);
    }
    let event = payload::parse(line.as_bytes(), Hints::default())
        .map_err(|_| NoCall::Strange("it is not a payload"))?;
    if event.tool().is_none() || !event.kind.is_about_tool() {
        return Err(NoCall::Strange("it is not a tool call"));
    }
    Ok(plain(What::Payload(line.to_owned()), line))
}

/// The call that a record of the audit log is about.
fn recorded(record: &Value) -> Result<Call, NoCall> {
    let text =
        |path: &str| path.split('.').fold(record, |value, key| &value[key]).as_str().unwrap_or_default();
    if !matches!(text("kind"), "event" | "decision") || text("tool.name").is_empty() {
        return Err(NoCall::Other);
    }
    let list = |key: &str| record[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    let first = |key: &str| list(key).next();
    let several: Vec<String> = list("commands").map(str::to_owned).collect();
    let (kind, name, command) = (text("tool.kind"), text("tool.name"), record["command"].as_str());
    let (name, input) = match (command, first("paths"), first("urls"), kind) {
        _ if !several.is_empty() => (name, Value::Null),
        (Some(command), ..) => (if kind == "shell" { "Bash" } else { name }, json!({ "command": command })),
        (None, Some(path), _, "create") => ("Write", json!({ "file_path": path, "content": "" })),
        (None, Some(path), _, "read" | "search") => ("Read", json!({ "file_path": path })),
        (None, Some(path), ..) => ("Edit", json!({ "file_path": path, "old_string": "", "new_string": "" })),
        (None, None, Some(url), _) => ("WebFetch", json!({ "url": url, "prompt": "" })),
        // A rule may name the server and the tool, and what it was called with is not written down.
        (.., "mcp") => (name, json!({})),
        _ => return Err(NoCall::Strange("the record does not say what was called")),
    };
    let payload = json!({
        "session_id": text("session"), "transcript_path": "", "cwd": text("cwd"), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input, "tool_use_id": text("call"),
    });
    let shown = command.or_else(|| first("commands")).or_else(|| first("paths")).or_else(|| first("urls"));
    let shown = format!("{}: {}", text("tool.name"), shown.unwrap_or_default());
    let session = text("session").to_owned();
    let before = text("event") == "PreToolUse" || text("kind") == "decision";
    let number = Some(text("call").to_owned()).filter(|call| !call.is_empty());
    let number = number.map(|call| [session.clone(), call]);
    let record = Recorded { number, about: [session, shown.clone()], before };
    let what = if several.is_empty() {
        What::Payload(payload.to_string())
    } else {
        What::Commands(several, text("cwd").to_owned())
    };
    Ok(Call { what, shown, record: Some(record) })
}

/// The decision, and the rule that it comes from.
fn judge(stack: &Stack<'_>, call: &What) -> (Option<Effect>, String) {
    let said = |ruling: &Ruling| {
        let rule = ruling
            .findings
            .iter()
            .find(|finding| Some(finding.effect) == ruling.decision && finding.excepted.is_none());
        (ruling.decision, rule.map(|finding| finding.rule.clone()).unwrap_or_default())
    };
    // On paper: the folders of a recorded call may not be on this machine.
    let ruled = |action: &Action<'_>| said(&decide(stack, action, &Facts::on_paper(action.cwd, Some(HOME))));
    match call {
        What::Payload(text) => match payload::parse(text.as_bytes(), Hints::default()) {
            Ok(event) => {
                let parts = Parts::of(&event);
                ruled(&parts.action(&event))
            }
            Err(_) => (None, String::new()),
        },
        What::Commands(texts, cwd) => {
            let cwd = Some(cwd.as_str()).filter(|cwd| !cwd.is_empty());
            let mut action = Action::command("", cwd);
            action.commands = texts.iter().flat_map(|text| Action::command(text, cwd).commands).collect();
            ruled(&action)
        }
    }
}

/// As many lines that hold no call are named.
const NAMED: usize = 10;

pub(super) fn command(matches: &ArgMatches) -> Done {
    let path = |name: &str| Path::new(matches.get_one::<String>(name).map_or("", String::as_str));
    let (old, new) = (super::open(path("old"))?, super::open(path("new"))?);
    let mut calls = String::new();
    let files = super::paths(matches, "calls");
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        calls.push_str(&text);
        // A file may end within a line.
        calls.push('\n');
    }
    let changes = diff(&old, &new, &calls);
    // Without a call nothing changes, which must not look like success.
    if changes.calls == 0 {
        let why = changes.strange.first();
        let why = why.map_or("it is empty".to_owned(), |(line, why)| format!("line {line}: {why}"));
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(format!("{}: no line is a call ({why})", names.join(", ")));
    }
    let found =
        if matches.get_flag("fail-on-loosening") { changes.loosened() } else { changes.changed.len() };
    let text = if matches.get_flag("json") { json_text(&changes) } else { people(&changes) };
    Ok((text, if found == 0 { Exit::Fine } else { Exit::Findings }))
}

fn word(decision: Option<Effect>) -> &'static str {
    decision.map_or("none", Effect::as_str)
}

fn people(changes: &Changes) -> String {
    let mut text = String::new();
    for change in &changes.changed {
        let rule = if change.new.1.is_empty() { &change.old.1 } else { &change.new.1 };
        let (old, new, call) = (word(change.old.0), word(change.new.0), one_line(&change.call));
        let times = if change.times == 1 { String::new() } else { format!(" ({} times)", change.times) };
        let _ = writeln!(text, "{old:>5} -> {new:<5} {rule:<28} {call}{times}");
    }
    let less = match changes.loosened() {
        0 => String::new(),
        loosened => format!(", {loosened} of them held back less"),
    };
    let _ = writeln!(text, "{} of {} calls change{less}", changes.changed(), changes.calls);
    let strange = &changes.strange;
    if !strange.is_empty() {
        let _ = writeln!(text, "{} lines are not calls:", strange.len());
        for (line, why) in strange.iter().take(NAMED) {
            let _ = writeln!(text, "  line {line}: {why}");
        }
        if strange.len() > NAMED {
            let _ = writeln!(text, "  and {} more", strange.len() - NAMED);
        }
    }
    text
}

fn json_text(changes: &Changes) -> String {
    let side = |(decision, rule): &(Option<Effect>, String)| json!({ "decision": word(*decision), "rule": Some(rule).filter(|rule| !rule.is_empty()) });
    let one = |change: &Change| json!({ "call": change.call, "old": side(&change.old), "new": side(&change.new), "times": change.times, "loosens": change.loosens() });
    let report = json!({
        "version": 1,
        "calls": changes.calls,
        "changed": changes.changed.iter().map(one).collect::<Vec<_>>(),
        "loosened": changes.loosened(),
        "other_records": changes.others,
        "not_calls": changes.strange.iter().map(|(line, why)| json!({ "line": line, "why": why })).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
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
        assert_eq!((changes.changed(), changes.calls), (3, 4), "{changes:?}");
        let lines: Vec<usize> = changes.strange.iter().map(|(line, _)| *line).collect();
        assert_eq!((lines, changes.others), (vec![6, 7], 1), "{changes:?}");
    }

    #[test]
    fn every_event_of_a_call_counts_once_also_where_a_host_numbers_none() {
        let new = policy(
            "[[rule]]\nid = \"x.make\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"make\" }\n\
             [[rule]]\nid = \"x.mail\"\ndecision = \"deny\"\nreason = \"r\"\nmcp = { server = \"mail\" }\n",
        );
        let record = |event: &str, call: &str, rest: &str| {
            format!(
                "{{\"v\":1,\"id\":\"0\",\"kind\":\"event\",\"event\":\"{event}\",\"session\":\"s\",\"call\":\"{call}\",{rest}}}"
            )
        };
        let shell = "\"tool\":{\"name\":\"bash\",\"kind\":\"shell\"},\"command\":\"make x\"";
        let several = "\"tool\":{\"name\":\"steps\",\"kind\":\"mcp\"},\"commands\":[\"ls\",\"make y\"]";
        let log = [
            record("PreToolUse", "digest-a", shell),
            record("PermissionRequest", "digest-b", shell),
            record("PostToolUse", "digest-c", shell),
            // The same again is another call.
            record("PreToolUse", "digest-d", shell),
            record("PostToolUse", "digest-e", several),
            record("PreToolUse", "f", "\"tool\":{\"name\":\"mcp__mail__send\",\"kind\":\"mcp\"}"),
        ]
        .join("\n");
        assert!(crate::read(&new.text, today()).1.is_empty());
        let changes = diff(&policy(""), &new, &log);
        assert_eq!((changes.changed(), changes.calls), (4, 4), "{changes:?}");
        assert!(changes.strange.is_empty(), "{changes:?}");
        assert!(changes.changed.iter().all(|change| !change.loosens()));
        assert!(diff(&new, &policy(""), &log).changed.iter().all(Change::loosens));
    }

    #[test]
    fn calls_without_a_number_are_distinguished() {
        let record = |command: &str| {
            format!(
                "{{\"v\":1,\"id\":\"0\",\"kind\":\"event\",\"event\":\"PreToolUse\",\"session\":\"s\",\
                 \"tool\":{{\"name\":\"Bash\",\"kind\":\"shell\"}},\"command\":\"{command}\"}}"
            )
        };
        let log = ["ls", "make", "make"].map(record).join("\n");
        let new = policy(
            "[[rule]]\nid = \"x.make\"\ndecision = \"deny\"\nreason = \"r\"\nrun = { program = \"make\" }\n",
        );
        let changes = diff(&policy(""), &new, &log);
        assert_eq!((changes.changed(), changes.calls, changes.changed.len()), (2, 3, 1), "{changes:?}");
    }

    #[test]
    fn what_holds_back_less_is_looser() {
        use Effect::{Allow, Ask, Deny, Keep, Note};
        let order = [Some(Allow), None, Some(Keep), Some(Ask), Some(Deny)];
        for (index, old) in order.iter().enumerate() {
            for (other, new) in order.iter().enumerate() {
                let change = Change {
                    call: String::new(),
                    times: 1,
                    old: (*old, String::new()),
                    new: (*new, String::new()),
                };
                assert_eq!(change.loosens(), other < index, "{old:?} {new:?}");
            }
        }
        let note = Change {
            call: String::new(),
            times: 1,
            old: (None, String::new()),
            new: (Some(Note), String::new()),
        };
        assert!(!note.loosens());
    }
}
