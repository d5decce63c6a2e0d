//! Text that can be computed here: escapes, filters, patterns and encodings.

pub(crate) mod encoding;
pub(crate) mod escapes;
pub(crate) mod filter;
pub mod pattern;
pub(crate) mod printf;
