//! Colours on a terminal, and lines that fit it.

use std::io::IsTerminal as _;

use crate::scene::WIDTH;

/// Whether colours are wanted.
pub(crate) struct Paint(bool);

impl Paint {
    pub(crate) fn wanted() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Self(!set("NO_COLOR") && (set("FORCE_COLOR") || std::io::stdout().is_terminal()))
    }

    pub(crate) fn colored(&self) -> bool {
        self.0
    }

    pub(crate) fn quiet(&self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn bold(&self, text: &str) -> String {
        self.with("1", text)
    }

    /// What becomes of a call: green, yellow, red.
    pub(crate) fn word(&self, word: &str) -> String {
        let color = match word {
            "runs" => "32",
            "asks" => "33",
            _ => "31",
        };
        self.with(color, word)
    }

    fn with(&self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Lines that end between words.
pub(crate) fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.len() - 1;
        let length = lines[line].chars().count();
        if length > 0 && indent.len() + length + 1 + word.chars().count() > WIDTH {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                lines[line].push(' ');
            }
            lines[line].push_str(word);
        }
    }
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}
