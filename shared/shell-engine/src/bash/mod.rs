//! bash and the POSIX shells: `parse/` makes a tree, `run/` goes through it on paper.

mod ast;
mod parse;
mod run;

pub use run::{builtin, names_secret, run_text, run_whole};

/// Whether a text is whole commands, so that what comes after it on its line is read as if it stood alone: no quote,
/// bracket or comment is open at its end.
pub fn is_whole(text: &str) -> bool {
    let is_open = |text: String| !parse::parse(text).errors.is_empty();
    let escapes = text.len() - text.trim_end_matches('\\').len();
    // Only where nothing is open, a bracket that nothing has opened is a mistake.
    escapes.is_multiple_of(2) && !is_open(text.to_owned()) && is_open(format!("{text};)"))
}

#[cfg(test)]
mod tests {
    use super::is_whole;

    #[test]
    fn a_text_is_whole_where_nothing_is_open_at_its_end() {
        for text in ["a", "a 'b'", "a $(b 'c') | d", "a \\\\", "a#b", "a '#' b", "if a; then b; fi"] {
            assert!(is_whole(text), "{text}");
        }
        for text in ["a 'b", "a \"b", "a #", "a '' #' b'", "a \\", "a $(b"] {
            assert!(!is_whole(text), "{text}");
        }
    }
}
