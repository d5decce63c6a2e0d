//! Lists as text, a line for each entry.

/// Lines of text. Where each begins and ends is found while compiling, as commands that write look at all of them.
pub(crate) struct Table {
    text: &'static str,
    /// Numbers, as pointers would have to be moved when a program starts.
    spans: &'static [(u16, u16)],
}

impl Table {
    pub(crate) const fn new(text: &'static str, spans: &'static [(u16, u16)]) -> Self {
        Self { text, spans }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &'static str> {
        let Self { text, spans } = *self;
        spans.iter().map(move |&(start, end)| &text[usize::from(start)..usize::from(end)])
    }
}

macro_rules! table {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const COUNT: usize = $crate::table::spans::<0>(TEXT).0;
        const SPANS: [(u16, u16); COUNT] = $crate::table::spans(TEXT).1;
        $crate::table::Table::new(TEXT, &SPANS)
    }};
}
pub(crate) use table;

/// How many lines say something, and the first `N` of them without the blanks around them.
#[expect(clippy::cast_possible_truncation, reason = "a longer text ends the build")]
pub(crate) const fn spans<const N: usize>(text: &str) -> (usize, [(u16, u16); N]) {
    assert!(text.len() < u16::MAX as usize);
    let (text, mut spans, mut count, mut at) = (text.as_bytes(), [(0, 0); N], 0, 0);
    while at < text.len() {
        let (mut start, mut end) = (at, at);
        while at < text.len() && text[at] != b'\n' {
            if text[at] != b' ' {
                end = at + 1;
            } else if start == end {
                start += 1;
                end += 1;
            }
            at += 1;
        }
        at += 1;
        if start < end {
            if count < N {
                spans[count] = (start as u16, end as u16);
            }
            count += 1;
        }
    }
    (count, spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_stands_between_blanks() {
        static TABLE: Table = table!("\n    a b/**\n\n  \n c  \nd");
        assert_eq!(TABLE.lines().collect::<Vec<_>>(), ["a b/**", "c", "d"]);
    }
}
