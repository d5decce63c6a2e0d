//! What code computes, as far as it is known.

use std::rc::Rc;

use shell_engine::{Arg, mark};

use super::follow::Place;
use super::lex::Code;
use super::options::{GIVEN, NOT_GIVEN};

/// Values of which one holds at run time. Of more, one that is not known stands for the rest.
const MAX_CHOICES: usize = 64;
/// Elements of a list that are looked at one by one.
pub(super) const MAX_ELEMENTS: usize = 256;
/// Lists inside lists that are kept.
const MAX_NESTING: u32 = 24;
/// Text longer than this is not computed.
pub(super) const MAX_TEXT: usize = 64 * 1024;

/// A value of the code.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(Text),
    Number(i64),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
    /// One of several.
    Any(Vec<Value>),
    /// Something of the language's own library, by its path: `os.path.join`.
    Name(String),
    Function(Rc<Function>),
    /// A function with some of its arguments: `functools.partial(f, "/")`, `f.bind(null, "/")`.
    Bound(Rc<(Value, Arguments)>),
    /// A file that is open for writing.
    File(String),
    /// A connection to another machine.
    Socket,
    /// A handle on a database.
    Database,
}

/// A string, with marks where it is not known.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_field_names, reason = "a text, and what else is known of it")]
pub(super) struct Text {
    pub(super) text: String,
    /// The file that it was read from.
    pub(super) from: Option<Source>,
    /// The address of another machine that it was computed from.
    pub(super) to: Option<Rc<str>>,
}

/// Where a string comes from.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The file; `env` for the environment as a whole.
    pub(super) path: Rc<str>,
    /// All of it, and not something that was computed from it.
    pub(super) whole: bool,
    /// Other files of which it holds something, or may hold something.
    pub(super) others: Vec<Rc<str>>,
    /// Whether a function that no one knows was given it: what is left of it may be a digest, or enciphered.
    pub(super) obscured: bool,
}

/// Methods that give back all of a map.
const COPIES: [&str; 7] = [".to_h", ".to_hash", ".copy", ".dup", ".clone", ".items", ".toObject"];

impl Source {
    /// All that a file holds.
    pub(super) fn whole(path: impl Into<Rc<str>>) -> Self {
        Self { path: path.into(), whole: true, others: Vec::new(), obscured: false }
    }

    /// Something of what a file holds.
    pub(super) fn part(path: impl Into<Rc<str>>) -> Self {
        Self { path: path.into(), whole: false, others: Vec::new(), obscured: false }
    }

    /// Something that was computed from it.
    pub(super) fn partly(self) -> Self {
        Self { whole: false, ..self }
    }

    /// All files of which it holds something.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Rc<str>> {
        std::iter::once(&self.path).chain(&self.others)
    }

    /// The words of a command that prints all of it.
    pub(super) fn read_out(&self) -> Vec<Arg> {
        std::iter::once("cat").chain(self.paths().map(|path| &**path)).map(Arg::from).collect()
    }

    /// Of several ones, the one that matters most: the environment, or a hidden file, before a file of the project. It
    /// remembers the others.
    pub(super) fn among(sources: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        let is_hidden = |part: &str| part.starts_with('.') && part.contains(|c| c != '.');
        let rank = |source: &Self| match &*source.path {
            "env" => 2,
            path => u8::from(path.split('/').any(is_hidden)),
        };
        let mut chosen: Option<Self> = None;
        for mut source in sources.flatten() {
            let Some(before) = &mut chosen else {
                chosen = Some(source);
                continue;
            };
            if rank(&source) > rank(before) {
                std::mem::swap(before, &mut source);
            }
            before.obscured |= source.obscured;
            for path in source.paths() {
                if before.others.len() < MAX_CHOICES && !before.paths().any(|known| known == path) {
                    before.others.push(Rc::clone(path));
                }
            }
        }
        chosen
    }
}

/// A function that the code defines.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) code: Rc<Code>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// What its methods call their object, where that is no parameter of theirs: Go's `(j *Job)`.
    pub(super) receiver: Option<String>,
    /// What the names around it stood for that it uses, if it was made by a function.
    pub(super) captured: Vec<(String, Value)>,
    /// The call in which it was made; 0 is none.
    pub(super) made_in: usize,
}

