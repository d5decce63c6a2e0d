//! JSON that stands in strings, put in the place of the strings.

use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};

/// How deep a string may be after it was expanded: far below [`crate::MAX_DEPTH`], so that what comes out can be read.
const DEEPEST: usize = 100;

/// How many strings may stand inside one another.
const MOST_STRINGS: usize = 8;

/// A checked JSON text in which every string that is JSON itself (an object, an array or a string) has become what it says;
/// `None` where there is none. Contents of files and words for people stay what they are.
pub(crate) fn expand(json: Json<'_>, words_too: bool) -> Option<String> {
    // The usual case costs one look at the quotes.
    let may =
        json.text().as_bytes().windows(2).any(|pair| matches!(pair, b"\"{" | b"\"[" | b"\"\\" | b"\" "));
    if !may {
        return None;
    }
    let mut writer = Writer { out: String::with_capacity(json.text().len()), words_too, expanded: false };
    writer.value(json, Meaning::NONE, 0, 0);
    writer.expanded.then_some(writer.out)
}

/// The JSON that a string holds; `None` for any other text.
pub(crate) fn inside(text: &str) -> Option<Json<'_>> {
    let start = text.trim_start();
    if !start.starts_with(['{', '[', '"']) {
        return None;
    }
    Json::new(start)
}

/// How many objects and arrays of a checked text stand inside one another at most.
fn nesting(text: &str) -> usize {
    let (mut open, mut most, mut string, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            b'{' | b'[' if !string => {
                open += 1;
                most = most.max(open);
            }
            b'}' | b']' if !string => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

struct Writer {
    out: String,
    words_too: bool,
    expanded: bool,
}

impl Writer {
    fn value(&mut self, json: Json<'_>, meaning: Meaning, depth: usize, strings: usize) {
        match json.kind() {
            _ if depth >= DEEPEST => self.out.push_str(json.text()),
            JsonType::Object => {
                // What stands beside a path is a file's content.
                let edits = json.members().any(|(key, value)| {
                    keys::meaning(&key).is(Meaning::PATH) && value.kind() == JsonType::String
                });
                self.out.push('{');
                for (index, (key, value)) in json.raw_members().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.out.push_str(key);
                    self.out.push(':');
                    let meaning = keys::meaning(&crate::json::decode_key(key));
                    let meaning = if edits || !self.words_too { meaning } else { Meaning::NONE };
                    self.value(value, meaning, depth + 1, strings);
                }
                self.out.push('}');
            }
            JsonType::Array => {
                self.out.push('[');
                for (index, element) in json.elements().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.value(element, meaning, depth + 1, strings);
                }
                self.out.push(']');
            }
            JsonType::String if strings < MOST_STRINGS && !meaning.is(Meaning::WORDS) => {
                let text = json.as_str().unwrap_or_default();
                match inside(&text) {
                    // Looked at before anything is written: half of a string cannot be taken back.
                    Some(inner) if depth + nesting(inner.text()) <= DEEPEST => {
                        self.expanded = true;
                        self.value(inner, meaning, depth, strings + 1);
                    }
                    _ => self.out.push_str(json.text()),
                }
            }
            _ => self.out.push_str(json.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn strings_become_the_json_that_they_hold() {
        for (text, words_too, expected) in [
            (r#"{"a":"{\"b\":\"[1,\\\"x\\\"]\"}"}"#, false, Some(r#"{"a":{"b":[1,"x"]}}"#)),
            (r#"{"a":"\"x\"","b":[" {} "]}"#, false, Some(r#"{"a":"x","b":[{}]}"#)),
            (r#"{"a":"{ echo hi; }","b":"[ -f x ]"}"#, false, None),
            (r#"{"content":"{\"command\":\"x\"}"}"#, false, None),
            (r#"{"content":"{\"command\":\"x\"}"}"#, true, Some(r#"{"content":{"command":"x"}}"#)),
            (r#"{"path":"a.json","content":"{\"command\":\"x\"}"}"#, true, None),
            (r#"{"a":1}"#, true, None),
        ] {
            assert_eq!(expand(Json::new(text).unwrap(), words_too).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn nesting_without_end_is_left_alone() {
        let mut text = "1".to_owned();
        for _ in 0..12 {
            text = serde_json::json!({ "a": text }).to_string();
        }
        let expanded = expand(Json::new(&text).unwrap(), false).unwrap();
        assert!(Json::new(&expanded).is_some());
        let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
        let text = serde_json::json!({ "a": format!("{}{}{}", "[".repeat(90), serde_json::Value::from(deep), "]".repeat(90)) });
        let expanded = expand(Json::new(&text.to_string()).unwrap(), false).unwrap();
        assert!(Json::new(&expanded).is_some(), "deeper than can be read");
    }
}
