//! Which events a host knows by which names, and in which dialect it then speaks.

use payload::{Dialect, EventKind};

use crate::product::Product;

/// An event key of a configuration, as one host understands it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// What happens.
    pub kind: EventKind,
    /// In which form the payload is written and the answer read.
    pub dialect: Dialect,
    /// Whether the host was ever seen, or is known by its source, to call hooks for it.
    pub fires: bool,
}

/// Event keys of VS Code: `PascalCase`, and the camelCase names that it translates.
const VS_CODE: &[&str] = &[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "SessionEnd",
    "ErrorOccurred",
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "agentStop",
    "subagentStop",
    "errorOccurred",
];

/// Event keys of Copilot CLI in camelCase.
const COPILOT_CAMEL: &[&str] = &[
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "userPromptTransformed",
    "preToolUse",
    "preMcpToolCall",
    "postToolUse",
    "postToolUseFailure",
    "permissionRequest",
    "agentStop",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "errorOccurred",
    "notification",
];

/// Event keys of Copilot CLI in `PascalCase`.
const COPILOT_PASCAL: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PreMcpToolCall",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "ErrorOccurred",
    "Notification",
];

/// Event keys of Claude Code 2.1.329, from its binary.
const CLAUDE: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
];

/// Event keys of Codex CLI 0.169.0.
const CODEX: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
];

/// Event keys of Gemini CLI 0.61.0.
const GEMINI: &[&str] = &[
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "SessionStart",
    "SessionEnd",
    "PreCompress",
    "Notification",
];

/// The event keys that a host understands, in every casing that it takes.
pub fn keys(product: Product) -> Vec<&'static str> {
    match product {
        Product::VsCode => VS_CODE.to_vec(),
        Product::CopilotCli => [COPILOT_PASCAL, COPILOT_CAMEL].concat(),
        // [docs] It asks nobody and notifies nobody.
        Product::CopilotCloud => [COPILOT_PASCAL, COPILOT_CAMEL]
            .concat()
            .into_iter()
            .filter(|key| {
                !matches!(EventKind::from_name(key), EventKind::PermissionRequest | EventKind::Notification)
            })
            .collect(),
        Product::Claude => CLAUDE.to_vec(),
        Product::Codex => CODEX.to_vec(),
        Product::Gemini => GEMINI.to_vec(),
    }
}

/// What an event key of a configuration means to a host; `None` when it ignores the key.
pub fn known(product: Product, key: &str) -> Option<Known> {
    let listed = keys(product).contains(&key);
    if !listed {
        return None;
    }
    let kind = EventKind::from_name(key);
    // [source] VS Code has these in its list of names and never calls them locally.
    let dead = product == Product::VsCode && matches!(kind, EventKind::SessionEnd | EventKind::ErrorOccurred);
    Some(Known { kind, dialect: dialect(product, kind, is_camel(key)), fires: !dead })
}

/// The form of an event's payload.
pub fn dialect(product: Product, kind: EventKind, camel: bool) -> Dialect {
    match product {
        Product::VsCode | Product::Gemini => Dialect::Timed,
        Product::Claude | Product::Codex => Dialect::Strict,
        // [run] Copilot CLI 1.0.102 does not convert these in PascalCase configurations.
        Product::CopilotCli | Product::CopilotCloud
            if camel
                || matches!(
                    kind,
                    EventKind::PermissionRequest | EventKind::PreMcpToolCall | EventKind::SubagentStart
                ) =>
        {
            Dialect::Flat
        }
        Product::CopilotCli | Product::CopilotCloud => Dialect::Timed,
    }
}

/// The host's own name of an event, in the casing that payloads use; `None` when the host has no such event.
pub fn name(product: Product, kind: EventKind, camel: bool) -> Option<&'static str> {
    let mut names = keys(product).into_iter().filter(|key| EventKind::from_name(key) == kind);
    let first = names.clone().next();
    if product.is_copilot() { names.find(|key| is_camel(key) == camel) } else { first }
}

/// Whether a key is written in camelCase.
pub fn is_camel(key: &str) -> bool {
    key.starts_with(char::is_lowercase)
}

/// The key that was meant: another casing, another host's name, or a slip of the fingers.
pub fn meant(product: Product, key: &str) -> Option<&'static str> {
    let keys = keys(product);
    let kind = EventKind::from_name(key);
    if kind != EventKind::Other
        && let Some(name) = keys.iter().find(|known| EventKind::from_name(known) == kind)
    {
        return Some(name);
    }
    closest(key, keys)
}

/// The word that is closest to a misspelt one, if one is close.
pub fn closest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |known: &str| {
        let word = word.to_ascii_lowercase();
        strsim::damerau_levenshtein(&word, &known.to_ascii_lowercase())
    };
    let limit = (word.chars().count() / 3).clamp(1, 4);
    words
        .into_iter()
        .map(|known| (near(known), known))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_an_event_that_payloads_know() {
        for product in Product::ALL {
            for key in keys(product) {
                assert_ne!(EventKind::from_name(key), EventKind::Other, "{product}: {key}");
                assert!(known(product, key).is_some(), "{product}: {key}");
            }
        }
        assert_eq!(keys(Product::Claude).len(), 33);
        assert_eq!(known(Product::Claude, "preToolUse"), None);
        assert_eq!(known(Product::Gemini, "PreToolUse"), None);
    }

    #[test]
    fn the_casing_of_a_copilot_key_decides_the_dialect() {
        let dialect = |key| known(Product::CopilotCli, key).map(|known| known.dialect);
        assert_eq!(dialect("preToolUse"), Some(Dialect::Flat));
        assert_eq!(dialect("PreToolUse"), Some(Dialect::Timed));
        assert_eq!(dialect("PermissionRequest"), Some(Dialect::Flat));
        assert_eq!(known(Product::CopilotCloud, "permissionRequest"), None);
    }

    #[test]
    fn what_was_meant_is_found() {
        assert_eq!(meant(Product::Claude, "preToolUse"), Some("PreToolUse"));
        assert_eq!(meant(Product::Gemini, "PreToolUse"), Some("BeforeTool"));
        assert_eq!(meant(Product::Codex, "PreTolUse"), Some("PreToolUse"));
        assert_eq!(meant(Product::CopilotCli, "BeforeTool"), Some("PreToolUse"));
        assert_eq!(meant(Product::Codex, "zebra"), None);
    }
}
