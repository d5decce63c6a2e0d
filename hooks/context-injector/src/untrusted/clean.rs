//! One line of what a reader sees.

use unicode_normalization::UnicodeNormalization as _;

/// A string without what is not seen.
pub(super) struct Cleaned {
    /// One line, in Unicode's composed form.
    pub(super) text: String,
    /// ASCII that was written in tag characters, which no one sees and models read.
    pub(super) hidden: String,
    /// How many characters were taken out, but for white space and what joins emoji and letters.
    pub(super) removed: usize,
}

/// Takes out what is not seen, and folds white space.
pub(super) fn clean(raw: &str) -> Cleaned {
    let mut seen = String::with_capacity(raw.len());
    let mut cleaned = Cleaned { text: String::new(), hidden: String::new(), removed: 0 };
    // White space first: what removes escape sequences takes tabs along.
    let spaced: String = raw.chars().map(|c| if is_blank(c) { ' ' } else { c }).collect();
    let plain = if spaced.contains(['\u{1b}', '\u{9b}']) {
        let plain = String::from_utf8_lossy(&strip_ansi_escapes::strip(&spaced)).into_owned();
        cleaned.removed += spaced.chars().count().saturating_sub(plain.chars().count());
        plain
    } else {
        spaced
    };
    for c in plain.chars() {
        if let Some(letter) = tagged(c) {
            cleaned.hidden.push(letter);
        }
        if !is_hidden(c) {
            seen.push(c);
        } else if !joins(c) {
            cleaned.removed += 1;
        }
    }
    // After the invisible ones are gone: they keep letters and their marks apart.
    let composed: String = seen.nfc().collect();
    for word in composed.split(' ').filter(|word| !word.is_empty()) {
        if !cleaned.text.is_empty() {
            cleaned.text.push(' ');
        }
        cleaned.text.push_str(word);
    }
    cleaned
}

/// White space of any kind, line breaks included.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{ffa0}')
}

/// Whether a character has no shape of its own: it steers, turns, joins, or means nothing.
pub(super) fn is_hidden(c: char) -> bool {
    payload::is_unsafe(c)
        || matches!(c,
            '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}'
            // Private use and what will never be a character.
            | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffb}' | '\u{e0080}'..='\u{10ffff}')
        || (u32::from(c) & 0xfffe) == 0xfffe
}

/// What stands inside emoji and in words of some languages.
fn joins(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The ASCII character that a tag character stands for.
fn tagged(c: char) -> Option<char> {
    let code = u32::from(c).checked_sub(0xe0000).filter(|code| (0x20..0x7f).contains(code))?;
    char::from_u32(code)
}
