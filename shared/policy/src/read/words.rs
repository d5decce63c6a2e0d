//! What the words of a policy file mean.

use payload::Access;

use crate::model::{Effect, Layer, NoPrompt, ToolWord};

/// `decision`
pub(super) fn effect(word: &str) -> Option<Effect> {
    match word {
        // A rule that rewrites says by itself what it is where it cannot.
        "deny" | "rewrite" => Some(Effect::Deny),
        "ask" => Some(Effect::Ask),
        "keep" => Some(Effect::Keep),
        "allow" => Some(Effect::Allow),
        "note" => Some(Effect::Note),
        _ => None,
    }
}

pub(super) fn no_prompt(word: &str) -> Option<NoPrompt> {
    match word {
        "deny" => Some(NoPrompt::Deny),
        "ask" => Some(NoPrompt::Ask),
        "none" => Some(NoPrompt::None),
        _ => None,
    }
}

/// `override_by`; `none` is what only the machine's layer may do.
pub(super) fn layer(word: &str) -> Option<Layer> {
    match word {
        "none" | "system" => Some(Layer::System),
        "user" => Some(Layer::User),
        "project" => Some(Layer::Project),
        _ => None,
    }
}

pub(super) fn tool(word: &str) -> ToolWord {
    match word {
        "shell" => ToolWord::Shell,
        "read" => ToolWord::Read,
        "write" => ToolWord::Write,
        "fetch" => ToolWord::Fetch,
        "mcp" => ToolWord::Mcp,
        "agent" => ToolWord::Agent,
        _ => ToolWord::Other,
    }
}

pub(super) fn access(word: &str) -> Access {
    match word {
        "read" => Access::Read,
        "write" => Access::Write,
        _ => Access::Delete,
    }
}
