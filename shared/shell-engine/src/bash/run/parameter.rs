//! Parameter expansion: `$x`, `${x:-y}`, `${x#y}` and the rest.

use std::rc::Rc;

use super::expand::joined;
use super::simple::MAX_CHOICES;
use super::{Runner, Scope, Value};
use crate::bash::ast::{Parameter, ParameterOp, Part, ReplaceKind, Subscript, Text};
use crate::mark;
use crate::text::{escapes, pattern};

impl Runner {
    /// The value of a parameter expansion.
    pub(super) fn parameter(&mut self, scope: &mut Scope, text: &Rc<Text>, parameter: &Parameter) -> Value {
        let mut name = parameter.name.of(&text.source).to_owned();
        if parameter.indirect && matches!(parameter.subscript, Some(Subscript::All)) {
            // `${!x[@]}`: the keys.
            let name = scope.referred(&name).unwrap_or(name);
            if let Some(keys) = scope.keys(&name) {
                return Value::Many(keys);
            }
            let keys = match lookup(scope, &name) {
                Value::Many(values) => values.len(),
                Value::One(_) => 1,
            };
            return Value::Many((0..keys).map(|key| key.to_string()).collect());
        }
        if parameter.indirect
            && let ParameterOp::Other(parts) = &parameter.op
            && let [Part::Bare(span)] = parts.as_slice()
            && matches!(span.of(&text.source), "*" | "@")
        {
            // `${!x_*}`: the names that begin so.
            return Value::Many(scope.names(&name).into());
        }
        if parameter.indirect {
            name = joined(&lookup(scope, &name));
            // A name that is only known at run time may be any variable.
            if mark::any(&name) {
                return one(mark::UNKNOWN);
            }
        }
        // `declare -n r=x`: `$r` is the value of `x`.
        if let Some(target) = scope.referred(&name) {
            name = target;
        }
        let value = match crate::runner::element_of(&name) {
            // `x='a[1]'; ${!x}`, `declare -n r='a[1]'`
            Some((array, key)) if parameter.subscript.is_none() => {
                let key = super::simple::key(scope, array, key.to_owned());
                scope.element(array, &key).map_or_else(|| one(mark::UNSET), |text| one_text(&text))
            }
            _ => self.subscripted(scope, text, (&name, parameter.subscript.as_ref())),
        };
        // `set -u`: the command does not run.
        if scope.needs_values
            && !matches!(parameter.op, ParameterOp::Fallback { .. })
            && super::status::vanishes(scope, &name, &value)
        {
            scope.lacks_value = true;
        }
        match &parameter.op {
            ParameterOp::Plain => value,
            ParameterOp::Length => length(&value),
            ParameterOp::Fallback { kind, colon, word } => {
                let word = self.single_word(scope, text, word);
                let value = if *colon { self.read_if_empty(scope, value, *kind) } else { value };
                fallback(scope, (&name, value), (*kind, *colon), &word)
            }
            ParameterOp::Trim { suffix, longest, pattern } => {
                let pattern = self.pattern(scope, text, pattern);
                // A pattern with many stars on a long value is slow, so it is paid for before it is tried.
                if !self.spend(pattern::effort(&pattern, longest_of(&value))) {
                    return value;
                }
                map(&value, |text| pattern::trim(text, &pattern, *suffix, *longest))
            }
            ParameterOp::Replace { kind, pattern, with } => {
                let pattern = self.pattern(scope, text, pattern);
                let with = self.single(scope, text, with);
                if !self.spend(pattern::effort_to_replace(&pattern, longest_of(&value))) {
                    return one(mark::UNKNOWN);
                }
                map(&value, |text| replace(text, &pattern, &with, *kind))
            }
            ParameterOp::Slice { offset, length } => {
                let offset = self.single(scope, text, offset);
                // `${x::2}` begins at the beginning.
                let offset = if offset.trim().is_empty() {
                    Some(0)
                } else {
                    super::arithmetic::evaluate(scope, &offset)
                };
                let length = match length {
                    None => Length::Rest,
                    Some(length) => {
                        let length = self.single(scope, text, length);
                        super::arithmetic::evaluate(scope, &length).map_or(Length::Unknown, Length::Exactly)
                    }
                };
                slice(&value, offset, length, matches!(&*name, "@" | "*"))
            }
            ParameterOp::Case { upper, all } => map(&value, |text| change_case(text, *upper, *all)),
            ParameterOp::Other(parts) => {
                let operator = self.single(scope, text, parts);
                match operator.as_str() {
                    // As a prompt, the value is expanded once more.
                    "P" => self.expanded_later(scope, &joined(&value)),
                    "E" => return map(&value, escapes::ansi_c),
                    "U" => return map(&value, |text| change_case(text, true, true)),
                    "u" => return map(&value, |text| change_case(text, true, false)),
                    "L" => return map(&value, |text| change_case(text, false, true)),
                    // `${x@Q}` and its like
                    _ => scope.open = true,
                }
                value
            }
        }
    }

