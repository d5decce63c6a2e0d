//! A record with its exact line, and what formats ask of it.

use audit::Record;
use serde_json::Value;

/// A record of the log.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The line as it stands in the log, without its line feed.
    pub line: &'a str,
    /// The same, read.
    pub record: &'a Record,
    /// The machine, for records about the log itself, which do not say it.
    pub machine: &'a str,
}

/// Records with the machine that wrote them: those about the log itself do not say it, their neighbours do. `machine` is
/// the last one known, for the next batch.
pub fn entries<'a>(lines: &'a [(String, Record)], machine: &'a mut String) -> Vec<Entry<'a>> {
    let says = |record: &Record| Some(record.text("machine").to_owned()).filter(|name| !name.is_empty());
    if let Some(first) = lines.iter().find_map(|(_, record)| says(record)) {
        *machine = first;
    }
    let machine: &'a str = machine;
    lines.iter().map(|(line, record)| Entry { line, record, machine }).collect()
}

/// How much a record matters, from what is only kept to what has to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// An event.
    Routine,
    /// A question, an approval, a call that was only observed, files that drifted.
    Notable,
    /// A call that was held back.
    Held,
    /// Something that was not a record, or not an event.
    Trouble,
}

impl<'a> Entry<'a> {
    /// A string, where there is one and it is not empty.
    pub(crate) fn text(&self, path: &str) -> Option<&'a str> {
        Some(self.record.text(path)).filter(|text| !text.is_empty())
    }

    pub(crate) fn value(&self, key: &str) -> &'a Value {
        &self.record.value()[key]
    }

    pub fn id(&self) -> &'a str {
        self.record.text("id")
    }

    pub fn seq(&self) -> u64 {
        self.value("seq").as_u64().unwrap_or_default()
    }

    pub fn hash(&self) -> &'a str {
        self.record.text("hash")
    }

    pub(crate) fn kind(&self) -> &'a str {
        self.record.text("kind")
    }

    /// The day (UTC) on which the record was written: `2026-11-22`.
    pub fn day(&self) -> &'a str {
        let ts = self.record.ts();
        ts.get(..10)
            .filter(|day| day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
            .unwrap_or("unknown")
    }

    /// When the record was written, in microseconds since 1970.
    pub fn micros(&self) -> i64 {
        self.record.ts().parse::<chrono::DateTime<chrono::Utc>>().map_or(0, |time| time.timestamp_micros())
    }

    pub(crate) fn machine(&self) -> &'a str {
        self.text("machine").unwrap_or(self.machine)
    }

    /// The user's name without its number.
    pub(crate) fn user(&self) -> Option<&'a str> {
        self.text("user").map(|user| user.rsplit_once(':').map_or(user, |(name, _)| name))
    }

    /// The user's number.
    pub(crate) fn user_id(&self) -> Option<&'a str> {
        let user = self.text("user")?;
        let number = user.rsplit_once(':').map_or(user, |(_, number)| number);
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
    }

    /// The command, or several as lines.
    pub(crate) fn command(&self) -> Option<String> {
        if let Some(command) = self.text("command") {
            return Some(command.to_owned());
        }
        let list = self.value("commands").as_array()?;
        Some(list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"))
    }

    /// The first of several paths or addresses.
    pub(crate) fn first(&self, list: &str) -> Option<&'a str> {
        self.value(list).as_array()?.first()?.as_str()
    }

    /// What happened, in one word of ours: the event, the decision, or the kind of record.
    pub(crate) fn action(&self) -> &'a str {
        self.text("decision.value").or_else(|| self.text("event")).unwrap_or(self.kind())
    }

    /// Whether the call was held back, and the host received that.
    pub(crate) fn is_held(&self) -> bool {
        matches!(self.record.decision(), "deny" | "block" | "refused") && self.record.is_enforced()
    }

    pub fn weight(&self) -> Weight {
        match self.kind() {
            "unreadable" | "gap" => return Weight::Trouble,
            "expired" => return Weight::Notable,
            _ => {}
        }
        if self.is_held() {
            return Weight::Held;
        }
        let drifted = self.value("drift")["files"].as_u64().is_some_and(|files| files > 0);
        if !self.record.decision().is_empty() || drifted { Weight::Notable } else { Weight::Routine }
    }

    /// One line for people.
    pub(crate) fn summary(&self) -> String {
        let gist = self.record.gist();
        let what = if gist.is_empty() { self.text("tool.name").unwrap_or_default() } else { &gist };
        let rule = self.text("decision.rule").map(|rule| format!(" ({rule})")).unwrap_or_default();
        let text = format!("{}{rule}: {what}", self.action());
        // Cut between characters, so that it stays text.
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(256).collect()
    }
}
