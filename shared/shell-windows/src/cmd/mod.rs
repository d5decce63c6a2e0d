//! `cmd.exe`: what a command line or a batch text would run.
//!
//! cmd has no grammar to speak of: a line is text in which variables are replaced, and only then it is read. Here
//! it is read first, in `parse`; `run` replaces the variables of each command, and reads again what became more
//! than one command by that.

mod command;
mod expand;
mod parse;
mod run;
mod words;

pub use command::unquoted;
pub use run::run_text;
