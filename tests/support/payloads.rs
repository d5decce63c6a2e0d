//! The recorded payloads, and how to put another command into one.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::hosts::Target;
use crate::programs::root;

/// The environment variable that tells `payload-recorder` in which folder it keeps what it gets.
pub const RECORD_TO: &str = "RECORD_PAYLOADS_TO";

/// One recorded payload.
#[derive(Debug)]
pub struct Recorded {
    pub path: PathBuf,
    /// Who wrote it.
    pub target: Target,
    /// As it was written.
    pub text: String,
}

/// All recorded payloads, in the order of their paths.
///
/// # Panics
///
/// When they cannot be read.
pub fn all() -> Vec<Recorded> {
    let mut found = Vec::new();
    for target in Target::ALL {
        let files = of_folder(target.folder()).into_iter();
        found.extend(files.map(|(path, text)| Recorded { path, target, text }));
    }
    found
}

/// The recorded payloads of a folder: their paths, in order, and texts.
///
/// # Panics
///
/// When they cannot be read.
pub fn of_folder(name: &str) -> Vec<(PathBuf, String)> {
    let folder = root().join("tests/payloads").join(name);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{} is not there: {error}", folder.display()));
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// A recorded call of `target`'s shell tool, with another command: the name of its event, and the payload.
///
/// # Panics
///
/// When there is none.
pub fn shell_call(target: Target, command: &str) -> (String, String) {
    all()
        .into_iter()
        .filter(|recorded| recorded.target == target && recorded.asks_before_a_call())
        .filter(|recorded| !recorded.name().to_lowercase().contains("permissionrequest"))
        .find_map(|recorded| Some((recorded.event(), recorded.with_command(command)?)))
        .unwrap_or_else(|| panic!("no recorded shell call of {target:?}"))
}

/// `payload` with one field more, so that it is `size` bytes long.
pub fn padded(payload: &str, size: usize) -> String {
    let missing = size.saturating_sub(payload.len() + r#""padding":"","#.len());
    payload.replacen('{', &format!(r#"{{"padding":"{}","#, "x".repeat(missing)), 1)
}

impl Recorded {
    /// The file's name.
    pub fn name(&self) -> String {
        format!("{}/{}", self.target.folder(), self.path.file_name().unwrap_or_default().to_string_lossy())
    }

    /// The payload as JSON.
    ///
    /// # Panics
    ///
    /// When it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    /// The event's name, as an answer has to repeat it.
    ///
    /// # Panics
    ///
    /// When the payload is not JSON.
    pub fn event(&self) -> String {
        let payload = self.json();
        let name =
            ["hook_event_name", "hookEventName", "hookName"].iter().find_map(|key| payload[key].as_str());
        name.unwrap_or("preToolUse").to_owned()
    }

    /// Whether it asks before a tool call, so that an answer can stop the call.
    pub fn asks_before_a_call(&self) -> bool {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        ["pretooluse-", "beforetool-", "permissionrequest-"].iter().any(|event| file.starts_with(event))
    }

    /// The same call with another command; `None` when the call runs none.
    ///
    /// # Panics
    ///
    /// When the payload is not JSON.
    pub fn with_command(&self, command: &str) -> Option<String> {
        // There, `command` is a verb or a patch.
        if ["memory", "apply_patch", "str_replace_editor"].iter().any(|tool| self.name().contains(tool)) {
            return None;
        }
        let mut payload = self.json();
        let input =
            ["tool_input", "toolArgs", "toolInput"].into_iter().find(|key| payload.get(key).is_some())?;
        *payload.get_mut(input)?.get_mut("command")? = command.into();
        Some(payload.to_string())
    }
}
