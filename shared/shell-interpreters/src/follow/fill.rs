//! What code puts into the lists and maps that its variables hold.

use crate::Language;
use crate::follow::Follower;
use crate::lex::Token;
use crate::value::{Arguments, Value};

/// Entries that a variable keeps: a loop that fills a table must not fill the memory.
const MAX_ENTRIES: usize = 512;

impl Follower<'_> {
    /// The variable of which the tokens from `start` on name an element: `x["a"]`, `$x{a}`, or `x.a` of a map.
    pub(super) fn written_element(&self, start: usize) -> Option<String> {
        let token = |ahead: usize| self.code.tokens.get(start + ahead);
        let Some(Token::Name(name) | Token::Variable(name)) = token(0) else { return None };
        let is_element = match token(1) {
            Some(Token::Op("[" | "{")) => true,
            Some(Token::Op("." | "->")) => matches!(self.variables.get(name), Some(Value::Map(_))),
            _ => false,
        };
        is_element.then(|| format!("{name}[]"))
    }

    /// Gives the element that the tokens from `start` on name its value.
    pub(super) fn set_element(&mut self, variable: &str, start: usize, value: &Value) {
        let token = |ahead: usize| self.code.tokens.get(start + ahead);
        // `map.a.b = x`, `map["a"]["b"] = x`: what is deeper is not followed, and may be any of what the map holds.
        let deeper = match token(1) {
            Some(Token::Op("[" | "{")) => token(4),
            _ => token(3),
        };
        let key = match (token(1), token(2)) {
            _ if matches!(deeper, Some(Token::Op("." | "->" | "[" | "{"))) => String::new(),
            // `map[key] = x`, with a variable or something that is computed.
            (Some(Token::Op("[")), Some(Token::Name(name) | Token::Variable(name)))
                if self.variable(name).is_some() =>
            {
                self.variable(name).and_then(Value::known).unwrap_or_default()
            }
            (_, Some(Token::Text(key) | Token::Name(key))) => key.clone(),
            _ => String::new(),
        };
        let is_map = matches!(self.variables.get(variable), Some(Value::Map(_)));
        match self.variables.get_mut(variable) {
            // Lua's `t[#t + 1] = x`
            Some(Value::Map(entries))
                if entries.is_empty() && key.is_empty() && self.language == Language::Lua =>
            {
                self.assign(variable, Value::List(vec![value.clone()]));
            }
            Some(Value::List(values)) if values.len() < MAX_ENTRIES => values.push(value.clone()),
            _ if is_map => self.put_entry(variable, key, value.clone()),
            _ => self.assign(variable, Value::Map(vec![(key, value.clone())])),
        }
    }

    /// Puts an entry into the map that a variable holds. What was there stays possible where the branch may not be taken.
    fn put_entry(&mut self, variable: &str, key: String, value: Value) {
        let perhaps = self.at <= self.branch;
        let Some(Value::Map(entries)) = self.variables.get_mut(variable) else { return };
        if entries.len() >= MAX_ENTRIES {
            return;
        }
        if key.is_empty() {
            // The key is only known at run time: it may be any of them.
            for (_, before) in entries.iter_mut() {
                *before = Value::any(vec![before.clone(), value.clone()]);
            }
        }
        let before = entries.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| value);
        let value = match before.filter(|_| perhaps) {
            Some(before) => Value::any(vec![before.clone(), value]),
            None => value,
        };
        entries.push((key, value));
    }

    /// `xs.append(y)`, `map.update(other)`: the variable holds more from now on.
    pub(super) fn grow(&mut self, variable: Option<&str>, name: &str, arguments: &Arguments) {
        match variable.and_then(|variable| self.variables.get_mut(variable)) {
            Some(Value::List(values)) if ADDS.contains(&name) && values.len() <= 2 * MAX_ENTRIES => {
                for argument in &arguments.values {
                    match argument {
                        Value::List(more) if matches!(name, "extend" | "addAll" | "concat") => {
                            values.extend(more.iter().take(256).cloned());
                        }
                        value => values.push(value.clone()),
                    }
                }
            }
            Some(Value::Map(_)) => self.grow_map(variable.unwrap_or(""), name, arguments),
            _ => {}
        }
    }

    fn grow_map(&mut self, variable: &str, name: &str, arguments: &Arguments) {
        if PUTS.contains(&name)
            && let [key, value] = arguments.values.as_slice()
        {
            let is_there = key
                .known()
                .is_some_and(|key| self.variables.get(variable).is_some_and(|map| map.get(&key).is_some()));
            if !(is_there && matches!(name, "setdefault" | "putIfAbsent")) {
                self.put_entry(variable, key.known().unwrap_or_default(), value.clone());
            }
            return;
        }
        if !MERGES.contains(&name) {
            return;
        }
        for (key, value) in &arguments.named {
            self.put_entry(variable, key.clone(), value.clone());
        }
        for argument in &arguments.values {
            match argument {
                Value::Map(entries) => {
                    for (key, value) in entries.clone() {
                        self.put_entry(variable, key, value);
                    }
                }
                // Any key may have any value now.
                unknown => self.assign(variable, Value::computed(std::iter::once(unknown))),
            }
        }
    }
}

/// Methods that add their arguments to a list.
const ADDS: [&str; 9] =
    ["append", "push", "add", "extend", "concat", "unshift", "insert", "addAll", "update"];

/// Methods that give one key of a map its value.
const PUTS: [&str; 6] = ["put", "set", "store", "setdefault", "putIfAbsent", "__setitem__"];

/// Methods that take over the entries of other maps.
const MERGES: [&str; 5] = ["update", "merge!", "putAll", "update!", "Object.assign"];
