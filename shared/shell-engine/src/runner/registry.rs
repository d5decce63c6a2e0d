//! What the engine runs without knowing it.

use super::{Process, Runner, Scope, Script};
use crate::atom::Arg;

/// SQL that code hands to a database.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The atom of the program that sends it.
    pub client: u32,
    /// The library by which it goes, or nothing.
    pub library: &'a str,
    /// The statements.
    pub text: &'a str,
}

/// Languages and programs, as the engine and other languages call them.
pub struct Registry {
    /// Runs bash code.
    pub posix: fn(&mut Runner, &mut Scope, &Script<'_>) -> String,
    /// Runs cmd code.
    pub cmd: fn(&mut Runner, &mut Scope, &Script<'_>) -> String,
    /// Sends SQL to a database.
    pub sql: fn(&mut Runner, &mut Scope, Query<'_>),
    /// Sends what a database's client is given.
    pub sql_client: fn(&mut Process<'_>) -> Option<String>,
    /// What a filter prints for a text, where that can be computed.
    pub filter: fn(&[Arg], &str) -> Option<String>,
    /// Whether a program with these words, as they are written, only shows what it reads.
    pub views: fn(&[&str]) -> bool,
    /// Whether a program with these arguments sends one of these variables to another service than its own.
    pub leaks: fn(&[Arg], &[&str]) -> bool,
    /// What a file that another script brings in is in bash, by its path and its text.
    pub in_bash: fn(&str, &str) -> Option<String>,
    /// Runs a program, and returns what it prints.
    pub program: fn(&mut Process<'_>) -> String,
}
