//! Scripts that look at their arguments: `case "$1" in …`, `if [ "$1" = --help ]`, `while [ $# -gt 0 ]; do case $1 in …;
//! shift; done`. Where the arguments are known for certain, so is the branch.

use std::rc::Rc;

use super::{Frame, Runner, Scope};
use crate::bash::ast::{Command, Item, List, ParameterOp, Part, Pipeline, Stage, Text, Word};
use crate::mark;
use crate::span::Span;
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
    let positional = scope.positional.as_ref().filter(|_| scope.is_exact())?;
    let [Part::Parameter { parameter, .. }] = subject.parts.as_slice() else {
        return all_arguments(scope, text, subject);
    };
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
            let taken = ["", "\"", "'"].iter().any(|quote| written(&format!("{quote}{value}")))
                || takes_argument(&text.source, name);
            taken || scope.given(name).is_some() || positional.iter().any(|word| word == value) || usual()
        })?,
    };
    (!mark::any(value)).then(|| value.to_owned())
}

/// Whether an argument is what a variable is set to: `action=$2`, `env="${1:-dev}"`.
fn takes_argument(source: &str, name: &str) -> bool {
    let set = source.match_indices(name).filter_map(|(at, _)| source[at + name.len()..].strip_prefix('='));
    set.filter_map(|value| value.trim_start_matches('"').strip_prefix('$'))
        .any(|value| value.trim_start_matches('{').starts_with(|c: char| matches!(c, '1'..='9')))
}

/// The arguments as one text, with what stands around them: `" $* "`.
fn all_arguments(scope: &Scope, text: &Text, word: &Word) -> Option<String> {
    let positional = scope.positional.as_ref().filter(|_| scope.is_exact())?;
    let mut whole = String::new();
    let mut are_there = false;
    for part in &word.parts {
        match part {
            Part::Quoted(span) => whole.push_str(span.of(&text.source)),
            Part::Parameter { parameter, quoted: true }
                if matches!(parameter.name.of(&text.source), "*" | "@")
                    && matches!(parameter.op, ParameterOp::Plain) =>
            {
                are_there = true;
                whole.push_str(&positional.join(" "));
            }
            _ => return None,
        }
    }
    (are_there && !mark::any(&whole)).then_some(whole)
}

/// A pattern in which nothing is left to the shell.
fn pattern_of(text: &Text, word: &Word) -> Option<String> {
    let mut written = String::new();
    for part in &word.parts {
        match part {
            Part::Bare(span) => written.push_str(&pattern::active(span.of(&text.source))),
            Part::Quoted(span) => written.push_str(span.of(&text.source)),
            _ => return None,
        }
    }
    Some(written).filter(|written| !written.is_empty() && !written.contains(['(', '~', '\\']))
}

/// What a word is, if nothing about it is left to the shell.
fn value(scope: &Scope, text: &Text, word: &Word) -> Option<String> {
    let plain = |value: &str| {
        let means_itself = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
        value.chars().all(means_itself).then(|| value.to_owned())
    };
    match word.parts.as_slice() {
        [] => plain(word.span.of(&text.source)),
        [Part::Bare(span) | Part::Quoted(span)] => plain(span.of(&text.source)),
        [Part::Parameter { parameter, .. }]
            if parameter.name.of(&text.source) == "#" && matches!(parameter.op, ParameterOp::Plain) =>
        {
            let positional = scope.positional.as_ref().filter(|_| scope.is_exact())?;
            positional
                .iter()
                .all(|word| !word.is_empty() && !mark::any(word))
                .then(|| positional.len().to_string())
        }
        _ => subject(scope, text, word),
    }
}

/// Whether the condition of an `if` holds, where that depends on nothing but what is known.
pub(super) fn holds(scope: &Scope, text: &Text, condition: &List) -> Option<bool> {
    let [item] = condition.items.as_slice() else { return None };
    decided(scope, text, item)
}

/// The same of one item of a list.
pub(super) fn decided(scope: &Scope, text: &Text, item: &Item) -> Option<bool> {
    if !scope.is_exact() {
        return None;
    }
    let Item { pipeline: Pipeline { stages }, .. } = item;
    let [Stage { command, redirects, span }] = stages.as_slice() else { return None };
    let source = &text.source;
    if !redirects.is_empty() {
        return None;
    }
    // A `!` in front of it is not part of the tree; `$!` is something else.
    let before = source.get(..span.start as usize)?.trim_end();
    let negated = before.ends_with('!') && !before.ends_with("$!");
    succeeds(scope, text, (command, *span)).map(|holds| holds != negated)
}

