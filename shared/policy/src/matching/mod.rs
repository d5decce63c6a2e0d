//! Whether a part of a call is what a matcher describes.

mod agent;
mod mcp;
mod net;
mod path;
mod run;
mod text;
mod when;

pub(crate) use when::when;

use crate::action::Part;
use crate::case::{Case, Touched};
use crate::certainty::{Lean, Match};
use crate::glob::{self, Rules};
use crate::model::{Subject, Text};

/// Whether one of the patterns matches; an empty list matches everything.
pub(crate) fn listed(patterns: &[Text<'_>], text: &str, rules: Rules) -> Match {
    if patterns.is_empty() {
        return Match::Yes;
    }
    any(patterns, |pattern| glob::matches(pattern, text, rules))
}

/// The best of a list.
pub(crate) fn any<T>(list: &[T], matches: impl Fn(&T) -> Match) -> Match {
    let mut best = Match::No;
    for one in list {
        best = best.max(matches(one));
        if best == Match::Yes {
            break;
        }
    }
    best
}

/// Whether a file lies where one of the patterns says, by its name and by where that leads.
pub(crate) fn lies_in(patterns: &[Text<'_>], file: &Touched, case: &Case<'_>) -> bool {
    let places = [Some(file.path.as_str()), case.real_path(file)];
    places.into_iter().flatten().all(|path| path::listed(patterns, path, case) == Match::Yes)
}

/// Whether a part of the call is one of the things that the subject describes.
pub(crate) fn subject(subject: &Subject<'_>, part: Part, case: &Case<'_>, lean: Lean) -> Match {
    match subject {
        Subject::Nothing => Match::No,
        Subject::Run(list) => match case.called(part) {
            Some(command) => any(list, |test| run::matches(test, &command, lean)),
            None => Match::No,
        },
        Subject::Path(list) => {
            let touched = case.touched(part);
            any(list, |test| path::matches(test, &touched, case, lean))
        }
        Subject::Net(list) => {
            let hosts = case.hosts(part);
            any(list, |test| net::matches(test, &hosts, lean))
        }
        Subject::Mcp(list) => match (part, &case.action.mcp) {
            (Part::Mcp, Some(call)) => any(list, |test| mcp::matches(test, call, lean)),
            _ => Match::No,
        },
        Subject::Agent(list) => match (part, &case.action.agent) {
            (Part::Agent, Some(start)) => any(list, |test| agent::matches(test, start, case, lean)),
            _ => Match::No,
        },
        Subject::Text(list) => any(list, |regex| text::matches(regex, part, case)),
    }
}
