//! A value as it is written: between quotes, or one word.

/// As much of a value, in bytes, as it takes to judge it: who repeats a name a million times must not make us read all
/// of the text as often.
pub(crate) const ENOUGH: usize = 256;

/// Where a value stands, and what is around it.
pub(crate) struct Value {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Between quotes, tags, or as the argument of an option: all of it is the value.
    pub(crate) quoted: bool,
    /// `NAME=value` without spaces, or an option's argument: a shell's word, not program code.
    pub(crate) shell: bool,
}

/// The literal that starts at `at`: up to the closing quote, or to the end of the word.
pub(crate) fn literal(bytes: &[u8], at: usize, shell: bool) -> Option<Value> {
    let mut open = at;
    let first = *bytes.get(open)?;
    // A string inside a string, as JSON in a shell's quotes has it.
    let escaped = first == b'\\' && matches!(bytes.get(open + 1), Some(b'"' | b'\''));
    if escaped {
        open += 1;
    }
    let quote = bytes[open];
    if matches!(quote, b'"' | b'\'' | b'`') {
        let start = open + 1;
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            // A value does not go on in the next line: a quote that is not closed must not take the rest of the text.
            if byte == quote || byte == b'\n' || (escaped && byte == b'\\') {
                break;
            }
            // An escaped quote belongs to the value.
            end += if byte == b'\\' && bytes.get(end + 1).is_some() { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        return (end > start).then_some(Value { start, end, quoted: true, shell });
    }
    let length = unquoted(&bytes[at..bytes.len().min(at + ENOUGH)], shell);
    // `getenv('X')` is code that fetches a value.
    let call = bytes.get(at + length).is_some_and(|byte| matches!(byte, b'\'' | b'"'))
        && bytes[at..at + length].contains(&b'(');
    (length > 0 && !call).then_some(Value { start: at, end: at + length, quoted: false, shell })
}

/// How long a value without quotes is.
pub(crate) fn unquoted(bytes: &[u8], shell: bool) -> usize {
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b';' | b'&' | b'\\')
            || (!shell && matches!(byte, b',' | b')' | b'}' | b']'))
    };
    bytes.iter().position(stop).unwrap_or(bytes.len())
}

pub(crate) fn skip_spaces(bytes: &[u8], from: usize, limit: usize) -> usize {
    let mut at = from;
    while at < limit && matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}
