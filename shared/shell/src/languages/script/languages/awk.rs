//! awk's functions. Its redirections and pipes are statements, and read where those are.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "system" => Deed::Shell,
        "sprintf" => Deed::Format,
        "tolower" => Deed::Method("lower"),
        "toupper" => Deed::Method("upper"),
        "substr" => Deed::Method("substr"),
        "sub" | "gsub" => Deed::SubstituteIn,
        "gensub" => Deed::Substitute,
        "strtonum" => Deed::Number,
        "length" | "index" | "match" | "int" | "rand" | "close" | "fflush" => Deed::Plain,
        _ => return None,
    })
}
