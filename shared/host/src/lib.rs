//! What each coding agent does with a folder full of hooks.
//!
//! [`hosts`] holds what is known of each host, as data with sources: one file each. [`place`] says where each looks for hooks,
//! [`read`](mod@read) what it makes of a file, [`select()`] which hooks an event calls, [`process`] runs them without leaving
//! anything behind, [`merge()`] joins their answers, and [`scene`] says what the host then does. [`fire`] is all of it in
//! one call; [`Session`] remembers what has to be remembered between calls, and [`play`](mod@play) plays a whole session.
//!
//! Nothing here knows a hook of ours, prints, or asks a person.

pub mod answer;
mod commands;
pub mod environment;
pub mod event;
pub mod failing;
mod fire;
pub mod hook;
pub mod hosts;
pub mod installed;
pub mod keys;
pub mod layout;
pub mod load;
mod locations;
pub mod managed;
pub mod matcher;
mod merge;
pub mod place;
pub mod play;
pub mod problem;
pub mod process;
pub mod read;
pub mod record;
pub mod request;
pub mod scene;
mod select;
mod session;
pub mod standing;
pub mod tools;
pub mod tree;

pub use fire::{Fired, Ran, Setting, fire};
pub use hook::{Action, Hook, Origin, System};
pub use merge::{Merged, merge};
pub use place::Format;
pub use play::{Played, Stage, Turn, play};
pub use problem::{Code, Problem, Severity};
pub use process::Execute;
pub use read::{Reading, read};
pub use record::Product;
pub use request::{Request, Subject};
pub use scene::{Scene, Upshot};
pub use select::select;
pub use session::Session;
pub use standing::{Remark, Weight};
