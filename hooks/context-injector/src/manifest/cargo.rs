//! Cargo, with what members inherit from their workspace.

use std::path::Path;

use toml::{Table, Value};

use super::Project;
use crate::tree::Tree;

/// A key of `[package]`, from the workspace where the member says so.
fn inherited(tree: &Tree, folder: &Path, manifest: &Table, key: &str) -> Option<String> {
    match manifest.get("package")?.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Table(table) if table.get("workspace").and_then(Value::as_bool) == Some(true) => {
            // From the member upwards: the nearest workspace is the one that it belongs to.
            tree.folders().chain([folder]).filter(|above| folder.starts_with(above)).find_map(|above| {
                let workspace: Table = toml::from_str(&tree.read(above, "Cargo.toml")?).ok()?;
                let package = workspace.get("workspace")?.get("package")?;
                package.get(key)?.as_str().map(str::to_owned)
            })
        }
        _ => None,
    }
}

/// Name and version; a workspace without a package of its own has the version that it hands on.
pub(super) fn project(tree: &Tree, folder: &Path, text: &str) -> Option<Project> {
    let manifest: Table = toml::from_str(text).ok()?;
    let mut project = super::named(
        inherited(tree, folder, &manifest, "name"),
        inherited(tree, folder, &manifest, "version"),
    );
    if project.version.is_none() {
        let shared = || manifest.get("workspace")?.get("package")?.get("version")?.as_str();
        project.version = shared().map(str::to_owned);
    }
    Some(project)
}

/// The oldest compiler that the project wants.
pub(crate) fn rust_version(tree: &Tree, folder: &Path, text: &str) -> Option<String> {
    let manifest: Table = toml::from_str(text).ok()?;
    inherited(tree, folder, &manifest, "rust-version").or_else(|| {
        let package = manifest.get("workspace")?.get("package")?;
        package.get("rust-version")?.as_str().map(str::to_owned)
    })
}
