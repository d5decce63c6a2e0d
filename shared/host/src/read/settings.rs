//! What Claude Code wants of the values in its settings: one of another type drops the whole file, every hook with it.

use std::ops::Range;

use crate::tree::{self, Node, Value};

/// A value that drops the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) span: Range<usize>,
    /// What is wrong, in a sentence.
    pub(super) message: String,
    pub(super) help: String,
}

/// The first value in a settings file that Claude Code does not take; `hooks` are looked at by themselves.
pub(super) fn wrong(root: &Node) -> Option<Wrong> {
    // Of doubled keys the host's parser keeps the last, and never sees a wrong value before it.
    let last = |key: &str, span: &Range<usize>| root.get(key).is_some_and(|last| last.key_span == *span);
    root.members()
        .iter()
        .filter(|member| member.key != "hooks" && last(&member.key, &member.key_span))
        .find_map(|member| check(&member.node, &schema_of(&member.key)?, &member.key))
}

/// What is wrong with an entry of an event.
pub(super) fn wrong_entry(entry: &Node) -> Option<Wrong> {
    check(entry, &schema_of("hooks")?, "this entry")
}

fn schema_of(key: &str) -> Option<Node> {
    let line =
        // One line for each key: only the schemas of keys that are in the file are parsed.
        payload::CLAUDE_SETTINGS.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('\t'))?;
    Some(tree::parse(line).ok()?.root)
}

/// What is wrong with a value, by its schema.
fn check(node: &Node, schema: &Node, path: &str) -> Option<Wrong> {
    let wrong = |wanted: &str| {
        let is = match &node.value {
            Value::Number(number) => format!("the number {number}"),
            _ => node.kind().to_owned(),
        };
        let is = if wanted.starts_with("one of") { "something else".to_owned() } else { is };
        let article = format!("Use {wanted}, or remove it.");
        Some(Wrong {
            span: node.span.clone(),
            message: format!("`{path}` is {is}, not {wanted}."),
            help: article,
        })
    };
    if let Some(branches) = schema.at("anyOf").and_then(Node::elements) {
        return any_of(node, branches, path);
    }
    let types = types(schema);
    if !types.is_empty() && !types.iter().any(|kind| is(node, kind)) {
        return wrong(in_words(types[0]));
    }
    if let Some(constant) = schema.at("const").and_then(Node::text)
        && node.text() != Some(constant)
    {
        return wrong(&format!("one of \"{constant}\""));
    }
    if let Some(words) = schema.at("enum").and_then(Node::elements)
        && let Some(text) = node.text()
        && !words.iter().any(|word| word.text() == Some(text))
    {
        let words: Vec<String> =
            words.iter().filter_map(Node::text).map(|word| format!("\"{word}\"")).collect();
        return wrong(&format!("one of {}", words.join(", ")));
    }
    if let Some(wanted) = out_of_bounds(node, schema) {
        return wrong(&wanted);
    }
    if let (Some(elements), Some(of_each)) = (node.elements(), schema.at("items")) {
        return elements
            .iter()
            .enumerate()
            .find_map(|(index, element)| check(element, of_each, &format!("{path}[{index}]")));
    }
    members(node, schema, path)
}

/// Of several schemas the one that the value means, by its constants: what it says is wrong is worth most.
fn any_of(node: &Node, branches: &[Node], path: &str) -> Option<Wrong> {
    let mut first = None;
    let mut meant = None;
    for branch in branches {
        // A branch that takes the value ends it: nothing is wrong.
        let found = check(node, branch, path)?;
        let says_so = |member: &tree::Member| {
            let wanted = member.node.at("const").and_then(Node::text);
            wanted.is_some() && node.at(&member.key).and_then(Node::text) == wanted
        };
        if branch.at("properties").is_some_and(|properties| properties.members().iter().any(says_so)) {
            meant = Some(found);
        } else {
            first.get_or_insert(found);
        }
    }
    meant.or(first)
}

fn members(node: &Node, schema: &Node, path: &str) -> Option<Wrong> {
    if !node.is_object() {
        return None;
    }
    let required = schema.at("required").and_then(Node::elements).unwrap_or_default();
    if let Some(key) = required.iter().filter_map(Node::text).find(|key| node.get(key).is_none()) {
        let message = format!("`{path}` has no `{key}`.");
        return Some(Wrong { span: node.span.clone(), message, help: format!("Add `{key}`.") });
    }
    let properties = schema.at("properties");
    let others = schema.at("additionalProperties");
    node.members().iter().find_map(|member| {
        if node.get(&member.key)?.key_span != member.key_span {
            return None;
        }
        let of_it = properties.and_then(|properties| properties.at(&member.key)).or(others)?;
        check(&member.node, of_it, &format!("{path}.{}", member.key))
    })
}

fn types(schema: &Node) -> Vec<&str> {
    match schema.at("type") {
        Some(Node { value: Value::List(types), .. }) => types.iter().filter_map(Node::text).collect(),
        Some(one) => Vec::from_iter(one.text()),
        None => Vec::new(),
    }
}

