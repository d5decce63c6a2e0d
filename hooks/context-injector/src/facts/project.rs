//! `project`: what the project calls itself.

use crate::manifest;
use crate::tree::Tree;
use crate::untrusted::quoted;

pub(super) fn tell(tree: &Tree) -> Option<String> {
    let (folder, project) =
        tree.folders().find_map(|folder| Some((folder, manifest::project(tree, folder)?)))?;
    let mut text = project.name.map_or_else(String::new, |name| quoted(name.as_bytes(), 80));
    if let Some(version) = project.version {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str("version ");
        text.push_str(&quoted(version.as_bytes(), 40));
    }
    // Below the top folder: where on this disk the project lies does not concern the model.
    let below = tree.shown(folder);
    let file = below.join(&project.file);
    text.push_str(" from ");
    text.push_str(&quoted(file.as_os_str().as_encoded_bytes(), 100));
    Some(text)
}
