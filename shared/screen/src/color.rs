//! Colours: which word has which, and who wants any.

/// How a word is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// A heading.
    Strong,
    /// Less important.
    Quiet,
    /// Fine.
    Good,
    /// To be looked at.
    Warn,
    /// Wrong, or refused.
    Bad,
    /// A place or a name.
    Name,
}

impl Tone {
    /// The parameters of the escape sequence.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Quiet => "2",
            Self::Good => "32",
            Self::Warn => "33",
            Self::Bad => "1;31",
            Self::Name => "36",
        }
    }

    /// The tone of a decision, or of another word with which a line begins.
    pub fn of(word: &str) -> Self {
        match word {
            "deny" | "block" | "refused" | "error" | "FAIL" | "NOT INTACT" | "denied" => Self::Bad,
            "ask" | "warning" | "?" | "would have been denied" => Self::Warn,
            "allow" | "granted" | "approved" | "ok" | "intact" | "fine" | "no objection" => Self::Good,
            "note" | "help" => Self::Quiet,
            _ => Self::Plain,
        }
    }
}

/// Whether what goes to a terminal, or to something else, has colours: `NO_COLOR` and `FORCE_COLOR` are honoured.
pub fn is_colored(is_terminal: bool) -> bool {
    let forced = std::env::var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty() && value != "0");
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && (forced || is_terminal)
}

/// Text in a tone.
pub fn paint(tone: Tone, text: impl std::fmt::Display) -> String {
    match tone {
        Tone::Plain => text.to_string(),
        tone => format!("\u{1b}[{}m{text}\u{1b}[0m", tone.code()),
    }
}

/// Each line's first words in their tone, where they have one: `deny: rm -rf /`, `FAIL tests`.
pub fn tinted(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| {
            let word = line.find(':').map_or("", |end| &line[..end]);
            let word = if Tone::of(word) == Tone::Plain {
                line.split([' ', '\n']).next().unwrap_or_default()
            } else {
                word
            };
            paint(Tone::of(word), word) + &line[word.len()..]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_have_their_tone_and_nothing_else_changes() {
        let text = "deny: rm\n  deny: x\nNOT INTACT: 3 records\nFAIL tests: 1\nplain\n";
        let expected = "\u{1b}[1;31mdeny\u{1b}[0m: rm\n  deny: x\n\u{1b}[1;31mNOT INTACT\u{1b}[0m: 3 records\n\
                        \u{1b}[1;31mFAIL\u{1b}[0m tests: 1\nplain\n";
        assert_eq!(tinted(text), expected);
    }
}
