//! What a regular expression certainly is, without compiling it: compiling one costs as much as reading forty rules.
//!
//! Only plain expressions are followed; of any other nothing is said, and it is compiled.

/// A plain regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether it may match the empty text.
    pub(crate) may_be_empty: bool,
    /// A string that stands in whatever it matches, in any case; may be empty.
    pub(crate) literal: String,
}

/// Groups inside each other that are followed.
const MAX_DEPTH: u32 = 16;

/// The shape of a plain regular expression; it certainly compiles.
pub(crate) fn shape(pattern: &str) -> Option<Shape> {
    let pattern = pattern.strip_prefix("(?i)").unwrap_or(pattern);
    // Longer ones may exceed the limits of the real engine, and folding case is only sure in ASCII.
    if pattern.len() > 500 || !pattern.is_ascii() {
        return None;
    }
    let mut reader =
        Reader { pattern: pattern.as_bytes(), at: 0, depth: 0, run: String::new(), best: String::new() };
    let may_be_empty = reader.either(true)?;
    if reader.at < pattern.len() {
        return None;
    }
    reader.end_run();
    Some(Shape { may_be_empty, literal: reader.best })
}

struct Reader<'p> {
    pattern: &'p [u8],
    at: usize,
    depth: u32,
    /// The characters that stand side by side on the way here, outside of every group.
    run: String,
    /// The longest run so far.
    best: String,
}

/// One piece of an expression.
enum Piece {
    /// A character that has to be there.
    Literal(u8),
    /// Some character.
    Any,
    /// A place, such as `\b`.
    Place,
    /// A group, and whether it may be empty.
    Group(bool),
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        // The longer the string, the fewer commands have it.
        if run.len() > self.best.len() {
            self.best = run;
        }
    }

    /// `a|b`: whether it may be empty.
    fn either(&mut self, outer: bool) -> Option<bool> {
        let mut empty = self.sequence(outer)?;
        while self.peek() == Some(b'|') {
            self.at += 1;
            empty |= self.sequence(outer)?;
            if outer {
                // None of the alternatives has to be there.
                self.run.clear();
                self.best.clear();
            }
        }
        Some(empty)
    }

    fn sequence(&mut self, outer: bool) -> Option<bool> {
        let mut empty = true;
        while let Some(byte) = self.peek().filter(|byte| !matches!(byte, b'|' | b')')) {
            let piece = self.piece(byte)?;
            let (optional, repeated) = match self.peek() {
                Some(b'*') => (true, true),
                Some(b'?') => (true, false),
                Some(b'+') => (false, true),
                _ => (false, false),
            };
            if optional || repeated {
                // `^*` is allowed in some engines and a mistake in others: the real one decides.
                if matches!(piece, Piece::Place) {
                    return None;
                }
                self.at += 1;
                // The lazy form.
                if self.peek() == Some(b'?') {
                    self.at += 1;
                }
                // Possessive and doubled repetitions are left to the real engine.
                if matches!(self.peek(), Some(b'*' | b'?' | b'+')) {
                    return None;
                }
            }
            empty &= optional || matches!(piece, Piece::Place | Piece::Group(true));
            if outer {
                match piece {
                    Piece::Literal(byte) if !optional => {
                        self.run.push(char::from(byte));
                        // `ab+c`: `ab` is surely in the text, `abc` is not.
                        if repeated {
                            self.end_run();
                        }
                    }
                    // A place takes no text, so what stands on both sides of it stands side by side.
                    Piece::Place => {}
                    _ => self.end_run(),
                }
            }
        }
        if outer {
            self.end_run();
        }
        Some(empty)
    }

    fn piece(&mut self, byte: u8) -> Option<Piece> {
        self.at += 1;
        match byte {
            b'(' => {
                if self.depth == MAX_DEPTH {
                    return None;
                }
                if self.peek() == Some(b'?') {
                    // Flags and named groups change what follows.
                    if self.pattern.get(self.at + 1) != Some(&b':') {
                        return None;
                    }
                    self.at += 2;
                }
                self.depth += 1;
                let empty = self.either(false)?;
                self.depth -= 1;
                if self.peek() != Some(b')') {
                    return None;
                }
                self.at += 1;
                Some(Piece::Group(empty))
            }
            b'[' => self.class(),
            b'\\' => {
                let escaped = self.peek()?;
                self.at += 1;
                match escaped {
                    b'b' => Some(Piece::Place),
                    b's' | b'S' | b'd' | b'D' | b'w' | b'W' => Some(Piece::Any),
                    byte if is_meta(byte) => Some(Piece::Literal(byte)),
                    _ => None,
                }
            }
            b'.' => Some(Piece::Any),
            b'^' | b'$' => Some(Piece::Place),
            // Counted repetitions, and brackets that the real engine may take for themselves.
            byte if is_meta(byte) => None,
            b' '..=b'~' => Some(Piece::Literal(byte)),
            _ => None,
        }
    }

    /// `[a-z_]`
    fn class(&mut self) -> Option<Piece> {
        if self.peek() == Some(b'^') {
            self.at += 1;
        }
        let start = self.at;
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                // A bracket right after the opening one is a character of the class.
                b']' if self.at > start + 1 => return Some(Piece::Any),
                b'\\' => {
                    let escaped = self.peek()?;
                    self.at += 1;
                    if !(matches!(escaped, b's' | b'd' | b'w') || is_meta(escaped)) {
                        return None;
                    }
                    // `\d-x` is no one's range.
                    if self.peek() == Some(b'-') {
                        return None;
                    }
                }
                byte if byte.is_ascii_alphanumeric() => {
                    if self.peek() == Some(b'-') {
                        let end = self.pattern.get(self.at + 1).copied()?;
                        if !end.is_ascii_alphanumeric() || end < byte {
                            return None;
                        }
                        self.at += 2;
                    }
                }
                b'_' | b' ' | b'/' | b'.' | b':' | b'@' | b'%' | b'+' | b'=' | b',' | b'\'' | b'"' | b'*'
                | b'?' | b';'
                    if self.peek() != Some(b'-') => {}
                _ => return None,
            }
        }
    }
}

