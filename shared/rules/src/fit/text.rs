//! `text`: regular expressions, the last resort.

use regex_lite::{Regex, RegexBuilder};

use super::Fit;
use crate::action::{Action, Part};
use crate::scene::Scene;

/// Compiles a regular expression: linear in time, without Unicode classes, and quickly compiled.
pub(crate) fn regex(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text).size_limit(1 << 20).nest_limit(64).build().map_err(|error| error.to_string())
}

/// Whether the expression is found in a command as it is written, in one as it will run, or in an argument of a tool.
pub(super) fn fits(pattern: &str, part: Part, scene: &Scene<'_>, action: &Action<'_>) -> Fit {
    let Ok(regex) = regex(pattern) else { return Fit::No };
    Fit::of(match part {
        Part::Command { .. } => {
            scene.command(part).is_some_and(|command| regex.is_match(&command.readable()))
        }
        Part::Whole => {
            action.commands.iter().any(|command| regex.is_match(command.text))
                || action.texts.iter().any(|text| regex.is_match(text))
        }
        _ => false,
    })
}
