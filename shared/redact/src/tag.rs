//! What stands where a secret stood: its kind, and a keyed tag that is the same for the same secret.
//!
//! The tag comes from a key that only this installation has, so that it says nothing about the secret: a plain digest
//! of a weak password could be looked up.

use std::cell::OnceCell;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The length of a key, in bytes: one block of SHA-256.
pub const KEY_LENGTH: usize = 64;

/// An installation's key, fetched when it is first needed: most strings hold no secret.
pub struct Key<'a> {
    fetch: &'a dyn Fn() -> [u8; KEY_LENGTH],
    bytes: OnceCell<[u8; KEY_LENGTH]>,
}

impl fmt::Debug for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl<'a> Key<'a> {
    /// A key that `fetch` gets.
    pub fn new(fetch: &'a dyn Fn() -> [u8; KEY_LENGTH]) -> Self {
        Self { fetch, bytes: OnceCell::new() }
    }

    /// The keyed digest of `data`: tells whether two are the same, and nothing else.
    pub fn digest(&self, data: &[u8]) -> [u8; 32] {
        self.digest_of(&[data])
    }

    /// The keyed digest of several parts, one after the other.
    pub fn digest_of(&self, parts: &[&[u8]]) -> [u8; 32] {
        let key = self.bytes.get_or_init(self.fetch);
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&(*key).into());
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// `[REDACTED:github-pat:9f3a1c]`
    pub(crate) fn tag(&self, rule: &str, secret: &str) -> String {
        let digest = self.digest(secret.as_bytes());
        // Enough to see that two places held the same secret.
        format!("[REDACTED:{rule}:{:02x}{:02x}{:02x}]", digest[0], digest[1], digest[2])
    }
}
