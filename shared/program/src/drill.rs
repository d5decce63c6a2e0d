//! What a person tries out at their desk: judged as ever, and no incident.
//!
//! `hook-runner` calls hooks to explain them and to see whether they work. Such a call is to leave no record and no offer of
//! approval. A variable alone could not say so: an agent that starts another agent with it would keep that one's denials
//! off the record. So the variable holds the digest of the very payload: no one knows it who does not write the payload,
//! and a host's payload holds times and numbers that are not known before. What is decided never depends on it.

use sha2::{Digest as _, Sha256};

/// The variable with the digest of the payload.
pub const DRILL: &str = "POLICY_HOOKS_DRILL";

/// What [`DRILL`] is to be for a payload.
pub fn drill_mark(payload: &[u8]) -> String {
    Sha256::digest(payload).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn is_marked(payload: &[u8]) -> bool {
    // Digested only where the variable is set: no host sets it, and a digest costs more than some decisions.
    std::env::var_os(DRILL).is_some_and(|mark| mark.to_str() == Some(&drill_mark(payload)))
}
