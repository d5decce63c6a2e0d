//! A strict JSON scanner that finds where values start and end.
//!
//! It copies nothing, allocates nothing and does not recurse, so that hostile nesting is an error and not a stack
//! overflow. It differs from RFC 8259 readers such as `serde_json` in one point only: a lone surrogate (`\ud800`) is
//! legal here, because Node hosts write them.

/// The deepest nesting of objects and arrays that is read.
pub const MAX_DEPTH: usize = 128;

/// Where and why a string is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Byte offset.
    pub(crate) at: usize,
    pub(crate) kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The grammar is violated.
    Syntax(&'static str),
    /// More than [`MAX_DEPTH`] levels.
    TooDeep,
}

const fn fault<T>(at: usize, message: &'static str) -> Result<T, Fault> {
    Err(Fault { at, kind: FaultKind::Syntax(message) })
}

const ENDS_EARLY: &str = "the text ends too early";

/// The index of the first byte at or after `at` that is not white space.
#[inline]
pub(crate) fn blank(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = u64::MAX / 0xff;

/// Whether none of the bytes ends or escapes a string; written so that the compiler uses vector instructions.
#[inline]
fn all_plain(block: &[u8; 32]) -> bool {
    block.iter().fold(0u8, |hit, byte| {
        hit | u8::from(*byte < 0x20) | u8::from(*byte == b'"') | u8::from(*byte == b'\\')
    }) == 0
}

/// The index of the first quote, backslash or control character in eight bytes.
#[inline]
fn first_special(chunk: [u8; 8]) -> Option<usize> {
    let word = u64::from_le_bytes(chunk);
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5c);
    let hit = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    let hit = hit & (ONES * 0x80);
    (hit != 0).then(|| (hit.trailing_zeros() / 8) as usize)
}

/// The index of the first quote, backslash or control character at or after `at`.
#[inline]
pub(crate) fn plain_run(bytes: &[u8], mut at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or(&[]);
    // Keys and the pieces between escapes are short: large blocks pay only after the first bytes.
    let mut eager = 3;
    while let Some((chunk, behind)) = rest.split_first_chunk::<8>() {
        if eager == 0 {
            while let Some((block, behind)) = rest.split_first_chunk::<32>()
                && all_plain(block)
            {
                at += 32;
                rest = behind;
            }
            // The block that holds a special byte is gone through in eights, to its end.
            eager = usize::MAX;
            continue;
        }
        if let Some(index) = first_special(*chunk) {
            return at + index;
        }
        at += 8;
        rest = behind;
        eager -= 1;
    }
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len())
}

/// The end of the string whose opening quote is at `at`.
#[inline]
pub(crate) fn string(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    if bytes.get(at) != Some(&b'"') {
        return if at >= bytes.len() { fault(at, ENDS_EARLY) } else { fault(at, "a string was expected") };
    }
    let mut at = at + 1;
    loop {
        at = plain_run(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => {
                at = match bytes.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at + 2,
                    Some(b'u') => {
                        let Some(digits) = bytes.get(at + 2..at + 6) else {
                            // At the end and not at the escape: what was cut off is what people look for.
                            return fault(bytes.len(), ENDS_EARLY);
                        };
                        if !digits.iter().all(u8::is_ascii_hexdigit) {
                            return fault(at, "\\u needs four hexadecimal digits");
                        }
                        at + 6
                    }
                    Some(_) => return fault(at, "unknown escape in a string"),
                    None => return fault(at, ENDS_EARLY),
                };
            }
            Some(_) => return fault(at, "a control character in a string"),
            None => return fault(at, ENDS_EARLY),
        }
    }
}

fn digits(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    if !bytes.get(at).is_some_and(u8::is_ascii_digit) {
        return fault(at, "a digit was expected");
    }
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    Ok(at)
}

fn number(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    // JSON has no leading zeros: `01` is a number and another one after it.
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(bytes, at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits(bytes, at)?;
    }
    Ok(at)
}

