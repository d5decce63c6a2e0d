//! Notifications, by terminals that know a sequence for it.

use crate::stream::Stream;

/// How a terminal is asked to notify: each knows its own sequence, and some know several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// `OSC 9`: iTerm2, Ghostty, `WezTerm`, kitty.
    Osc9,
    /// `OSC 777`: foot, urxvt, Ghostty, `WezTerm`.
    Osc777,
    /// The bell, which every terminal has.
    Bell,
}

/// More than that no desktop shows.
const LONGEST: usize = 120;

impl Notice {
    /// Notifies, where a person watches.
    pub fn send(self, text: &str) {
        if Stream::Remark.is_terminal() {
            // A terminal that is gone notifies no one.
            let _ = Stream::Remark.pass(&self.sequence(text));
        }
    }

    fn sequence(self, text: &str) -> String {
        let text = plain(text);
        match self {
            Self::Osc9 => format!("\u{1b}]9;{text}\u{1b}\\"),
            Self::Osc777 => format!("\u{1b}]777;notify;policy-hooks;{text}\u{1b}\\"),
            Self::Bell => "\u{7}".to_owned(),
        }
    }
}

/// Only what can neither end the sequence nor begin another field of it.
fn plain(text: &str) -> String {
    let inert = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | ':' | '-' | '_' | ',');
    text.chars().filter(inert).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_text_ends_the_sequence() {
        let hostile = "a\u{1b}\\b\u{7}c\u{9c}d;notify;e\n\u{1b}]0;title\u{7}f\u{202e}";
        for way in [Notice::Osc9, Notice::Osc777, Notice::Bell] {
            let sequence = way.sequence(hostile);
            assert!(sequence.is_ascii(), "{sequence:?}");
            let ends = sequence.matches(['\u{7}', '\u{1b}']).count();
            assert_eq!(ends, if way == Notice::Bell { 1 } else { 2 }, "{sequence:?}");
        }
        assert_eq!(Notice::Osc9.sequence(hostile), "\u{1b}]9;abcdnotifye0titlef\u{1b}\\");
        assert_eq!(Notice::Osc777.sequence("x;y"), "\u{1b}]777;notify;policy-hooks;xy\u{1b}\\");
    }
}
