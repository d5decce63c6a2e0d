//! The audit log as one page to look at: a file that loads nothing and sends nothing.
//!
//! - [`Story`] takes records in, and folds those of one call together.
//! - [`Proof`] says in words what verifying found.
//! - [`page`] puts both into HTML. What records say is data in it, and never markup.

mod page;
mod proof;
mod story;

pub use page::{BEGINNING, Page, page, policy_of_live, text_of_script};
pub use proof::{Proof, State};
pub use story::{About, Story};
