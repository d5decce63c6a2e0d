//! Settings files of the machine, of the user and of a project: where they lie, reading them, and what is wrong with
//! them.
//!
//! A file is absent, holds something, or is broken, and nothing here lets a broken file pass for an absent one: what it
//! may have forbidden stays forbidden. What that means for one kind of file is said by the hook that obeys it.

mod approvals;
pub mod context;
mod document;
mod file;
pub mod format;
mod mistake;
mod place;
pub mod stop;

pub use approvals::{Approvals, By, KEY_LENGTH};
pub use document::{Document, Said, parse, read};
pub(crate) use file::only_root_writes;
pub use file::{Found, LARGEST, Layer, Why, administrators, find};
pub use mistake::{Mistake, meant, nearest};
pub use place::{system, user};
