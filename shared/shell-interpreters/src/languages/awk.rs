//! awk's functions. Its redirections and pipes are statements, and read where those are.

use super::Effect;

/// What a function does.
pub(crate) fn function(path: &str) -> Option<Effect> {
    Some(match path {
        "system" => Effect::Shell,
        "sprintf" => Effect::Format,
        "tolower" => Effect::Method("lower"),
        "toupper" => Effect::Method("upper"),
        "substr" => Effect::Method("substr"),
        "sub" | "gsub" => Effect::SubstituteIn,
        "gensub" => Effect::Substitute,
        "strtonum" => Effect::Number,
        "length" | "index" | "match" | "int" | "rand" | "close" | "fflush" => Effect::Plain,
        _ => return None,
    })
}
