//! Where a program's name stands: names are kept in buckets, few to one, so that a look-up compares one or two.

/// How many buckets there are.
pub(crate) const BUCKETS: usize = 2048;

/// The bucket of a name.
pub(crate) const fn of(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (mut hash, mut at) = (bytes.len(), 0);
    // Not an iterator: constants are looked up as well.
    while at < bytes.len() {
        hash = hash.wrapping_mul(31).wrapping_add(bytes[at] as usize) & 0xFFFF_FFFF;
        at += 1;
    }
    (hash ^ hash >> 11) % BUCKETS
}

/// One bit for a name, by its ends and its length: names with different bits are different. The factors are such that
/// most programs of a build share none with a tool that names its file.
pub(crate) fn spot(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let [first, last] =
        [bytes.first(), bytes.last()].map(|byte| u64::from(byte.copied().unwrap_or_default()));
    1 << ((first + 16 * last + 15 * name.len() as u64) % 64)
}
