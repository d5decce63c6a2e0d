//! What following a command takes, whatever its language: the atoms that it ends in, the marks in them for what only
//! exists at run time, the [`Runner`] of an analysis, a shell's [`Scope`], a program's [`Call`], and bash.
//!
//! bash lives here because a [`Scope`] is its memory: every other language runs its command lines, and keeps what it
//! learns there. No other language and no program is known: `shell` hands them in as a [`Registry`].

pub mod arguments;
mod atom;
pub mod bash;
pub mod mark;
pub mod path;
mod runner;
mod span;
pub mod text;

pub use atom::{
    Analysis, Arg, Atom, Flow, Handed, How, Link, Note, NoteKind, Place, Redirect, ScriptFile, Stage, Via,
    is_shell, program_name,
};
pub use runner::{
    Call, Disk, Entry, Found, Io, Loaded, MAX_DEPTH, Opened, Output, Process, Query, Registry, Runner, Scope,
    Script, Value, scheduled,
};
pub use span::Span;
