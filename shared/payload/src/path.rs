//! The paths that a tool call touches.

use std::borrow::Cow;

use crate::event::{Event, Input};
use crate::field::Field;
use crate::json::{Json, JsonType};
use crate::keys::{self, Meaning};
use crate::patch;
use crate::tool::ToolKind;
use crate::uri;

/// What a tool call does to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Looks at it.
    Read,
    /// Creates or changes it.
    Write,
    /// Takes it away.
    Delete,
}

/// A path that a tool call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedPath<'a> {
    /// As the payload names it, with `file://` URIs decoded.
    pub path: Cow<'a, str>,
    /// What happens to it.
    pub access: Access,
}

/// Words of a tool's name that say it writes files.
const WRITES: &[&str] =
    &["write", "edit", "create", "update", "replace", "insert", "append", "save", "patch"];

/// Words of a tool's name that say it changes files in another way.
const CHANGES: &[&str] = &[
    "delete", "remove", "unlink", "trash", "rm", "move", "rename", "set", "copy", "put", "upload", "download",
];

impl Event<'_> {
    /// The paths that the tool call would touch (or touched), in the order of the payload.
    ///
    /// They are read from the tools of every host, from patches in all their wrappings, and from path-like keys of tools
    /// that we do not know, which count as writing unless their name says that they read or delete. Of a
    /// shell command, only what it gives to `apply_patch` is here, nor are the virtual paths of VS Code's `memory` tool.
    pub fn paths(&self) -> Vec<TouchedPath<'_>> {
        let mut found = Vec::new();
        if !self.kind.may_carry_tool() {
            return found;
        }
        let kind = self.tool_kind();
        if let Input::Text(text) = &self.input {
            // A patch comes as a plain string in some forms of Codex.
            if !kind.takes_commands() {
                patch::paths(text, &mut found);
            }
            return found;
        }
        let Some(input) = self.scope() else { return found };
        let unfamiliar = self.is_unfamiliar();
        let guess = unfamiliar || matches!(kind, ToolKind::Mcp | ToolKind::Other);
        if !kind.takes_commands() || unfamiliar {
            let patch = ["input", "patch", "command"].into_iter().find_map(|key| input.get_str(key));
            if let Some(text) =
                patch.filter(|text| !guess && (kind == ToolKind::Patch || patch::is_patch(text)))
            {
                patch::paths(&text, &mut found);
            }
        } else if input.text().contains("*** Begin Patch") {
            let commands = self.commands();
            for patch in commands.iter().filter_map(|command| patch::in_command(&command.text)) {
                patch::paths(patch, &mut found);
            }
        }
        let access = match kind {
            _ if unfamiliar => self.unfamiliar_access(),
            ToolKind::Read | ToolKind::Search => Access::Read,
            ToolKind::Create | ToolKind::Edit | ToolKind::Patch | ToolKind::Notebook | ToolKind::MakeDir => {
                Access::Write
            }
            ToolKind::Task => {
                task_file(input, &mut found);
                return found;
            }
            // A tool that is not known counts as writing unless its name says otherwise.
            ToolKind::Mcp | ToolKind::Other => {
                self.tool.as_ref().map_or(Access::Write, |tool| verb(&tool.name))
            }
            _ => return found,
        };
        // Only of tools that are not known: a host's own say by their kind what they do.
        let named_for = |of: &[&str]| {
            guess && self.tool.as_ref().is_some_and(|tool| words(&tool.name).any(|word| of.contains(&&*word)))
        };
        let moves = match (named_for(LEAVES), named_for(COPIES)) {
            (true, _) => Moves::Away,
            (_, true) => Moves::Along,
            _ => Moves::Not,
        };
        walk(input, &Walk { access, guess, moves, envelope: unfamiliar }, &mut found);
        found
    }

    /// What an unfamiliar call does to its paths, by the names of its tool and its event (`beforeReadFile`).
    fn unfamiliar_access(&self) -> Access {
        let tool = self.tool.as_ref().map_or("", |tool| &*tool.name);
        match self.tool_kind() {
            ToolKind::Read | ToolKind::Search => Access::Read,
            _ if tool.is_empty() => verb(&self.name),
            _ => verb(tool),
        }
    }

    /// Whether the input of an edit tool hides the file that it changes.
    pub(crate) fn hides_its_path(&self) -> bool {
        match self.tool_kind() {
            ToolKind::Create | ToolKind::Edit | ToolKind::Notebook | ToolKind::MakeDir => {
                let named = |(key, value): (Cow<'_, str>, Json<'_>)| {
                    value.kind() == JsonType::String && keys::meaning(&key).is(Meaning::PATH)
                };
                // The usual case looks no further.
                !self.input().is_some_and(|input| input.members().any(named)) && self.paths().is_empty()
            }
            ToolKind::Patch => {
                let texts = || self.input().into_iter().flat_map(Json::members);
                self.paths().is_empty()
                    && !texts().any(|(_, value)| value.as_str().is_some_and(|text| patch::is_patch(&text)))
            }
            _ => false,
        }
    }
}

