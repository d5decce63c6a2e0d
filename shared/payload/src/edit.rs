//! What an edit tool makes of the files that it touches.

use std::borrow::Cow;

use crate::event::{Event, Input};
use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};
use crate::patch;
use crate::path::{Access, says_it_changes};
use crate::tool::ToolKind;
use crate::uri;

/// A file that an edit tool changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit<'a> {
    /// As the payload names it, with `file://` URIs decoded.
    pub path: Cow<'a, str>,
    /// What happens to it: it is written or taken away.
    pub access: Access,
    /// What it becomes.
    pub change: Change<'a>,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<'a> {
    /// This is all that stands in it then.
    Whole(Cow<'a, str>),
    /// Pieces of it become others, in this order.
    Pieces(Vec<Piece<'a>>),
    /// The call does not say.
    Unknown,
}

/// A piece of a file that becomes another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The text of before; empty where something is only added.
    pub old: Cow<'a, str>,
    /// The text of after.
    pub new: Cow<'a, str>,
    /// Whether every such piece changes, and not only the first.
    pub all: bool,
}

impl Event<'_> {
    /// The files that the tool call would change or take away by itself, with what becomes of them.
    ///
    /// Tools that only read are left out, and so are tools that we do not know, unless their name says that they write
    /// or they carry what is to be written.
    pub fn edits(&self) -> Vec<Edit<'_>> {
        let kind = self.tool_kind();
        let unfamiliar = self.is_unfamiliar();
        // What commands write, the rules about commands find; a new directory has no content.
        if kind.takes_commands() || (kind == ToolKind::MakeDir && !unfamiliar) {
            return Vec::new();
        }
        let mut touched = self.paths();
        touched.retain(|touched| touched.access != Access::Read);
        if touched.is_empty() {
            return Vec::new();
        }
        let mut changes: Vec<(Cow<'_, str>, Change<'_>)> = Vec::new();
        let mut patched = Vec::new();
        if let Input::Text(text) = &self.input {
            patch::changes(text, &mut changes);
        } else if let Some(input) = self.scope() {
            let known = !unfamiliar && !matches!(kind, ToolKind::Mcp | ToolKind::Other);
            patches(input, known, &mut |text| {
                patch::changes(text, &mut changes);
                patch::paths(text, &mut patched);
            });
            collect(input, None, &mut changes);
        }
        let known = !matches!(kind, ToolKind::Mcp | ToolKind::Other);
        // The path in a call that no one knows may be one that it reads: it is an edit only with a verb or a
        // content that says so.
        let says = known || unfamiliar || self.tool.as_ref().is_some_and(|tool| says_it_changes(&tool.name));
        let in_patch = |path: &str| patched.iter().any(|known| known.path == path);
        let mut edits = Vec::new();
        for touched in touched {
            let change = changes.iter().find(|(path, _)| *path == touched.path).map(|(_, change)| change);
            if says || change.is_some() || in_patch(&touched.path) {
                let change = change.cloned().unwrap_or(Change::Unknown);
                edits.push(Edit { path: touched.path, access: touched.access, change });
            }
        }
        edits
    }
}

/// Calls back for every patch in an object; a tool that is known has it in one of three places.
fn patches(object: Json<'_>, known: bool, found: &mut impl FnMut(&str)) {
    if known {
        return ["input", "patch", "command"]
            .into_iter()
            .filter_map(|key| object.get_str(key))
            .for_each(|text| found(&text));
    }
    for (key, value) in object.members() {
        let meaning = keys::guess(&key);
        let mut text = |value: Json<'_>| {
            if let Some(text) =
                value.as_str().filter(|text| meaning.is(Meaning::PATCH) || patch::is_patch(text))
            {
                found(&text);
            }
        };
        text(value);
        value.elements().for_each(text);
        patches(value, false, found);
        value.elements().for_each(|element| patches(element, false, found));
    }
}

