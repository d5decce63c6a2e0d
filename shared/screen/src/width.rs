//! How wide a line may be, and where it breaks.

/// How many characters fit on a line: `COLUMNS`, else the terminal's own width, else 80.
pub fn width() -> usize {
    // Wider lines than that are hard to read, and narrower ones hold no word.
    fold().unwrap_or(80).clamp(40, 120)
}

/// Where lines end, if they do: a pipe has no width, and what reads it wants a row on a line.
pub fn fold() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    set.or_else(of_terminal)
}

#[cfg(unix)]
fn of_terminal() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    // A terminal that does not know its size says zero.
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn of_terminal() -> Option<usize> {
    None
}

/// A string with its lines broken where the terminal would break them inside a word; as it is where lines do not end.
pub fn fitted(text: &str) -> String {
    match fold() {
        Some(width) if text.lines().any(|line| line.chars().count() > width) => {
            wrapped(text, width.clamp(40, 120))
        }
        _ => text.to_owned(),
    }
}

/// A string on lines of at most `width` characters, broken between words; what is indented stays so.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let mut used = indent;
        lines.push_str(&line[..indent]);
        for (index, word) in words.split(' ').enumerate() {
            let length = word.chars().count();
            // The first word of a line always stands on it, however long it is.
            if index > 0 && used + 1 + length > width {
                lines.push('\n');
                lines.push_str(&line[..indent]);
                used = indent;
            } else if index > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += length;
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_stay_indented() {
        assert_eq!(wrapped("one two three\n  four  five six", 9), "one two\nthree\n  four \n  five\n  six\n");
        assert_eq!(wrapped("averylongword", 4), "averylongword\n");
    }
}