impl Event<'_> {
    /// The files that the tool call changed for certain, in the order of the payload and each once.
    ///
    /// Unlike [`Event::paths`], which guesses to be on the safe side, this leaves out folders, and tools that we do not
    /// know unless their name says that they write.
    pub fn edited_files(&self) -> Vec<Cow<'_, str>> {
        let writes = match self.tool_kind() {
            // A shell, for what it gives to `apply_patch`.
            ToolKind::Create | ToolKind::Edit | ToolKind::Patch | ToolKind::Notebook | ToolKind::Shell => {
                true
            }
            ToolKind::Mcp | ToolKind::Other => {
                self.tool.as_ref().is_some_and(|tool| words(&tool.name).any(|word| WRITES.contains(&&*word)))
            }
            _ => false,
        };
        if !writes {
            return Vec::new();
        }
        let mut files: Vec<Cow<'_, str>> = Vec::new();
        for touched in self.paths() {
            if touched.access == Access::Write && !files.contains(&touched.path) {
                files.push(touched.path);
            }
        }
        files
    }
}

/// Whether a tool's name says that it changes files.
pub(crate) fn says_it_changes(name: &str) -> bool {
    words(name).any(|word| WRITES.contains(&&*word) || CHANGES.contains(&&*word))
}

/// Words of a tool's name that say that it puts files in another place, too.
const COPIES: &[&str] = &["copy", "cp", "link", "symlink"];

/// Words of a tool's name that say that what was in the old place is gone then.
const LEAVES: &[&str] = &["move", "rename", "mv"];

/// Whether a tool is named for taking files from one place to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moves {
    Not,
    /// They are in both places then.
    Along,
    /// They are gone from the old one.
    Away,
}

/// How [`walk`] reads keys.
struct Walk {
    access: Access,
    guess: bool,
    moves: Moves,
    /// Whether the object is a whole payload, with fields of its own.
    envelope: bool,
}

/// Collects the path-like members of an object and of everything inside it.
fn walk<'e>(object: Json<'e>, how: &Walk, found: &mut Vec<TouchedPath<'e>>) {
    for (key, value) in object.members() {
        // Of a payload's own keys, only the tool's input may name files.
        if how.envelope && Field::of(&key).is_some_and(|field| field != Field::ToolInput) {
            continue;
        }
        let meaning = if how.guess { keys::guess(&key) } else { keys::meaning(&key) };
        let guessed = how.guess && !meaning.is(Meaning::PATH) && meaning.is(Meaning::MAYBE_PATH);
        // `from` and `to` are files only where something is moved; elsewhere they may be dates or people.
        let guessed = guessed && (how.moves != Moves::Not || !meaning.is(Meaning::MOVES_ONLY));
        let named = guessed || meaning.is(Meaning::PATH);
        let access = if how.moves == Moves::Away && meaning.is(Meaning::MOVED_AWAY) {
            Access::Delete
        } else {
            how.access
        };
        let mut text = |value: Json<'e>| {
            if named {
                push(value, access, guessed, found);
            } else if how.guess {
                patch_text(value, meaning, found);
            }
        };
        match value.kind() {
            JsonType::String => text(value),
            JsonType::Array => {
                value.elements().filter(|element| element.kind() == JsonType::String).for_each(text);
            }
            _ => {}
        }
        // Below the top, a key is the tool's own, whatever its name.
        let how = Walk { envelope: false, ..*how };
        inside(value, &how, found);
    }
}