    /// What an empty file stands for in `x=$(cat FILE); rm -rf "${x:?}"/*`: nothing, where nothing before can have written it.
    fn read_if_empty(&mut self, scope: &Scope, value: Value, kind: u8) -> Value {
        let is_blank = |loaded: crate::runner::Loaded| loaded.text.trim().is_empty();
        match &value {
            Value::One(known) if self.fulfilled(scope, known).is_some_and(is_blank) => {
                match (self.writes_as_known(), kind) {
                    (true, _) => one_text(""),
                    // Either it ends here, or the file holds something else.
                    (false, b'?') => one(mark::UNKNOWN),
                    (false, _) => value,
                }
            }
            _ => value,
        }
    }

    pub(super) fn subscripted(
        &mut self,
        scope: &mut Scope,
        text: &Rc<Text>,
        (name, subscript): (&str, Option<&Subscript>),
    ) -> Value {
        let value = match name {
            // The last argument of the command before.
            "_" => match self.analysis.atoms.last().and_then(|atom| atom.args.last()) {
                Some(arg) => one_text(&arg.text),
                None => lookup(scope, name),
            },
            "DIRSTACK" => Value::Many(Rc::from(super::folders::stack(scope))),
            name => lookup(scope, name),
        };
        match subscript {
            None => match value {
                // `$array` is its first element; `$@` and `$*` are lists of their own.
                Value::Many(values) if !matches!(name, "@" | "*") => {
                    Value::One(values.first().map_or_else(|| Rc::from(""), |first| Rc::from(first.as_str())))
                }
                value => value,
            },
            Some(Subscript::All) => match value {
                Value::One(text) if &*text == mark::UNSET.encode_utf8(&mut [0; 4]) => {
                    Value::Many(Rc::from([]))
                }
                value => value,
            },
            Some(Subscript::One(index)) => {
                let index = self.single(scope, text, index);
                if name == "BASH_ALIASES"
                    && let Some(text) = scope.alias(&index)
                {
                    return one_text(text);
                }
                // An array with gaps, or with words as its keys.
                if scope.keys(name).is_some() && !mark::any(&index) {
                    let key = super::simple::key(scope, name, index);
                    return scope
                        .element(name, &key)
                        .map_or_else(|| one(mark::UNSET), |text| one_text(&text));
                }
                let index = super::arithmetic::evaluate(scope, &index);
                match (&value, index) {
                    // Any of them may be meant: the command goes through them.
                    (Value::Many(values), None) if !values.is_empty() => {
                        scope.choices = scope.choices.max(values.len());
                        let at = scope.choice % values.len();
                        // The last that is tried stands for all that are not.
                        let is_rest = values.len() > MAX_CHOICES && at == MAX_CHOICES - 1;
                        if is_rest { one(mark::UNKNOWN) } else { one_text(&values[at]) }
                    }
                    _ => element(&value, index),
                }
            }
        }
    }

    /// An operator's word, in which blanks do not split and patterns stay letters.
    fn single_word(&mut self, scope: &mut Scope, text: &Rc<Text>, parts: &[Part]) -> String {
        let expanded = self.single(scope, text, parts);
        if expanded.contains(mark::is_glob) {
            return mark::readable(&expanded).into_owned();
        }
        expanded
    }

