//! As much of XML as manifests need.

/// The text of the first element at this path from the top. Comments and what stands in other elements do not count.
pub(crate) fn element(text: &str, path: &[&str]) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            // A comment may hold tags that are not closed.
            rest = comment.split_once("-->")?.1;
            continue;
        }
        let (tag, after) = rest.split_once('>')?;
        rest = after;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            // Not well formed: whatever follows could be anywhere.
            if open.pop() != Some(name.trim()) {
                return None;
            }
            continue;
        }
        let name = tag.split([' ', '\t', '\n', '\r', '/']).next().unwrap_or_default();
        if tag.ends_with('/') {
            continue;
        }
        // Deeper than any manifest.
        if open.len() == 64 {
            return None;
        }
        open.push(name);
        // Asked as soon as it is open: the path decides, so that the same name in a dependency does not count.
        if open == path {
            let value = rest.split('<').next().unwrap_or_default().trim();
            // A value that is computed says nothing here.
            return (!value.is_empty() && !value.contains("$(") && !value.contains("${"))
                .then(|| value.to_owned());
        }
    }
    None
}