/// The objects in a value.
fn inside<'e>(value: Json<'e>, how: &Walk, found: &mut Vec<TouchedPath<'e>>) {
    match value.kind() {
        JsonType::Object => walk(value, how, found),
        JsonType::Array => value.elements().for_each(|element| inside(element, how, found)),
        _ => {}
    }
}

/// The paths of a patch, in a tool that we do not know.
fn patch_text(value: Json<'_>, meaning: Meaning, found: &mut Vec<TouchedPath<'_>>) {
    if let Some(text) = value.as_str()
        && (meaning.is(Meaning::PATCH) || patch::is_patch(&text))
    {
        patch::paths(&text, found);
    }
}

fn push<'e>(value: Json<'e>, access: Access, guessed: bool, found: &mut Vec<TouchedPath<'e>>) {
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
    // A guessed key with a web address names no path.
    if guessed && text.contains("://") && uri::file_path(&text).is_none() {
        return;
    }
    let path = uri::file_path(&text).map_or(text, Cow::Owned);
    found.push(TouchedPath { path, access });
}

/// VS Code's `create_and_run_task` writes the task down (copilot-chat `31acd00a8`).
fn task_file(input: Json<'_>, found: &mut Vec<TouchedPath<'_>>) {
    if let (Some(folder), Some(_)) = (input.get_str("workspaceFolder"), input.get("task")) {
        let path = Cow::Owned(format!("{}/.vscode/tasks.json", folder.trim_end_matches(['/', '\\'])));
        found.push(TouchedPath { path, access: Access::Write });
    }
}

/// What an unknown tool does, by the words of its name; writing when they say nothing.
fn verb(name: &str) -> Access {
    let has = |verbs: &[&str]| words(name).any(|word| verbs.contains(&&*word));
    // The worst first: `read_and_delete` deletes.
    if has(&["delete", "remove", "unlink", "trash", "rm"]) {
        Access::Delete
    } else if has(&[
        "write", "create", "edit", "update", "move", "rename", "set", "save", "append", "copy", "put",
    ]) {
        Access::Write
    } else if has(&[
        "read", "get", "list", "search", "view", "find", "stat", "show", "open", "diff", "log", "status",
    ]) {
        Access::Read
    } else {
        Access::Write
    }
}

