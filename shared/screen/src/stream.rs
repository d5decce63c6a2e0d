//! The two ways on which people are written to. Whatever they read comes through here: no other file of our programs opens
//! stdout or stderr, but for the harness on the way of a hook's call (`tests/runner/screens.rs` keeps it so).

use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};

use crate::color::is_colored;
use crate::width;

/// Where something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Stdout: what was asked for.
    Answer,
    /// Stderr: everything else.
    Remark,
}

impl Stream {
    /// Whether a person watches.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Answer => io::stdout().is_terminal(),
            Self::Remark => io::stderr().is_terminal(),
        }
    }

    /// Writes what a person reads: no line is wider than the terminal unless a single word is, and colours are there if
    /// they are wanted, or else if a person watches.
    pub fn say(self, text: &str, colors: Option<bool>) -> io::Result<()> {
        let colored = colors.unwrap_or_else(|| is_colored(self.is_terminal()));
        let choice = if colored { ColorChoice::Always } else { ColorChoice::Never };
        let text = width::fitted_to(text, width::fold_of(self));
        match self {
            Self::Answer => whole(AutoStream::new(io::stdout(), choice), &text),
            Self::Remark => whole(AutoStream::new(io::stderr(), choice), &text),
        }
    }

    /// Writes what a program reads, such as JSON or a patch, or what was laid out already: as it is.
    pub fn pass(self, text: &str) -> io::Result<()> {
        match self {
            Self::Answer => whole(io::stdout(), text),
            Self::Remark => whole(io::stderr(), text),
        }
    }
}

fn whole(mut to: impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
