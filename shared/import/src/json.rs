//! JSON with comments, and where everything stands.

use host::tree::{self, Node};

use crate::{Broken, Found};

/// The text's value, which is an object.
pub(crate) fn object(found: &Found<'_>) -> Result<Node, Broken> {
    let document = tree::parse(found.text)
        .map_err(|broken| found.broken(broken.span.start, format!("this is not JSON: {}", broken.message)))?;
    if !document.root.is_object() {
        let what = document.root.kind();
        return Err(
            found.broken(document.root.span.start, format!("this is {what}, not an object of settings"))
        );
    }
    Ok(document.root)
}

/// As the text writes it.
pub(crate) fn written<'t>(found: &Found<'t>, node: &Node) -> &'t str {
    found.text.get(node.span.clone()).unwrap_or_default()
}
