//! How hooks stand in the files of a host, made into the one form that [`crate::read`] knows: entries below events below
//! `hooks`, each where it stands in the file.

use std::ops::Range;
use std::path::Path;

use saphyr::{LoadableYamlNode as _, MarkedYaml, Scalar, YamlData};

use crate::tree::{self, Broken, Document, Member, Node, Value};

/// How hooks stand in a host's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// JSON with events below `hooks`.
    Events,
    /// The same, or with events at the top where there are no `hooks`.
    EventsAnywhere,
    /// JSON with events below names of anyone's choice; ours is this one.
    Named(&'static str),
    /// JSON with a list of hooks, each of which names its event and has its command in `action`.
    List,
    /// YAML with events below `hooks`.
    Yaml,
    /// An executable file for each event.
    Scripts,
    /// Plugins in JavaScript; of ours the hooks are JSON, and this is what the host calls.
    Plugin(&'static str),
}

/// The line by which a script or a plugin of ours is known.
pub const MARK: &str = "policy-hooks: written by `hook-runner init`";

/// What stands before and after the hooks in a plugin.
pub const PLUGIN_HOOKS: (&str, &str) = ("const HOOKS = ", "\n// End of the hooks.");

/// How a line of a script begins that calls a program for its answer, one that passes on what it says, and one that only
/// lets it watch.
pub const SCRIPT_CALLS: (&str, &str, &str) = ("ask ", "tell ", "watch ");

/// What an entry of a script has where its program has to answer.
pub(crate) const MUST_ANSWER: &str = "failClosed";

impl Layout {
    /// Whether files of ours hold nothing of others.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::List | Self::Scripts | Self::Plugin(_))
    }

    /// In what its files are written.
    pub(crate) fn language(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            _ => "JSON",
        }
    }

    /// The hooks of a file. `events` are those that the host has.
    pub(crate) fn parse(self, file: &Path, text: &str, events: &[&str]) -> Result<Document, Broken> {
        match self {
            Self::Events => tree::parse(text),
            Self::EventsAnywhere => {
                let document = tree::parse(text)?;
                let is_event = |member: &Member| events.contains(&&*member.key);
                let bare =
                    document.root.get("hooks").is_none() && document.root.members().iter().any(is_event);
                Ok(if bare { changed(document, |root| root.members().to_vec()) } else { document })
            }
            Self::Named(_) => Ok(changed(tree::parse(text)?, named)),
            Self::List => Ok(changed(tree::parse(text)?, listed)),
            Self::Yaml => yaml(text),
            Self::Scripts => Ok(script(file, text, events)),
            Self::Plugin(_) => plugin(text),
        }
    }
}

fn node(span: Range<usize>, value: Value) -> Node {
    Node { span, value }
}

fn member(key: &str, span: Range<usize>, node: Node) -> Member {
    Member { key: key.to_owned(), key_span: span, node }
}

/// A document with these events.
fn hooks(span: Range<usize>, events: Vec<Member>) -> Node {
    let all = node(span.clone(), Value::Object(events));
    node(span.clone(), Value::Object(vec![member("hooks", span.start..span.start, all)]))
}

/// The same document in another form, unless it has none at all.
fn changed(document: Document, change: fn(&Node) -> Vec<Member>) -> Document {
    let Document { root, liberties } = document;
    let root = if root.is_object() { hooks(root.span.clone(), change(&root)) } else { root };
    Document { root, liberties }
}

/// Puts an entry below its event.
fn push(events: &mut Vec<Member>, event: Member) {
    match events.iter_mut().find(|known| known.key == event.key) {
        Some(Member { node: Node { value: Value::List(known), .. }, .. }) => {
            known.extend(event.node.elements().unwrap_or_default().iter().cloned());
        }
        _ => events.push(event),
    }
}

/// Whether a hook is switched off by itself.
fn is_off(node: &Node) -> bool {
    node.at("enabled").and_then(Node::truth) == Some(false)
}

fn named(root: &Node) -> Vec<Member> {
    let mut events = Vec::new();
    for hook in root.members().iter().filter(|hook| !is_off(&hook.node)) {
        for event in hook.node.members().iter().filter(|event| event.key != "enabled") {
            push(&mut events, event.clone());
        }
    }
    events
}

