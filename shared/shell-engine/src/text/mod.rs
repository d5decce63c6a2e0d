//! Text that can be computed here: escapes, patterns and encodings.

pub mod data;
pub mod encoding;
pub mod escapes;
pub mod pattern;
pub mod printf;
pub mod regex;
pub mod units;

/// Whether a text can be the name of a variable, or its number.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
