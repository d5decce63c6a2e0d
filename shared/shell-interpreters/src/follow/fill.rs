//! What code puts into the lists and maps that its variables hold.

use super::names::is_environment;
use crate::Language;
use crate::follow::Follower;
use crate::lex::Token;
use crate::value::{Arguments, Value};

/// Entries that a variable keeps: a loop that fills a table must not fill the memory.
const MAX_ENTRIES: usize = 512;
/// Maps within maps that are changed, and names that a list or map has.
const MAX_DEPTH: usize = 16;

impl Follower<'_> {
    /// The variable of which the tokens from `start` on name an element: `x["a"]`, `$x{a}`, `self.x["a"]`, or `x.a` of a map.
    pub(super) fn written_element(&self, start: usize) -> Option<String> {
        let (name, from) = self.holder(start)?;
        let is_element = match self.code.tokens.get(from) {
            Some(Token::Op("[" | "{")) => true,
            Some(Token::Op("." | "->" | "$")) => match self.variables.get(&name) {
                Some(Value::List(values)) => values.is_empty(),
                held => matches!(held, Some(Value::Map(_))),
            },
            _ => false,
        };
        is_element.then(|| format!("{name}[]"))
    }

    /// The variable in which what the tokens from `start` on name lies, and where the way into it begins. A field of the object
    /// at hand, or of a class, is a variable of its own, unless the object is a map.
    pub(super) fn holder(&self, start: usize) -> Option<(String, usize)> {
        let token = |ahead: usize| self.code.tokens.get(start + ahead);
        let Some(Token::Name(name) | Token::Variable(name)) = token(0) else { return None };
        if let Some(field) = self.own_field(start) {
            return Some((field, start + 3));
        }
        if let (Some(Token::Op(".")), Some(Token::Name(field))) = (token(1), token(2))
            // A class that is imported is its own name.
            && self.variables.get(name).is_none_or(
                |held| matches!(held, Value::Name(path) if path.rsplit('.').next() == Some(name)),
            )
            && let own = format!("{name}.{field}")
            && self.variables.contains_key(&own)
        {
            return Some((own, start + 3));
        }
        Some((name.clone(), start + 1))
    }

    /// The part of a variable that the tokens from `start` to `end` name.
    pub(super) fn part_between(&self, start: usize, end: usize) -> Option<Place> {
        // What the library has does not change.
        if let Some(Token::Name(name)) = self.code.tokens.get(start)
            && end > start + 1
            && !matches!(name.as_str(), "self" | "this")
            && matches!(self.variables.get(name), Some(Value::Name(_)))
        {
            return None;
        }
        let (variable, from) = self.holder(start).filter(|(_, from)| *from <= end)?;
        self.variables.get(&variable)?;
        let (keys, after) = self.keys_between(from, end);
        (after == end).then_some(Place { variable, keys })
    }

    /// What a place holds now.
    fn held_at(&mut self, place: &Place) -> Option<&mut Value> {
        let mut held = self.variables.get_mut(&place.variable)?;
        for key in &place.keys {
            held = match (held, key) {
                (Value::Map(entries), Some(key)) => {
                    &mut entries.iter_mut().rev().find(|(known, _)| known == key)?.1
                }
                (Value::List(values), Some(key)) => values.get_mut(key.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(held)
    }

    /// A method has changed its object, which lies there.
    pub(super) fn put_back(&mut self, place: &Place, value: Value) {
        if let Some(held) = self.held_at(place) {
            *held = value;
            self.share(&place.variable);
        }
    }

    /// Whether the tokens from `start` on name where the environment says where the home folder is: `os.environ["HOME"]`,
    /// `process.env.HOME`.
    pub(super) fn names_home(&self, start: usize) -> bool {
        let says_home =
            |token: &Token| matches!(token, Token::Name(word) | Token::Text(word) if word == "HOME");
        let tokens = self.code.tokens.get(start..).unwrap_or_default();
        let Some(Token::Name(object)) = tokens.first() else { return false };
        if !tokens.iter().take(6).any(says_home) {
            return false;
        }
        let (mut keys, _) = self.keys_between(start + 1, self.end);
        let object = match self.variable(object) {
            Some(Value::Name(path)) => path.clone(),
            None if !self.is_class(object) => object.clone(),
            // The code's own, of the same name.
            _ => return false,
        };
        let last = keys.pop().flatten();
        let path: Vec<String> = std::iter::once(object).chain(keys.into_iter().flatten()).collect();
        last.is_some_and(|last| last == "HOME") && is_environment(&path.join("."))
    }

    /// Gives the element that the tokens from `start` on name its value.
    pub(crate) fn set_element(&mut self, variable: &str, start: usize, value: &Value) {
        let Some((_, from)) = self.holder(start) else { return };
        let keys = self.keys_between(from, self.end).0;
        let is_empty_map =
            |held: Option<&Value>| matches!(held, Some(Value::Map(entries)) if entries.is_empty());
        // Lua's `t[#t + 1] = x`
        if self.language == Language::Lua
            && keys.as_slice() == [None]
            && is_empty_map(self.variables.get(variable))
        {
            self.assign(variable, Value::List(vec![value.clone()]));
            return;
        }
        if matches!(self.variables.get(variable), Some(Value::Map(_) | Value::List(_))) {
            self.change_element(variable, &keys, value.clone());
        } else {
            let mut map = Value::Map(Vec::new());
            put(&mut map, &keys, value.clone(), false);
            self.assign(variable, map);
        }
    }

    /// The keys by which the tokens from `at` on lead into a value, at most up to `end`, and where they end: `["a"].b[0]`.
    /// `None` is one that only run time knows.
    fn keys_between(&self, mut at: usize, end: usize) -> (Vec<Option<String>>, usize) {
        let token = |at: usize| self.code.tokens.get(at);
        let mut keys = Vec::new();
        while keys.len() < MAX_DEPTH && at < end {
            match (token(at), token(at + 1)) {
                (Some(Token::Op("->")), Some(Token::Op("[" | "{"))) => at += 1,
                (Some(Token::Op("." | "->" | "?." | "$")), Some(Token::Name(key) | Token::Variable(key))) => {
                    keys.push(Some(key.clone()));
                    at += 2;
                }
                (Some(Token::Op(open @ ("[" | "{"))), Some(inner)) => {
                    let close = self.code.mate(at);
                    let is_word = *open == "{";
                    let key = match inner {
                        Token::Name(object)
                            if close == at + 4
                                && let (Some(Token::Op(".")), Some(Token::Name(field))) =
                                    (token(at + 2), token(at + 3)) =>
                        {
                            self.field_text(object, field)
                        }
                        _ if close != at + 2 => None,
                        Token::Text(key) | Token::Number(key) => Some(key.clone()),
                        // A bare word in braces is a string.
                        Token::Name(key) if is_word => Some(key.clone()),
                        Token::Name(name) | Token::Variable(name) => {
                            self.variable(name).and_then(Value::known)
                        }
                        _ => None,
                    };
                    keys.push(key);
                    at = close.max(at) + 1;
                }
                _ => break,
            }
        }
        (keys, at)
    }

    /// The text of a field of what a variable holds, where it is known without calling anything: `cls.name`, `function.__name__`.
    fn field_text(&self, object: &str, field: &str) -> Option<String> {
        match self.variable(object)? {
            Value::Name(class) => self.variable(&format!("{class}.{field}"))?.known(),
            Value::Function(function) if field == "__name__" => {
                Some(self.known(std::rc::Rc::as_ptr(function))?.name.clone())
            }
            held => held.get(field)?.known(),
        }
    }

    /// Gives an element of the list or map that a variable holds its value. What was there stays possible where the branch
    /// may not be taken.
    pub(crate) fn change_element(&mut self, variable: &str, keys: &[Option<String>], value: Value) {
        let perhaps = self.at <= self.branch;
        if let Some(held) = self.variables.get_mut(variable) {
            put(held, keys, value, perhaps);
        }
        self.share(variable);
    }

    /// `setattr(object, "field", value)`
    pub(crate) fn set_field(&mut self, inputs: &[Value]) -> Value {
        if let ([object, field, value], Some(variable)) = (inputs, self.first_name.clone()) {
            let field = field.known();
            match (object, &field) {
                (Value::Map(_), _) => self.change_element(&variable, &[field], value.clone()),
                (Value::Name(object), Some(field)) => {
                    self.assign(&format!("{object}.{field}"), value.clone());
                }
                _ => {}
            }
        }
        Value::unknown()
    }

    /// Lets one variable stand for the list or map of another one.
    pub(super) fn alias(&mut self, name: &str, other: &str) {
        // PHP and R copy.
        let is_shared = !matches!(self.language, Language::Php | Language::R)
            && matches!(self.variables.get(other), Some(Value::Map(_) | Value::List(_)));
        if is_shared && name != other && self.aliases.len() < MAX_DEPTH {
            self.aliases.push((name.to_owned(), other.to_owned()));
        }
    }

    /// A variable stands for something else from now on.
    pub(super) fn part(&mut self, name: &str) {
        if !self.aliases.is_empty() {
            self.aliases.retain(|(one, other)| one != name && other != name);
        }
    }

    /// The other names of a list or map that has changed see it, too.
    fn share(&mut self, variable: &str) {
        if self.aliases.is_empty() {
            return;
        }
        let Some(value) = self.variables.get(variable).cloned() else { return };
        for (one, other) in &self.aliases {
            let twin = match (one == variable, other == variable) {
                (true, _) => other,
                (_, true) => one,
                _ => continue,
            };
            if let Some(held) = self.variables.get_mut(twin) {
                held.clone_from(&value);
            }
        }
    }

    /// `xs.append(y)`, `map.update(other)`, `self.jobs[name].append(y)`: the variable holds more from now on.
    pub(super) fn grow(&mut self, place: &Place, name: &str, arguments: &Arguments) {
        if !ADDS.contains(&name)
            && !ATTACHES.contains(&name)
            && !PUTS.contains(&name)
            && !MERGES.contains(&name)
            && !WRITES.contains(&name)
        {
            return;
        }
        // `message.add_attachment(key)`: what is sent with it later.
        let secret = || arguments.all().find(|value| value.source().is_some());
        if ATTACHES.contains(&name)
            && place.keys.is_empty()
            && let (Some(value), Some(Value::Name(_))) = (secret(), self.variables.get(&place.variable))
        {
            let value = Value::computed(std::iter::once(value));
            self.assign(&place.variable, value);
            return;
        }
        let makes_lists = matches!(self.language, Language::Python | Language::Other)
            && !place.keys.is_empty()
            && matches!(self.variables.get(&place.variable), Some(Value::Map(_)));
        match self.held_at(place) {
            Some(Value::List(values)) if ADDS.contains(&name) && values.len() <= 2 * MAX_ENTRIES => {
                for argument in &arguments.values {
                    match argument {
                        Value::List(more) if matches!(name, "extend" | "addAll" | "concat") => {
                            values.extend(more.iter().take(256).cloned());
                        }
                        value => values.push(value.clone()),
                    }
                }
                self.share(&place.variable);
            }
            // `builder.append("x")`
            Some(text @ Value::Text(_)) if WRITES.contains(&name) => {
                let longer = arguments.first().map(|more| text.joined(more, ""));
                *text = longer.unwrap_or_else(Value::unknown);
            }
            Some(Value::Map(_)) if place.keys.is_empty() => self.grow_map(&place.variable, name, arguments),
            // `groups[key].append(x)` of what makes its lists by itself.
            None if makes_lists && ADDS.contains(&name) => {
                let list = Value::List(arguments.values.clone());
                self.change_element(&place.variable, &place.keys, list);
            }
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
                self.change_element(variable, &[key.known()], value.clone());
            }
            return;
        }
        if !MERGES.contains(&name) {
            return;
        }
        // rake's `args.with_defaults(scope: "project")` changes what is not given.
        let fills = name == "with_defaults";
        let is_given = |follower: &Self, key: &str| {
            let held = follower.variables.get(variable).and_then(|map| map.get(key));
            fills && held.is_some_and(|held| !held.is_missing())
        };
        for (key, value) in &arguments.named {
            if !is_given(self, key) {
                self.change_element(variable, &[Some(key.clone())], value.clone());
            }
        }
        for argument in &arguments.values {
            match argument {
                Value::Map(entries) => {
                    for (key, value) in entries.clone() {
                        if is_given(self, &key) {
                            continue;
                        }
                        self.change_element(variable, &[Some(key)], value);
                    }
                }
                // Any key may have any value now.
                unknown => self.assign(variable, Value::computed(std::iter::once(unknown))),
            }
        }
    }
}

/// Puts a value where the keys lead.
fn put(held: &mut Value, keys: &[Option<String>], value: Value, perhaps: bool) {
    let Some((key, deeper)) = keys.split_first() else {
        *held = if perhaps { Value::any(vec![held.clone(), value]) } else { value };
        return;
    };
    let is_name = key.as_ref().is_some_and(|key| key.parse::<i64>().is_err());
    match (held, key) {
        // An empty one may become either.
        (Value::List(values), key) if !values.is_empty() || !is_name => {
            let place = key.as_ref().and_then(|key| key.parse::<usize>().ok());
            let place = place.filter(|&place| place < values.len() && !deeper.is_empty());
            match place {
                Some(place) => put(&mut values[place], deeper, value, perhaps),
                // It may be any of them.
                None if values.len() < MAX_ENTRIES => values.push(value),
                None => {}
            }
        }
        (Value::Map(entries), Some(key)) => match entries.iter().rposition(|(known, _)| known == key) {
            Some(at) => put(&mut entries[at].1, deeper, value, perhaps),
            None if entries.len() < MAX_ENTRIES => {
                let mut new = Value::Map(Vec::new());
                put(&mut new, deeper, value, false);
                entries.push((key.clone(), new));
            }
            None => {}
        },
        (Value::Map(entries), None) => {
            for (_, before) in entries.iter_mut() {
                put(before, deeper, value.clone(), true);
            }
            if entries.len() < MAX_ENTRIES {
                entries.push((String::new(), value));
            }
        }
        (held, _) => {
            let mut map = Value::Map(Vec::new());
            put(&mut map, keys, value, false);
            *held = map;
        }
    }
}

/// A variable, or a part of what it holds: `xs`, `self.jobs["a"]`.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    variable: String,
    keys: Vec<Option<String>>,
}

impl From<&str> for Place {
    fn from(variable: &str) -> Self {
        Self { variable: variable.to_owned(), keys: Vec::new() }
    }
}

/// Methods that put something into a message.
const ATTACHES: [&str; 5] = ["add_attachment", "attach", "set_content", "set_payload", "append"];

/// Methods that make a string longer.
const WRITES: [&str; 4] = ["append", "Append", "push_str", "AppendLine"];

/// Methods that add their arguments to a list.
const ADDS: [&str; 17] = [
    "append",
    "push",
    "add",
    "extend",
    "concat",
    "unshift",
    "insert",
    "addAll",
    "update",
    "Add",
    "push_back",
    "put",
    "put_nowait",
    "offer",
    "appendleft",
    "enqueue",
    "Enqueue",
];

/// Methods that give one key of a map its value.
const PUTS: [&str; 9] =
    ["put", "set", "store", "setdefault", "putIfAbsent", "__setitem__", "insert", "Add", "setProperty"];

/// Methods that take over the entries of other maps.
const MERGES: [&str; 6] = ["update", "merge!", "putAll", "update!", "Object.assign", "with_defaults"];
