//! Marks inside resolved text for what only exists at run time.
//!
//! A resolved word is an ordinary `String`. Where its text is not known, it holds one of these Unicode
//! *noncharacters* (U+FDD0–U+FDEF, which the Unicode standard reserves for a program's internal use).
//! [`scrub`] keeps them out of the input, so a mark always comes from us.

use std::borrow::Cow;

/// Text that only exists at run time: what a person types, what a file holds.
pub const UNKNOWN: char = '\u{FDD0}';
/// Text that comes over the network.
pub const REMOTE: char = '\u{FDD1}';
/// Text that was decoded, decrypted or otherwise computed from something that cannot be read here.
pub const DECODED: char = '\u{FDD2}';
/// A value without a slash or a blank, such as a number, a date or a fresh temporary name.
pub const TOKEN: char = '\u{FDD3}';
/// A variable that nothing in this command sets: empty, or whatever the environment holds.
pub const UNSET: char = '\u{FDD4}';
/// Any entry below the folder before it: what `find`, `git ls-files` or `**` go through.
pub const ENTRY: char = '\u{FDD5}';
/// An argument that someone passes later: `$1` in a function that is not called here.
pub const PASSED: char = '\u{FDD6}';
/// Text that a program of this machine prints. To run it is no worse than to run that program.
pub const PRINTED: char = '\u{FDD7}';
/// An unquoted `*`.
pub const STAR: char = '\u{FDD8}';
/// An unquoted `?`.
pub const ANY: char = '\u{FDD9}';
/// An unquoted `[`, which opens a character class.
pub const CLASS: char = '\u{FDDA}';

/// The content of a file on the disk that was not needed yet: the first of as many as there are marks left.
const PROMISED: char = '\u{FDDB}';

const FIRST: char = '\u{FDD0}';
const LAST: char = '\u{FDEF}';

/// Whether `c` is one of our marks.
pub fn is_mark(c: char) -> bool {
    (FIRST..=LAST).contains(&c)
}

/// Whether `c` stands for text that is not known, as opposed to a pattern character.
pub fn is_hole(c: char) -> bool {
    is_mark(c) && !is_glob(c)
}

/// The mark for the content of a file that is read once someone runs it; `None` where there are too many.
pub(crate) fn promise(number: usize) -> Option<char> {
    let mark = char::from_u32(PROMISED as u32 + u32::try_from(number).ok()?)?;
    (mark <= LAST).then_some(mark)
}

/// Which file a mark promises.
pub(crate) fn promised(mark: char) -> Option<usize> {
    (PROMISED..=LAST).contains(&mark).then(|| mark as usize - PROMISED as usize)
}

/// Whether `c` is an active pattern character.
pub fn is_glob(c: char) -> bool {
    matches!(c, STAR | ANY | CLASS)
}

/// Whether `text` holds any mark. All marks are encoded as `EF B7 9x` or `EF B7 Ax`.
pub fn any(text: &str) -> bool {
    let is_mark = |bytes: &[u8]| matches!(bytes, [0xEF, 0xB7, 0x90..=0xAF]);
    // Nearly every text is ASCII, which is found out many bytes at a time.
    !text.is_ascii() && text.as_bytes().windows(3).any(is_mark)
}

/// `text` as it reads for a person: `…` for what is not known, patterns as they were written.
pub fn readable(text: &str) -> Cow<'_, str> {
    if !any(text) {
        return Cow::Borrowed(text);
    }
    let readable = text.chars().map(|c| match c {
        STAR => '*',
        ANY => '?',
        CLASS => '[',
        c if is_mark(c) => '…',
        c => c,
    });
    Cow::Owned(readable.collect())
}

/// `text` without noncharacters of its own, so that no one can forge a mark.
pub fn scrub(text: &str) -> Cow<'_, str> {
    if !any(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_mark(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_cannot_forge_a_mark() {
        let forged = format!("rm -rf {UNKNOWN}");
        assert!(!any(&scrub(&forged)));
        assert_eq!(scrub("ls"), "ls");
    }

    #[test]
    fn a_promise_is_a_hole_and_there_are_few() {
        for number in 0..21 {
            let mark = promise(number).unwrap();
            assert!(is_hole(mark) && promised(mark) == Some(number));
        }
        assert_eq!((promise(21), promised(CLASS), promised(UNKNOWN)), (None, None, None));
    }

    #[test]
    fn marks_read_as_what_they_stand_for() {
        assert_eq!(readable(&format!("{UNSET}/{STAR}.py")), "…/*.py");
    }
}