/// Every change of an object and of what is inside it; `above` is the path that counts where none is named.
fn collect<'e>(object: Json<'e>, above: Option<&str>, changes: &mut Vec<(Cow<'e, str>, Change<'e>)>) {
    let any = Meaning::PATH.and(Meaning::MAYBE_PATH);
    let named =
        object.members().find(|(key, value)| value.kind() == JsonType::String && keys::guess(key).is(any));
    let path = named.and_then(|(_, value)| value.as_str());
    let path = path.map(|text| uri::file_path(&text).map_or(text, Cow::Owned));
    // `{path, edits: [{old, new}]}`: the pieces stand below the path.
    let of = path.as_deref().or(above);
    if let (Some(path), Some(change)) = (of, change(object)) {
        add(path, change, changes);
    }
    for (_, value) in object.members() {
        match value.kind() {
            JsonType::Object => collect(value, of, changes),
            JsonType::Array => {
                for element in value.elements().filter(|element| element.kind() == JsonType::Object) {
                    collect(element, of, changes);
                }
            }
            _ => {}
        }
    }
}

/// Pieces of one file add up. Of two contents, no one knows which the tool takes: what is judged must not be the other.
fn add<'e>(path: &str, change: Change<'e>, changes: &mut Vec<(Cow<'e, str>, Change<'e>)>) {
    match (changes.iter_mut().find(|(known, _)| known == path), change) {
        (Some((_, Change::Pieces(known))), Change::Pieces(more)) => known.extend(more),
        (Some((_, known)), more) if *known == more => {}
        (Some((_, known)), _) => *known = Change::Unknown,
        (None, change) => changes.push((Cow::Owned(path.to_owned()), change)),
    }
}

