//! Text of a payload, or of a file that anyone may have written, as it is shown to a person.

/// Whether a character may end a line, steer a terminal, turn the direction of writing, or be invisible.
pub fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// `text` on one line: line breaks become `⏎`, tabs blanks, and what is not to be shown `·`.
pub fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            // Seen, and not left out: two lines joined would read as one command.
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => '⏎',
            '\t' => ' ',
            c if is_unsafe(c) => '·',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_and_shows_what_was_hidden() {
        for (text, expected) in [
            ("rm -rf x", "rm -rf x"),
            ("a\nb\tc", "a⏎b c"),
            ("\u{1b}[2Kls", "·[2Kls"),
            ("txt.\u{202e}hs.x", "txt.·hs.x"),
            ("a\u{200b}b\u{e0041}", "a·b·"),
            ("größe 🎉", "größe 🎉"),
        ] {
            assert_eq!(one_line(text), expected);
        }
    }
}
