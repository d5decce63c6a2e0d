//! What the engine runs without knowing it.

use super::{Process, Runner, Scope, Script};

/// SQL that code hands to a database.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    /// The atom of the program that sends it.
    pub(crate) client: u32,
    /// The library by which it goes, or nothing.
    pub(crate) library: &'a str,
    pub(crate) text: &'a str,
}

/// Languages and programs, as the engine and other languages call them.
pub(crate) struct Registry {
    /// Runs bash code.
    pub(crate) posix: fn(&mut Runner, &mut Scope, &Script<'_>) -> String,
    /// Runs cmd code.
    pub(crate) cmd: fn(&mut Runner, &mut Scope, &Script<'_>) -> String,
    /// Sends SQL to a database.
    pub(crate) sql: fn(&mut Runner, &mut Scope, Query<'_>),
    /// Sends what a database's client is given.
    pub(crate) sql_client: fn(&mut Process<'_>) -> Option<String>,
    /// Runs a program, and returns what it prints.
    pub(crate) program: fn(&mut Process<'_>) -> String,
}
