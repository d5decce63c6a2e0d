//! What is wrong with a file, where, and how to fix it.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::settings::file::Why;

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub path: PathBuf,
    /// Line and column, from 1; none when it is about the file as a whole.
    pub at: Option<(usize, usize)>,
    pub what: String,
    /// What to write or to do instead.
    pub hint: String,
}

impl Mistake {
    /// A file that cannot be used at all.
    pub fn of_file(path: &Path, why: &Why) -> Self {
        Self::in_file(path, why.to_string(), why.hint())
    }

    /// A mistake whose place is not known.
    pub fn in_file(path: &Path, what: String, hint: &str) -> Self {
        Self { path: path.to_owned(), at: None, what, hint: hint.to_owned() }
    }

    /// What a reader of TOML says about `text`.
    pub(crate) fn of_toml(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        let (what, hint) = explained(error.message());
        Self::at(path, text, error.span().unwrap_or_default(), what, hint)
    }

    /// A mistake at a place in `text`.
    pub(crate) fn at(path: &Path, text: &str, span: Range<usize>, what: String, hint: String) -> Self {
        // A mistake may be reported in the middle of a letter, where slicing would panic.
        let before = &text[..text.floor_char_boundary(span.start)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        Self { path: path.to_owned(), at: Some((line, before[start..].chars().count() + 1)), what, hint }
    }
}

impl fmt::Display for Mistake {
    /// `FILE:12:3: unknown key … (did you mean …?)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {} ({})", self.what, self.hint)
    }
}

/// What serde and the reader of TOML say, as what is wrong and what to write instead.
fn explained(message: &str) -> (String, String) {
    // Both name what they mean in backticks: the key or word first, then those that they know.
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let or_near = |written: &str, known: &[&str]| match nearest(written, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!(
            "known are {}",
            known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    match words.split_first() {
        Some((key, known)) if message.starts_with("unknown field") => {
            (format!("unknown key `{key}`"), or_near(key, known))
        }
        Some((word, known)) if message.starts_with("unknown variant") => {
            (format!("`{word}` is not valid here"), or_near(word, known))
        }
        Some((key, _)) if message.starts_with("missing field") => {
            (format!("`{key}` is missing"), "add it".to_owned())
        }
        _ => match message.split_once(['\n', ',']) {
            Some((what, expected)) => (what.trim().to_owned(), expected.trim().replace('\n', "; ")),
            None => (message.trim().to_owned(), "correct it".to_owned()),
        },
    }
}

/// Words that people write for ours, and other products use.
const SAME: [(&str, &[&str]); 3] = [
    ("deny", &["block", "forbid", "reject", "refuse", "disallow", "prohibit", "stop"]),
    ("allow", &["permit", "approve", "accept", "pass"]),
    ("ask", &["prompt", "confirm", "question"]),
];

/// The known word that is closest to what someone wrote, if any is close in letters or in meaning.
pub fn nearest<'k>(written: &str, known: impl Iterator<Item = &'k str> + Clone) -> Option<&'k str> {
    let meant = |word: &&str| SAME.iter().any(|(ours, theirs)| ours == word && theirs.contains(&written));
    known.clone().find(meant).or_else(|| closest(written, known))
}

/// What to write instead: the known word that was probably meant, or else what else helps.
pub fn meant<'k>(written: &str, known: impl Iterator<Item = &'k str> + Clone, otherwise: &str) -> String {
    nearest(written, known).map_or_else(|| otherwise.to_owned(), |word| format!("did you mean `{word}`?"))
}

fn closest<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    // Letters alone count: `maxChars` and `max-chars` both mean `max_chars`.
    let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
    let written = plain(written);
    known
        .map(|word| {
            let other = plain(word);
            let distance = strsim::damerau_levenshtein(&written, &other);
            // `flags` for `flags_any`, `programs` for `program`.
            let begins = written.len() >= 3 && (other.starts_with(&written) || written.starts_with(&other));
            (if begins { distance.min(1) } else { distance }, distance, word)
        })
        .min()
        .filter(|(near, _, word)| *near <= 1 + word.len() / 4)
        .map(|(_, _, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_close_in_letters_or_in_meaning() {
        let known = ["deny", "ask", "allow", "note"];
        for (written, near) in
            [("dney", Some("deny")), ("block", Some("deny")), ("permit", Some("allow")), ("banana", None)]
        {
            assert_eq!(nearest(written, known.into_iter()), near, "{written}");
        }
        assert_eq!(nearest("block", ["blocks"].into_iter()), Some("blocks"));
    }
}