fn is(node: &Node, kind: &str) -> bool {
    match (&node.value, kind) {
        (Value::Null, "null")
        | (Value::Bool(_), "boolean")
        | (Value::Text(_), "string")
        | (Value::List(_), "array")
        | (Value::Object(_), "object")
        | (Value::Number(_), "number") => true,
        // JavaScript has one type of number: 1e2 and 10.0 are whole, what it cannot count to is not.
        (Value::Number(_), "integer") => node
            .number()
            .is_some_and(|number| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_991.0),
        _ => false,
    }
}

fn in_words(kind: &str) -> &'static str {
    match kind {
        "boolean" => "true or false",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        "integer" => "a whole number",
        "number" => "a number",
        _ => "null",
    }
}

/// What a number or the length of a string or array has to be, where it is not.
fn out_of_bounds(node: &Node, schema: &Node) -> Option<String> {
    let bound = |key: &str| schema.at(key).and_then(Node::number);
    if let Some(number) = node.number() {
        let least = bound("minimum").filter(|least| number < *least);
        let above = bound("exclusiveMinimum").filter(|least| number <= *least);
        let most = bound("maximum").filter(|most| number > *most);
        return least
            .map(|least| format!("a number of at least {least}"))
            .or_else(|| above.map(|least| format!("a number above {least}")))
            .or_else(|| most.map(|most| format!("a number of at most {most}")));
    }
    if let Some(text) = node.text() {
        // As JavaScript counts.
        let length = f64::from(u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX));
        let start = schema.at("start").and_then(Node::text);
        return bound("minLength")
            .filter(|least| length < *least)
            .map(|least| format!("a string of at least {least} characters"))
            .or_else(|| {
                let most = bound("maxLength").filter(|most| length > *most)?;
                Some(format!("a string of at most {most} characters"))
            })
            .or_else(|| {
                Some(format!("a string that begins with `{}`", start.filter(|s| !text.starts_with(s))?))
            });
    }
    // By way of `u32`, all of which an `f64` can hold; a longer list is beyond every bound.
    let length = f64::from(u32::try_from(node.elements()?.len()).unwrap_or(u32::MAX));
    bound("minItems").filter(|least| length < *least).map(|least| format!("an array of at least {least}"))
}

/// Whether hooks that decide stand where Claude Code does not look for them: it then drops the file, so that no one
/// believes in them. [run] Claude Code 2.1.330.
pub(super) fn stray_guard(root: &Node) -> Option<Range<usize>> {
    let mut rest: Vec<(&Node, usize)> = vec![(root, 0)];
    while let Some((node, depth)) = rest.pop() {
        for member in node.members() {
            // Here events are in their place; anywhere deeper they are not.
            if depth == 0 && member.key == "hooks" {
                rest.extend(member.node.members().iter().map(|event| (&event.node, 1)));
                continue;
            }
            let holds = member.node.elements().is_some_and(|list| list.iter().any(Node::is_object));
            if GUARDS.contains(&member.key.as_str()) && holds {
                return Some(member.key_span.clone());
            }
            if depth < 4 {
                rest.push((&member.node, depth + 1));
            }
        }
    }
    None
}

/// Events of which one bad entry drops the file; of others it is left out. [run] Claude Code 2.1.330.
pub(super) const GUARDS: [&str; 2] = ["PreToolUse", "PermissionRequest"];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn wrong_in(text: &str) -> Option<String> {
        wrong(&tree::parse(text).unwrap().root).map(|wrong| wrong.message)
    }

    #[test]
    fn every_line_is_a_schema() {
        let mut keys = 0;
        for line in payload::CLAUDE_SETTINGS.lines().filter(|line| !line.starts_with('#')) {
            let (key, schema) = line.split_once('\t').unwrap();
            assert!(!schema_of(key).unwrap().members().is_empty(), "{key}");
            assert_eq!(schema_of(key), Some(tree::parse(schema).unwrap().root), "{key}: once");
            keys += 1;
        }
        assert!(keys > 100, "{keys}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            (r#"{"model": 7}"#, Some("`model` is the number 7, not a string.")),
            (r#"{"model": "opus"}"#, None),
            (r#"{"model": 7, "model": "opus"}"#, None),
            (r#"{"permissions": {"allow": "Bash"}}"#, Some("`permissions.allow` is a string, not an array.")),
            (r#"{"cleanupPeriodDays": 1e2}"#, None),
            (
                r#"{"cleanupPeriodDays": 0}"#,
                Some("`cleanupPeriodDays` is the number 0, not a number above 0."),
            ),
            (r#"{"statusLine": {"type": "command"}}"#, Some("`statusLine` has no `command`.")),
            (r#"{"nobody knows": 7}"#, None),
        ] {
            assert_eq!(wrong_in(text).as_deref(), expected, "{text}");
        }
    }
}