/// A function with a name.
#[derive(Debug, Clone)]
pub(super) struct Defined {
    pub(super) name: String,
    /// The class whose method it is; empty for others.
    pub(super) class: Rc<str>,
    pub(super) function: Rc<Function>,
    /// Whether someone has called it.
    pub(super) called: bool,
    /// Whether it is called by its name alone: Python's `@property`.
    pub(super) is_property: bool,
    /// Whether it was handed to something else where it was made: Python's `@register`.
    pub(super) is_handed: bool,
    /// The code that has imported its module and does not name it: only modules call it.
    pub(super) hidden_from: Option<Rc<Code>>,
}

impl Defined {
    /// Whether code may call it by its name.
    pub(super) fn is_seen_by(&self, code: &Rc<Code>) -> bool {
        self.hidden_from.as_ref().is_none_or(|hidden| !Rc::ptr_eq(hidden, code))
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) takes: Takes,
    /// Where the expression stands that it is where no one passes it: its first token, and the one after it.
    pub(super) default: Option<(usize, usize)>,
    /// Whether the object gets it as a field: PHP's `private $root` of a constructor.
    pub(super) is_field: bool,
}

/// What a parameter gets of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Takes {
    One,
    /// The caller's variable itself: PHP's `&$x`.
    Reference,
    /// All that is left: `*args`, `...args`.
    Rest,
    /// All that has a name of its own: `**options`.
    Named,
    /// Ruby's `&block`.
    Block,
    /// These parts of one: `({execSync, cwd: folder = "/"}) => …`.
    Parts(Vec<Part>),
}

/// A part of a value that gets a name of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// What it is called in the value, or its place in it.
    pub(super) key: String,
    pub(super) to: Parameter,
}

impl From<String> for Parameter {
    fn from(name: String) -> Self {
        Self { name, takes: Takes::One, default: None, is_field: false }
    }
}

/// Where an argument of a call stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    Place(usize),
    Named(String),
    /// All words of the call.
    All(usize),
}

/// The arguments of a call.
#[derive(Debug, Default, Clone)]
pub(super) struct Arguments {
    pub(super) values: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
    /// The block after them: `xs.each { |x| … }`.
    pub(super) block: Option<Rc<Function>>,
    /// The variables among the values, by their places, whose lists and maps the function may change.
    pub(super) variables: Vec<(usize, String)>,
    /// The places, and the names, of those that are words of the call.
    pub(super) of_call: Vec<Spot>,
    /// Where the object lies whose method is called, which may change as well.
    pub(super) place: Option<Place>,
}

impl Arguments {
    pub(super) fn of(values: Vec<Value>) -> Self {
        Self { values, ..Self::default() }
    }

    pub(super) fn first(&self) -> Option<&Value> {
        self.values.first()
    }

    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.named.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// An option, whether it has its own name or stands in a map.
    pub(super) fn option(&self, name: &str) -> Option<&Value> {
        self.named(name).or_else(|| self.values.iter().find_map(|value| value.get(name)))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Value> {
        self.values.iter().chain(self.named.iter().map(|(_, value)| value))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Text { text, ..Text::default() })
    }
}

impl From<char> for Value {
    fn from(c: char) -> Self {
        Self::from(c.to_string())
    }
}

impl Value {
    pub(super) fn unknown() -> Self {
        Self::from(mark::UNKNOWN)
    }

