//! The short code that stands for an action.

use std::fmt;
use std::str::FromStr;

use crate::error::ApprovalError;

/// Crockford's digits: none looks like another.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// How many of them.
const LENGTH: usize = 8;

/// Forty bits, such as `7K3F-9QXM`. It names an action and grants nothing: who knows it still has to be a person at a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    /// The code of a digest.
    pub(crate) fn of(digest: &[u8; 32]) -> Self {
        let bits = digest.iter().take(5).fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let digit = |place: usize| char::from(DIGITS[(bits >> (35 - 5 * place) & 31) as usize]);
        Self((0..LENGTH).map(digit).collect())
    }

    /// The first digits of a code, if that is what was typed: at least two, as one would be a guess.
    pub fn beginning(text: &str) -> Option<String> {
        digits(text).filter(|digits| (2..LENGTH).contains(&digits.len()))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.0.split_at(LENGTH / 2);
        write!(f, "{first}-{last}")
    }
}

impl FromStr for Code {
    type Err = ApprovalError;

    /// As people type it: small letters, without the dash, `O` for zero.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        digits(text).filter(|code| code.len() == LENGTH).map(Self).ok_or(ApprovalError::NotACode)
    }
}

/// The digits of a code, or of a part of one.
fn digits(text: &str) -> Option<String> {
    let digit = |c: char| match c.to_ascii_uppercase() {
        // As Crockford reads them: letters that pass for a digit are that digit.
        'O' => '0',
        'I' | 'L' => '1',
        c => c,
    };
    let code: String = text.chars().filter(|c| !matches!(c, '-' | ' ')).map(digit).collect();
    let known = |c: char| u8::try_from(c).is_ok_and(|byte| DIGITS.contains(&byte));
    code.chars().all(known).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = Code::of(&[0b0011_1100; 32]);
        let text = code.to_string();
        assert_eq!(text.len(), 9);
        for typed in [text.clone(), text.to_lowercase(), text.replace('-', ""), format!(" {text} ")] {
            assert_eq!(typed.parse::<Code>().unwrap(), code, "{typed}");
        }
        assert_eq!("OIL0-0000".parse::<Code>().unwrap().to_string(), "0110-0000");
        assert_eq!(Code::beginning("7k-3o").as_deref(), Some("7K30"));
        assert_eq!(
            (Code::beginning("7"), Code::beginning("7K3F-9QXM"), Code::beginning("7U")),
            (None, None, None)
        );
        for typed in ["", "7K3F", "7K3F-9QXMM", "7K3F-9QXU", "ÄÄÄÄ-ÄÄÄÄ", "7K3F-9QX\u{202e}"] {
            assert!(typed.parse::<Code>().is_err(), "{typed}");
        }
    }
}
