//! Our groups in a file that others write, too: put in and taken out, with everything else as it was.

use host::tree::{self, Node, Value};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

/// The text with our groups for these hooks, each once.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn with(text: &str, shipped: &str, hooks: &[&str]) -> Result<String, String> {
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let object = root.object_value().ok_or("it holds no object")?;
    let shipped = tree::parse(shipped).map_err(|broken| broken.message)?.root;
    let mut added = false;
    let events = shipped.at("hooks").map(Node::members).unwrap_or_default();
    for event in events {
        for group in event.node.elements().unwrap_or_default() {
            let handler = group.at("hooks").and_then(Node::elements).and_then(<[Node]>::first);
            let command = handler.and_then(|handler| handler.at("command")).and_then(Node::text);
            let name = command.and_then(ours::plain_program).filter(|name| hooks.contains(name));
            let (Some(name), event) = (name, event.key.as_str()) else { continue };
            let all = object.object_value_or_create("hooks").ok_or("`hooks` is no object")?;
            let list = all.array_value_or_create(event).ok_or_else(|| format!("`{event}` is no array"))?;
            if !runs(&list, name) {
                list.ensure_multiline();
                list.append(input(group));
                added = true;
            }
        }
    }
    Ok(if added { finished(&root) } else { text.to_owned() })
}

/// The text without anything that runs these hooks and nothing else; empty when nothing is left.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn without(text: &str, hooks: &[&str]) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let object = root.object_value().ok_or("it holds no object")?;
    let Some(all) = object.object_value("hooks") else { return Ok(text.to_owned()) };
    let mut changed = false;
    for property in all.properties() {
        let Some(list) = property.array_value() else { continue };
        for element in list.elements() {
            changed |= clean(&element, hooks);
        }
        if changed && list.elements().is_empty() {
            property.remove();
        }
    }
    if !changed {
        return Ok(text.to_owned());
    }
    if all.properties().is_empty()
        && let Some(property) = object.get("hooks")
    {
        property.remove();
    }
    if object.properties().is_empty() && tree::parse(text).is_ok_and(|document| document.liberties.is_empty())
    {
        return Ok(String::new());
    }
    Ok(finished(&root))
}

/// Takes our handlers out of a group, and the group when it has no other; whether there were any.
fn clean(element: &CstNode, hooks: &[&str]) -> bool {
    let Some(group) = element.as_object() else { return false };
    let Some(handlers) = group.array_value("hooks") else { return false };
    let mut changed = false;
    for handler in handlers.elements() {
        if handler
            .as_object()
            .and_then(|handler| plain(&handler))
            .is_some_and(|name| hooks.contains(&name.as_str()))
        {
            handler.remove();
            changed = true;
        }
    }
    if changed && handlers.elements().is_empty() {
        element.clone().remove();
    }
    changed
}

/// Whether one of the groups runs a program of ours.
fn runs(groups: &CstArray, name: &str) -> bool {
    let of_group = |group: CstNode| {
        let handlers = group.as_object()?.array_value("hooks")?.elements();
        Some(handlers.into_iter().any(|handler| {
            handler.as_object().and_then(|handler| plain(&handler)).is_some_and(|plain| plain == name)
        }))
    };
    groups.elements().into_iter().any(|group| of_group(group).unwrap_or(false))
}

/// The program of a handler that runs one and nothing else.
fn plain(handler: &CstObject) -> Option<String> {
    let command = handler.get("command")?.value()?.as_string_lit()?.decoded_value().ok()?;
    ours::plain_program(&command).map(str::to_owned)
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

fn finished(root: &CstRootNode) -> String {
    let text = root.to_string();
    if text.ends_with('\n') { text } else { text + "\n" }
}

fn input(node: &Node) -> CstInputValue {
    match &node.value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.clone()),
        Value::Text(text) => CstInputValue::String(text.clone()),
        Value::List(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(members) => CstInputValue::Object(
            members.iter().map(|member| (member.key.clone(), input(&member.node))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SHIPPED: &str = include_str!("../../../../configs/claude-code/settings.json");
    const HOOKS: &[&str] = &["command-blocker"];

    fn value(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_new_file_says_what_is_shipped() {
        let text = with("", SHIPPED, HOOKS).unwrap();
        assert_eq!(text, SHIPPED, "its order, too");
        assert_eq!(value(&text)["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "command-blocker");
        assert_eq!(without(&text, HOOKS).unwrap(), "");
    }

    #[test]
    fn twice_is_once() {
        let once = with("", SHIPPED, HOOKS).unwrap();
        assert_eq!(with(&once, SHIPPED, HOOKS).unwrap(), once);
    }

    #[test]
    fn everything_else_stays_as_it_was() {
        let texts = [
            "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"make\"}]}\n    ]\n  }\n}\n",
            "{\n\t\"a\": [1, 2,   3],\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"other\" } ] }\n\t\t]\n\t}\n}\n",
            "{\n  \"permissions\": {}\n}\n",
        ];
        for text in texts {
            let added = with(text, SHIPPED, HOOKS).unwrap();
            assert!(added.contains("command-blocker"), "{added}");
            for line in text.lines().filter(|line| line.len() > 12) {
                assert!(added.contains(line.trim_end_matches(',')), "{line}: {added}");
            }
            let removed = without(&added, HOOKS).unwrap();
            let meaning = |text: &str| tree::parse(text).map(|document| plain_tree(&document.root)).unwrap();
            assert_eq!(meaning(&removed), meaning(text), "{removed}");
        }
    }

    /// A tree without its places.
    fn plain_tree(node: &tree::Node) -> String {
        match &node.value {
            tree::Value::List(list) => {
                format!("[{}]", list.iter().map(plain_tree).collect::<Vec<_>>().join(","))
            }
            tree::Value::Object(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|member| format!("{}:{}", member.key, plain_tree(&member.node)))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
            tree::Value::Text(text) => format!("'{text}'"),
            tree::Value::Number(number) => number.clone(),
            tree::Value::Bool(truth) => truth.to_string(),
            tree::Value::Null => "null".to_owned(),
        }
    }

    #[test]
    fn handlers_that_do_more_are_not_ours() {
        let text = "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"command-blocker && mine\"}]}]}}";
        assert_eq!(without(text, HOOKS).unwrap(), text);
        let shared = "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"},{\"type\":\"command\",\"command\":\"command-blocker\"}]}]}}";
        let left = value(&without(shared, HOOKS).unwrap());
        assert_eq!(left["hooks"]["PreToolUse"][0]["hooks"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_not_written() {
        for text in ["{", "[]", "{\"hooks\": 1}", "{\"hooks\": {\"PreToolUse\": {}}}"] {
            assert!(with(text, SHIPPED, HOOKS).is_err(), "{text}");
        }
    }
}
