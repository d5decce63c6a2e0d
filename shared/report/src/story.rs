//! What happened, as the page shows it: sessions, and in them calls, each with all that was recorded about it.

use std::collections::HashMap;

use audit::Record;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::proof::Proof;

/// One session of an agent, or what belongs to none.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Session {
    #[serde(skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    host: String,
    machine: String,
    /// The machine's name, where settings let it be written.
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    user: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    email: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    repo: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    branch: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    cwd: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    model: String,
    /// What becomes of decisions, as the session said when it began: `enforce`, `observe` or `off`.
    #[serde(skip_serializing_if = "String::is_empty")]
    mode: String,
}

/// What one of our programs, a person or the host decided.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Decision {
    value: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    rule: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    approval: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    by: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    policy: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    observed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_us: Option<u64>,
}

/// A record's place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Link {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    hash: String,
}

/// A call of a tool, or another event.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Row {
    /// The session's place in the list.
    s: usize,
    /// When, in milliseconds since 1970.
    t: i64,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<i64>,
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    what: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    call: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    cwd: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    agent: String,
    /// Where it is not the session's.
    #[serde(skip_serializing_if = "String::is_empty")]
    user: String,
    /// `done` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    error: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Value>,
    #[serde(skip_serializing_if = "is_zero")]
    secrets: u64,
    records: Vec<Link>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What the page says about itself.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct About {
    /// The version of the program.
    pub version: String,
    /// When it was made, in milliseconds since 1970.
    pub made: i64,
    /// The options by which records were chosen; empty for all.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// How many records were taken at most, if there were more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'d> {
    #[serde(flatten)]
    about: &'d About,
    records: u64,
    proofs: &'d [Proof],
    sessions: &'d [Session],
    rows: &'d [Row],
}

/// Takes records in, call by call.
#[derive(Debug, Default)]
pub struct Story {
    sessions: Vec<Session>,
    rows: Vec<Row>,
    records: u64,
    by_session: HashMap<String, usize>,
    by_call: HashMap<(usize, String), usize>,
}

impl Story {
    /// How many records were taken in.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Takes a record in. Those about one call become one row.
    pub fn add(&mut self, record: &Record) {
        if !record.is_about_agents() {
            return;
        }
        self.records += 1;
        let s = self.session(record);
        let t = record.ts().parse::<DateTime<Utc>>().map_or(0, |time| time.timestamp_millis());
        let call = record.text("call");
        let kind = record.text("kind");
        // What a person grants or brings back does not belong to the call that it is about: it comes later.
        let index = if call.is_empty() || matches!(kind, "approval" | "kept") {
            None
        } else {
            self.by_call.get(&(s, call.to_owned())).copied()
        };
        let index = index.unwrap_or_else(|| {
            if !call.is_empty() {
                self.by_call.insert((s, call.to_owned()), self.rows.len());
            }
            self.rows.push(Row { s, t, event: event(record), call: call.to_owned(), ..Row::default() });
            self.rows.len() - 1
        });
        let (session, row) = (&self.sessions[s], &mut self.rows[index]);
        describe(row, record, session);
        row.t = row.t.min(t);
        match record.text("event") {
            "PostToolUse" => (row.outcome, row.end) = (row.outcome.or(Some("done")), Some(t)),
            "PostToolUseFailure" => (row.outcome, row.end) = (Some("failed"), Some(t)),
            _ => {}
        }
        if !record.decision().is_empty() {
            row.decisions.push(decision(record));
        }
        let value = record.value();
        row.records.push(Link {
            id: record.text("id").to_owned(),
            seq: value["seq"].as_u64(),
            hash: record.text("hash").to_owned(),
        });
    }

    /// The session that a record belongs to.
    fn session(&mut self, record: &Record) -> usize {
        let (machine, host, id) = (record.text("machine"), record.text("host"), record.text("session"));
        let key = [machine, "\0", host, "\0", id].concat();
        let index = *self.by_session.entry(key).or_insert_with(|| {
            self.sessions.push(Session {
                id: id.to_owned(),
                host: host.to_owned(),
                machine: machine.to_owned(),
                ..Session::default()
            });
            self.sessions.len() - 1
        });
        let session = &mut self.sessions[index];
        // The first word on each counts: a session may visit another repository.
        for (field, path) in [
            (&mut session.user, "user"),
            (&mut session.repo, "repo.root"),
            (&mut session.branch, "repo.branch"),
            (&mut session.cwd, "cwd"),
            (&mut session.model, "model"),
            (&mut session.name, "machine_name"),
            (&mut session.email, "email"),
            (&mut session.mode, "guard.mode"),
        ] {
            if field.is_empty() {
                record.text(path).clone_into(field);
            }
        }
        if !record.is_enforced() {
            "observe".clone_into(&mut session.mode);
        }
        index
    }

    /// The data of the page, as JSON.
    pub fn json(mut self, about: &About, proofs: &[Proof]) -> String {
        // Whoever waited beside the log came in late.
        self.rows.sort_by_key(|row| row.t);
        let data = Data { about, records: self.records, proofs, sessions: &self.sessions, rows: &self.rows };
        // Strings and numbers only: there is nothing that JSON could not say.
        serde_json::to_string(&data).unwrap_or_default()
    }

