//! bash and the POSIX shells: `parse/` makes a tree, `run/` goes through it on paper.

mod ast;
mod parse;
mod run;

pub use run::{builtin, names_secret, run_text, run_whole};
