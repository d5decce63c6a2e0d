//! What a change adds to a file that is about something else.

use std::collections::BTreeSet;

use payload::{Change, Json, JsonType};

use super::{content, jsonc, lines, switches};
use crate::builtin::{VARIABLES, has};
use crate::facts::{Content, Facts};
use crate::protected::Carrier;

/// Whether a change adds a line that counts.
pub(super) fn adds(carrier: Carrier, path: &str, change: &Change<'_>, facts: &Facts<'_>) -> bool {
    if *change == Change::Unknown {
        return false;
    }
    let before = facts.text_of(path);
    let before = if let Content::Text(text) = &before { Some(text.as_str()) } else { None };
    if let Some(after) = content::after(before, change) {
        return differs(carrier, before.unwrap_or(""), &after, facts);
    }
    let Change::Pieces(pieces) = change else { return false };
    pieces.iter().any(|piece| differs(carrier, &piece.old, &piece.new, facts))
}

/// Whether a string, written to a file of this kind by whatever program, has a line that counts.
pub(crate) fn counts(carrier: Carrier, text: &str, facts: &Facts<'_>) -> bool {
    differs(carrier, "", text, facts)
}

fn differs(carrier: Carrier, before: &str, after: &str, facts: &Facts<'_>) -> bool {
    if carrier == Carrier::Container {
        let (old, new) = (members(before), members(after));
        return !new.is_subset(&old);
    }
    // What was there before is not added by this change, wherever it stands now.
    let known: BTreeSet<&str> = before.lines().map(str::trim).collect();
    let mut added = after.lines().filter(|line| !known.contains(line.trim()));
    match carrier {
        Carrier::Profile => added.any(|line| lines::rules_agents(line, facts)),
        _ => added.any(|line| lines::sets_variable(line, facts)),
    }
}

/// What a container's settings, or a piece of them, say that counts.
fn members(text: &str) -> BTreeSet<String> {
    let (text, _) = jsonc::plain(text);
    let mut found = BTreeSet::new();
    let wrapped = format!("{{{}}}", text.trim().trim_matches(','));
    match Json::new(&text).filter(|json| json.kind() == JsonType::Object).or_else(|| Json::new(&wrapped)) {
        Some(json) => collect(json, &mut found),
        None => found.extend(text.lines().filter(|line| switches::switches_editor(line)).map(str::to_owned)),
    }
    found
}

fn collect(object: Json<'_>, found: &mut BTreeSet<String>) {
    for (key, value) in object.members() {
        let folder =
            || value.as_str().is_some_and(|text| text.ends_with("/.claude") || text.ends_with("/.codex"));
        let switches = switches::switches(&key, value, true) && key.contains('.')
            || has(VARIABLES, &key) && !folder() && !has("HOME USERPROFILE", &key);
        // It switches hooks on.
        let harmless = key == "chat.useHooks" && value.text() == "true";
        if switches && !harmless {
            found.insert(format!("{key}={}", jsonc::tight(value.text())));
        } else {
            collect(value, found);
        }
    }
}
