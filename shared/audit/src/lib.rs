//! The audit log: one line of JSON for every event and every decision, in a chain that shows what was changed.
//!
//! - [`Journal`] is what programs call; [`decision`] is the one function for those that deny or ask.
//! - [`Log`] is the file: a lock that is waited for a moment only, one look at the end, one write. What cannot wait goes
//!   into a file beside it, which the next writer takes in.
//! - [`verify`] proves that nothing was changed, up to the last [`Anchor`].
//!
//! Tamper-evident, not tamper-proof: the agent runs as the user, who can write the file anew. An anchor elsewhere
//! shows that.

mod anchor;
mod chain;
mod copy;
mod error;
mod here;
mod journal;
mod key;
mod log;
mod place;
mod private;
pub mod queue;
mod read;
mod record;
mod repository;
mod segment;
mod settings;
mod spill;
mod tail;
mod time;
mod verify;

pub use crate::settings::{
    Identity, Settings, Ship, mistakes as settings_mistakes, places as settings_places,
};
pub use anchor::Anchor;
pub use chain::{Head, Hex, LARGEST_RECORD, Link};
pub use copy::{CopiedLog, Copy, CopyReport};
pub use error::LogError;
pub use here::Who;
pub use journal::{Journal, Writer, decision, granted, kept};
pub use key::{KeyError, fetch as fetch_key, private as private_key};
pub use log::{Keeping, Kept, Log, Sync};
pub use place::{VARIABLE, state as state_folder};
pub use read::{Record, each, each_counted, each_merged, size};
pub use record::{
    About, Decided, Files, Granted, Guard, GuardProgram, Kept as KeptRecord, Level, Mode, VERSION,
    decision as decision_record, event as event_record, unreadable as unreadable_record,
};
pub use repository::Repository;
pub use segment::{Segment, files, logs_in, segments};
pub use spill::waiting;
pub use verify::{Finding, Report, verify, verify_counted};
