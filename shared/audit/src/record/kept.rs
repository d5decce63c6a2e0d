//! The record of what became of something that was kept.

use super::draft::Level;
use super::event::{About, draft, end, room};

/// What someone did with what was kept.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'k> {
    /// `restored` or `dropped`.
    pub value: &'static str,
    pub id: &'k str,
    /// The command before which it was kept.
    pub command: &'k str,
    /// Where it was.
    pub folder: &'k str,
}

/// The record: an object without its closing brace.
pub(crate) fn kept(kept: &Kept<'_>, about: &About<'_>) -> String {
    let mut draft = draft("kept", about);
    draft.text("cwd", kept.folder, room::PATH);
    if about.level > Level::Metadata {
        draft.text("command", kept.command, room::COMMANDS);
    } else {
        draft.left_out("input", kept.command, 0);
    }
    let id = draft.written("reason", kept.id, room::REASON);
    draft.object.object("decision", |decision| {
        decision.text("value", kept.value);
        decision.escaped("reason", &id);
    });
    end(draft, about)
}