/// The change that an object spells out, under the names of every host. One that it spells out twice is not known.
fn change(object: Json<'_>) -> Option<Change<'_>> {
    let (mut old, mut new, mut whole, mut all) = (None, None, None, false);
    let mut twice = false;
    for (key, value) in object.members() {
        let meaning = keys::meaning(&key);
        if meaning.is(Meaning::ALL) {
            all |= value.as_bool() == Some(true);
            continue;
        }
        let known = match meaning {
            _ if meaning.is(Meaning::OLD) => &mut old,
            _ if meaning.is(Meaning::NEW) => &mut new,
            _ if meaning.is(Meaning::WHOLE) => &mut whole,
            _ => continue,
        };
        let Some(value) = value.as_str() else { continue };
        twice |= known.as_ref().is_some_and(|known| *known != value);
        *known = Some(value);
    }
    let in_pieces = old.is_some() || new.is_some();
    if twice || in_pieces && whole.is_some() {
        return Some(Change::Unknown);
    }
    // `insert` of Copilot and VS Code's `insert_edit_into_file` only say what comes in.
    if in_pieces {
        let piece = Piece { old: old.unwrap_or_default(), new: new.unwrap_or_default(), all };
        return Some(Change::Pieces(vec![piece]));
    }
    whole.map(Change::Whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Hints, parse};

    fn edits(tool: &str, input: &str) -> Vec<(String, Access, String)> {
        let text = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
        );
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        let shown = |change: &Change<'_>| match change {
            Change::Whole(text) => text.clone().into_owned(),
            Change::Pieces(pieces) => pieces
                .iter()
                .map(|piece| format!("{}>{}{}", piece.old, piece.new, if piece.all { "*" } else { "" }))
                .collect::<Vec<_>>()
                .join("|"),
            Change::Unknown => "?".to_owned(),
        };
        event
            .edits()
            .into_iter()
            .map(|edit| (edit.path.into_owned(), edit.access, shown(&edit.change)))
            .collect()
    }

    #[test]
    fn the_edit_tools_of_every_host_say_what_they_change() {
        use Access::{Delete, Write};
        type Case<'a> = (&'a str, &'a str, &'a [(&'a str, Access, &'a str)]);
        let cases: &[Case<'_>] = &[
            ("Write", r#"{"file_path":"a","content":"x"}"#, &[("a", Write, "x")]),
            ("create", r#"{"path":"a","file_text":"x"}"#, &[("a", Write, "x")]),
            ("create_file", r#"{"filePath":"a","content":"x"}"#, &[("a", Write, "x")]),
            ("write_file", r#"{"file_path":"a","content":"x"}"#, &[("a", Write, "x")]),
            (
                "Edit",
                r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}"#,
                &[("a", Write, "x>y*")],
            ),
            ("replace", r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, &[("a", Write, "x>y")]),
            (
                "replace_string_in_file",
                r#"{"filePath":"a","oldString":"x","newString":"y"}"#,
                &[("a", Write, "x>y")],
            ),
            (
                "multi_replace_string_in_file",
                r#"{"replacements":[{"filePath":"a","oldString":"x","newString":"y"},{"filePath":"b","oldString":"v","newString":"w"},{"filePath":"a","oldString":"y","newString":"z"}]}"#,
                &[("a", Write, "x>y|y>z"), ("b", Write, "v>w"), ("a", Write, "x>y|y>z")],
            ),
            (
                "MultiEdit",
                r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"v","new_string":"w"}]}"#,
                &[("a", Write, "x>y|v>w")],
            ),
            ("str_replace", r#"{"path":"a","old_str":"x","new_str":"y"}"#, &[("a", Write, "x>y")]),
            ("mcp__fs__write_file", r#"{"path":"a","text":"x","content":"y"}"#, &[("a", Write, "?")]),
            ("mcp__fs__put", r#"{"path":"a","data":"x","content":"y"}"#, &[("a", Write, "?")]),
            ("mcp__fs__put", r#"{"path":"a","data":"x","content":"x"}"#, &[("a", Write, "x")]),
            (
                "mcp__fs__write_files",
                r#"{"files":[{"path":"a","content":"x"},{"path":"a","content":"y"}]}"#,
                &[("a", Write, "?"), ("a", Write, "?")],
            ),
            (
                "mcp__fs__edit_file",
                r#"{"path":"a","old_str":"x","new_str":"y","content":"z"}"#,
                &[("a", Write, "?")],
            ),
            ("insert_edit_into_file", r#"{"filePath":"a","code":"y"}"#, &[("a", Write, ">y")]),
            ("editFiles", r#"{"files":["a","b"]}"#, &[("a", Write, "?"), ("b", Write, "?")]),
            (
                "apply_patch",
                r#"{"input":"*** Begin Patch\n*** Update File: a\n@@\n c\n-x\n+y\n*** Add File: b\n+n\n*** Delete File: d\n*** End Patch"}"#,
                &[("a", Write, "c\nx\n>c\ny\n"), ("b", Write, "n\n"), ("d", Delete, "?")],
            ),
            (
                "apply_patch",
                r#"{"command":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch"}"#,
                &[("a", Write, "?"), ("a", Delete, "?"), ("b", Write, "?")],
            ),
            ("Read", r#"{"file_path":"a"}"#, &[]),
            ("create_directory", r#"{"dirPath":"d"}"#, &[]),
            ("Bash", r#"{"command":"touch a"}"#, &[]),
            ("mcp__lint__analyze", r#"{"path":"a"}"#, &[]),
            ("mcp__fs__write_file", r#"{"path":"a","content":"x"}"#, &[("a", Write, "x")]),
            (
                "mcp__fs__move_file",
                r#"{"source":"a","destination":"b"}"#,
                &[("a", Delete, "?"), ("b", Write, "?")],
            ),
            ("frobnicate", r#"{"path":"a","content":"x"}"#, &[("a", Write, "x")]),
        ];
        for (tool, input, expected) in cases {
            let expected: Vec<_> = expected
                .iter()
                .map(|(path, access, change)| ((*path).to_owned(), *access, (*change).to_owned()))
                .collect();
            assert_eq!(edits(tool, input), expected, "{tool} {input}");
        }
    }
}
