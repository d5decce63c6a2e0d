//! Words that depend on a number.

use std::fmt::Display;

/// A number with its noun: `1 file`, `2 files`, `2 entries`.
pub fn several<N: Display + PartialEq + From<u8> + Copy>(count: N, one: &str) -> String {
    if count == N::from(1) {
        return format!("{count} {one}");
    }
    match one.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_none_are_several() {
        assert_eq!([0, 1, 2].map(|count| several(count, "file")), ["0 files", "1 file", "2 files"]);
        assert_eq!(["entry", "day"].map(|noun| several(3, noun)), ["3 entries", "3 days"]);
    }
}