    fn pattern(&mut self, scope: &mut Scope, text: &Rc<Text>, parts: &[Part]) -> String {
        self.single(scope, text, parts)
    }
}

/// What `${x:-word}` and its relatives give, by the letter in front of the word.
fn fallback(scope: &mut Scope, (name, value): (&str, Value), (kind, colon): (u8, bool), word: &str) -> Value {
    let known = joined(&value);
    let missing = is_missing(&value, colon);
    match kind {
        // A variable that nothing here sets may be set outside: `${x:+y}` is `y` unless the value is surely
        // empty.
        b'+' if super::status::vanishes(scope, name, &value) => one_text(""),
        b'+' if known.is_empty() && (colon || is_missing(&value, false)) => one_text(""),
        b'+' => one_text(word),
        // `${x:?}` ends the script when the variable is empty: what goes on is not empty.
        b'?' if missing => {
            // What nothing here sets may be set outside.
            scope.lacks_value |= known.is_empty() && scope.is_exact() && !scope.open && scope.choices <= 1;
            one(mark::UNKNOWN)
        }
        b'=' if missing => {
            scope.set_text(name, word);
            one_text(word)
        }
        b'-' if missing => one_text(word),
        _ => value,
    }
}

/// Whether `-` takes its word: nothing has set the variable, or, after a colon, to nothing.
pub(super) fn is_missing(value: &Value, colon: bool) -> bool {
    match value {
        Value::One(text) => {
            if text.is_empty() {
                colon
            } else {
                // Empty without a colon is set; only what nothing has set is missing.
                text.chars().all(|c| c == mark::UNSET)
            }
        }
        Value::Many(values) => values.is_empty() || colon && values.iter().all(String::is_empty),
    }
}

/// The value of a variable or a special parameter.
pub(super) fn lookup(scope: &mut Scope, name: &str) -> Value {
    let positional = scope.positional.clone();
    scope.open |= scope.given_openly
        && (matches!(name, "@" | "*" | "#") || name != "0" && name.bytes().all(|byte| byte.is_ascii_digit()));
    match name {
        "@" | "*" => match positional {
            Some(positional) => Value::Many(positional),
            // Arguments that whoever calls the script gives.
            None => Value::Many(Rc::from([mark::PASSED.to_string()])),
        },
        "#" => {
            positional.map_or_else(|| one(mark::TOKEN), |positional| one_text(&positional.len().to_string()))
        }
        "0" => Value::One(Rc::clone(&scope.name)),
        // Numbers and letters without meaning as a path.
        "?" | "-" | "$" | "!" => one(mark::TOKEN),
        name if name.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => match positional {
            None => one(mark::PASSED),
            Some(positional) => {
                // `$1` is the first. `$0` is matched above, and `$00` wraps to a place that no list has.
                let index: usize = name.parse().unwrap_or(usize::MAX);
                positional.get(index.wrapping_sub(1)).map_or_else(|| one(mark::UNSET), |text| one_text(text))
            }
        },
        name => match scope.get(name) {
            Some(value) => value,
            // `rm$IFSx`: bash looks for a variable `IFSx`; whoever writes this means a blank and `x`.
            None if name.len() > 3 && name.starts_with("IFS") => one_text(&format!(" {}", &name[3..])),
            None => {
                let unset = if scope.later { mark::PASSED } else { mark::UNSET };
                let inherited = scope.inherited(name);
                // Of what a shell is given, only the home folder and its own text are surely what they are here.
                scope.open |= match &inherited {
                    Some(_) => !matches!(name, "HOME" | "IFS" | "BASH_SOURCE"),
                    None => scope.exact && super::status::comes_from_outside(name),
                };
                inherited.map_or_else(|| one(unset), |text| one_text(&text))
            }
        },
    }
}

fn one(mark: char) -> Value {
    one_text(mark.encode_utf8(&mut [0; 4]))
}

fn one_text(text: &str) -> Value {
    Value::One(Rc::from(text))
}

fn map(value: &Value, change: impl Fn(&str) -> String) -> Value {
    match value {
        Value::One(text) => one_text(&change(text)),
        Value::Many(values) => Value::Many(values.iter().map(|text| change(text)).collect()),
    }
}

