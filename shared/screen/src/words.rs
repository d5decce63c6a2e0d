//! Words that depend on a number.

use std::fmt::Display;

/// A number with its noun: `1 file`, `2 files`.
pub fn several<N: Display + PartialEq + From<u8> + Copy>(count: N, one: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {one}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_none_are_several() {
        assert_eq!([0, 1, 2].map(|count| several(count, "file")), ["0 files", "1 file", "2 files"]);
    }
}
