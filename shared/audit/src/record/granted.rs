//! The record of what a person granted.

use super::draft::Level;
use super::event::{About, draft, end, room};

/// What a person granted, at a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Granted<'g> {
    pub host: &'g str,
    /// The host's session.
    pub session: &'g str,
    /// The folder that the agent works in.
    pub cwd: &'g str,
    /// The rules that are lifted.
    pub rules: &'g [&'g str],
    /// The action as the person saw it.
    pub action: &'g str,
    pub code: &'g str,
    /// Whether the person said yes.
    pub agreed: bool,
}

/// The record: an object without its closing brace.
pub(crate) fn granted(granted: &Granted<'_>, about: &About<'_>) -> String {
    let mut draft = draft("approval", about);
    draft.text("host", granted.host, room::NAME);
    draft.text("session", granted.session, room::SESSION);
    draft.text("cwd", granted.cwd, room::PATH);
    if about.level > Level::Metadata {
        draft.text("command", granted.action, room::COMMANDS);
    } else {
        draft.left_out("input", granted.action, 0);
    }
    let rule = draft.written("rule", granted.rules.first().copied().unwrap_or_default(), room::NAME);
    let reason = draft.written("reason", &granted.rules.join(", "), room::REASON);
    draft.object.object("decision", |decision| {
        decision.text("value", if granted.agreed { "granted" } else { "refused" });
        decision.escaped("rule", &rule);
        decision.escaped("reason", &reason);
        decision.text("approval", granted.code);
    });
    end(draft, about)
}
