//! Data that code reads: JSON of a string, of a file, or as a module.

use serde_json::Value as Json;
use shell_engine::{mark, path};

use crate::MAX_BODY;
use crate::follow::Follower;
use crate::value::{MAX_ELEMENTS, Source, Text, Value};

impl Follower<'_> {
    /// What data is that is written as JSON: `json.load(open("c.json"))`. `None` where it is not known, or no JSON.
    pub(super) fn json(&mut self, data: &Value) -> Option<Value> {
        let data = match data {
            Value::File(path) => self.read(&Value::from(path.as_str())),
            data => data.clone(),
        };
        let text = data.text();
        let loaded = self.runner.fulfilled(self.scope, &text);
        let text = loaded.as_ref().map_or(&*text, |loaded| &loaded.text);
        if mark::any(text) || text.len() > MAX_BODY || !self.runner.spend(text.len()) {
            return None;
        }
        let json: Json = serde_json::from_str(text).ok()?;
        let from = data.source().map(|source| Source { whole: false, ..source });
        Some(value_of(&json, from.as_ref()))
    }

    /// `require("./config.json")`, `import config from "./config.json"`
    pub(super) fn json_module(&mut self, spelled: &str) -> Option<Value> {
        let is_data = spelled.rsplit_once('.').is_some_and(|(_, ending)| ending == "json");
        if !is_data || !spelled.starts_with(['.', '/']) {
            return None;
        }
        let file = path::join(&self.own_folder(), spelled);
        self.json(&Value::File(file))
    }
}

/// JSON as a value of the code. What is in a file stays known as such.
fn value_of(json: &Json, from: Option<&Source>) -> Value {
    let all = |values: &[Json]| values.iter().take(MAX_ELEMENTS).map(|one| value_of(one, from)).collect();
    match json {
        Json::String(text) => Value::Text(Text { text: text.clone(), from: from.cloned() }),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::from(mark::TOKEN), Value::Number),
        Json::Array(values) => Value::List(all(values)),
        Json::Object(entries) => {
            let entries = entries.iter().take(MAX_ELEMENTS);
            Value::Map(entries.map(|(name, one)| (name.clone(), value_of(one, from))).collect())
        }
        Json::Bool(_) | Json::Null => Value::from(mark::TOKEN),
    }
}
