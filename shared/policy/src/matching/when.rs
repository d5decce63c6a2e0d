//! `when`: where a rule holds.

use super::listed;
use crate::case::Case;
use crate::certainty::Match;
use crate::glob::{NAME, PLAIN};
use crate::model::{Text, When};

/// Whether all of it holds; what is not known is a maybe.
pub(crate) fn when(when: &When<'_>, case: &Case<'_>) -> Match {
    if when.is_empty() {
        return Match::Yes;
    }
    let action = case.action;
    let host = if action.host == payload::Host::Unknown && !when.host.is_empty() {
        Match::Maybe
    } else {
        listed(&when.host, action.host.as_str(), NAME)
    };
    let known = |patterns: &[Text<'_>], value: Option<&str>| match value {
        _ if patterns.is_empty() => Match::Yes,
        Some(value) => listed(patterns, value, PLAIN),
        // Unknown is not "none": a host may have modes and keep them to itself.
        None => Match::Maybe,
    };
    let mut matched = host;
    matched = matched.min(known(&when.mode, action.mode.as_deref()));
    if !when.agent_type.is_empty() {
        matched = matched.min(listed(&when.agent_type, action.caller(), NAME));
    }
    if matched != Match::No && !when.folder.is_empty() {
        let folder = action.cwd.map_or(Match::Maybe, |cwd| super::path::listed(&when.folder, cwd, case));
        matched = matched.min(folder);
    }
    // Read from the disk, so only where the rest holds.
    if matched != Match::No && !when.branch.is_empty() {
        matched = matched.min(known(&when.branch, case.branch().as_deref()));
    }
    matched
}
