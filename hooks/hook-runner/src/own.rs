//! What a session has made itself, by the host's own log of it: not what someone else would miss.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::DateTime;
use payload::Change;
use serde_json::Value;

/// How much of the end of a log is read.
const MOST: u64 = 16 << 20;

/// How much of its beginning says when it began.
const BEGINNING: usize = 64 << 10;

/// A larger file is not compared, in bytes.
const LARGEST: u64 = 1 << 20;

/// As many edits of a file are gone through, the last ones.
const EDITS: usize = 64;

/// A session, as its host has noted it.
#[derive(Default)]
pub(crate) struct Session {
    log: String,
    began: Option<SystemTime>,
    /// The folder that it began in: names of files may be relative to it.
    folder: PathBuf,
}

/// What a tool of the host does to a file.
enum Edit {
    Write(String),
    Replace { old: String, new: String, all: bool },
}

impl Session {
    /// The session of which this is the log.
    pub(crate) fn read(path: &str) -> Option<Self> {
        let mut file = fs::File::open(path).ok()?;
        let length = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
        let mut beginning = vec![0; BEGINNING];
        let read = file.read(&mut beginning).ok()?;
        let beginning = String::from_utf8_lossy(&beginning[..read]);
        let (began, folder) = (began(&beginning), folder(&beginning).unwrap_or_default());
        file.seek(SeekFrom::Start(length.saturating_sub(MOST))).ok()?;
        let mut bytes = Vec::new();
        file.take(MOST).read_to_end(&mut bytes).ok()?;
        Some(Self { log: String::from_utf8_lossy(&bytes).into_owned(), began, folder })
    }

    /// Whether a file is, byte for byte, what the host's tools for edits made of what is committed, or of nothing.
    pub(crate) fn made(&self, path: &Path, committed: Option<&[u8]>) -> bool {
        let small = fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
        let (true, Ok(now)) = (small, fs::read_to_string(path)) else { return false };
        let base = match committed.map(std::str::from_utf8) {
            Some(Ok(text)) => Some(text),
            Some(Err(_)) => return false,
            None => None,
        };
        let edits = self.edits(path);
        let edits = &edits[edits.len().saturating_sub(EDITS)..];
        // It may have been discarded in between: from there on, edits begin with what is committed.
        (0..edits.len()).any(|from| replay(base, &edits[from..]).is_some_and(|made| made == now))
    }

    /// Whether a file was changed since the session began, and the session speaks of it.
    pub(crate) fn touched(&self, path: &Path) -> bool {
        let changed = fs::symlink_metadata(path).and_then(|facts| facts.modified()).ok();
        let name = path.file_name().and_then(|name| name.to_str());
        changed.zip(self.began).is_some_and(|(changed, began)| changed >= began)
            && name.is_some_and(|name| self.log.contains(name))
    }

    /// What tools were asked to do to a file, in order.
    fn edits(&self, path: &Path) -> Vec<Edit> {
        let mut edits = Vec::new();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return edits };
        for line in self.log.lines().filter(|line| line.contains(name)) {
            if let Ok(line) = serde_json::from_str::<Value>(line) {
                calls(&line, &mut |input| of_call(input, &self.folder, path, &mut edits));
            }
        }
        edits
    }
}

/// When a log begins: its first stamp.
fn began(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.split_once("\"timestamp\":")?;
    let stamp = rest.trim_start().strip_prefix('"')?.split('"').next()?;
    DateTime::parse_from_rfc3339(stamp).ok().map(SystemTime::from)
}

/// The folder in which a log begins: the first line that has one.
fn folder(text: &str) -> Option<PathBuf> {
    let of_line = |line: &str| {
        let line: Value = serde_json::from_str(line).ok()?;
        // Codex' lines hold what they are about under a name of its own.
        line["cwd"].as_str().or(line["payload"]["cwd"].as_str()).map(PathBuf::from)
    };
    text.lines().find_map(of_line)
}

/// Goes through the arguments of calls in a line of a log, under the names that hosts give them. Codex notes them as a
/// string: of JSON, or of a form of its own.
fn calls(value: &Value, each: &mut dyn FnMut(&Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("input" | "arguments" | "args", Value::Object(_)) => each(member),
                    ("input" | "arguments", Value::String(text)) => match serde_json::from_str(text) {
                        Ok(parsed @ Value::Object(_)) => each(&parsed),
                        _ => each(member),
                    },
                    _ => calls(member, each),
                }
            }
        }
        Value::Array(members) => members.iter().for_each(|member| calls(member, each)),
        _ => {}
    }
}

fn of_call(input: &Value, folder: &Path, path: &Path, edits: &mut Vec<Edit>) {
    let is_it = |named: PathBuf| {
        // As the system reads it: a folder on the way may be a link.
        let folder = named.parent().and_then(|folder| fs::canonicalize(folder).ok());
        named == path || folder.zip(named.file_name()).is_some_and(|(folder, name)| folder.join(name) == path)
    };
    let command = ["cmd", "command"].iter().find_map(|name| input[*name].as_str());
    if let Some(patch) = input.as_str().or(command).filter(|text| text.contains("*** Begin Patch")) {
        let folder = input["workdir"].as_str().map_or(folder, Path::new);
        let patched = payload::patched(patch).into_iter();
        for edit in patched.filter(|edit| is_it(folder.join(&*edit.path))) {
            match edit.change {
                Change::Whole(text) => edits.push(Edit::Write(text.into_owned())),
                Change::Pieces(pieces) => edits.extend(pieces.into_iter().map(|piece| Edit::Replace {
                    old: piece.old.into_owned(),
                    new: piece.new.into_owned(),
                    all: piece.all,
                })),
                Change::Unknown => {}
            }
        }
        return;
    }
    let text = |value: &Value, names: &[&str]| {
        names.iter().find_map(|name| value[*name].as_str()).map(str::to_owned)
    };
    let named = text(input, &["file_path", "filePath", "absolute_path", "path"]).map(PathBuf::from);
    if !named.is_some_and(is_it) {
        return;
    }
    if let Some(content) = text(input, &["content", "file_text"]) {
        edits.push(Edit::Write(content));
    }
    let list = input["edits"].as_array().map_or(std::slice::from_ref(input), Vec::as_slice);
    for one in list {
        let (old, new) = (
            text(one, &["old_string", "oldString", "old_str"]),
            text(one, &["new_string", "newString", "new_str"]),
        );
        if let (Some(old), Some(new)) = (old, new) {
            let all = one["replace_all"].as_bool().or(one["replaceAll"].as_bool()).unwrap_or_default();
            edits.push(Edit::Replace { old, new, all });
        }
    }
}

