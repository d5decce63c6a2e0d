//! The lines of bytes.

/// The lines, without their ends.
pub(crate) fn of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', text).chain([text.len()]).map(move |end| {
        let line = text.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_between_line_feeds() {
        for text in ["", "\n", "a", "a\n", "a\nb", "\n\na\r\n\n"] {
            let expected: Vec<&str> = text.split('\n').collect();
            let lines: Vec<&[u8]> = of(text.as_bytes()).collect();
            assert_eq!(lines, expected.iter().map(|line| line.as_bytes()).collect::<Vec<_>>(), "{text:?}");
        }
    }
}
