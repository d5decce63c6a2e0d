//! `format.toml`: which formatters run, and on what.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::settings::document::Document;

/// The file's name. A project has no such file.
pub const NAME: &str = "format.toml";

/// `format.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// The largest file that is formatted, in KiB.
    pub max_file_kib: Option<u64>,
    /// How long one formatter may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// How long all formatters of one call may take, in milliseconds.
    pub budget_ms: Option<u64>,
    /// Whether code runs as it was committed.
    pub committed_code: Option<bool>,
    /// Files that nothing happens to.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Formatters of the table that count only on request.
    #[serde(default)]
    pub delegate: Vec<String>,
    /// Formatters of one's own.
    #[serde(default)]
    pub formatter: Vec<Spanned<Formatter>>,
}

/// A `[[formatter]]` table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formatter {
    pub name: Option<String>,
    /// The files that it takes.
    pub globs: Vec<String>,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Whether the text goes in on stdin.
    #[serde(default = "yes")]
    pub stdin: bool,
    /// Whether it may change what the text means.
    #[serde(default)]
    pub class: Class,
    /// Its configuration files.
    #[serde(default)]
    pub config: Vec<String>,
}

/// What a formatter may change.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The layout alone.
    #[default]
    Layout,
    /// Also what the text means.
    Semantic,
}

fn yes() -> bool {
    true
}

impl Formatter {
    /// What is wrong with it, and what to write instead.
    fn mistake(&self) -> Option<(String, &'static str)> {
        let Some(program) = self.argv.first().filter(|program| !program.is_empty()) else {
            return Some(("a formatter has an empty `argv`".to_owned(), "name a program"));
        };
        let path = Path::new(program);
        if path.components().count() > 1 && !path.is_absolute() {
            // A relative path would mean another program in each project, and mostly one of the project's own.
            let what = format!("`{program}` is neither a name nor an absolute path");
            return Some((what, "write one of the two"));
        }
        if self.globs.is_empty() {
            return Some((format!("the formatter `{program}` has no `globs`"), "say which files it formats"));
        }
        if !self.stdin && !self.argv.iter().any(|word| word.contains("{file}")) {
            let what = format!("the formatter `{program}` reads no stdin and names no {{file}}");
            return Some((what, "add `{file}` to `argv`"));
        }
        None
    }
}

impl Document for Format {
    fn sift(&mut self, wrong: &mut dyn FnMut(Range<usize>, String, &str)) {
        self.formatter.retain(|formatter| match formatter.get_ref().mistake() {
            Some((what, hint)) => {
                wrong(formatter.span(), what, hint);
                false
            }
            None => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that serde lists in the error about one that is not there.
    fn known(text: &str) -> Vec<String> {
        let error = toml::from_str::<Format>(text).unwrap_err().to_string();
        let list = error.split("expected").nth(1).unwrap_or_default();
        let mut names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        names
    }

    #[test]
    fn the_published_schema_has_what_is_read_and_nothing_else() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/schemas/format-settings.json");
        let schema: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let formatter = &schema["properties"]["formatter"]["items"];
        for (place, text) in [
            (&schema, "nonsense = 1"),
            (formatter, "[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nnonsense = 1"),
        ] {
            assert_eq!(place["additionalProperties"], false);
            let names: Vec<&String> = place["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names, known(text).iter().collect::<Vec<_>>(), "{text}");
            for (name, property) in place["properties"].as_object().unwrap() {
                assert!(property["description"].as_str().is_some_and(|about| !about.is_empty()), "{name}");
            }
        }
        let mut classes: Vec<&str> = formatter["properties"]["class"]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|class| class.as_str())
            .collect();
        classes.sort_unstable();
        assert_eq!(classes, known("[[formatter]]\nglobs = [\"*\"]\nargv = [\"x\"]\nclass = \"nonsense\""));
    }
}
