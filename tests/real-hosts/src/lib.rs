//! Real hosts against a scripted model, so that a hook is tested with the programs people use.
//!
//! A [`Session`] says what the model does, turn by turn: run this command, write that file, answer. [`run`] starts the
//! host in a network namespace of its own, where only loopback exists, with an empty environment, a fresh home folder and
//! a dummy key; [`model`] plays the model that the host talks to. What comes back is a [`Report`]: what the model saw.
//! What became of the files is for the caller to look at.
//!
//! ```sh
//! cargo run -p real-hosts -- install                       # the pinned versions, from the registries
//! cargo run -p real-hosts -- play claude PROJECT '[{"shell":"rm -rf ./victim"},{"text":"done"}]'
//! ```

pub mod cases;
pub mod command_line;
mod generate;
pub mod host;
pub mod install;
pub mod mcp;
pub mod model;
mod python;
pub mod run;
pub mod script;
mod start;
pub mod terminal;
pub mod vscode;

pub use host::Host;
pub use run::{Report, RunError, Session, User, run, run_all};
pub use script::Turn;
pub use start::NORMAL_USER;
