//! Policies from the centre.
//!
//! A bundle is a tar archive of policy files with a [`Manifest`] in front, and a signature beside it in minisign's format.
//! [`pack`] makes one. [`pull`] fetches one by the system's own git or curl, checks it against what this machine has seen
//! ([`judge`]), and puts it into the machine's folder of policies by one rename. What is refused changes nothing: the
//! last good one stays in force.
//!
//! Nothing here runs in a hook. Hooks read the policies as the plain files that they are.

mod archive;
mod content;
mod fetch;
mod install;
mod judge;
mod manifest;
mod memory;
mod pull;
mod refusal;
mod sign;

pub use archive::{
    Archive, LARGEST, MOST_FILES, Malformed, NamedFile, SIGNATURE_ENDING, SIGNATURE_LARGEST, pack, unpack,
};
pub use content::{Mistaken, mistakes};
pub use fetch::{FetchError, Source};
pub use install::{InstallError, Step};
pub use judge::{Candidate, Situation, judge};
pub use manifest::{MANIFEST, Manifest, is_name, stamp};
pub use memory::{Followed, Highest, Last, Memory, MemoryError, Outcome};
pub use pull::{Order, PullError, Pulled, Switches, last_pull, pull, pull_stepwise};
pub use refusal::Refusal;
pub use sign::{KeyError, PublicKey, SecretKey};
