//! What a host accepts as a settings file: Claude Code drops the whole file, with its hooks, for one value of a wrong
//! type, one comment or one comma too many.

use payload::{CLAUDE_SETTINGS, Json, JsonType};

use super::jsonc::Extras;
use crate::builtin::has;

/// Which host reads a file of settings that is judged by its switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Strict JSON, and values of the right type.
    Claude,
    /// JSON with comments.
    Gemini,
    /// JSON with comments and commas too many.
    Editor,
    /// Not known: what was accepted before.
    Other,
}

impl Reader {
    /// Who reads a file, by its path.
    pub(super) fn of(path: &str, editor: bool) -> Self {
        if editor {
            return Self::Editor;
        }
        match path.rsplit('/').nth(1) {
            Some(folder) if folder.eq_ignore_ascii_case(".claude") => Self::Claude,
            Some(folder) if folder.eq_ignore_ascii_case(".gemini") => Self::Gemini,
            _ => Self::Other,
        }
    }

    /// Whether a string with these extras is no longer read, though one with the extras of before was.
    pub(super) fn refuses(self, before: Extras, after: Extras) -> bool {
        let new = |of: fn(&Extras) -> bool| of(&after) && !of(&before);
        let comments = new(|extras| extras.comments);
        let others = new(|extras| extras.commas) || new(|extras| extras.mark);
        match self {
            Self::Editor => false,
            Self::Gemini => others,
            Self::Claude | Self::Other => comments || others,
        }
    }

    /// Whether a value may not have the form that it has now: another type than before, or one that the host does not
    /// know for this key.
    pub(super) fn rejects(self, before: Option<Json<'_>>, after: Json<'_>) -> bool {
        self != Self::Editor && self.rejects_at("", before, after)
    }

    fn rejects_at(self, key: &str, before: Option<Json<'_>>, after: Json<'_>) -> bool {
        // What did not change was accepted before.
        if before.is_some_and(|before| before.text() == after.text()) {
            return false;
        }
        let schema = if self == Self::Claude { schema_of(key) } else { None };
        if let Some(schema) = schema {
            return !fits(after, schema);
        }
        // A number where a string was: whoever reads it can do nothing with it.
        before.is_some_and(|before| before.kind() != after.kind())
            || self == Self::Claude && !is_usual(key, after)
            || after.members().any(|(name, _)| {
                let before = before.and_then(|before| before.get(&name));
                // Of duplicates, the last one counts.
                after.get(&name).is_some_and(|after| {
                    let key = if self == Self::Claude && key.is_empty() { &*name } else { "?" };
                    self.rejects_at(key, before, after)
                })
            })
    }
}

/// What Claude Code wants of a key at the top.
fn schema_of(key: &str) -> Option<Json<'static>> {
    // The schema of hooks is that of one entry, and no hook changes anyway.
    if matches!(key, "" | "?" | "hooks") {
        return None;
    }
    let line = CLAUDE_SETTINGS.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('\t'))?;
    Json::new(line)
}

/// Keys for which Claude Code puts up with anything so far, and which still are always a string or a boolean.
const STRINGS: &str = "theme editorMode preferredNotifChannel viewMode keybindingFlavor effortLevel promptCacheTtl \
    teammateMode forceLoginMethod";
const BOOLEANS: &str = "autoUpdates ultracode autoCompactRaisedForLoad";

fn is_usual(key: &str, value: Json<'_>) -> bool {
    !(has(STRINGS, key) && value.kind() != JsonType::String
        || has(BOOLEANS, key) && value.kind() != JsonType::Bool)
}

/// Whether a value is as a schema wants it.
fn fits(value: Json<'_>, schema: Json<'_>) -> bool {
    if let Some(branches) = schema.get("anyOf") {
        return branches.elements().any(|branch| fits(value, branch));
    }
    let one = |wanted: Json<'_>| wanted.as_str().is_some_and(|kind| is(value, &kind));
    let typed = match schema.get("type") {
        Some(types) if types.kind() == JsonType::Array => types.elements().any(one),
        Some(kind) => one(kind),
        None => true,
    };
    let same = |wanted: Json<'_>| wanted.as_str() == value.as_str();
    let text = value.kind() == JsonType::String;
    typed
        && !(text && schema.get("const").is_some_and(|wanted| !same(wanted)))
        && !(text && schema.get("enum").is_some_and(|words| !words.elements().any(same)))
        && is_within_bounds(value, schema)
        && schema.get("items").is_none_or(|of_each| value.elements().all(|element| fits(element, of_each)))
        && has_members(value, schema)
}

fn is(value: Json<'_>, kind: &str) -> bool {
    match (value.kind(), kind) {
        (JsonType::Null, "null")
        | (JsonType::Bool, "boolean")
        | (JsonType::String, "string")
        | (JsonType::Array, "array")
        | (JsonType::Object, "object")
        | (JsonType::Number, "number") => true,
        // JavaScript has one type of number, and does not count beyond 2^53.
        (JsonType::Number, "integer") => value
            .text()
            .parse::<f64>()
            .is_ok_and(|number| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_991.0),
        _ => false,
    }
}

fn is_within_bounds(value: Json<'_>, schema: Json<'_>) -> bool {
    let bound = |key: &str| schema.get(key).and_then(|bound| bound.text().parse::<f64>().ok());
    match value.kind() {
        JsonType::Number => value.text().parse::<f64>().is_ok_and(|number| {
            bound("minimum").is_none_or(|least| number >= least)
                && bound("exclusiveMinimum").is_none_or(|least| number > least)
                && bound("maximum").is_none_or(|most| number <= most)
        }),
        JsonType::String => {
            let text = value.as_str().unwrap_or_default();
            // As JavaScript counts.
            let length = f64::from(u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX));
            bound("minLength").is_none_or(|least| length >= least)
                && bound("maxLength").is_none_or(|most| length <= most)
                && schema.get_str("start").is_none_or(|start| text.starts_with(&*start))
        }
        _ => true,
    }
}

fn has_members(value: Json<'_>, schema: Json<'_>) -> bool {
    if value.kind() != JsonType::Object {
        return true;
    }
    let required = schema.get("required");
    let properties = schema.get("properties");
    let others = schema.get("additionalProperties");
    let missing = |name: Json<'_>| name.as_str().is_some_and(|name| value.get(&name).is_none());
    !required.is_some_and(|names| names.elements().any(missing))
        && value.members().all(|(name, _)| {
            let of_it = properties.and_then(|properties| properties.get(&name)).or(others);
            of_it.is_none_or(|schema| value.get(&name).is_none_or(|value| fits(value, schema)))
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::super::switches::only_tightens;
    use super::*;

    #[test]
    fn whatever_the_real_host_dropped_is_held() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/settings/claude.tsv");
        let table = std::fs::read_to_string(file).unwrap();
        let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let [outcome, name, text] = *line.splitn(3, '\t').collect::<Vec<_>>() else { panic!("{line}") };
            (outcome, name, Json::new(text).unwrap().as_str().unwrap().into_owned())
        });
        let rows: Vec<_> = rows.collect();
        let before = rows.iter().find(|row| row.1 == "plain").unwrap().2.clone();
        let dropped = rows.iter().filter(|row| row.0 == "drops");
        let wrong: Vec<_> =
            dropped.clone().filter(|row| only_tightens(Some(&before), &row.2, Reader::Claude)).collect();
        assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), dropped.count());
        assert!(dropped.count() > 300);
    }
}
