//! Text that can be computed here: escapes, patterns and encodings.

pub mod data;
pub mod encoding;
pub mod escapes;
pub mod pattern;
pub mod printf;
pub mod regex;
pub mod units;
