//! Calls: the event, what programs decided, and the result, folded together.

use std::collections::{HashMap, VecDeque};

use audit::Record;

/// What one line of a table shows: a record, or all that are about one call.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) ts: String,
    pub(super) host: String,
    pub(super) session: String,
    pub(super) event: String,
    pub(super) tool: String,
    pub(super) decision: String,
    pub(super) enforced: bool,
    pub(super) rule: String,
    pub(super) what: String,
    /// What the records of one call share; none have it that are about none.
    pub(super) key: Option<String>,
}

/// How much a decision says about a call: what holds it back before what lets it through.
fn weight(entry: &Entry) -> u8 {
    let value = match entry.decision.as_str() {
        "deny" | "block" => 5,
        "ask" => 4,
        "approved" => 3,
        "keep" => 2,
        "" => return 0,
        _ => 1,
    };
    value + if entry.enforced { 8 } else { 0 }
}

/// What the records of one session share.
pub(super) fn session_key(record: &Record) -> String {
    format!("{}\0{}\0{}", record.text("machine"), record.text("host"), record.text("session"))
}

impl Entry {
    pub(super) fn of(record: &Record) -> Self {
        let text = |path: &str| record.text(path).to_owned();
        let event = match record.text("kind") {
            "event" | "decision" => text("event"),
            kind => kind.to_owned(),
        };
        let is_call = matches!(record.text("kind"), "event" | "decision") && !record.text("call").is_empty();
        let key = || format!("{}\0{}", session_key(record), record.text("call"));
        Self {
            ts: record.ts().to_owned(),
            host: text("host"),
            session: text("session"),
            event,
            tool: text("tool.name"),
            decision: record.decision().to_owned(),
            enforced: record.is_enforced(),
            rule: record.rule().to_owned(),
            what: record.gist(),
            key: is_call.then(key),
        }
    }

    /// The same for the line of a call: its event says how far it has come.
    fn of_call(record: &Record) -> Self {
        let entry = Self::of(record);
        if entry.key.is_none() {
            return entry;
        }
        let event = match entry.event.as_str() {
            "PreToolUse" | "PermissionRequest" | "PermissionDenied" => "call",
            "PostToolUse" => "call, ran",
            "PostToolUseFailure" => "call, failed",
            _ => return entry,
        };
        Self { event: event.to_owned(), ..entry }
    }

    /// Takes in another record of the same call.
    fn join(&mut self, other: Self) {
        // The longest has come furthest: `call`, `call, ran`.
        if other.event.len() > self.event.len() {
            self.event = other.event;
        }
        // What a result says of itself is not what was called.
        let is_size = |text: &str| text.starts_with('(');
        if self.what.is_empty() || (is_size(&self.what) && !is_size(&other.what) && !other.what.is_empty()) {
            self.what = other.what;
        }
        if self.tool.is_empty() {
            self.tool = other.tool;
        }
        let heavier = (other.decision.as_str(), other.enforced);
        if weight(&Self { decision: heavier.0.to_owned(), enforced: heavier.1, ..Self::default() })
            > weight(self)
        {
            (self.decision, self.enforced, self.rule) = (other.decision, other.enforced, other.rule);
        }
    }
}

/// Folds records as they come. Only the last calls are open: what comes late is a line of its own.
pub(super) struct Calls {
    open: VecDeque<Entry>,
    /// Where an open call stands, counted from the first ever.
    places: HashMap<String, usize>,
    gone: usize,
    most: usize,
    folds: bool,
}

impl Calls {
    /// With this many open at once; without `folds` every record is a line.
    pub(super) fn new(most: usize, folds: bool) -> Self {
        Self { open: VecDeque::new(), places: HashMap::new(), gone: 0, most, folds }
    }

    /// Takes in a record; returns what is closed by it.
    pub(super) fn add(&mut self, record: &Record) -> Option<Entry> {
        let entry = if self.folds { Entry::of_call(record) } else { Entry::of(record) };
        if self.folds
            && let Some(key) = &entry.key
        {
            let known = self.places.get(key).and_then(|at| self.open.get_mut(at - self.gone));
            if let Some(known) = known {
                known.join(entry);
                return None;
            }
            self.places.insert(key.clone(), self.gone + self.open.len());
        }
        self.open.push_back(entry);
        if self.open.len() <= self.most {
            return None;
        }
        let closed = self.open.pop_front()?;
        self.gone += 1;
        if let Some(key) = &closed.key {
            self.places.remove(key);
        }
        Some(closed)
    }

    /// Whether a record is about a call that is open.
    pub(super) fn knows(&self, record: &Record) -> bool {
        self.folds && Entry::of(record).key.is_some_and(|key| self.places.contains_key(&key))
    }

    /// What is open.
    pub(super) fn rest(&self) -> impl Iterator<Item = &Entry> {
        self.open.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(event: &str, call: &str, decision: &str, what: &str) -> Record {
        let kind = if decision.is_empty() { "event" } else { "decision" };
        let (value, enforced) = decision.strip_prefix('?').map_or((decision, true), |value| (value, false));
        let decision = if value.is_empty() {
            serde_json::Value::Null
        } else {
            serde_json::json!({"value": value, "rule": format!("rule.{value}"), "enforced": enforced})
        };
        let value = serde_json::json!({"v": 1, "id": "x", "kind": kind, "event": event, "call": call,
            "session": "s", "command": what, "decision": decision});
        Record::parse(value.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn records_of_a_call_are_one_line_in_whatever_order_they_come() {
        let records = [
            record("PreToolUse", "1", "", "ls"),
            record("PreToolUse", "1", "ask", "ls"),
            record("PreToolUse", "1", "?deny", "ls"),
            record("PostToolUse", "1", "", ""),
        ];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut calls = Calls::new(10, true);
            for at in order {
                assert_eq!(calls.add(&records[at]), None);
            }
            let lines: Vec<_> = calls.rest().collect();
            assert_eq!(lines.len(), 1);
            let line = lines[0];
            assert_eq!((line.event.as_str(), line.what.as_str()), ("call, ran", "ls"), "{order:?}");
            assert_eq!(
                (line.decision.as_str(), line.rule.as_str(), line.enforced),
                ("ask", "rule.ask", true)
            );
        }
        let mut each = Calls::new(10, false);
        for one in &records {
            each.add(one);
        }
        assert_eq!(each.rest().map(|entry| entry.event.as_str()).collect::<Vec<_>>()[3], "PostToolUse");
    }

    #[test]
    fn only_the_last_calls_are_open() {
        let mut calls = Calls::new(2, true);
        for call in ["1", "2"] {
            calls.add(&record("PreToolUse", call, "", call));
        }
        let closed = calls.add(&record("PreToolUse", "3", "", "3"));
        assert_eq!(closed.map(|entry| entry.what), Some("1".to_owned()));
        assert!(
            calls.knows(&record("PostToolUse", "2", "", ""))
                && !calls.knows(&record("PostToolUse", "1", "", ""))
        );
        calls.add(&record("PostToolUse", "3", "", ""));
        assert_eq!(calls.rest().map(|entry| entry.event.as_str()).collect::<Vec<_>>(), ["call", "call, ran"]);
    }
}
