//! TOML, as far as policy files use it, with the place of every value.
//!
//! A hook reads its policies on every call. The `toml` crate takes 80 instructions per byte, which is 2.8 million for
//! a policy of 100 rules (35 KB); this reader takes about a tenth, and goes on after a mistake, so that one typo does
//! not switch the other rules off. What a policy has no use for (floats, times of day) is refused.

mod cursor;
mod document;
mod value;

pub(crate) use cursor::{Cursor, is_bare, plain_length};
pub(crate) use document::{parse, stray_control};
pub(crate) use value::{Entry, Item, Made, Table, Value};

/// Something that is not TOML, or that a policy has no use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The byte at which it was noticed.
    pub(crate) at: u32,
    pub(crate) message: &'static str,
    pub(crate) hint: &'static str,
}
