//! `when`: where a rule holds.

use super::{Fit, listed};
use crate::glob::{NAME, PLAIN};
use crate::model::{Text, When};
use crate::scene::Scene;

/// Whether all of it holds; what is not known is a maybe.
pub(crate) fn when(when: &When<'_>, scene: &Scene<'_>) -> Fit {
    if when.is_empty() {
        return Fit::Yes;
    }
    let action = scene.action;
    let host = if action.host == payload::Host::Unknown && !when.host.is_empty() {
        Fit::Maybe
    } else {
        listed(&when.host, action.host.as_str(), NAME)
    };
    let known = |patterns: &[Text<'_>], value: Option<&str>| match value {
        _ if patterns.is_empty() => Fit::Yes,
        Some(value) => listed(patterns, value, PLAIN),
        None => Fit::Maybe,
    };
    let mut fit = host;
    fit = fit.min(known(&when.mode, action.mode.as_deref()));
    if !when.agent_type.is_empty() {
        fit = fit.min(listed(&when.agent_type, action.caller(), NAME));
    }
    if fit != Fit::No && !when.folder.is_empty() {
        let folder = action.cwd.map_or(Fit::Maybe, |cwd| super::path::listed(&when.folder, cwd, scene));
        fit = fit.min(folder);
    }
    if fit != Fit::No && !when.branch.is_empty() {
        fit = fit.min(known(&when.branch, scene.branch().as_deref()));
    }
    fit
}
