//! The chain: how a record says which one came before it, and how that is proved.
//!
//! A line is `BODY,"prev":"<64 hex>","seq":N,"hash":"<64 hex>"}` and a line feed. `hash` is the SHA-256 of the line's
//! bytes before `,"hash":"`; `prev` is the `hash` of the line before, and sixty-four zeros in the very first. The end
//! of a line has a known form, so that a writer finds the last hash by reading the last few bytes of the file,
//! however large it is: no second file, nothing that can get out of step.

use sha2::{Digest, Sha256};

/// The last part of a line is never longer, in bytes.
pub(crate) const LONGEST_END: usize = 2 * 64 + 20 + 32;

/// The largest record, with its line feed, in bytes.
pub const LARGEST_RECORD: usize = 16 * 1024;

/// A digest as text.
pub type Hex = [u8; 64];

/// The place in the chain after a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The record's number, from 1; 0 before the first.
    pub seq: u64,
    /// The record's hash.
    pub hash: Hex,
}

impl Head {
    /// Before the first record.
    pub const START: Self = Self { seq: 0, hash: [b'0'; 64] };

    /// The hash as text.
    pub fn hash(&self) -> &str {
        std::str::from_utf8(&self.hash).unwrap_or_default()
    }

    /// From a number and a hash as people write them.
    pub(crate) fn from_parts(seq: u64, hash: &str) -> Option<Self> {
        let hash: Hex = hash.as_bytes().try_into().ok()?;
        hash.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).then_some(Self { seq, hash })
    }

    /// Appends `body`, an object without its closing brace, as the next line to `out`; returns the new head.
    #[must_use]
    // What is in `out` already belongs to earlier records of the same write: the digest covers this one alone.
    pub fn seal(&self, body: &str, out: &mut Vec<u8>) -> Self {
        let start = out.len();
        let seq = self.seq + 1;
        out.extend_from_slice(body.as_bytes());
        out.extend_from_slice(b",\"prev\":\"");
        // In front of the hash, so that the hash covers the link as well as the body.
        out.extend_from_slice(&self.hash);
        out.extend_from_slice(b"\",\"seq\":");
        out.extend_from_slice(seq.to_string().as_bytes());
        let hash = hex(&Sha256::digest(&out[start..]));
        out.extend_from_slice(b",\"hash\":\"");
        out.extend_from_slice(&hash);
        out.extend_from_slice(b"\"}\n");
        Self { seq, hash }
    }
}

/// The links at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'l> {
    /// The record without its links: an object without its closing brace.
    pub body: &'l [u8],
    /// The hash of the record before.
    pub prev: Hex,
    /// Number and hash of this record, as it says itself.
    pub head: Head,
    /// What the hash is made of.
    hashed: &'l [u8],
}

impl<'l> Link<'l> {
    /// Reads the links of a line without its line feed; `None` if it does not end in links.
    pub fn of(line: &'l [u8]) -> Option<Self> {
        let rest = line.strip_suffix(b"\"}")?;
        let (rest, hash) = split_hex(rest)?;
        let hashed = rest.strip_suffix(b",\"hash\":\"")?;
        // Read from the end: only there is the form ours. The body may hold anything, also what looks like links.
        let digits = hashed.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (rest, number) = hashed.split_at(hashed.len() - digits);
        // One way to write a number only: no zeros in front.
        if number.first() == Some(&b'0') {
            return None;
        }
        let seq = std::str::from_utf8(number).ok()?.parse().ok()?;
        let rest = rest.strip_suffix(b"\",\"seq\":")?;
        let (rest, prev) = split_hex(rest)?;
        let body = rest.strip_suffix(b",\"prev\":\"")?;
        Some(Self { body, prev, head: Head { seq, hash }, hashed })
    }

    /// Whether the hash is that of the line.
    pub fn holds(&self) -> bool {
        hex(&Sha256::digest(self.hashed)) == self.head.hash
    }
}

/// The head that the last bytes of a log give, if they end in a whole line.
pub(crate) fn head_of_tail(tail: &[u8]) -> Option<Head> {
    let line = tail.strip_suffix(b"\n")?;
    // The hash cannot be checked here: the line's beginning is not among these bytes. Verifying does that.
    Link::of(line).map(|link| link.head)
}

fn split_hex(bytes: &[u8]) -> Option<(&[u8], Hex)> {
    let (rest, hex) = bytes.split_last_chunk::<64>()?;
    hex.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).then_some((rest, *hex))
}

/// A digest as lower-case hexadecimal text.
pub(crate) fn hex(digest: &[u8]) -> Hex {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [b'0'; 64];
    for (pair, byte) in text.chunks_exact_mut(2).zip(digest) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    text
}

/// The first `digits` of a digest as text.
pub(crate) fn short_hex(digest: &[u8], digits: usize) -> String {
    hex(digest).iter().take(digits.min(64)).map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_where_it_stands_and_proves_it() {
        let mut log = Vec::new();
        let first = Head::START.seal("{\"a\":1", &mut log);
        let second = first.seal("{\"b\":\"x\"", &mut log);
        assert_eq!(head_of_tail(&log), Some(second));
        let lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').collect();
        let link = Link::of(lines[1]).unwrap();
        assert!(link.holds());
        assert_eq!((link.prev, link.head, link.body), (first.hash, second, &b"{\"b\":\"x\""[..]));
        assert!(lines[1].len() - link.body.len() <= LONGEST_END);
        assert_eq!(Link::of(b"{\"a\":1}"), None);
    }

    #[test]
    fn no_byte_of_a_line_can_change_unseen() {
        let mut log = Vec::new();
        let _ = Head::START.seal("{\"command\":\"ls -la\"", &mut log);
        log.pop();
        for at in 0..log.len() {
            let mut changed = log.clone();
            changed[at] ^= 1;
            assert!(
                !Link::of(&changed)
                    .is_some_and(|link| link.holds() && link.prev == Head::START.hash && link.head.seq == 1),
                "{at}"
            );
        }
    }
}
