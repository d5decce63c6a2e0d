//! Sends the audit log to a collector, and moves on only after the collector has acknowledged.
//!
//! The log itself is the queue: nothing is copied, memory holds one batch and the disk one small
//! cursor. A cursor is a place in the chain, so that a log that was rotated meanwhile goes on where it was, and one
//! that was replaced is noticed.
//!
//! This crate talks to the network. No hook may depend on it; `hook-runner log ship` does.

mod cursor;
mod error;
mod pace;
mod receiver;
mod run;
mod target;
mod tls;
mod token;

pub use cursor::{Status, status};
pub use error::ShipError;
pub use pace::Pace;
pub use receiver::{Failure, Receiver};
pub use run::{Plan, Shipped, ship, state, waiting};
pub use target::Target;
pub use token::Token;
