//! Values with their places.

use std::borrow::Cow;

use chrono::NaiveDate;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'t> {
    Text(Cow<'t, str>),
    Integer(i64),
    Bool(bool),
    Date(NaiveDate),
    Array(Vec<Item<'t>>),
    Table(Table<'t>),
}

/// A value and the byte at which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item<'t> {
    pub(crate) value: Value<'t>,
    pub(crate) at: u32,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) at: u32,
    pub(crate) item: Item<'t>,
}

/// Entries in the order of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Table<'t> {
    pub(crate) entries: Vec<Entry<'t>>,
    /// Whether something in it could not be read.
    pub(crate) damaged: bool,
}

impl Value<'_> {
    /// The type, in words that a person reads.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Date(_) => "a date",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}