fn listed(root: &Node) -> Vec<Member> {
    let mut events = Vec::new();
    for hook in root.at("hooks").and_then(Node::elements).unwrap_or_default() {
        if is_off(hook) {
            continue;
        }
        let trigger = hook.get("trigger");
        let key = trigger.and_then(|trigger| trigger.node.text()).unwrap_or_default();
        let span = trigger.map_or_else(|| hook.span.clone(), |trigger| trigger.node.span.clone());
        let own = hook.members().iter().filter(|own| !matches!(&*own.key, "trigger" | "action" | "enabled"));
        let action = hook.at("action").map(Node::members).unwrap_or_default();
        let entry = node(hook.span.clone(), Value::Object(own.chain(action).cloned().collect()));
        push(&mut events, member(key, span, node(hook.span.clone(), Value::List(vec![entry]))));
    }
    events
}

/// A file of YAML. A name that stands twice, or an alias, makes it none that is read.
fn yaml(text: &str) -> Result<Document, Broken> {
    let broken = |at: usize, message: String| Broken { span: at..at, message };
    // The parser counts characters.
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(text.len());
    let documents = MarkedYaml::load_from_str(text)
        .map_err(|error| broken(at(error.marker().index()), error.info().to_owned()))?;
    let root =
        documents.first().map_or_else(|| node(0..0, Value::Object(Vec::new())), |yaml| of_yaml(yaml, &at));
    // A file that says nothing is one without settings.
    let root = if root.value == Value::Null { node(0..0, Value::Object(Vec::new())) } else { root };
    Ok(Document { root, liberties: Vec::new() })
}

fn of_yaml(yaml: &MarkedYaml<'_>, at: &impl Fn(usize) -> usize) -> Node {
    let span = at(yaml.span.start.index())..at(yaml.span.end.index());
    let value = match &yaml.data {
        YamlData::Value(Scalar::Boolean(truth)) => Value::Bool(*truth),
        YamlData::Value(Scalar::Integer(number)) => Value::Number(number.to_string()),
        YamlData::Value(Scalar::FloatingPoint(number)) => Value::Number(number.to_string()),
        YamlData::Value(Scalar::String(text)) => Value::Text(text.to_string()),
        YamlData::Sequence(list) => Value::List(list.iter().map(|element| of_yaml(element, at)).collect()),
        YamlData::Mapping(members) => Value::Object(
            members
                .iter()
                .map(|(key, value)| {
                    let key = of_yaml(key, at);
                    Member {
                        key: key.text().unwrap_or_default().to_owned(),
                        key_span: key.span,
                        node: of_yaml(value, at),
                    }
                })
                .collect(),
        ),
        _ => Value::Null,
    };
    Node { span, value }
}

/// An executable file: one of ours has a line for each program, another's is called as it is.
fn script(file: &Path, text: &str, events: &[&str]) -> Document {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let event = events.iter().find(|event| event.eq_ignore_ascii_case(&stem));
    let command = |command: &str, span: Range<usize>, answers: bool| {
        let text = |text: &str| node(span.clone(), Value::Text(text.to_owned()));
        let mut members = vec![member("command", span.clone(), text(command))];
        if answers {
            members.push(member(MUST_ANSWER, span.clone(), node(span.clone(), Value::Bool(true))));
        }
        node(span.clone(), Value::Object(members))
    };
    let mut entries = Vec::new();
    if text.contains(MARK) {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = start..start + line.trim_end().len();
            start += line.len();
            let (ask, tell, watch) = SCRIPT_CALLS;
            if let Some(called) = line.strip_prefix(ask) {
                entries.push(command(called.trim_end(), span, true));
            } else if let Some(called) = line.strip_prefix(tell).or_else(|| line.strip_prefix(watch)) {
                entries.push(command(called.trim_end(), span, false));
            }
        }
    } else {
        entries.push(command(&payload::quote(&file.to_string_lossy()), 0..text.len(), false));
    }
    let whole = 0..text.len();
    let events = event.map(|event| member(event, 0..0, node(whole.clone(), Value::List(entries))));
    Document { root: hooks(whole, Vec::from_iter(events)), liberties: Vec::new() }
}

