//! Whether a part of a call is what a matcher describes.

mod agent;
mod clients;
mod mcp;
mod net;
mod path;
mod run;
mod shape;
mod text;
mod touched;
mod when;
mod words;

pub(crate) use text::{Expression, Fault, check};
pub(crate) use when::when;

use crate::action::Part;
use crate::glob::{self, Rules};
use crate::model::{Subject, Text};
use crate::scene::Scene;

/// Whether something fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    No,
    /// Only run time tells.
    Maybe,
    Yes,
}

/// In which direction a doubt goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// For what restricts: every spelling that may mean it counts.
    Wide,
    /// For what loosens: only what surely means it counts.
    Narrow,
}

impl Lean {
    /// For conditions that must not hold.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Wide => Self::Narrow,
            Self::Narrow => Self::Wide,
        }
    }
}

impl Fit {
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    /// That it does not hold.
    pub(crate) fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }
}

/// Whether one of the patterns fits; an empty list fits everything.
pub(crate) fn listed(patterns: &[Text<'_>], text: &str, rules: Rules) -> Fit {
    if patterns.is_empty() {
        return Fit::Yes;
    }
    any(patterns, |pattern| glob::fits(pattern, text, rules))
}

/// The best of a list.
pub(crate) fn any<T>(list: &[T], fit: impl Fn(&T) -> Fit) -> Fit {
    let mut best = Fit::No;
    for one in list {
        best = best.max(fit(one));
        if best == Fit::Yes {
            break;
        }
    }
    best
}

/// Whether a part of the call is one of the things that the subject describes.
pub(crate) fn subject(subject: &Subject<'_>, part: Part, scene: &Scene<'_>, lean: Lean) -> Fit {
    match subject {
        Subject::Nothing => Fit::No,
        Subject::Run(list) => match scene.called(part) {
            Some(command) => any(list, |test| run::fits(test, &command, lean)),
            None => Fit::No,
        },
        Subject::Path(list) => {
            let touched = scene.touched(part);
            any(list, |test| path::fits(test, &touched, scene, lean))
        }
        Subject::Net(list) => {
            let hosts = scene.hosts(part);
            any(list, |test| net::fits(test, &hosts, lean))
        }
        Subject::Mcp(list) => match (part, &scene.action.mcp) {
            (Part::Mcp, Some(call)) => any(list, |test| mcp::fits(test, call, lean)),
            _ => Fit::No,
        },
        Subject::Agent(list) => match (part, &scene.action.agent) {
            (Part::Agent, Some(start)) => any(list, |test| agent::fits(test, start, scene, lean)),
            _ => Fit::No,
        },
        Subject::Text(list) => any(list, |regex| text::fits(regex, part, scene)),
    }
}

pub(crate) use net::{Host, hosts_of, of_url};
pub(crate) use touched::{Touched, of_atom};
pub(crate) use words::Called;
