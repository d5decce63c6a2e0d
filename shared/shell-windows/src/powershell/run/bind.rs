//! The arguments of a command, and the parameters of a cmdlet that they become.

use std::rc::Rc;

use super::super::ast::Block;
use super::super::names::{self, Cmdlet};
use super::super::value::{MAX_LIST, Value};

/// An argument as it was given.
#[derive(Clone)]
pub(super) enum Given {
    Parameter(String, Option<Value>),
    Value(Value),
}

/// The arguments of a cmdlet under their full names.
#[derive(Default)]
pub(super) struct Bound {
    pub(super) named: Vec<(String, Value)>,
    pub(super) switches: Vec<String>,
    /// Arguments that no parameter takes.
    pub(super) rest: Vec<Value>,
}

impl Bound {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(Value::string)
    }

    pub(super) fn texts(&self, names: &[&str]) -> Vec<String> {
        names.iter().filter_map(|name| self.get(name)).flat_map(Value::texts).collect()
    }

    pub(super) fn has(&self, switch: &str) -> bool {
        self.switches.iter().any(|known| known == switch)
    }

    /// A value that tells some things from all of their kind.
    pub(super) fn narrows(&self) -> Option<&Value> {
        let values = self.named.iter().map(|(_, value)| value).chain(&self.rest);
        values.into_iter().find(|value| !matches!(value.string().as_str(), "*" | "*.*"))
    }

    /// Every block among the arguments.
    pub(super) fn blocks(&self) -> Vec<Rc<Block>> {
        let values = self.named.iter().map(|(_, value)| value).chain(&self.rest);
        let elements = values.flat_map(Value::elements);
        elements
            .filter_map(|value| match value {
                Value::Block(block) => Some(block),
                _ => None,
            })
            .collect()
    }
}

/// What a block or a function is called with.
#[derive(Default)]
pub(super) struct Passed {
    pub(super) arguments: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
}

pub(super) fn positional(given: Vec<Given>) -> Passed {
    let mut values = Vec::new();
    let mut named = Vec::new();
    let mut pending: Option<String> = None;
    for argument in given {
        match (argument, pending.take()) {
            (Given::Value(value), Some(name)) => named.push((name, value)),
            (Given::Value(value), None) => values.push(value),
            (Given::Parameter(name, Some(value)), _) => named.push((name, value)),
            (Given::Parameter(name, None), before) => {
                // A parameter that another one follows is a switch.
                named.extend(before.map(|name| (name, Value::boolean(true))));
                pending = Some(name);
            }
        }
    }
    named.extend(pending.map(|name| (name, Value::boolean(true))));
    values.truncate(MAX_LIST);
    Passed { arguments: values, named }
}

/// Gives arguments to the parameters of a cmdlet.
pub(super) fn bind(cmdlet: Cmdlet, given: Vec<Given>) -> Bound {
    let mut bound = Bound::default();
    let mut free = Vec::new();
    let mut given = given.into_iter().peekable();
    while let Some(argument) = given.next() {
        let (name, value) = match argument {
            Given::Value(value) => {
                free.push(value);
                continue;
            }
            Given::Parameter(name, value) => (name, value),
        };
        // An unknown name may still take a value; its form decides.
        let parameter = cmdlet.parameter(&name).unwrap_or_else(|| names::guessed(&name));
        let next = |given: &mut std::iter::Peekable<std::vec::IntoIter<Given>>| match given.peek() {
            Some(Given::Value(_)) => match given.next() {
                Some(Given::Value(value)) => Some(value),
                _ => None,
            },
            _ => None,
        };
        if parameter.switch {
            set_switch(&mut bound, parameter.name, value.as_ref());
            continue;
        }
        match value.or_else(|| next(&mut given)) {
            Some(value) => bound.named.push((parameter.name, value)),
            None => bound.switches.push(parameter.name),
        }
    }
    // What has no name goes to the parameters that are not named yet, in their order.
    let mut names: Vec<&str> = cmdlet.positional().filter(|name| bound.get(name).is_none()).collect();
    // `-LiteralPath` stands for `-Path`, so the first value without a name is not another path.
    if cmdlet.name == "Copy-Item" || cmdlet.name.starts_with("Remove-") || bound.get("LiteralPath").is_some()
    {
        names.retain(|name| *name != "Path" || bound.get("LiteralPath").is_none());
    }
    let mut names = names.into_iter();
    for value in free {
        match names.next() {
            Some(name) => bound.named.push((name.to_owned(), value)),
            None => bound.rest.push(value),
        }
    }
    bound
}

fn set_switch(bound: &mut Bound, name: String, value: Option<&Value>) {
    match value {
        // `-Recurse:$false` is the same as none; only `-Confirm:$false` does something: it silences the
        // question.
        Some(value) if value.is_false() => {
            if name == "Confirm" {
                bound.switches.push("Confirm:False".to_owned());
            }
        }
        _ => bound.switches.push(name),
    }
}

/// The arguments of a cmdlet that no one here knows.
pub(super) fn bind_unknown(given: Vec<Given>) -> Bound {
    let mut bound = Bound::default();
    let mut given = given.into_iter().peekable();
    while let Some(argument) = given.next() {
        match argument {
            Given::Value(value) => bound.rest.push(value),
            Given::Parameter(name, value) => {
                let parameter = names::guessed(&name);
                if parameter.switch {
                    set_switch(&mut bound, parameter.name, value.as_ref());
                    continue;
                }
                let next = if value.is_none() && matches!(given.peek(), Some(Given::Value(_))) {
                    given.next()
                } else {
                    None
                };
                match (value, next) {
                    (Some(value), _) | (None, Some(Given::Value(value))) => {
                        bound.named.push((parameter.name, value));
                    }
                    _ => bound.switches.push(parameter.name),
                }
            }
        }
    }
    bound
}
