//! Git's index, as bytes.

use memchr::memchr;

/// The length of an entry before its path.
const FIXED: usize = 62;

/// An entry of an index.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only Linux looks at more than paths by itself")
)]
pub(crate) struct Raw<'i> {
    /// Everything before the path.
    pub(crate) noted: &'i [u8],
    pub(crate) flags: u16,
    pub(crate) path: &'i [u8],
}

/// The big-endian number at this place.
pub(crate) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Hands every entry to `each` until it says `None`, and returns the extensions after them.
///
/// Knows version 2, and 3 where it does not make use of it: `None` for all others, and for what is not an index.
pub(crate) fn walk<'i>(bytes: &'i [u8], mut each: impl FnMut(Raw<'i>) -> Option<()>) -> Option<&'i [u8]> {
    if bytes.get(..4)? != b"DIRC" || !matches!(number(bytes, 4)?, 2 | 3) {
        return None;
    }
    // The last twenty bytes are a checksum, which costs more to verify than all the rest.
    let body = bytes.get(..bytes.len().checked_sub(20)?)?;
    let mut at = 12;
    for _ in 0..number(bytes, 8)? {
        let entry = body.get(at..)?;
        let flags = u16::from_be_bytes(entry.get(60..FIXED)?.try_into().ok()?);
        // Two more bytes of flags.
        if flags & 0x4000 != 0 {
            return None;
        }
        let length = memchr(0, entry.get(FIXED..)?)?;
        each(Raw { noted: entry.get(..60)?, flags, path: entry.get(FIXED..FIXED + length)? })?;
        // Entries are padded with one to eight zeros, up to a multiple of eight.
        at += (FIXED + length + 8) & !7;
    }
    body.get(at..)
}

/// The name and the content of the first extension, and what follows it.
pub(crate) fn extension(rest: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = usize::try_from(number(rest, 4)?).ok()?;
    let end = 8_usize.checked_add(length)?;
    Some((rest.get(..4)?, rest.get(8..end)?, rest.get(end..)?))
}
