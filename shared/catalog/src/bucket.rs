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

/// One bit for a name, by its first letter and its length: names without a bit in common are different.
pub(crate) fn spot(name: &str) -> u64 {
    let first = name.bytes().next().unwrap_or_default();
    1 << ((u64::from(first) * 7 + name.len() as u64) % 64)
}