fn word(bytes: &[u8], at: usize, word: &'static str) -> Result<usize, Fault> {
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
        Ok(at + word.len())
    } else {
        fault(at, "expected a value")
    }
}

/// The end of a string, number or literal, or `None` when an object or array starts at `at`.
#[inline]
fn scalar(bytes: &[u8], at: usize) -> Result<Option<usize>, Fault> {
    match bytes.get(at) {
        Some(b'"') => string(bytes, at).map(Some),
        Some(b'{' | b'[') => Ok(None),
        Some(b'-' | b'0'..=b'9') => number(bytes, at).map(Some),
        Some(b't') => word(bytes, at, "true").map(Some),
        Some(b'f') => word(bytes, at, "false").map(Some),
        Some(b'n') => word(bytes, at, "null").map(Some),
        Some(_) => fault(at, "expected a value"),
        None => fault(at, ENDS_EARLY),
    }
}

/// The end of the value that starts at `at`, which stands inside `depth` objects and arrays.
pub(crate) fn value(bytes: &[u8], at: usize, depth: usize) -> Result<usize, Fault> {
    // A plain value needs no stack.
    if let Some(end) = scalar(bytes, at)? {
        return Ok(end);
    }
    // One bit per open container: 1 is an object, 0 an array.
    let mut stack: u128 = 0;
    let mut open = depth;
    let mut at = at;
    loop {
        // `at` is where a value starts.
        if let Some(end) = scalar(bytes, at)? {
            at = end;
        } else {
            // As many levels as `stack` has bits.
            if open >= MAX_DEPTH {
                return Err(Fault { at, kind: FaultKind::TooDeep });
            }
            let object = bytes[at] == b'{';
            open += 1;
            stack = stack << 1 | u128::from(object);
            at = blank(bytes, at + 1);
            let closer = if object { b'}' } else { b']' };
            if bytes.get(at) != Some(&closer) {
                if object {
                    at = key(bytes, at)?;
                }
                continue;
            }
            at += 1;
            open -= 1;
            stack >>= 1;
        }
        // `at` is after a complete value.
        loop {
            if open == depth {
                return Ok(at);
            }
            at = blank(bytes, at);
            let object = stack & 1 == 1;
            match bytes.get(at) {
                Some(b',') => {
                    at = blank(bytes, at + 1);
                    if object {
                        at = key(bytes, at)?;
                    }
                    break;
                }
                Some(b'}') if object => {}
                Some(b']') if !object => {}
                Some(_) => return fault(at, "expected a comma or a closing bracket"),
                None => return fault(at, ENDS_EARLY),
            }
            at += 1;
            open -= 1;
            stack >>= 1;
        }
    }
}

/// Reads `"key" :` and returns where the value starts.
fn key(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let end = string(bytes, at)?;
    colon(bytes, end)
}

fn colon(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let at = blank(bytes, at);
    match bytes.get(at) {
        Some(b':') => Ok(blank(bytes, at + 1)),
        Some(_) => fault(at, "expected a colon"),
        None => fault(at, ENDS_EARLY),
    }
}

/// The members of an object, or the elements of an array, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Items<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    object: bool,
    first: bool,
}

/// A member's key with its quotes (empty in an array), and its value.
pub(crate) type Item<'a> = (&'a str, &'a str);

