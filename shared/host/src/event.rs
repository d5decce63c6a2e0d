//! Which events a host knows by which names, and in which dialect it then speaks.

use payload::{Dialect, EventKind};

use crate::record::{Product, Speech};

/// An event key of a configuration, as one host understands it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub kind: EventKind,
    /// In which form the payload is written and the answer read.
    pub dialect: Dialect,
    /// Whether the host was ever seen, or is known by its source, to call hooks for it.
    pub fires: bool,
}

/// What an event key of a configuration means to a host; `None` when it ignores the key.
pub fn known(product: Product, key: &str) -> Option<Known> {
    if !product.events.contains(&key) {
        return None;
    }
    let kind = EventKind::from_name(key);
    let fires = !product.silent.contains(&kind);
    Some(Known { kind, dialect: dialect(product, kind, is_camel(key)), fires })
}

/// The form of an event's payload.
pub fn dialect(product: Product, kind: EventKind, camel: bool) -> Dialect {
    match product.speech {
        Speech::One(dialect) => dialect,
        Speech::ByCasing(flat) if camel || flat.contains(&kind) => Dialect::Flat,
        Speech::ByCasing(_) => Dialect::Timed,
    }
}

/// The form in which the matchers of an event's hooks are written: that of the key, whatever the payload's is.
pub fn of_matchers(product: Product, key: &str) -> Dialect {
    match product.speech {
        Speech::One(dialect) => dialect,
        Speech::ByCasing(_) if is_camel(key) => Dialect::Flat,
        Speech::ByCasing(_) => Dialect::Timed,
    }
}

/// The host's own name of an event, in the casing that payloads use; `None` when the host has no such event.
pub fn name(product: Product, kind: EventKind, camel: bool) -> Option<&'static str> {
    let by_casing = matches!(product.speech, Speech::ByCasing(_));
    // Copilot has a name in either casing for each event. A host with one name takes it, whatever the
    // request's casing.
    let is_it = |key: &&str| EventKind::from_name(key) == kind && (!by_casing || is_camel(key) == camel);
    product.events.iter().copied().find(is_it)
}

/// Whether hooks below a key are called for a tool.
pub fn is_for(product: Product, key: &str, tool: &str) -> bool {
    let of_tools = product.written.of_tools;
    let names = |tools: &[&str]| {
        tools.iter().any(|name| name.strip_suffix('*').map_or(*name == tool, |start| tool.starts_with(start)))
    };
    match of_tools.iter().find(|(of, _)| *of == key) {
        None => true,
        Some((_, [])) => {
            let same = |other: &str| EventKind::from_name(other) == EventKind::from_name(key);
            !of_tools.iter().any(|(other, tools)| same(other) && names(tools))
        }
        Some((_, tools)) => names(tools),
    }
}

/// Whether a key is written in camelCase.
pub fn is_camel(key: &str) -> bool {
    key.starts_with(char::is_lowercase)
}

/// The key that was meant: another casing, another host's name, or a slip of the fingers.
pub fn meant(product: Product, key: &str) -> Option<&'static str> {
    let keys = product.events;
    let kind = EventKind::from_name(key);
    // Another host's name is seldom close in its letters: `BeforeTool` means `PreToolUse`.
    if kind != EventKind::Other
        && let Some(name) = keys.iter().find(|known| EventKind::from_name(known) == kind)
    {
        return Some(name);
    }
    closest(key, keys.iter().copied())
}

/// The word that is closest to a misspelt one, if one is close.
pub fn closest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |known: &str| {
        // Wrong casing must not use up the distance that is meant for wrong letters.
        let word = word.to_ascii_lowercase();
        strsim::damerau_levenshtein(&word, &known.to_ascii_lowercase())
    };
    // In a short word a few letters make another word; in a long one a slip seldom has more than four.
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
            for key in product.events {
                assert_ne!(EventKind::from_name(key), EventKind::Other, "{product}: {key}");
                assert!(known(product, key).is_some(), "{product}: {key}");
            }
        }
        assert_eq!(Product::CLAUDE.events.len(), 33);
        assert_eq!(known(Product::CLAUDE, "preToolUse"), None);
        assert_eq!(known(Product::GEMINI, "PreToolUse"), None);
    }

    #[test]
    fn the_casing_of_a_copilot_key_decides_the_dialect() {
        let dialect = |key| known(Product::COPILOT_CLI, key).map(|known| known.dialect);
        assert_eq!(dialect("preToolUse"), Some(Dialect::Flat));
        assert_eq!(dialect("PreToolUse"), Some(Dialect::Timed));
        assert_eq!(dialect("PermissionRequest"), Some(Dialect::Flat));
        assert_eq!(known(Product::COPILOT_CLOUD, "permissionRequest"), None);
    }

    #[test]
    fn what_was_meant_is_found() {
        assert_eq!(meant(Product::CLAUDE, "preToolUse"), Some("PreToolUse"));
        assert_eq!(meant(Product::GEMINI, "PreToolUse"), Some("BeforeTool"));
        assert_eq!(meant(Product::CODEX, "PreTolUse"), Some("PreToolUse"));
        assert_eq!(meant(Product::COPILOT_CLI, "BeforeTool"), Some("PreToolUse"));
        assert_eq!(meant(Product::CODEX, "zebra"), None);
    }
}
