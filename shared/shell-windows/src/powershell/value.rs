//! Values on paper: text with marks, lists, blocks and a few kinds of objects.

use std::rc::Rc;

use shell_engine::mark;

use super::ast::Block;

/// Elements of a list that are remembered.
pub(super) const MAX_LIST: usize = 256;

#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(Rc<str>),
    List(Rc<Vec<Value>>),
    /// A script block.
    Block(Rc<Block>),
    Map(Rc<Vec<(String, Value)>>),
    /// Something of a type, in small letters: `net.webclient`, `com:wscript.shell`, `cim:win32_process`.
    Object(Rc<str>),
    Type(Rc<str>),
    Bytes(Rc<[u8]>),
    Nothing,
}

impl Value {
    pub(super) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn mark(c: char) -> Self {
        Self::text(c.to_string())
    }

    pub(super) fn unknown() -> Self {
        Self::mark(mark::UNKNOWN)
    }

    pub(super) fn token() -> Self {
        Self::mark(mark::TOKEN)
    }

    pub(super) fn boolean(value: bool) -> Self {
        Self::text(if value { "True" } else { "False" })
    }

    /// What a list of values comes to: nothing, the one, or all of them.
    pub(super) fn of(mut values: Vec<Self>) -> Self {
        match values.len() {
            0 => Self::Nothing,
            1 => values.pop().unwrap_or(Self::Nothing),
            _ => {
                values.truncate(MAX_LIST);
                Self::List(Rc::new(values))
            }
        }
    }

    /// The elements of a list, or the one value.
    pub(super) fn elements(&self) -> Vec<Self> {
        match self {
            Self::List(values) => values.to_vec(),
            Self::Nothing => Vec::new(),
            other => vec![other.clone()],
        }
    }

    /// As text in a string: elements with blanks between them.
    pub(super) fn string(&self) -> String {
        self.joined(" ")
    }

    pub(super) fn joined(&self, separator: &str) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::List(values) => {
                let mut joined = String::new();
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        joined.push_str(separator);
                    }
                    match value {
                        Self::Text(text) => joined.push_str(text),
                        other => joined.push_str(&other.flat()),
                    }
                }
                joined
            }
            other => other.flat(),
        }
    }

    fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            // A list inside a list: .NET would print the name of its type.
            Self::List(_) => mark::TOKEN.to_string(),
            Self::Block(block) => super::parse::text_of(block).to_owned(),
            Self::Type(name) => name.to_string(),
            Self::Map(_) => mark::TOKEN.to_string(),
            Self::Object(name) if name.starts_with("secret:") => mark::TOKEN.to_string(),
            Self::Object(_) => mark::TOKEN.to_string(),
            Self::Bytes(bytes) => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                mark::scrub(&text).into_owned()
            }
            Self::Nothing => String::new(),
        }
    }

    /// The strings of all elements.
    pub(super) fn texts(&self) -> Vec<String> {
        self.elements().iter().map(Self::string).collect()
    }

    pub(super) fn number(&self) -> Option<i64> {
        let Self::Text(text) = self else { return None };
        let text = text.trim();
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    pub(super) fn is_false(&self) -> bool {
        match self {
            Self::Text(text) => matches!(&**text, "" | "False" | "0"),
            Self::Nothing => true,
            _ => false,
        }
    }

    /// The value of an entry.
    pub(super) fn entry(&self, name: &str) -> Option<Self> {
        let Self::Map(entries) = self else { return None };
        entries
            .iter()
            // Where two entries have the same name, the later one counts.
            .rev()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.clone())
    }
}
