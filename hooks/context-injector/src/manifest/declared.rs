//! Files that are programs or plain lines, read for one declaration.

use std::path::Path;

use super::Project;
use crate::tree::Tree;

/// The value after `key` and a blank, at the beginning of a line: `go.mod`.
pub(crate) fn line_value(text: &str, key: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix([' ', '\t']))?;
    let value = rest.split("//").next().unwrap_or_default().trim().trim_matches('"');
    (!value.is_empty()).then(|| value.to_owned())
}

/// The value of `key = value` at the beginning of a line, without quotes.
pub(crate) fn assigned(text: &str, key: &str) -> Option<String> {
    let value = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(key)?.trim_start().strip_prefix('='))?
        .trim();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let value = match quote {
        Some(quote) => value[1..].split(quote).next().unwrap_or_default(),
        None => value,
    };
    // A value that is computed would be shown as if it were one.
    (!value.is_empty() && !value.contains('$') && !value.contains('(')).then(|| value.to_owned())
}

/// The value of a key at the top of a YAML file.
pub(crate) fn yaml_value(text: &str, key: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    // Without a blank in front, `#` is a part of the value.
    let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

/// Gradle has the name in one file, and the version in one of two others.
pub(super) fn gradle(tree: &Tree, folder: &Path, text: &str) -> Project {
    let version = ["build.gradle.kts", "build.gradle", "gradle.properties"].iter().find_map(|file| {
        let text = tree.read(folder, file)?;
        // Groovy needs no `=`.
        let bare = || line_value(&text, "version").map(|value| value.trim_matches('\'').to_owned());
        assigned(&text, "version").or_else(|| bare().filter(|value| !value.starts_with('=')))
    });
    super::named(assigned(text, "rootProject.name"), version)
}

/// `app: :name, version: "1.0"` of Elixir's mix.
pub(super) fn mix(text: &str) -> Project {
    let behind = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim_start());
    let word = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+')).collect()
    };
    // `:name` is an atom; anything else after `app:` is not a name.
    let name = behind("app:").and_then(|rest| rest.strip_prefix(':')).map(word);
    let version = behind("version:").and_then(|rest| rest.strip_prefix('"')).map(word);
    super::named(name.filter(|name| !name.is_empty()), version.filter(|version| !version.is_empty()))
}
