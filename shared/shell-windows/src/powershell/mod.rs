//! PowerShell: what a string would run, in Windows PowerShell 5.1 and PowerShell 7.
//!
//! `parse/` makes a tree, `run/` goes through it on paper, as [`shell_engine::bash`] does: every branch is taken,
//! variables are followed, and what would run ends in the same atoms. A cmdlet is one, with its full name and full
//! parameter names: `ri -r -fo x` is `Remove-Item -Path x -Recurse -Force`.

mod ast;
mod names;
mod parse;
mod run;
mod value;

pub use names::is_cmdlet;
pub use run::{run_arguments, run_text};