/// A plugin: of one that is not ours no one knows what it does.
fn plugin(text: &str) -> Result<Document, Broken> {
    let (before, after) = PLUGIN_HOOKS;
    let found = text.find(before).filter(|_| text.contains(MARK)).and_then(|start| {
        let start = start + before.len();
        Some(start..start + text[start..].find(after)?)
    });
    let Some(inside) = found else {
        return Ok(Document { root: hooks(0..text.len(), Vec::new()), liberties: Vec::new() });
    };
    // Blanks in front keep every place where it is.
    let Document { root, liberties } = tree::parse(&(" ".repeat(inside.start) + &text[inside]))?;
    Ok(Document { root: hooks(root.span.clone(), root.members().to_vec()), liberties })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Events, each with the commands of its entries and where these stand.
    fn commands(layout: Layout, file: &str, text: &str) -> Vec<(String, String, String)> {
        let document = layout.parse(Path::new(file), text, &["PreToolUse", "Stop"]).unwrap();
        let all = document.root.at("hooks").unwrap().members().to_vec();
        let entries = all.iter().flat_map(|event| {
            let entries = event.node.elements().unwrap_or_default().iter();
            entries.map(|entry| (event.key.clone(), entry.at("command").cloned().unwrap()))
        });
        entries
            .map(|(event, command)| {
                (event, command.text().unwrap().to_owned(), text[command.span].to_owned())
            })
            .collect()
    }

    #[test]
    fn every_layout_says_what_is_called_and_where() {
        let one = |event: &str, command: &str, place: &str| {
            (event.to_owned(), command.to_owned(), place.to_owned())
        };
        let named = r#"{"a": {"Stop": [{"command": "x"}]}, "b": {"enabled": false, "Stop": [{"command": "off"}]}, "c": {"Stop": [{"command": "y"}]}}"#;
        assert_eq!(
            commands(Layout::Named("a"), "hooks.json", named),
            [one("Stop", "x", "\"x\""), one("Stop", "y", "\"y\"")]
        );
        let list = r#"{"version": "v1", "hooks": [
            {"name": "n", "trigger": "PreToolUse", "action": {"type": "command", "command": "x"}, "timeout": 5},
            {"name": "o", "trigger": "Stop", "enabled": false, "action": {"type": "command", "command": "off"}}]}"#;
        assert_eq!(commands(Layout::List, "a.json", list), [one("PreToolUse", "x", "\"x\"")]);
        let yaml = "model: ü\nhooks:\n  pre_tool_call:\n    - matcher: terminal\n      command: /bin/x --y\n";
        assert_eq!(
            commands(Layout::Yaml, "config.yaml", yaml),
            [one("pre_tool_call", "/bin/x --y", "/bin/x --y")]
        );
        let script = format!("#!/bin/sh\n# {MARK}\nwatch audit-logger\nask command-blocker\n");
        assert_eq!(
            commands(Layout::Scripts, "/h/PreToolUse", &script),
            [
                one("PreToolUse", "audit-logger", "watch audit-logger"),
                one("PreToolUse", "command-blocker", "ask command-blocker")
            ]
        );
        assert_eq!(commands(Layout::Scripts, "/h/README.md", "hooks"), []);
        assert_eq!(commands(Layout::Scripts, "/h/a b/Stop.sh", "x"), [one("Stop", "'/h/a b/Stop.sh'", "x")]);
        let (before, after) = PLUGIN_HOOKS;
        let plugin = format!("// {MARK}\n{before}{{\"Stop\": [{{\"command\": \"x\"}}]}}{after}\n");
        assert_eq!(commands(Layout::Plugin(""), "p.js", &plugin), [one("Stop", "x", "\"x\"")]);
        assert_eq!(commands(Layout::Plugin(""), "p.js", "export const Other = 1"), []);
    }

    #[test]
    fn what_is_not_yaml_says_where() {
        let broken = Layout::Yaml.parse(Path::new("c.yaml"), "a: [1\nb: 2", &[]).unwrap_err();
        assert!(broken.span.start > 0, "{broken:?}");
        assert!(Layout::Yaml.parse(Path::new("c.yaml"), "", &[]).unwrap().root.is_object());
    }
}
