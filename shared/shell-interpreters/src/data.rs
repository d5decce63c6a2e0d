//! Data that code reads: of a string, of a file, or as a module.

use serde_json::Value as Json;
use shell_engine::text::data;
use shell_engine::{mark, path};

use crate::MAX_BODY;
use crate::follow::Follower;
use crate::languages::Format;
use crate::options::{GIVEN, NOT_GIVEN};
use crate::value::{MAX_ELEMENTS, Source, Text, Value};

impl Follower<'_> {
    /// What data is that is written as JSON: `json.load(open("c.json"))`. `None` where it is not known, or no JSON.
    pub(super) fn json(&mut self, data: &Value) -> Option<Value> {
        self.data(data, Format::Json)
    }

    /// What data is that is written in a format; what is in a file stays known as such. `None` where it is not known.
    pub(super) fn data(&mut self, data: &Value, format: Format) -> Option<Value> {
        let (text, from) = self.text_of(data)?;
        let value = |json: &Json| value_of(json, from.as_ref());
        Some(match format {
            Format::Json => value(&serde_json::from_str(&text).ok()?),
            Format::Yaml => value(&data::yaml(&text)),
            Format::Sections => value(&data::sections(&text)),
            Format::Rows { named } => {
                let rows = data::rows(&text);
                let cell = |text: &str| value(&Json::from(text));
                let row = |row: &Vec<&str>| Value::List(row.iter().map(|text| cell(text)).collect());
                match rows.split_first() {
                    Some((names, rows)) if named => {
                        let entries = |row: &Vec<&str>| {
                            let named = names.iter().zip(row);
                            Value::Map(named.map(|(name, text)| ((*name).to_owned(), cell(text))).collect())
                        };
                        Value::List(rows.iter().take(MAX_ELEMENTS).map(entries).collect())
                    }
                    _ => Value::List(rows.iter().take(MAX_ELEMENTS).map(row).collect()),
                }
            }
        })
    }

    /// Sets the variables of a file that has one on each line: `load_dotenv()`.
    pub(super) fn load_variables(&mut self, file: Option<&Value>) {
        let file = file.and_then(Value::known).unwrap_or_else(|| ".env".to_owned());
        let Some((text, _)) = self.text_of(&Value::File(file)) else { return };
        for (name, value) in data::variables(&text) {
            if self.scope.get(name).is_none() {
                self.scope.set_text(name, value);
            }
        }
    }

    /// The text of data, and the file that it comes from.
    fn text_of(&mut self, data: &Value) -> Option<(String, Option<Source>)> {
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
        Some((text.to_owned(), data.source().map(Source::partly)))
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
        Json::String(text) => Value::Text(Text { text: text.clone(), from: from.cloned(), to: None }),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::from(mark::TOKEN), Value::Number),
        Json::Array(values) => Value::List(all(values)),
        Json::Object(entries) => {
            let entries = entries.iter().take(MAX_ELEMENTS);
            Value::Map(entries.map(|(name, one)| (name.clone(), value_of(one, from))).collect())
        }
        Json::Bool(yes) => Value::Name(if *yes { GIVEN } else { NOT_GIVEN }.to_owned()),
        Json::Null => Value::from(mark::TOKEN),
    }
}
