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

/// Whether a file surely lies where one of the patterns says, and surely not where one says that begins with `!`: by its
/// name, and by where that leads.
pub(crate) fn lies_in(patterns: &[Text<'_>], file: &Touched, case: &Case<'_>) -> bool {
    let listed = |pattern: &str, path: &str| path::listed(&[pattern.into()], path, case);
    let allowed = |path: &str| {
        let (mut inside, mut outside) = (false, false);
        for pattern in patterns {
            match pattern.strip_prefix('!') {
                Some(not) => {
                    let matched = listed(not, path);
                    outside |= matched == Match::Yes || matched == Match::Maybe && !spares_hidden(not, path);
                }
                None => inside |= listed(pattern, path) == Match::Yes,
            }
        }
        inside && !outside
    };
    let lies_in = |file: &Touched| {
        let places = [Some(file.path.as_str()), case.real_path(file)];
        places.into_iter().flatten().all(allowed)
    };
    // What a pattern of the shell stands for is seen on the disk: whether `*.yml` is `secrets.yml`, and whether one of
    // those is a link to somewhere else.
    match case.entries(file) {
        Some(files) => files.iter().all(lies_in),
        None => lies_in(file),
    }
}

/// Whether a pattern of the shell stands where a pattern of ours has a hidden file: `*.ts` is never `.env.ts`.
fn spares_hidden(pattern: &str, path: &str) -> bool {
    let name = shell::path::file_name(path);
    shell::path::file_name(pattern).starts_with('.')
        && name.starts_with(shell::mark::is_glob)
        && !name.contains(shell::mark::is_hole)
}

/// Whether a part of the call is one of the things that the subject describes.
pub(crate) fn subject(subject: &Subject<'_>, part: Part, case: &Case<'_>, lean: Lean) -> Match {
    match subject {
        Subject::Nothing => Match::No,
        Subject::Run(list) => match case.called(part) {
            Some(command) => any(list, |test| run::matches(test, &command, case, lean)),
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
