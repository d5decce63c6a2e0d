//! How wide a line may be, and where it breaks.

use unicode_width::UnicodeWidthStr as _;

use crate::stream::Stream;

/// How many characters fit on a line: `COLUMNS`, else the terminal's own width, else 80.
pub fn width() -> usize {
    // Wider lines than that are hard to read, and narrower ones hold no word.
    fold().unwrap_or(80).clamp(NARROWEST, 120)
}

/// On less than this, words would stand one below the other.
const NARROWEST: usize = 40;

/// Where lines of stdout end, if they do: a pipe has no width, and what reads it wants a row on a line.
pub fn fold() -> Option<usize> {
    fold_of(Stream::Answer)
}

/// The same of either stream.
pub(crate) fn fold_of(stream: Stream) -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    set.or_else(|| of_terminal(stream))
}

#[cfg(unix)]
fn of_terminal(stream: Stream) -> Option<usize> {
    let size = match stream {
        Stream::Answer => rustix::termios::tcgetwinsize(rustix::stdio::stdout()),
        Stream::Remark => rustix::termios::tcgetwinsize(rustix::stdio::stderr()),
    };
    // A terminal that does not know its size says zero.
    size.ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(not(unix))]
fn of_terminal(_: Stream) -> Option<usize> {
    None
}

/// A string with its lines broken where the terminal would break them inside a word; as it is where lines do not end.
pub fn fitted(text: &str) -> String {
    fitted_to(text, fold())
}

/// The same for lines that end at `fold`, if they do.
pub(crate) fn fitted_to(text: &str, fold: Option<usize>) -> String {
    match fold.map(|width| width.max(NARROWEST)) {
        Some(width) if text.lines().any(|line| columns(line) > width) => broken(text, width),
        _ => text.to_owned(),
    }
}

/// How many columns of a terminal a string takes: letters of some scripts take two, colours none.
pub fn columns(text: &str) -> usize {
    if text.contains('\u{1b}') {
        anstream::adapter::strip_str(text).to_string().width()
    } else {
        text.width()
    }
}

/// A string on lines of at most `width` columns, broken between words; what is indented stays so.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = broken(text, width);
    if !lines.is_empty() && !lines.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

/// The same, without a line feed at the end where there was none: a question stands before its answer.
fn broken(text: &str, width: usize) -> String {
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let words = line.trim_start_matches(' ');
        let indent = &line[..line.len() - words.len()];
        let mut used = indent.len();
        lines.push_str(indent);
        for (index, word) in words.split(' ').enumerate() {
            let length = columns(word);
            // The first word of a line always stands on it, however long it is.
            if index > 0 && used + 1 + length > width {
                lines.push('\n');
                lines.push_str(indent);
                used = indent.len();
            } else if index > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += length;
        }
        lines.push_str(end);
    }
    lines
}

/// One line on as many as it takes, those after the first `hang` columns deep. A word that is wider than a line is broken:
/// whatever stands here, nothing of it comes to stand before `hang`.
pub fn hung(line: &str, width: usize, hang: usize) -> String {
    let mut lines = String::new();
    let mut rest = line;
    loop {
        let room = width.saturating_sub(if lines.is_empty() { 0 } else { hang }).max(1);
        let mut end = rest.len();
        let mut used = 0;
        for (at, letter) in rest.char_indices() {
            used += columns(letter.encode_utf8(&mut [0; 4]));
            if used > room && at > 0 {
                end = at;
                break;
            }
        }
        if end < rest.len() {
            // Only blanks after the first column: what hangs there is not broken for the name before it.
            let from = if lines.is_empty() { hang.min(end) } else { 0 };
            let blank = rest.get(from..=end).and_then(|part| part.rfind(' ')).map(|at| from + at);
            end = blank.filter(|at| *at > from).unwrap_or(end);
        }
        lines.push_str(&rest[..end]);
        rest = rest[end..].strip_prefix(' ').unwrap_or(&rest[end..]);
        if rest.is_empty() {
            return lines;
        }
        lines.push('\n');
        lines.extend(std::iter::repeat_n(' ', hang));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_stay_indented() {
        assert_eq!(
            wrapped("one two three\n  four  five six\n", 9),
            "one two\nthree\n  four \n  five\n  six\n"
        );
        assert_eq!(wrapped("averylongword", 4), "averylongword\n");
        assert_eq!(
            fitted_to("Really, do all of this to a file of this length? [y/N] ", Some(40)).lines().count(),
            2
        );
        assert!(fitted_to("[y/N] ", Some(40)).ends_with("] "));
    }

    #[test]
    fn what_is_not_seen_takes_no_room_and_wide_letters_take_two() {
        let red = "\u{1b}[1;31mone\u{1b}[0m two";
        assert_eq!((columns(red), broken(red, 7)), (7, red.to_owned()));
        assert_eq!((columns("日本"), broken("日本 x", 5)), (4, "日本\nx".to_owned()));
    }

    #[test]
    fn what_hangs_never_comes_to_stand_in_the_first_column() {
        assert_eq!(hung("  name one two three", 14, 7), "  name one two\n       three");
        assert_eq!(
            hung("  name abcdefghijklmnop", 12, 7),
            "  name abcde\n       fghij\n       klmno\n       p"
        );
        assert_eq!(hung("  name 日本語", 10, 7), "  name 日\n       本\n       語");
        assert_eq!(hung("short", 80, 4), "short");
    }
}
