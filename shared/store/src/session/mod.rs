//! What a hook remembers between two calls: small files in the user's own state folder.
//!
//! A host starts a hook anew for every event, often several at once, and kills it when it likes. So everything that
//! has to outlive a call is a [`Record`]: one file, replaced as a whole, changed only under a lock that the system
//! takes back when a process dies. A reader sees the old text or the new one, never half of each.
//!
//! Bounds: a record holds at most [`MAX_RECORD`] bytes; [`Store::sweep`] removes what was not touched for a week, and
//! the oldest beyond [`MAX_STORE`] bytes. Names that come from a host (session ids, paths) only ever become a digest.

mod error;
mod record;
mod store;
mod sweep;

pub use error::SessionError;
pub use record::{Locked, MAX_RECORD, Record};
pub use store::{Held, Owner, Store};
pub use sweep::{MAX_AGE, MAX_STORE};
