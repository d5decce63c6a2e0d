//! Our part of Codex' `requirements.toml`: one block between two comments, so that removing it leaves every other byte.

use std::fmt::Write as _;

use host::System;
use host::installed::command::{Call, call};
use host::tree::{self, Node};

use super::style::quoted;

/// The first line of our block, up to what says how it was put in.
const BEGIN: &str = "# >>> policy-hooks: written by `hook-runner init --machine`";

/// Its last line.
const END: &str = "# <<< policy-hooks\n";

/// Stands in the first line where the file was not there before.
const NEW: &str = ", as a new file";

/// The same where its last line had no end, so that one was added.
const JOINED: &str = ", after a line without end";

/// The text with our block, made of these shipped configurations; `folder` is where the programs are on such a system.
///
/// # Errors
///
/// When the result is not the TOML that was meant: the file has hooks in a form that cannot be added to.
pub(super) fn with(
    before: Option<&str>,
    shipped: &[(&str, &str)],
    (system, folder): (System, &str),
    command: &dyn Fn(&Call) -> Option<String>,
) -> Result<String, String> {
    // What was there of ours is made anew.
    let before = match before {
        Some(text) => without(text),
        None => None,
    };
    let rest = before.as_deref().unwrap_or_default();
    let how = match &before {
        None => NEW,
        Some(text) if !text.is_empty() && !text.ends_with('\n') => JOINED,
        Some(_) => "",
    };
    let mut text = rest.to_owned();
    if how == JOINED {
        text.push('\n');
    }
    let _ = writeln!(text, "{BEGIN}{how}");
    // A table has one head; others may have written it.
    if !rest.lines().any(|line| line.trim() == "[hooks]") {
        // [source] openai/codex, `ManagedHooksRequirementsToml`: each system reads its own.
        let key = if system == System::Windows { "windows_managed_dir" } else { "managed_dir" };
        let _ = writeln!(text, "[hooks]\n{key} = {}", quoted(folder));
    }
    for (_, file) in shipped {
        let document = tree::parse(file).map_err(|broken| broken.message)?;
        for event in document.root.at("hooks").map(Node::members).unwrap_or_default() {
            for group in event.node.elements().unwrap_or_default() {
                text += &group_text(&event.key, group, command);
            }
        }
    }
    text += END;
    match toml::from_str::<toml::Table>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(error.message().to_owned()),
    }
}

/// One group of an event, where it calls one of our programs that are meant.
fn group_text(event: &str, group: &Node, command: &dyn Fn(&Call) -> Option<String>) -> String {
    let handlers = group.at("hooks").and_then(Node::elements).unwrap_or_default();
    let ours: Vec<(&Node, String)> = handlers
        .iter()
        .filter_map(|handler| Some((handler, command(&call(handler.at("command")?.text()?)?)?)))
        .collect();
    if ours.is_empty() {
        return String::new();
    }
    let mut text = format!("\n[[hooks.{event}]]\n");
    if let Some(matcher) = group.at("matcher").and_then(Node::text) {
        let _ = writeln!(text, "matcher = {}", quoted(matcher));
    }
    for (handler, command) in ours {
        let _ = writeln!(text, "[[hooks.{event}.hooks]]\ntype = \"command\"\ncommand = {}", quoted(&command));
        if let Some(tree::Value::Number(limit)) = handler.at("timeout").map(|limit| &limit.value) {
            let _ = writeln!(text, "timeout = {limit}");
        }
    }
    text
}

/// The text without our block; `None` where the file was made for it.
pub(super) fn without(text: &str) -> Option<String> {
    let whole = || Some(text.to_owned());
    let Some(start) = text.find(BEGIN) else { return whole() };
    let Some(end) = text[start..].find(END).map(|end| start + end + END.len()) else { return whole() };
    let how = text[start + BEGIN.len()..].lines().next().unwrap_or_default();
    let mut before = &text[..start];
    if how == JOINED {
        before = before.strip_suffix('\n').unwrap_or(before);
    }
    let rest = format!("{before}{}", &text[end..]);
    (how != NEW || !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[(&str, &str)] = &[(
        "hooks.json",
        r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "command-blocker", "timeout": 10}]}]}}"#,
    )];

    fn put(before: Option<&str>) -> Result<String, String> {
        let place = (System::Linux, "/usr/bin");
        with(before, SHIPPED, place, &|call| Some(format!("/usr/bin/{}", call.program)))
    }

    #[test]
    fn what_is_put_in_is_taken_out_to_the_byte() {
        let texts = ["", "a = 1", "a = 1\n", "[hooks]\nmanaged_dir = \"/x\"\n", "# c\r\na = 1\r\n"];
        for before in texts.map(Some).into_iter().chain([None]) {
            let text = put(before).unwrap();
            assert_eq!(put(Some(&text)).as_deref(), Ok(text.as_str()), "{before:?}: twice is once");
            assert_eq!(without(&text).as_deref(), before, "{text}");
            let table: toml::Table = toml::from_str(&text).unwrap();
            let entry = &table["hooks"]["PreToolUse"][0]["hooks"][0];
            assert_eq!(entry["command"].as_str(), Some("/usr/bin/command-blocker"), "{text}");
            assert_eq!(entry["timeout"].as_integer(), Some(10));
        }
    }

    #[test]
    fn each_system_reads_its_own_folder() {
        for (system, folder, key) in [
            (System::Windows, r"C:\Program Files\policy-hooks\bin", "windows_managed_dir"),
            (System::Mac, "/usr/local/bin", "managed_dir"),
        ] {
            let text = with(None, SHIPPED, (system, folder), &|_| None).unwrap();
            let table: toml::Table = toml::from_str(&text).unwrap();
            assert_eq!(table["hooks"].as_table().unwrap().keys().collect::<Vec<_>>(), [key]);
            assert_eq!(table["hooks"][key].as_str(), Some(folder));
        }
    }

    #[test]
    fn hooks_in_a_form_that_cannot_be_added_to_are_refused() {
        assert!(put(Some("hooks = { managed_dir = \"/x\" }\n")).is_err());
        assert!(put(Some("[hooks]\nPreToolUse = []\n")).is_err());
        assert!(put(Some("a = ")).is_err());
    }
}