impl<'a> Items<'a> {
    /// `text` must start with `{` or `[`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 1, depth: 1, object: text.starts_with('{'), first: true }
    }

    /// The next item, or the offset after the closing bracket.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<Result<Item<'a>, usize>, Fault> {
        match self.key()? {
            Ok(key) => Ok(Ok((key, self.value()?))),
            Err(end) => Ok(Err(end)),
        }
    }

    /// The next item's key, or the offset after the closing bracket. [`Items::value`] or [`Items::leave`] must follow.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<Result<&'a str, usize>, Fault> {
        let bytes = self.text.as_bytes();
        let mut at = blank(bytes, self.at);
        let closer = if self.object { b'}' } else { b']' };
        match bytes.get(at) {
            Some(byte) if *byte == closer => return Ok(Err(at + 1)),
            Some(b',') if !self.first => at = blank(bytes, at + 1),
            // Whether it begins a key or a value is found out there.
            Some(_) if self.first => {}
            Some(_) => return fault(at, "expected a comma or a closing bracket"),
            None => return fault(at, ENDS_EARLY),
        }
        self.first = false;
        let mut name = "";
        if self.object {
            let end = string(bytes, at)?;
            name = &self.text[at..end];
            at = colon(bytes, end)?;
        }
        self.at = at;
        Ok(Ok(name))
    }

    /// The value after the key that was read last.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<&'a str, Fault> {
        let start = self.at;
        self.at = value(self.text.as_bytes(), start, self.depth)?;
        Ok(&self.text[start..self.at])
    }

    /// The members of the value after the key that was read last, when it is an object.
    pub(crate) fn enter(&self) -> Option<Self> {
        let object = self.text.as_bytes().get(self.at) == Some(&b'{');
        object.then(|| Self { at: self.at + 1, depth: self.depth + 1, first: true, ..self.clone() })
    }

    /// The text of the value whose members were read to their `end`.
    pub(crate) fn leave(&mut self, end: usize) -> &'a str {
        let start = self.at;
        self.at = end;
        &self.text[start..end]
    }
}

/// Whether `text` is one JSON value with nothing but white space around it.
pub(crate) fn whole(text: &str) -> Result<&str, Fault> {
    let bytes = text.as_bytes();
    let start = blank(bytes, 0);
    let end = value(bytes, start, 0)?;
    let rest = blank(bytes, end);
    if rest < bytes.len() {
        return fault(rest, "text after the value");
    }
    Ok(&text[start..end])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nesting_ends_at_the_limit_and_never_in_a_crash() {
        for (levels, fits) in
            [(1, true), (64, true), (MAX_DEPTH, true), (MAX_DEPTH + 1, false), (100_000, false)]
        {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let inner = if open == "[" { "" } else { "1" };
                let text = format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
                let found = whole(&text);
                assert_eq!(found.is_ok(), fits, "{levels} levels of {open}");
                if !fits {
                    assert_eq!(found.unwrap_err().kind, FaultKind::TooDeep);
                }
            }
        }
    }

    #[test]
    fn lone_surrogates_are_the_only_difference_to_serde_json() {
        assert!(serde_json::from_str::<serde_json::Value>(r#""\ud800""#).is_err());
        assert!(whole(r#""\ud800""#).is_ok());
    }

    fn jsonish() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"b\":", "1", "-", "0", ".5", "e3", "1.5E-2",
            "true", "false", "null", "nul", " ", "\n", "\\u0041", "\\n", "\\x", "é", "\u{1}", "01",
            "\"\\\"\"",
        ]);
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn value_text() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<bool>().prop_map(|b| b.to_string()),
            any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>()
                .prop_filter("finite", |f| f.is_finite())
                .prop_map(|f| serde_json::to_string(&f).unwrap()),
            ".{0,30}".prop_map(|s| serde_json::to_string(&s).unwrap()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[ {} ]", v.join(" , "))),
                prop::collection::vec((".{0,9}", inner), 0..4).prop_map(|v| {
                    let members: Vec<_> =
                        v.iter().map(|(k, v)| format!("{}:{v}", serde_json::to_string(k).unwrap())).collect();
                    format!("{{{}}}", members.join(","))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn accepts_exactly_what_serde_json_accepts(text in jsonish()) {
            let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(whole(&text).is_ok(), theirs, "{}", text);
        }

        #[test]
        fn accepts_every_value_and_no_cut_of_an_object(text in value_text(), cut in any::<prop::sample::Index>()) {
            prop_assert_eq!(whole(&text), Ok(text.as_str()));
            let object = format!("{{\"v\":{text}}}");
            let at = cut.index(object.len());
            if object.is_char_boundary(at) {
                prop_assert!(whole(&object[..at]).is_err());
            }
        }
    }
}
