//! The keys of a settings file that switch hooks, permissions and what runs by itself.

use std::borrow::Cow;

use payload::{Json, JsonType};

use super::accepted::Reader;
use super::jsonc::{Extras, plain, tight};
use crate::builtin::has;

/// Words in a key of a host's settings that have to do with what it lets happen.
const WORDS: &[&str] = &[
    "hook",
    "permission",
    "allow",
    "deny",
    "approv",
    "accept",
    "trust",
    "bypass",
    "danger",
    "yolo",
    "sandbox",
    "mcp",
    "env",
    "helper",
    "statusline",
    "command",
    "tool",
    "plugin",
    "polic",
    "extension",
    "agent",
    "experimental",
    "security",
    "admin",
    "auth",
    "proxy",
    "autopilot",
    "skill",
    "defaultmode",
    "managed",
    "disable",
];

/// Beginnings of the settings with which VS Code switches agents, and of those that name programs it starts.
const EDITOR: &[&str] = &[
    "chat",
    "hook",
    "github.copilot",
    "copilot",
    "claude",
    "mcp",
    "security.",
    "task.allow",
    "terminal.integrated.env",
    "terminal.integrated.profiles",
    "terminal.integrated.automation",
    "terminal.integrated.default",
    "terminal.integrated.shell",
    "git.path",
    "workbench.trust",
    "inlinechat",
    "accessibility.signals.chat",
];

/// Whether nothing but harmless keys differ, or what differs lets less happen than before, and the host still reads the
/// file.
pub(super) fn only_tightens(before: Option<&str>, after: &str, reader: Reader) -> bool {
    let editor = reader == Reader::Editor;
    let (after, extras) = plain(after);
    // A file that the host cannot read has none of its hooks.
    let Some(after) = Json::new(&after).filter(|json| json.kind() == JsonType::Object) else { return false };
    let Some(before) = before else {
        // A new file: something harmless stands in it, and nothing else.
        let mut members = after.members().peekable();
        return members.peek().is_some()
            && all(after, editor).is_empty()
            && !reader.refuses(Extras::default(), extras)
            && !reader.rejects(None, after);
    };
    let (before, known) = plain(before);
    let Some(before) = Json::new(&before).filter(|json| json.kind() == JsonType::Object) else {
        return false;
    };
    if reader.refuses(known, extras) || reader.rejects(Some(before), after) {
        return false;
    }
    let (old, new) = (all(before, editor), all(after, editor));
    // Of duplicates, the last one counts.
    let of = |list: &[(String, String)], key: &str| {
        list.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    };
    old.iter().chain(&new).all(|(key, _)| {
        let (old, new) = (of(&old, key), of(&new, key));
        old == new || tightens(key, old.as_deref(), new.as_deref())
    })
}

/// Whether members that are named, of a file that is not known, become others that the host does not read.
pub(super) fn breaks(old: &str, new: &str, reader: Reader) -> bool {
    let wrapped = |text: &str| {
        let (text, extras) = plain(text);
        (format!("{{{}}}", text.trim().trim_matches(',')), extras)
    };
    let ((old, known), (new, extras)) = (wrapped(old), wrapped(new));
    reader.refuses(known, extras)
        || match (Json::new(&old), Json::new(&new)) {
            (Some(old), Some(new)) => reader.rejects(Some(old), new),
            (Some(_), None) => true,
            (None, _) => false,
        }
}

/// Whether a string names a switch.
pub(super) fn mentions(text: &str, editor: bool) -> bool {
    let text = plainer(text);
    let words = if editor { EDITOR } else { WORDS };
    // An escape may spell any of the words.
    text.contains("\\u") || words.iter().any(|word| text.contains(word))
}

/// The members that switch something, by key, with their values in one spelling.
fn all(object: Json<'_>, editor: bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (key, value) in object.members() {
        if editor && key == "settings" && value.kind() == JsonType::Object {
            // A workspace file has its settings one level down.
            found.extend(all(value, editor));
        } else if switches(&key, value, editor) {
            found.push((key.into_owned(), tight(value.text())));
        }
    }
    found
}

/// In small letters, without a word in which another only seems to stand: `includeCoAuthoredBy` signs no one in.
fn plainer(text: &str) -> String {
    text.to_ascii_lowercase().replace("author", "")
}

/// Whether a line of an editor's settings, which need not be whole, names a switch.
pub(super) fn switches_editor(line: &str) -> bool {
    let name = line.trim().trim_matches('"');
    name.contains('.') && EDITOR.iter().any(|start| name.to_ascii_lowercase().starts_with(start))
}

pub(super) fn switches(key: &str, value: Json<'_>, editor: bool) -> bool {
    let key = plainer(key);
    if editor {
        return EDITOR.iter().any(|start| key.starts_with(start));
    }
    WORDS.iter().any(|word| key.contains(word))
        || value.kind() == JsonType::Object
            && value.members().any(|(key, value)| switches(&key, value, editor))
}

/// Whether a switch lets less happen than before.
fn tightens(key: &str, old: Option<&str>, new: Option<&str>) -> bool {
    match key {
        "disableAllHooks" => matches!(new, None | Some("false")),
        "chat.useHooks" => new == Some("true"),
        "permissions" => {
            let (old, new) = (old.unwrap_or("{}"), new.unwrap_or("{}"));
            let (Some(old), Some(new)) = (Json::new(old), Json::new(new)) else { return false };
            let keys = old.members().chain(new.members()).map(|(key, _)| key);
            let fine = |key: Cow<'_, str>| {
                let (old, new) = (old.get(&key), new.get(&key));
                if has("deny ask allow", &key) && !new.is_none_or(is_list_of_strings) {
                    false
                } else if has("deny ask", &key) {
                    // Nothing may go from what is denied or asked about, and nothing may come to what is allowed.
                    holds(new, old)
                } else if key == "allow" {
                    holds(old, new)
                } else {
                    // Other keys of permissions, such as the mode, have no order that is known here.
                    old.map(Json::text) == new.map(Json::text)
                }
            };
            keys.into_iter().all(fine)
        }
        _ => false,
    }
}

/// What Claude Code reads: one other element, and it drops the file.
fn is_list_of_strings(list: Json<'_>) -> bool {
    list.kind() == JsonType::Array && list.elements().all(|element| element.kind() == JsonType::String)
}

/// Whether a list has everything that another has.
fn holds(list: Option<Json<'_>>, other: Option<Json<'_>>) -> bool {
    let elements = |list: Option<Json<'_>>| -> Vec<String> {
        list.into_iter().flat_map(Json::elements).map(|element| element.text().to_owned()).collect()
    };
    let known = elements(list);
    elements(other).iter().all(|element| known.contains(element))
}