    /// What was denied, for who reads the page without scripts: when, where, the rule and what would have run.
    pub(crate) fn denials(&self) -> impl Iterator<Item = [String; 4]> + '_ {
        self.rows.iter().rev().flat_map(|row| {
            let denied = row
                .decisions
                .iter()
                .filter(|one| matches!(one.value.as_str(), "deny" | "block") && !one.observed);
            denied.map(|one| {
                let session = &self.sessions[row.s];
                let time = DateTime::from_timestamp_millis(row.t).unwrap_or_default();
                let place = if session.repo.is_empty() { &session.cwd } else { &session.repo };
                let when = time.format("%Y-%m-%d %H:%M:%SZ").to_string();
                [when, place.clone(), one.rule.clone(), row.what.clone()]
            })
        })
    }
}

/// What a row is called that is not a call.
fn event(record: &Record) -> String {
    match record.text("kind") {
        "event" | "decision" => record.text("event"),
        kind => kind,
    }
    .to_owned()
}

fn describe(row: &mut Row, record: &Record, session: &Session) {
    let value = record.value();
    let set = |field: &mut String, text: &str| {
        if field.is_empty() {
            text.clone_into(field);
        }
    };
    // A result may say what there is to say of it, not of the call.
    let result = record.text("event").starts_with("PostToolUse");
    let gist = record.gist();
    if !result || !gist.starts_with('(') {
        set(&mut row.what, &gist);
    }
    set(&mut row.kind, record.text("tool.kind"));
    set(&mut row.cwd, record.text("cwd"));
    set(&mut row.agent, record.text("agent.kind"));
    set(&mut row.error, record.text("error"));
    if row.tool.is_none() {
        row.tool = value["tool"]["name"].as_str().map(str::to_owned);
    }
    if row.paths.is_empty()
        && let Some(paths) = value["paths"].as_array()
    {
        row.paths = paths.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    if record.text("user") != session.user {
        set(&mut row.user, record.text("user"));
    }
    if row.files.is_none() && value["files"].is_array() {
        row.files = Some(value["files"].clone());
    }
    let taken_out = value["redactions"].as_array().into_iter().flatten();
    // Each program that records a call finds the same secrets in it.
    row.secrets = row.secrets.max(taken_out.filter_map(|one| one["n"].as_u64()).sum());
}

fn decision(record: &Record) -> Decision {
    let text = |path: &str| record.text(path).to_owned();
    let by = if record.text("decision.by") == "host" { "the host".to_owned() } else { text("by.name") };
    Decision {
        value: record.decision().to_owned(),
        rule: record.rule().to_owned(),
        reason: text("decision.reason"),
        approval: text("decision.approval"),
        version: if by == "the host" { String::new() } else { text("by.version") },
        by,
        policy: text("by.policy"),
        observed: !record.is_enforced(),
        took_us: record.value()["latency_us"].as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: &str, event: &str, call: &str, more: &Value) -> Record {
        let mut value = serde_json::json!({
            "v": 1, "id": format!("{kind}-{event}-{call}"), "ts": "2026-11-22T05:01:26.123456Z", "kind": kind,
            "event": event, "call": call, "session": "s", "host": "claude", "machine": "m", "user": "a:1",
        });
        for (key, one) in more.as_object().unwrap() {
            value[key] = one.clone();
        }
        Record::parse(value.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn records_of_one_call_are_one_row() {
        let mut story = Story::default();
        let command = serde_json::json!({"command": "rm -rf /", "tool": {"name": "Bash", "kind": "shell"}});
        story.add(&record("event", "PreToolUse", "1", &command));
        let denied = serde_json::json!({"decision": {"value": "deny", "rule": "files.x", "enforced": true}});
        story.add(&record("decision", "PreToolUse", "1", &denied));
        story.add(&record("event", "PreToolUse", "2", &command));
        story.add(&record("event", "PostToolUseFailure", "2", &serde_json::json!({"error": "no"})));
        let grant =
            serde_json::json!({"decision": {"value": "granted", "approval": "AAAA-BBBB"}, "user": "root:0"});
        story.add(&record("approval", "", "", &grant));
        story.add(&record("begin", "", "", &serde_json::json!({})));
        assert_eq!((story.rows.len(), story.sessions.len(), story.records), (3, 1, 5));
        assert_eq!((story.rows[0].records.len(), story.rows[0].decisions[0].value.as_str()), (2, "deny"));
        assert_eq!((story.rows[1].outcome, story.rows[1].error.as_str()), (Some("failed"), "no"));
        assert_eq!((story.rows[2].event.as_str(), story.rows[2].user.as_str()), ("approval", "root:0"));
        let denials: Vec<_> = story.denials().collect();
        assert_eq!(denials, [["2026-11-22 05:01:26Z", "", "files.x", "rm -rf /"]]);
    }
}