/// Whether it means something else than itself.
fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b'.' | b'*' | b'+' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'^' | b'$' | b'\\'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::case::expression::regex;

    #[test]
    fn literals_and_emptiness_are_found() {
        for (pattern, empty, literal) in [
            (r"(?i)\bdrop\s+(table|database)\b", false, "drop"),
            (r"ACME-\d+", false, "ACME-"),
            (r"a|b", false, ""),
            (r"abc?d", false, "ab"),
            (r"ab+c", false, "ab"),
            (r"(abc)+", false, ""),
            (r"(a?|b)", true, ""),
            (r"\b", true, ""),
            (r"x*", true, ""),
            (r"git\.push", false, "git.push"),
            (r"[a-z_]+secret", false, "secret"),
            (r"", true, ""),
            (r"abc|", true, ""),
        ] {
            assert_eq!(
                shape(pattern),
                Some(Shape { may_be_empty: empty, literal: literal.to_owned() }),
                "{pattern}"
            );
        }
        for pattern in
            ["(?<n>a)", "a{2}", "[[:alpha:]]", "é", "(", "a)", "[b-a]", "a**", "[", "\\", "\\q", "[]a]"]
        {
            assert_eq!(shape(pattern), None, "{pattern}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// What has a shape compiles, matches the empty text only if it says so, and nothing without its literal.
        #[test]
        fn shapes_are_true(pattern in r"(\(\?i\))?[ab()|?*+.\[\]^$\\dsbw-]{0,12}", text in "[abAB .dsw-]{0,8}") {
            if let Some(shape) = shape(&pattern) {
                let regex = regex(&pattern).map_err(TestCaseError::fail)?;
                prop_assert!(shape.may_be_empty || !regex.is_match(""), "{pattern}");
                let folded = text.to_ascii_lowercase();
                if regex.is_match(&text) {
                    prop_assert!(folded.contains(&shape.literal.to_ascii_lowercase()), "{pattern} {text:?}");
                }
            }
        }
    }
}
