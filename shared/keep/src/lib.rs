//! Saves what a command would lose, and brings it back.
//!
//! What lies in a repository becomes objects and references of git, `refs/policy-hooks/kept/ID/…`: the files of the
//! working tree that the index does not have as they are, byte by byte, the index, and the commits and stashes to which
//! nothing would lead any more. Files elsewhere are copied. Either way an [`Entry`] in the user's own state says what was
//! kept and where.
//!
//! Index, working tree and the user's references are never written to. Whatever cannot be saved, all of it and in time,
//! is an error, after which nothing but objects without a name is left behind. Nothing is run: libgit2 knows no filter,
//! hook or monitor of a repository.

mod budget;
mod copy;
mod diff;
mod entry;
mod error;
mod restore;
mod snapshot;
mod store;

pub use copy::keep as keep_files;
pub use diff::diff;
pub use entry::{Branch, Entry, Files, Item, Kind, Reference, Saved, Stash, Tree, What};
pub use error::KeepError;
pub use restore::{Plan, plan};
pub use snapshot::keep as keep_repository;
pub use store::{MAX_AGE, MAX_STORE, Store, drop};

use std::time::Instant;

/// Why something is kept, and how long that may take.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    /// The command, without secrets.
    pub command: &'a str,
    /// What it would lose, as a list to read.
    pub lost: &'a str,
    /// When it has to be done.
    pub until: Instant,
}
