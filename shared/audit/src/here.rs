//! Who and where this is: the user, and the machine without its name.

use std::fs;

use sha2::{Digest, Sha256};

use crate::chain::short_hex;
use crate::private;

/// The user's name and number.
pub(crate) fn user() -> String {
    let variables = if cfg!(windows) { ["USERNAME", "USER"] } else { ["USER", "LOGNAME"] };
    let name =
        variables.into_iter().find_map(|name| std::env::var(name).ok()).filter(|name| !name.is_empty());
    let id = private::user_id();
    match name {
        Some(name) => {
            // The environment is the agent's to set: like every text from there, the name is bounded and
            // stays on its line.
            format!("{}:{id}", name.chars().filter(|c| !c.is_control()).take(64).collect::<String>())
        }
        None => id.to_string(),
    }
}

/// A digest of the machine's own identifier: the same for all records of one machine, and no name.
pub(crate) fn machine() -> String {
    // Images of containers often ship that file empty or not at all; the host's name is all that is left there.
    let id = fs::read("/etc/machine-id").ok().filter(|id| !id.is_empty()).unwrap_or_else(|| {
        let name = std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME"));
        name.unwrap_or_default().into_bytes()
    });
    // The identifier is confidential (machine-id(5)); hashed with a prefix of ours, it matches no one else's
    // digest either.
    short_hex(&Sha256::digest([b"policy-hooks machine ".as_slice(), &id].concat()), 16)
}
