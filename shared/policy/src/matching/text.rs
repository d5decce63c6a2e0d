//! `text`: regular expressions, the last resort.

use crate::action::Part;
use crate::case::Case;
use crate::certainty::Match;

/// Whether the expression is found in a command as it is written, in one as it will run, or in an argument of a tool.
pub(super) fn matches(pattern: &str, part: Part, case: &Case<'_>) -> Match {
    let expression = case.expression(pattern);
    Match::of(match part {
        Part::Command { .. } => {
            case.command(part).is_some_and(|command| expression.is_in(&command.readable()))
        }
        Part::Whole => {
            let action = case.action;
            action.commands.iter().any(|command| expression.is_in(command.text))
                || action.texts.iter().any(|text| expression.is_in(text))
        }
        _ => false,
    })
}
