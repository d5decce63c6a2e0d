//! `pyproject.toml`: the standard's table, and Poetry's.

use toml::{Table, Value};

use super::Project;

pub(super) fn project(text: &str) -> Option<Project> {
    let manifest: Table = toml::from_str(text).ok()?;
    let text = |key| {
        let standard = manifest.get("project").and_then(|table| table.get(key));
        let poetry = || manifest.get("tool")?.get("poetry")?.get(key);
        standard.or_else(poetry).and_then(Value::as_str).map(str::to_owned)
    };
    Some(super::named(text("name"), text("version")))
}
