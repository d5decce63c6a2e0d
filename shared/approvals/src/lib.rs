//! One-shot approvals: what only a person may let through, once.
//!
//! A denial that a person may override names a short code. `hook-runner approve CODE`, in a terminal of the person's own,
//! shows the exact action and grants it: once, for this session, in this folder, on this host, by these rules, for ten
//! minutes. The next call that is exactly this action goes through our hooks, which then have no opinion: the host's own
//! rules and questions stay as they are.
//!
//! - [`Action`] is a tool call without what changes nothing about it: a digest, and how it reads for a person.
//! - [`Desk`] keeps what was offered, granted and used, in the user's own folder for state, one [`store::session::Record`] for
//!   each session. Every entry is sealed with a key that only this user can read; what is not sealed does not count.
//! - [`settle`] is the one function for hooks that deny.
//!
//! - [`Signer`] is root's word, where the machine wants that: a signature that the user's programs can only verify.
//!
//! Everything that goes wrong leaves the denial as it was. The limit: an agent runs as the user, so that nothing here
//! keeps out a program that reads the key. The rules against touching our state are what stands before that.

mod action;
mod book;
mod call;
mod code;
mod desk;
mod error;
mod hook;
mod lasting;
mod rooted;
mod seal;
mod view;

pub use action::{Action, MOST_SHOWN};
pub use call::Call;
pub use code::Code;
pub use desk::{Answer, Asked, Desk, Granted, Offer, Why};
pub use error::ApprovalError;
pub use hook::{settle, without_secrets_of};
pub use lasting::{GRANT, OFFER};
pub use rooted::{Shown, Signer, grants, private_key};
