//! Data that a text reads: JSON, also of a file.

use std::rc::Rc;

use serde_json::Value as Json;
use shell_engine::mark;

use super::super::value::{MAX_LIST, Value};
use super::Machine;

/// Data longer than this is not read.
const MAX_DATA: usize = 256 * 1024;

impl Machine<'_> {
    /// What data is that is written as JSON: `Get-Content c.json -Raw | ConvertFrom-Json`. `None` where it is not known.
    pub(super) fn json(&mut self, data: Option<&Value>) -> Option<Value> {
        let text = data?.joined("\n");
        let loaded = self.runner.fulfilled(self.scope, &text);
        let text = loaded.as_ref().map_or(&*text, |loaded| &loaded.text);
        if mark::any(text) || text.len() > MAX_DATA || !self.runner.spend(text.len()) {
            return None;
        }
        serde_json::from_str(text).ok().map(|json: Json| value_of(&json))
    }
}

fn value_of(json: &Json) -> Value {
    match json {
        Json::String(text) => Value::text(text.as_str()),
        Json::Number(number) => Value::text(number.to_string()),
        Json::Bool(value) => Value::boolean(*value),
        Json::Null => Value::Nothing,
        Json::Array(values) => Value::of(values.iter().take(MAX_LIST).map(value_of).collect()),
        Json::Object(entries) => {
            let entries = entries.iter().take(MAX_LIST);
            Value::Map(Rc::new(entries.map(|(name, value)| (name.clone(), value_of(value))).collect()))
        }
    }
}
