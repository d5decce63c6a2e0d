//! Passwords that code gives to functions by place: `smtp.login("bob", "…")`, `new mysqli("host", "bob", "…")`; and to
//! expect's `send "…\r"`.

use crate::assign::{self, Value};
use crate::guard;
use crate::span::Span;

/// Which argument is the secret, from 1 on, by the function's name in small letters. Sorted.
const FUNCTIONS: [(&str, usize); 27] = [
    ("apitokenauth", 1),
    ("auth", 2),
    ("basicauth", 2),
    ("basicawscredentials", 2),
    ("changeuserpassword", 2),
    ("createclient", 2),
    ("httpbasicauth", 2),
    ("httpdigestauth", 2),
    ("login", 2),
    ("mysql_connect", 3),
    ("mysqli", 3),
    ("mysqli_connect", 3),
    ("networkcredential", 2),
    ("passwordcredential", 2),
    ("pdo", 3),
    ("pgp_sym_decrypt", 2),
    ("pgp_sym_encrypt", 2),
    ("plainauth", 3),
    ("plaincredentials", 2),
    ("set_access_token", 1),
    ("set_password", 1),
    ("setaccesstoken", 1),
    ("setapikey", 1),
    ("setbasicauth", 2),
    ("setpassword", 1),
    ("usernamepasswordcredential", 2),
    ("usernamepasswordcredentials", 2),
];

/// The longest name in [`FUNCTIONS`].
const LONGEST: usize = 27;

/// How far arguments are read, in bytes.
const REACH: usize = 512;

/// The secret that the call of the word `bytes[start..end]` takes, if it is one.
pub(crate) fn secret(text: &str, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let word = text.get(start..end)?;
    if word == "send" {
        return sent(text, start, end);
    }
    if bytes.get(end) != Some(&b'(') || word.len() > LONGEST {
        return None;
    }
    let name = word.to_ascii_lowercase();
    let nth = match FUNCTIONS.binary_search_by(|(known, _)| (*known).cmp(&name)) {
        Ok(at) => FUNCTIONS[at].1,
        // SQL's `SET PASSWORD FOR … = PASSWORD('…')`.
        Err(_) if name == "password" && bytes[..start].trim_ascii_end().ends_with(b"=") => 1,
        Err(_) => return None,
    };
    let value = argument(bytes, end + 1, nth)?;
    let shown = text.get(value.start..value.end)?;
    let secret = guard::may_be_password(shown, true, false) && !shown.contains([' ', ':']);
    secret.then(|| Span::plain(value.start, value.end, "password"))
}

/// The string that is the argument at a place, counted from 1.
fn argument(bytes: &[u8], from: usize, nth: usize) -> Option<Value> {
    let limit = bytes.len().min(from + REACH);
    let mut at = from;
    let mut seen = 1;
    while at < limit {
        at = assign::skip_spaces(bytes, at, limit);
        let value = assign::literal(bytes, at, false).filter(|value| value.quoted);
        match (&value, seen == nth) {
            (_, true) => return value,
            (Some(value), false) => at = value.end + 1,
            (None, false) => {}
        }
        at += bytes[at.min(limit)..limit].iter().position(|byte| matches!(byte, b',' | b')' | b'\n'))?;
        if bytes[at] != b',' {
            return None;
        }
        at += 1;
        seen += 1;
    }
    None
}

/// expect's `send "…\r"` behind a prompt for a password.
fn sent(text: &str, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let before = &bytes[start.saturating_sub(96)..start];
    let asked = [&b"assword"[..], b"assphrase", b"PIN", b"oken"]
        .iter()
        .any(|word| memchr::memmem::find(before, word).is_some());
    if !asked {
        return None;
    }
    let mut at = assign::skip_spaces(bytes, end, bytes.len());
    if bytes[at..].starts_with(b"-- ") {
        at += 3;
    }
    let value = assign::literal(bytes, at, true).filter(|value| value.quoted)?;
    let shown = text.get(value.start..value.end)?;
    let shown = shown.split('\\').next().unwrap_or(shown);
    (shown.len() >= 4 && !guard::is_placeholder(shown))
        .then(|| Span::plain(value.start, value.start + shown.len(), "password"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_as_long_as_said() {
        assert!(FUNCTIONS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(FUNCTIONS.iter().map(|(name, _)| name.len()).max(), Some(LONGEST));
    }
}
