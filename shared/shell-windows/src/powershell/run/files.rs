//! Files and folders on paper: where paths lie, what searches go through, what files hold.

use std::rc::Rc;

use shell_engine::mark;

use super::super::value::Value;
use super::Machine;
use crate::system::{below, slashes};

impl Machine<'_> {
    /// `path` as an absolute path.
    pub(super) fn path(&self, path: &str) -> String {
        self.scope.absolute(&slashes(path))
    }

    /// Remembers what a file holds from now on.
    pub(super) fn keep_file(&mut self, path: &str, text: &str, append: bool) {
        if path.is_empty() || path.len() > 4096 || !self.runner.spend(text.len()) {
            return;
        }
        let path = self.path(path);
        self.runner.write_file(path, text, append);
    }

    /// What this text itself has written into a file.
    pub(super) fn known_file(&self, path: &str) -> Option<Rc<str>> {
        self.runner.file_at(self.scope, &slashes(path))
    }

    /// What a file holds, or something unknown.
    pub(super) fn content(&self, path: &str) -> Value {
        // What lies on the disk is only promised, for those who run it.
        Value::text(self.runner.read_file(self.scope, &slashes(path)))
    }

    /// The entries that `Get-ChildItem` goes through.
    pub(super) fn children(&self, paths: &[String], patterns: &[String], deep: bool) -> Value {
        let mut found = Vec::new();
        for path in paths {
            let path = slashes(path);
            let (folder, own) = match path.rsplit_once('/') {
                _ if !path.contains(['*', '?']) => (path.as_str(), None),
                Some((folder, name)) => (if folder.is_empty() { "/" } else { folder }, Some(name)),
                None => (".", Some(path.as_str())),
            };
            let own = own.filter(|own| !matches!(*own, "*" | "*.*"));
            let all: Vec<&str> = own
                .into_iter()
                .chain(patterns.iter().map(String::as_str))
                .filter(|pattern| !matches!(*pattern, "*" | "*.*"))
                .collect();
            let folder = self.scope.absolute(folder);
            if all.is_empty() {
                found.push(Value::text(below(&folder, &mark::ENTRY.to_string())));
            }
            for pattern in all {
                let pattern = shell_engine::text::pattern::active(pattern);
                found.push(Value::text(if deep {
                    below(&folder, &format!("{}/{pattern}", mark::ENTRY))
                } else {
                    below(&folder, &pattern)
                }));
            }
        }
        Value::of(found)
    }

    pub(super) fn change_folder(&mut self, path: &str) {
        if path.is_empty() {
            return;
        }
        let path = if path == "-" { path.to_owned() } else { slashes(path) };
        self.scope.change_folder(&path);
    }
}

/// What is left of a search when a test that no one can follow has narrowed it.
pub(super) fn narrowed(value: &Value) -> Value {
    let values = value.elements();
    Value::of(
        values
            .into_iter()
            .map(|value| match &value {
                Value::Text(text) if text.ends_with(mark::ENTRY) => {
                    Value::text(format!("{text}{}", mark::TOKEN))
                }
                Value::Object(kind) if kind.starts_with("all:") => {
                    Value::Object(Rc::from(format!("some:{}", &kind[4..])))
                }
                _ => value,
            })
            .collect(),
    )
}