    /// What an unknown function makes of these: as unknown, as foreign and as secret as they are.
    pub(super) fn computed<'v>(inputs: impl Iterator<Item = &'v Value>) -> Self {
        let mut result = Text { text: mark::UNKNOWN.to_string(), ..Text::default() };
        for value in inputs {
            result.to = result.to.or_else(|| value.address());
            let foreign = value.foreign();
            if let Some(foreign) = foreign {
                result.text = foreign.to_string();
            }
            let source = value.source().map(Source::partly);
            result.from = Source::among([result.from.take(), source].into_iter());
        }
        Self::Text(result)
    }

    /// The same of what is given to such a function, and not only asked by a method of its own.
    pub(super) fn obscured<'v>(inputs: impl Iterator<Item = &'v Value>) -> Self {
        let mut result = Self::computed(inputs);
        if let Self::Text(Text { from: Some(source), .. }) = &mut result {
            source.obscured = true;
        }
        result
    }

    /// The mark of foreign text that it holds.
    pub(super) fn foreign(&self) -> Option<char> {
        let marked = |text: &str| [mark::REMOTE, mark::DECODED].into_iter().find(|&c| text.contains(c));
        match self {
            Self::Text(text) => marked(&text.text),
            Self::Socket => Some(mark::REMOTE),
            Self::List(values) | Self::Any(values) => {
                values.iter().take(MAX_ELEMENTS).find_map(Self::foreign)
            }
            Self::Map(entries) => entries.iter().take(MAX_ELEMENTS).find_map(|(_, value)| value.foreign()),
            _ => None,
        }
    }

    /// The functions in it.
    pub(super) fn functions(&self) -> Vec<Rc<Function>> {
        match self {
            Self::Function(function) => vec![Rc::clone(function)],
            Self::Bound(bound) => bound.0.functions(),
            Self::List(values) | Self::Any(values) => values.iter().flat_map(Self::functions).collect(),
            Self::Map(entries) => entries.iter().flat_map(|(_, value)| value.functions()).collect(),
            _ => Vec::new(),
        }
    }

    /// The file that it was read from, or a part of it.
    pub(super) fn source(&self) -> Option<Source> {
        match self {
            Self::Text(text) => text.from.clone(),
            Self::List(values) | Self::Any(values) => {
                Source::among(values.iter().take(MAX_ELEMENTS).map(Self::source))
            }
            Self::Map(entries) => {
                Source::among(entries.iter().take(MAX_ELEMENTS).map(|(_, value)| value.source()))
            }
            Self::Name(name)
                if matches!(
                    COPIES.iter().find_map(|copy| name.strip_suffix(copy)).unwrap_or(name),
                    "os.environ" | "process.env" | "ENV" | "_ENV" | "Deno.env" | "Bun.env" | "System.getenv"
                ) =>
            {
                Some(Source::whole("env"))
            }
            _ => None,
        }
    }

    /// Whether something in it is computed in a way that is not followed.
    pub(super) fn is_opaque(&self) -> bool {
        match self {
            Self::Text(text) => text.text.contains(mark::UNKNOWN),
            Self::List(values) | Self::Any(values) => values.iter().take(MAX_ELEMENTS).any(Self::is_opaque),
            Self::Map(entries) => entries.iter().take(MAX_ELEMENTS).any(|(_, value)| value.is_opaque()),
            _ => false,
        }
    }

    /// The address of another machine that it is, holds, or was made of.
    pub(super) fn address(&self) -> Option<Rc<str>> {
        match self {
            Self::Text(Text { text, to, .. }) => {
                let scheme = text.split_once("://").map(|(scheme, _)| scheme);
                let is_address =
                    scheme.is_some_and(|scheme| matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp"));
                to.clone().or_else(|| is_address.then(|| Rc::from(text.as_str())))
            }
            Self::List(values) | Self::Any(values) => {
                values.iter().take(MAX_ELEMENTS).find_map(Self::address)
            }
            Self::Map(entries) => entries.iter().take(MAX_ELEMENTS).find_map(|(_, value)| value.address()),
            _ => None,
        }
    }

    /// It as text. One of several counts as the first.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.text.clone(),
            Self::Number(number) => number.to_string(),
            Self::List(values) => {
                values.iter().take(MAX_ELEMENTS).map(Self::text).collect::<Vec<_>>().join(" ")
            }
            Self::Any(values) => values.first().map_or_else(|| mark::UNKNOWN.to_string(), Self::text),
            Self::File(path) => path.clone(),
            Self::Socket => mark::REMOTE.to_string(),
            Self::Name(word) if matches!(word.as_str(), GIVEN | NOT_GIVEN) => mark::TOKEN.to_string(),
            Self::Map(_) | Self::Name(_) | Self::Function(_) | Self::Bound(_) | Self::Database => {
                mark::UNKNOWN.to_string()
            }
        }
    }

    /// It as text, if all of it is known.
    pub(super) fn known(&self) -> Option<String> {
        match self {
            Self::Text(text) if !mark::any(&text.text) => Some(text.text.clone()),
            Self::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Whether it is nothing, as far as it is known here: a variable that no one sets, an argument that no one gives.
    pub(super) fn is_missing(&self) -> bool {
        let mut chars = match self {
            Self::Text(text) => text.text.chars(),
            Self::Name(name) => return name == super::options::NOT_GIVEN,
            _ => return false,
        };
        matches!((chars.next(), chars.next()), (Some(mark::UNSET | mark::PASSED), None))
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.text.trim().parse().ok(),
            _ => None,
        }
    }

    /// All that it may be, each on its own.
    pub(super) fn choices(&self) -> &[Value] {
        match self {
            Self::Any(values) => values,
            value => std::slice::from_ref(value),
        }
    }

    /// One of these.
    pub(super) fn any(values: Vec<Value>) -> Self {
        let mut flat: Vec<Value> = Vec::new();
        for value in values {
            match value {
                Self::Any(values) => flat.extend(values),
                value => flat.push(value),
            }
        }
        // What is the same text counts once.
        let mut at = 1;
        while at < flat.len().min(MAX_CHOICES + 1) {
            let is_same = |other: &Self| match (other, &flat[at]) {
                (Self::Text(one), Self::Text(other)) => {
                    one.text == other.text && one.from.is_none() && other.from.is_none()
                }
                _ => false,
            };
            if flat[..at].iter().any(is_same) {
                flat.remove(at);
            } else {
                at += 1;
            }
        }
        if flat.len() > MAX_CHOICES {
            flat.truncate(MAX_CHOICES - 1);
            flat.push(Self::unknown());
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Any(flat) }
    }

    pub(super) fn element(&self) -> Self {
        match self {
            Self::List(values) if values.is_empty() => Self::unknown(),
            Self::List(values) => Self::any(values.clone()),
            Self::Any(values) => {
                // What goes through a list or a string means the list: of a string there are only letters.
                let lists = values.iter().any(|value| matches!(value, Self::List(_)));
                let meant = values.iter().filter(|value| !lists || value.known().is_none());
                Self::any(meant.map(Self::element).collect())
            }
            Self::Map(entries) => {
                Self::any(entries.iter().map(|(key, _)| Self::from(key.as_str())).collect())
            }
            Self::Text(text) if mark::any(&text.text) || text.from.is_some() => Self::Text(text.clone()),
            Self::Socket => Self::from(mark::REMOTE),
            // What a service lists belongs to it.
            Self::Name(path) if path.starts_with(super::services::HANDLE) => self.clone(),
            _ => Self::unknown(),
        }
    }

    /// Whether it is a string that is known, one of several, or a list with one.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Text(text) => !text.text.is_empty() && !mark::any(&text.text) && text.from.is_none(),
            Self::Any(values) | Self::List(values) => values.iter().any(Self::is_plain),
            _ => false,
        }
    }

    /// The value under a key, if it is a map.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Map(entries) => {
                entries.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Both, one after the other.
    pub(super) fn joined(&self, other: &Self, separator: &str) -> Self {
        if let (Self::Any(_), _) | (_, Self::Any(_)) = (self, other) {
            let mut values = Vec::new();
            for left in self.choices() {
                for right in other.choices() {
                    if values.len() <= MAX_CHOICES {
                        values.push(left.joined(right, separator));
                    }
                }
            }
            return Self::any(values);
        }
        let mut text = self.text();
        text.push_str(separator);
        text.push_str(&other.text());
        if text.len() > MAX_TEXT {
            return Self::computed([self, other].into_iter());
        }
        let to = match (self, other) {
            (Self::Text(text), Self::Text(other)) => text.to.clone().or_else(|| other.to.clone()),
            _ => None,
        };
        Self::Text(Text { text, from: Source::among([self.source(), other.source()].into_iter()), to })
    }

    /// How many values it holds, counted up to `limit`. What is nested deeper than anyone does counts as `limit`.
    pub(super) fn weight(&self, limit: usize) -> usize {
        self.weight_below(limit, MAX_NESTING)
    }

    fn weight_below(&self, limit: usize, depth: u32) -> usize {
        let mut weight = 1;
        let mut add = |value: &Value| {
            if weight < limit {
                weight += value.weight_below(limit - weight, depth - 1);
            }
        };
        match self {
            Self::List(_) | Self::Any(_) | Self::Map(_) if depth == 0 => return limit,
            Self::List(values) | Self::Any(values) => values.iter().for_each(&mut add),
            Self::Map(entries) => entries.iter().map(|(_, value)| value).for_each(&mut add),
            Self::Text(text) => weight += text.text.len() / 64,
            _ => {}
        }
        weight.min(limit)
    }

    /// The same with its text changed.
    pub(super) fn map(&self, change: impl Fn(&str) -> String) -> Self {
        self.map_with(&change)
    }

    fn map_with(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Any(values) => Self::any(values.iter().map(|value| value.map_with(change)).collect()),
            Self::Text(text) => Self::Text(Text { text: change(&text.text), ..text.clone() }),
            Self::Number(number) => Self::from(change(&number.to_string())),
            Self::List(_) => Self::computed(std::iter::once(self)),
            value => value.clone(),
        }
    }
}
