//! TOML with the place of every value, as far as policies have a use for it: floats and times of day are refused.

mod document;
mod mistake;
mod value;

pub(crate) use document::parse;
pub(crate) use value::{Entry, Item, Table, Value};
