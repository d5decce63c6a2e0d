//! Scripts that look at their arguments: `case "$1" in …`, `while [ $# -gt 0 ]; do case $1 in …; shift; done`. Where the
//! arguments are known for certain, so is the branch.

use std::rc::Rc;

use super::{Frame, Runner, Scope};
use crate::bash::ast::{List, ParameterOp, Part, Text, Word};
use crate::mark;
use crate::text::pattern;

/// Arguments that are read one after the other.
const MAX_ARGUMENTS: usize = 64;

/// Whether the text that is looked at takes a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Taken {
    Never,
    Maybe,
    Surely,
}

/// What a `case` looks at, if that is an argument that is known for certain, or a variable that holds one.
pub(super) fn subject(scope: &Scope, text: &Text, subject: &Word) -> Option<String> {
    let positional = scope.positional.as_ref().filter(|_| scope.exact)?;
    let [Part::Parameter { parameter, .. }] = subject.parts.as_slice() else { return None };
    let plain = matches!(parameter.op, ParameterOp::Plain | ParameterOp::Fallback { .. });
    // Arms may fall through, and letters may be all the same: then every arm counts.
    if parameter.indirect
        || parameter.subscript.is_some()
        || !plain
        || text.source.contains(";&")
        || text.source.contains("nocasematch")
        || text.source.contains("extglob")
    {
        return None;
    }
    let name = parameter.name.of(&text.source);
    let value = match name.parse::<usize>() {
        Ok(number) => match (positional.get(number.checked_sub(1)?), &parameter.op) {
            (Some(word), _) => word.as_str(),
            // `${1:-help}`
            (None, ParameterOp::Fallback { kind: b'-', word, .. }) => match word.as_slice() {
                [] => "",
                [Part::Bare(span) | Part::Quoted(span)] => span.of(&text.source),
                _ => return None,
            },
            (None, ParameterOp::Plain) => "",
            // What comes in its place may be anything.
            (None, _) => return None,
        },
        // The environment may bring another value than one that comes from an argument: `MODE=${MODE:-dev}`.
        Err(_) if positional.iter().any(|word| mark::any(word)) => return None,
        Err(_) => scope.surely(name).filter(|value| {
            let usual = || positional.is_empty() && text.source.contains(&format!("{{1:-{value}}}"));
            let written = |from: &str| text.source.contains(&format!("{name}={from}"));
            let taken = ["$1", "\"$1\"", "${1", "\"${1"].iter().any(|from| written(from));
            taken || positional.iter().any(|word| word == value) || usual()
        })?,
    };
    (!mark::any(value)).then(|| value.to_owned())
}

/// Whether an arm with this pattern is taken.
pub(super) fn taken(pattern: &str, subject: Option<&str>) -> Taken {
    match subject {
        None => Taken::Maybe,
        Some(_) if pattern.contains(mark::is_hole) || pattern.contains(['(', '~', '\\']) => Taken::Maybe,
        Some(subject) if pattern::matches(pattern, subject) => Taken::Surely,
        Some(_) => Taken::Never,
    }
}

/// Whether a loop goes on exactly as long as there are arguments, and each turn runs to its end.
fn reads_arguments(source: &str) -> bool {
    const HEADS: [&str; 12] = [
        "while [ $# -gt 0 ]",
        "while [ $# -ne 0 ]",
        "while [ $# != 0 ]",
        "while [[ $# -gt 0 ]]",
        "while [[ $# -ne 0 ]]",
        "while [[ $# > 0 ]]",
        "while test $# -gt 0",
        "while (( $# ))",
        "while (( $# > 0 ))",
        "while (($#))",
        "while (($# > 0))",
        "while [ -n $1 ]",
    ];
    let Some((head, _)) = source.split_once("do") else { return false };
    let plain: String = head.chars().map(|c| if matches!(c, ';' | '\n') { ' ' } else { c }).collect();
    let plain = plain.replace(['"', '{', '}'], "");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    HEADS.contains(&plain.as_str())
        && !["break", "continue", "return", "exec", "eval"].iter().any(|word| source.contains(word))
}

impl Runner {
    /// Goes through a loop that reads the arguments, as long as it is known what each turn does; whether it is one.
    pub(super) fn exact_turns(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        (source, body): (&str, &List),
    ) -> bool {
        if !scope.exact || scope.uncertain || !reads_arguments(source) {
            return false;
        }
        for _ in 0..MAX_ARGUMENTS {
            let Some(before) = scope.positional.clone() else { break };
            if !scope.exact
                || before.first().is_none_or(|word| word.is_empty() || mark::any(word))
                || !self.step()
            {
                break;
            }
            self.list(scope, frame, body);
            if scope.positional.as_ref().is_some_and(|after| Rc::ptr_eq(after, &before)) {
                break;
            }
        }
        true
    }
}
