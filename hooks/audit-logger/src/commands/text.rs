//! Text for a terminal: nothing in it can steer the terminal, hide, or begin a line of its own.

pub(super) use payload::one_line;

/// At most `width` characters of `text`, on one line.
pub(super) fn short(text: &str, width: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Whether a terminal, or whoever asks for them, sees colours.
pub(super) fn colours() -> bool {
    screen::is_colored(screen::Stream::Answer.is_terminal())
}

/// `text` in the colour of a decision.
pub(super) fn of_decision(decision: &str, text: &str, colours: bool) -> String {
    if colours { screen::paint(screen::Tone::of(decision), text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_never_steered() {
        let hostile = "a\u{1b}[2Jb\r\nc\u{202e}d\u{9b}31me\u{2028}f\0";
        assert_eq!(one_line(hostile), "a·[2Jb⏎⏎c·d·31me⏎f·");
        assert_eq!(short("abcdef", 4), "abc…");
    }
}