fn longest_of(value: &Value) -> usize {
    match value {
        Value::One(text) => text.len(),
        Value::Many(values) => values.iter().map(String::len).sum(),
    }
}

fn length(value: &Value) -> Value {
    match value {
        Value::Many(values) => one_text(&values.len().to_string()),
        // The mark is one character; what it stands for may be any length.
        Value::One(text) if mark::any(text) => one(mark::TOKEN),
        Value::One(text) => one_text(&text.chars().count().to_string()),
    }
}

fn element(value: &Value, index: Option<i64>) -> Value {
    match (value, index) {
        (Value::Many(values), Some(index)) => {
            let index = if index < 0 { index + i64::try_from(values.len()).unwrap_or(0) } else { index };
            let found = usize::try_from(index).ok().and_then(|index| values.get(index));
            found.map_or_else(|| one(mark::UNSET), |text| one_text(text))
        }
        (Value::One(text), Some(0)) => Value::One(Rc::clone(text)),
        // Of no elements.
        (Value::Many(_), None) => one(mark::UNKNOWN),
        (Value::One(_), _) => one(mark::UNSET),
    }
}

/// How much a slice takes.
#[derive(Clone, Copy)]
enum Length {
    /// Everything from its offset on.
    Rest,
    /// So many characters; from the end, if it is negative.
    Exactly(i64),
    /// A number that only exists at run time.
    Unknown,
}

fn slice(value: &Value, offset: Option<i64>, length: Length, positional: bool) -> Value {
    let Some(offset) = offset else { return one(mark::UNKNOWN) };
    let bounds = |count: usize| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let start = if offset < 0 { (count + offset).max(0) } else { offset.min(count) };
        let end = match length {
            Length::Rest => count,
            Length::Unknown => return None,
            Length::Exactly(length) if length < 0 => (count + length).max(start),
            Length::Exactly(length) => start.saturating_add(length).min(count),
        };
        Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
    };
    match value {
        // Positions in a text of unknown length mean nothing: all of it stays possible.
        Value::One(text) if mark::any(text) => Value::One(Rc::clone(text)),
        Value::One(text) => match bounds(text.chars().count()) {
            Some((start, end)) => {
                let cut: String = text.chars().skip(start).take(end - start).collect();
                one_text(&cut)
            }
            None => one(mark::UNKNOWN),
        },
        Value::Many(values) => {
            // `${@:1}` counts from `$0`.
            let skipped = usize::from(positional);
            match bounds(values.len() + skipped) {
                Some((start, end)) => {
                    let start = start.saturating_sub(skipped).min(values.len());
                    let end = end.saturating_sub(skipped).clamp(start, values.len());
                    Value::Many(Rc::from(&values[start..end]))
                }
                None => one(mark::UNKNOWN),
            }
        }
    }
}

fn replace(text: &str, pattern: &str, with: &str, kind: ReplaceKind) -> String {
    if pattern.is_empty() {
        // `${x/#/r}` and `${x/%/r}`: nothing stands at both ends of every text.
        return match kind {
            ReplaceKind::Prefix => format!("{with}{text}"),
            ReplaceKind::Suffix => format!("{text}{with}"),
            ReplaceKind::First | ReplaceKind::All => text.to_owned(),
        };
    }
    // What stands for unknown text must not be replaced, nor a pattern match half of it.
    if mark::any(text) && text.contains(mark::is_hole) {
        return text.to_owned();
    }
    match kind {
        ReplaceKind::Prefix => {
            let rest = pattern::trim(text, pattern, false, true);
            // Nothing was cut off, so the pattern does not match there.
            if rest.len() == text.len() { rest } else { format!("{with}{rest}") }
        }
        ReplaceKind::Suffix => {
            let rest = pattern::trim(text, pattern, true, true);
            if rest.len() == text.len() { rest } else { format!("{rest}{with}") }
        }
        ReplaceKind::First | ReplaceKind::All => {
            pattern::replace(text, pattern, with, kind == ReplaceKind::All)
        }
    }
}

fn change_case(text: &str, upper: bool, all: bool) -> String {
    let change = |c: char| if upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    if all {
        return text.chars().map(change).collect();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| std::iter::once(change(first)).chain(chars).collect())
}
