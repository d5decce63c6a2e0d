//! Runs of bytes, which are most of what a reader of policies does.

/// The bytes that a key may hold without quotes, as a table: keys are a quarter of a policy.
const BARE: [bool; 256] = {
    let mut bare = [false; 256];
    let mut byte = 0u8;
    while byte < 0x80 {
        bare[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        byte += 1;
    }
    bare
};

/// How many bytes come before the first of `wanted`. Eight at a time: keys and strings are too short for `memchr` to pay.
#[inline]
pub(super) fn first_of<const N: usize>(wanted: &[u8; N], bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES * 0x80;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut before = 0;
    for chunk in words {
        let word = u64::from_le_bytes(*chunk);
        let found = wanted.iter().fold(0, |found, byte| found | zeros(word ^ (ONES * u64::from(*byte))));
        if found != 0 {
            // The lowest one is right; what borrows make of those above does not matter.
            return before + found.trailing_zeros() as usize / 8;
        }
        before += 8;
    }
    before + rest.iter().position(|byte| wanted.contains(byte)).unwrap_or(rest.len())
}

/// How many bytes come before the first one that ends a string in double quotes or needs a closer look.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    first_of(b"\"\\\n", bytes)
}

/// Whether a key may hold it without quotes.
#[inline]
pub(crate) fn is_bare(byte: u8) -> bool {
    BARE[usize::from(byte)]
}
