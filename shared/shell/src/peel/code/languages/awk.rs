//! awk's functions. Its redirections and pipes are statements, and read where those are.

use super::Deed;

/// What a function does.
pub(in crate::peel::code) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "system" => Deed::Shell,
        "sprintf" => Deed::Format,
        "tolower" | "toupper" => Deed::First,
        "length" | "index" | "match" | "int" | "rand" | "close" | "fflush" | "split" | "gsub" | "sub" => {
            Deed::Plain
        }
        _ => return None,
    })
}