/// The words of a name in snake, kebab or camel case, in lower case.
pub(crate) fn words(name: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if c.is_uppercase() {
            spaced.push(' ');
        }
        spaced.extend(if c.is_alphanumeric() { c } else { ' ' }.to_lowercase());
    }
    spaced.split_whitespace().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Hints, parse};

    fn paths(tool: &str, input: &str) -> Vec<(String, Access)> {
        let text = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
        );
        let event = parse(text.as_bytes(), Hints::default()).unwrap();
        event.paths().into_iter().map(|found| (found.path.into_owned(), found.access)).collect()
    }

    #[test]
    fn only_what_was_changed_for_certain_counts_as_edited() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("Write", r#"{"file_path":"a","content":"x"}"#, &["a"]),
            ("editFiles", r#"{"files":["a","a","b"]}"#, &["a", "b"]),
            ("Edit", r#"{"command":"view","path":"a"}"#, &[]),
            ("create_directory", r#"{"dirPath":"d"}"#, &[]),
            (
                "apply_patch",
                r#"{"input":"*** Update File: a\n*** Move to: b\n*** Delete File: c\n"}"#,
                &["a", "b"],
            ),
            ("mcp__fs__write_file", r#"{"path":"a"}"#, &["a"]),
            ("mcp__fs__move_file", r#"{"source":"a","destination":"b"}"#, &[]),
            ("mcp__lint__analyze", r#"{"path":"a"}"#, &[]),
            ("Bash", r#"{"command":"sed -i s/a/b/ f"}"#, &[]),
        ];
        for (tool, input, expected) in cases {
            let text = format!(
                r#"{{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
            );
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            assert_eq!(event.edited_files(), *expected, "{tool} {input}");
        }
    }

    #[test]
    fn edit_tools_name_their_paths_in_many_ways() {
        use Access::{Delete, Read, Write};
        type Case<'a> = (&'a str, &'a str, &'a [(&'a str, Access)]);
        let cases: &[Case<'_>] = &[
            ("Write", r#"{"path":"/a","file_text":"path"}"#, &[("/a", Write)]),
            (
                "MultiEdit",
                r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}"#,
                &[("a", Write)],
            ),
            (
                "multi_replace_string_in_file",
                r#"{"replacements":[{"filePath":"a"},{"filePath":"b"}]}"#,
                &[("a", Write), ("b", Write)],
            ),
            ("editFiles", r#"{"files":["src/main.ts"]}"#, &[("src/main.ts", Write)]),
            ("create_directory", r#"{"dirPath":"d"}"#, &[("d", Write)]),
            ("Read", r#"{"file_path":"file:///home/u/a%20b.txt"}"#, &[("/home/u/a b.txt", Read)]),
            ("Edit", r#"{"command":"view","path":"a"}"#, &[("a", Read)]),
            (
                "file_editor",
                r#"{"command":"view","path":"a","old_str":null,"view_range":[1,2]}"#,
                &[("a", Read)],
            ),
            // A host that does not know the word edits.
            ("Edit", r#"{"command":"view","path":"a","new_string":"x"}"#, &[("a", Write)]),
            (
                "edit",
                r#"{"command":"view","path":"a","edits":[{"oldText":"x","newText":"y"}]}"#,
                &[("a", Write)],
            ),
            (
                "apply_patch",
                r#"{"command":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}"#,
                &[("a", Delete)],
            ),
            ("apply_patch", r#"{"input":"*** Add File: a"}"#, &[("a", Write)]),
            (
                "apply_patch",
                r#"{"patch":"*** Update File: a\n*** Move to: b\n"}"#,
                &[("a", Write), ("a", Delete), ("b", Write)],
            ),
            ("Edit", r#""*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch\n""#, &[("n.txt", Write)]),
            ("mcp__fs__read_file", r#"{"path":"a"}"#, &[("a", Read)]),
            ("mcp__fs__move_file", r#"{"source":"a","destination":"b"}"#, &[("a", Delete), ("b", Write)]),
            ("mcp__fs__deleteFile", r#"{"uri":"file://localhost/x"}"#, &[("/x", Delete)]),
            ("mcp__web__thing", r#"{"uri":"https://example.test/x"}"#, &[]),
            ("frobnicate", r#"{"options":{"target":"a"}}"#, &[("a", Write)]),
            (
                "create_and_run_task",
                r#"{"workspaceFolder":"/p","task":{"command":"make"}}"#,
                &[("/p/.vscode/tasks.json", Write)],
            ),
            ("memory", r#"{"command":"create","path":"/memories/a"}"#, &[]),
            ("Bash", r#"{"command":"rm a","path":"b"}"#, &[]),
        ];
        for (tool, input, expected) in cases {
            let expected: Vec<_> =
                expected.iter().map(|(path, access)| ((*path).to_owned(), *access)).collect();
            assert_eq!(paths(tool, input), expected, "{tool} {input}");
        }
    }
}
