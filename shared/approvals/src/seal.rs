//! What only this user can have written.

use redact::{KEY_LENGTH, Key};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A value as its exact text, with a keyed digest of that text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sealed {
    text: String,
    seal: String,
}

/// The user's key, for one purpose at a time.
pub(crate) struct Seals {
    key: [u8; KEY_LENGTH],
}

impl Seals {
    pub(crate) fn new(key: [u8; KEY_LENGTH]) -> Self {
        Self { key }
    }

    /// The keyed digest of several strings for one purpose: nothing that is made for one serves another, and no text
    /// reaches into the next.
    pub(crate) fn digest<'t>(&self, purpose: &'t str, texts: impl IntoIterator<Item = &'t str>) -> [u8; 32] {
        let mut bytes = Vec::new();
        for text in [purpose].into_iter().chain(texts) {
            bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        let fetch = || self.key;
        Key::new(&fetch).digest(&bytes)
    }

    /// Seals a value. `None` where it has no text, which no value of ours is without.
    pub(crate) fn seal(&self, purpose: &str, value: &impl Serialize) -> Option<Sealed> {
        // The exact text is kept, as a value that is read and written again need not have the same bytes.
        let text = serde_json::to_string(value).ok()?;
        let seal = hex(&self.digest(purpose, [&*text]));
        Some(Sealed { text, seal })
    }

    /// The value, if it was sealed with this key for this purpose.
    pub(crate) fn open<T: DeserializeOwned>(&self, purpose: &str, sealed: &Sealed) -> Option<T> {
        let expected = hex(&self.digest(purpose, [&*sealed.text]));
        // All of it is compared, whatever the first difference.
        let differs =
            expected.bytes().zip(sealed.seal.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
        // `zip` ends with the shorter one.
        if differs != 0 || expected.len() != sealed.seal.len() {
            return None;
        }
        serde_json::from_str(&sealed.text).ok()
    }
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_for_one_text_one_purpose_and_one_key() {
        let seals = Seals::new([1; KEY_LENGTH]);
        let sealed = seals.seal("a", &vec![1, 2]).unwrap();
        assert_eq!(seals.open::<Vec<u8>>("a", &sealed), Some(vec![1, 2]));
        assert_eq!(seals.open::<Vec<u8>>("b", &sealed), None);
        assert_eq!(Seals::new([2; KEY_LENGTH]).open::<Vec<u8>>("a", &sealed), None);
        for (text, seal) in [("[1,3]", sealed.seal.as_str()), ("[1,2]", ""), ("[1,2]", &sealed.seal[1..])] {
            let forged = Sealed { text: text.to_owned(), seal: seal.to_owned() };
            assert_eq!(seals.open::<Vec<u8>>("a", &forged), None, "{forged:?}");
        }
        assert_ne!(seals.digest("a", ["b", "c"]), seals.digest("a", ["bc"]));
    }
}
