//! Classes of bytes, as one table: a lookup per byte is all that most of a string costs.

pub(crate) const DIGIT: u8 = 1;
pub(crate) const LOWER: u8 = 2;
pub(crate) const UPPER: u8 = 4;
/// The letters among hexadecimal digits, in both cases.
pub(crate) const HEX_LETTER: u8 = 8;
/// `_`
pub(crate) const LOW_LINE: u8 = 16;
/// `-`
pub(crate) const DASH: u8 = 32;
/// `+ / =`
pub(crate) const BASE64: u8 = 64;
/// `.`
pub(crate) const DOT: u8 = 128;

pub(crate) const ALNUM: u8 = DIGIT | LOWER | UPPER;
pub(crate) const HEX: u8 = DIGIT | HEX_LETTER;
pub(crate) const CAPS: u8 = DIGIT | UPPER;
pub(crate) const SMALL: u8 = DIGIT | LOWER;
/// What words are made of: names, options and most tokens.
pub(crate) const WORD: u8 = ALNUM | LOW_LINE | DASH;
pub(crate) const ANY64: u8 = WORD | BASE64;
pub(crate) const DOTTED: u8 = WORD | DOT;
pub(crate) const DOTTED64: u8 = ANY64 | DOT;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop ends at 256")]
        let c = byte as u8;
        table[byte] = match c {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'f' => LOWER | HEX_LETTER,
            b'g'..=b'z' => LOWER,
            b'A'..=b'F' => UPPER | HEX_LETTER,
            b'G'..=b'Z' => UPPER,
            b'_' => LOW_LINE,
            b'-' => DASH,
            b'+' | b'/' | b'=' => BASE64,
            b'.' => DOT,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The classes of a byte.
#[inline]
pub(crate) fn of(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

/// Whether `byte` is in one of `classes`.
#[inline]
pub(crate) fn is(byte: u8, classes: u8) -> bool {
    of(byte) & classes != 0
}

/// How many of the first bytes are in one of `classes`.
#[inline]
pub(crate) fn run(bytes: &[u8], classes: u8) -> usize {
    bytes.iter().position(|byte| !is(*byte, classes)).unwrap_or(bytes.len())
}