/// What edits make of a file. One that does not fit was refused.
fn replay(base: Option<&str>, edits: &[Edit]) -> Option<String> {
    let mut text = base.map(str::to_owned);
    for edit in edits {
        match (edit, &mut text) {
            (Edit::Write(content), text) => *text = Some(content.clone()),
            (Edit::Replace { old, new, .. }, text @ None) if old.is_empty() => *text = Some(new.clone()),
            (Edit::Replace { old, new, all }, Some(text))
                if !old.is_empty() && text.contains(old.as_str()) =>
            {
                *text = if *all { text.replace(old, new) } else { text.replacen(old, new, 1) };
            }
            (Edit::Replace { .. }, _) => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(lines: &[Value]) -> Session {
        let log: Vec<String> = lines.iter().map(Value::to_string).collect();
        let log = log.join("\n");
        Session { folder: folder(&log).unwrap_or_default(), log, began: None }
    }

    #[test]
    fn only_what_edits_made_of_what_is_committed_is_the_sessions_own() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = fs::canonicalize(folder.path())?.join("a.rs");
        let edit = |old: &str, new: &str| {
            let input = serde_json::json!({ "file_path": path, "old_string": old, "new_string": new });
            // As Claude Code notes it, with the result beside it.
            serde_json::json!({
                "message": { "content": [{ "type": "tool_use", "name": "Edit", "input": input }] },
                "toolUseResult": { "filePath": path, "oldString": old, "newString": new },
            })
        };
        let write = serde_json::json!({ "data": { "arguments": { "filePath": path, "content": "new\n" } } });
        let two = [edit("one", "one\nmore"), edit("two", "TWO")];
        fs::write(&path, "one\nmore\nTWO\n")?;
        assert!(session(&two).made(&path, Some(b"one\ntwo\n")));
        // Someone else had changed it, too.
        assert!(!session(&two).made(&path, Some(b"one\n")));
        assert!(!session(&two[..1]).made(&path, Some(b"one\ntwo\n")));
        // After a discard in between, and after an edit that was refused.
        assert!(session(&[&[edit("one", "1")], &two[..]].concat()).made(&path, Some(b"one\ntwo\n")));
        assert!(session(&[&two[..], &[edit("none", "1")]].concat()).made(&path, Some(b"one\ntwo\n")));
        fs::write(&path, "new\n")?;
        assert!(session(std::slice::from_ref(&write)).made(&path, None));
        assert!(!session(&two).made(&path, None));
        fs::write(&path, "newer\n")?;
        assert!(!session(&[write]).made(&path, None));
        Ok(())
    }

    /// As Codex 0.169.0 notes it in its rollout log.
    #[test]
    fn codex_patches_are_the_sessions_own() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let folder = fs::canonicalize(folder.path())?;
        let call = |name: &str, member: &str, input: String| {
            let kind = if member == "input" { "custom_tool_call" } else { "function_call" };
            serde_json::json!({
                "timestamp": "2026-11-24T14:42:36.750Z",
                "type": "response_item",
                "payload": { "type": kind, "status": "completed", "name": name, member: input },
            })
        };
        let patch =
            |body: &str| call("apply_patch", "input", format!("*** Begin Patch\n{body}\n*** End Patch"));
        let cmd = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.txt\n+bee\n*** End Patch\nEOF";
        let arguments = serde_json::json!({ "cmd": cmd, "workdir": folder });
        let session = session(&[
            serde_json::json!({ "type": "session_meta", "payload": { "cwd": folder } }),
            patch("*** Add File: new.txt\n+hello\n+world"),
            patch("*** Update File: a.txt\n@@\n-two\n+TWO"),
            call("exec_command", "arguments", arguments.to_string()),
        ]);
        let cases: [(&str, &str, Option<&[u8]>); 3] = [
            ("new.txt", "hello\nworld\n", None),
            ("a.txt", "one\nTWO\nthree\n", Some(b"one\ntwo\nthree\n")),
            ("b.txt", "bee\n", None),
        ];
        for (name, text, committed) in cases {
            fs::write(folder.join(name), text)?;
            assert!(session.made(&folder.join(name), committed), "{name}");
            fs::write(folder.join(name), format!("{text}more\n"))?;
            assert!(!session.made(&folder.join(name), committed), "{name}, changed by someone else");
        }
        Ok(())
    }

    #[test]
    fn a_session_begins_with_its_first_stamp() {
        let log = r#"{"type":"summary"}
{"timestamp":"2026-11-23T17:17:15.243Z","type":"user"}"#;
        assert_eq!(
            began(log),
            DateTime::parse_from_rfc3339("2026-11-23T17:17:15.243Z").ok().map(SystemTime::from)
        );
        assert_eq!(began("{}"), None);
    }
}
