//! Values of files of data: their parts, their strings, and texts that they are put into.

use serde_json::Value;
use shell_engine::text::data;
use shell_engine::{Process, Scope, mark};

use super::indented::Given;
use crate::programs::QUOTES;

/// Items that one step is repeated for.
pub(super) const MAX_ITEMS: usize = 64;

/// Jobs that one takes over from others.
pub(super) const MAX_EXTENDED: usize = 4;

/// A text with the values of what stands between two signs, and a token for each that has none.
pub(super) fn filled(
    text: &str,
    (open, close): (&str, &str),
    value: impl Fn(&str) -> Option<String>,
) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        filled.push_str(before);
        let (expression, after) = after.split_once(close).unwrap_or((after, ""));
        match value(expression.trim()) {
            Some(value) => filled.push_str(&value),
            None => filled.push(mark::TOKEN),
        }
        rest = after;
    }
    filled + rest
}

/// What a value is in a line.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The part of a value that a path names: `train.dirs[0]`.
pub(super) fn inside<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split(['.', '[']).try_fold(value, |value, part| {
        let part = part.trim_end_matches(']').trim_matches(QUOTES);
        value.get(part).or_else(|| value.get(part.parse::<usize>().ok()?))
    })
}

/// A list, or a single value as one.
pub(super) fn each(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(list)) => list.iter().flat_map(|one| each(Some(one))).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one],
    }
}

/// The strings of a value: a list of them, or one.
pub(super) fn texts(value: Option<&Value>) -> Vec<&str> {
    each(value).into_iter().filter_map(Value::as_str).collect()
}

/// The names and values of a map that are plain.
pub(super) fn pairs(value: Option<&Value>) -> Vec<Given> {
    let map = value.and_then(Value::as_object).into_iter().flatten();
    // GitLab's may say what they are for: `X: { value: y, description: z }`.
    map.filter_map(|(name, value)| Some((name.clone(), plain(value.get("value").unwrap_or(value))?)))
        .collect()
}

/// What a file of data holds.
pub(super) fn data_of(process: &mut Process<'_>, scope: &Scope, file: &str) -> Option<Value> {
    let loaded = process.runner.look_up(scope, file)?;
    Some(serde_json::from_str(&loaded.text).unwrap_or_else(|_| data::yaml(&loaded.text)))
}