/// Whether a command succeeds that does nothing but ask.
fn succeeds(scope: &Scope, text: &Text, (command, span): (&Command, Span)) -> Option<bool> {
    let source = &text.source;
    let words = match command {
        Command::Test(words) => words.as_slice(),
        // `(( DRY_RUN ))`, where the call has brought it
        Command::Arithmetic(_) => {
            let expression = span.of(source).trim().strip_prefix("((")?.strip_suffix("))")?;
            let mut names = expression
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
            let all = names.all(|name| scope.given(name).is_some());
            let value = super::arithmetic::evaluate(&mut scope.clone(), expression);
            return value.filter(|_| all && !expression.contains('=')).map(|value| value != 0);
        }
        // `if $DRY_RUN; then`
        Command::Simple { assigns, words }
            if assigns.is_empty() && words.len() == 1 && is_parameter(&words[0]) =>
        {
            return match value(scope, text, &words[0])?.as_str() {
                "true" | ":" => Some(true),
                "false" => Some(false),
                _ => None,
            };
        }
        Command::Simple { assigns, words } if assigns.is_empty() => {
            let name = words.first()?.span.of(source);
            if scope.function(name).is_some() || scope.alias(name).is_some() {
                return None;
            }
            match name {
                "true" | ":" => return Some(true),
                "false" => return Some(false),
                "test" => &words[1..],
                "[" if words.last()?.span.of(source) == "]" => &words[1..words.len() - 1],
                _ => return None,
            }
        }
        _ => return None,
    };
    // Operators such as `||` are not words of the tree.
    let apart = |pair: &[Word]| {
        let between = source.get(pair[0].span.end as usize..pair[1].span.start as usize);
        between.is_some_and(|between| between.chars().all(char::is_whitespace))
    };
    if !words.windows(2).all(apart) {
        return None;
    }
    match words {
        [op, word] => {
            let word = value(scope, text, word)?;
            match op.span.of(source) {
                "-n" => Some(!word.is_empty()),
                "-z" => Some(word.is_empty()),
                _ => None,
            }
        }
        [left, op, right]
            if matches!(command, Command::Test(_))
                && !left.parts.is_empty()
                && pattern_of(text, right).is_some() =>
        {
            let (left, wanted) = (
                all_arguments(scope, text, left).or_else(|| value(scope, text, left))?,
                pattern_of(text, right)?,
            );
            match op.span.of(source) {
                "=" | "==" => Some(pattern::matches(&wanted, &left)),
                "!=" => Some(!pattern::matches(&wanted, &left)),
                op => compared(op, &left, &wanted),
            }
        }
        [left, op, right] => {
            let (left, right) = (value(scope, text, left)?, value(scope, text, right)?);
            match op.span.of(source) {
                "=" | "==" => Some(left == right),
                "!=" => Some(left != right),
                op => compared(op, &left, &right),
            }
        }
        _ => None,
    }
}

/// A comparison of numbers.
fn compared(op: &str, left: &str, right: &str) -> Option<bool> {
    let (left, right) = (left.parse::<u32>().ok()?, right.parse::<u32>().ok()?);
    Some(match op {
        "-eq" => left == right,
        "-ne" => left != right,
        "-lt" => left < right,
        "-le" => left <= right,
        "-gt" => left > right,
        "-ge" => left >= right,
        _ => return None,
    })
}

fn is_parameter(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Parameter { .. }])
}

/// Whether an item of a script's list surely ends it, or the function at work: `exit 0`, `return`, after nothing that may keep it from running.
pub(super) fn ends(scope: &Scope, text: &Text, item: &Item) -> bool {
    let [Stage { command: Command::Simple { assigns, words }, redirects, .. }] =
        item.pipeline.stages.as_slice()
    else {
        return false;
    };
    let source = &text.source;
    let word = |at: usize| words.get(at).map(|word: &Word| word.span.of(source));
    let plain =
        |status: &str| status == "$?" || !status.is_empty() && status.bytes().all(|c| c.is_ascii_digit());
    // In a function, `return` may have come before an `exit`.
    word(0) == Some(if scope.locals.is_none() { "exit" } else { "return" })
        && word(1).is_none_or(plain)
        && words.len() <= 2
        && assigns.is_empty()
        // One that fails keeps the shell from ending.
        && redirects.is_empty()
        && scope.is_exact()
        && !scope.uncertain
        && scope.function("exit").is_none()
        && scope.alias("exit").is_none()
        && !source.contains("enable")
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
        if !scope.is_exact() || scope.uncertain || !reads_arguments(source) {
            return false;
        }
        for _ in 0..MAX_ARGUMENTS {
            let Some(before) = scope.positional.clone() else { break };
            if !scope.is_exact()
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
