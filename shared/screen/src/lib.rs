//! What people see, alike in all programs: how wide a line may be, where it breaks, which colours it has, and a line that
//! says that it takes long. No hook's own way comes here.

mod color;
mod notice;
mod patience;
mod stream;
mod width;
mod words;

pub use color::{Tone, is_colored, paint, tinted};
pub use notice::Notice;
pub use patience::{counted, each, patiently, transient};
pub use stream::Stream;
pub use width::{columns, fitted, fold, hung, width, wrapped};
pub use words::several;

use std::io;

/// Writes what a person reads to stdout: at the terminal's width, with the colours of its first words.
pub fn print(text: &str) -> io::Result<()> {
    if is_json(text) { data(text) } else { Stream::Answer.say(&tinted(text), None) }
}

/// Writes what a program reads to stdout.
pub fn data(text: &str) -> io::Result<()> {
    Stream::Answer.pass(text)
}

/// Writes to stderr what is wrong, or worth a remark. Where that is closed, the exit code still says it.
pub fn remark(text: &str) {
    let _ = Stream::Remark.say(text, None);
}

/// Whether this is for a program: a line that was broken inside a string would not be read back.
pub fn is_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}
