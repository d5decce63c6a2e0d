//! What people see, alike in all programs: how wide a line may be, where it breaks, which colours it has, and a line that
//! says that it takes long. No hook's own way comes here.

mod color;
mod patience;
mod width;

pub use color::{Tone, is_colored, paint, tinted};
pub use patience::patiently;
pub use width::{fitted, fold, width, wrapped};

use std::io::{self, IsTerminal as _, Write as _};

/// Writes what a person reads to stdout: at the terminal's width, with the colours of its first words.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    let text = if is_json(text) {
        text.to_owned()
    } else if is_colored(stdout.is_terminal()) {
        tinted(&fitted(text))
    } else {
        fitted(text)
    };
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Whether this is for a program: a line that was broken inside a string would not be read back.
pub fn is_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}
