//! Passwords that code gives to functions by place: `smtp.login("bob", "…")`, `new mysqli("host", "bob", "…")`; and to
//! expect's `send "…\r"`.

use crate::guard;
use crate::literal::{self, Value};
use crate::span::Span;

/// Which argument is the secret, from 1 on, by the function's name in small letters; strict where other strings stand there,
/// too: then it must look like a key. Sorted.
const FUNCTIONS: [(&str, usize, bool); 44] = [
    ("aes_decrypt", 2, false),
    ("aes_encrypt", 2, false),
    ("apitokenauth", 1, false),
    ("auth", 2, false),
    ("basicauth", 2, false),
    ("basicawscredentials", 2, false),
    ("bearerauth", 1, false),
    ("changeuserpassword", 2, false),
    ("create_superuser", 3, false),
    ("create_user", 3, false),
    ("createclient", 2, true),
    ("createhmac", 2, true),
    ("crypt", 1, false),
    ("decode", 2, true),
    ("encode", 2, true),
    ("generate_password_hash", 1, false),
    ("hashpw", 1, false),
    ("httpbasicauth", 2, false),
    ("httpdigestauth", 2, false),
    ("login", 2, false),
    ("make_password", 1, false),
    ("mysql_connect", 3, false),
    ("mysqli", 3, false),
    ("mysqli_connect", 3, false),
    ("networkcredential", 2, false),
    ("password_hash", 1, false),
    ("passwordcredential", 2, false),
    ("pdo", 3, false),
    ("pgp_sym_decrypt", 2, false),
    ("pgp_sym_encrypt", 2, false),
    ("plainauth", 3, false),
    ("plaincredentials", 2, false),
    ("set_access_token", 1, false),
    ("set_password", 1, false),
    ("setaccesstoken", 1, false),
    ("setapikey", 1, false),
    ("setbasicauth", 2, false),
    ("setbearerauth", 1, false),
    ("setpassword", 1, false),
    ("sign", 2, true),
    ("twilio", 2, true),
    ("usernamepasswordcredential", 2, false),
    ("usernamepasswordcredentials", 2, false),
    ("verify", 2, true),
];

/// The longest name in [`FUNCTIONS`].
const LONGEST: usize = 27;

/// How far arguments are read, in bytes.
const REACH: usize = 512;

/// The secret that the call of the word `bytes[start..end]` takes, if it is one.
pub(crate) fn secret(text: &str, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let word = text.get(start..end)?;
    // expect separates its words by blanks, so no bracket follows.
    if word == "send" {
        return sent(text, start, end);
    }
    // Nearly all words end here, before any is folded.
    if bytes.get(end) != Some(&b'(') || word.len() > LONGEST {
        return None;
    }
    let name = word.to_ascii_lowercase();
    let (nth, strict) = match FUNCTIONS.binary_search_by(|(known, ..)| (*known).cmp(&name)) {
        Ok(at) => (FUNCTIONS[at].1, FUNCTIONS[at].2),
        // SQL's `SET PASSWORD FOR … = PASSWORD('…')`.
        Err(_) if name == "password" && bytes[..start].trim_ascii_end().ends_with(b"=") => (1, false),
        Err(_) => return None,
    };
    let value = argument(bytes, end + 1, nth)?;
    let shown = text.get(value.start..value.end)?;
    let secret = guard::may_be_password(shown, true, false)
        // A sentence or an address in that place is an overload of the same name.
        && !shown.contains([' ', ':'])
        && (!strict || guard::may_be_key(shown, false));
    secret.then(|| Span::plain(value.start, value.end, "password"))
}

/// The string that is the argument at a place, counted from 1.
fn argument(bytes: &[u8], from: usize, nth: usize) -> Option<Value> {
    let limit = bytes.len().min(from + REACH);
    let mut at = from;
    let mut seen = 1;
    while at < limit {
        at = literal::skip_spaces(bytes, at, limit);
        // `b"…"`
        at += usize::from(matches!(bytes.get(at..at + 2), Some([b'b' | b'u' | b'r' | b'f', b'"' | b'\''])));
        let value = literal::literal(bytes, at, false).filter(|value| value.quoted);
        match (&value, seen == nth) {
            (_, true) => return value,
            (Some(value), false) => at = value.end + 1,
            // An argument that is not a string counts as well.
            (None, false) => {}
        }
        at += bytes[at.min(limit)..limit].iter().position(|byte| matches!(byte, b',' | b')' | b'\n'))?;
        // The call ends before that argument.
        if bytes[at] != b',' {
            return None;
        }
        at += 1;
        seen += 1;
    }
    None
}

/// expect's `send "…\r"` after a prompt for a password.
fn sent(text: &str, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    // The prompt stands in the line before: `expect "Password:"`.
    let before = &bytes[start.saturating_sub(96)..start];
    // Without the first letter, which may be a capital.
    let asked = [&b"assword"[..], b"assphrase", b"PIN", b"oken"]
        .iter()
        .any(|word| memchr::memmem::find(before, word).is_some());
    if !asked {
        return None;
    }
    let mut at = literal::skip_spaces(bytes, end, bytes.len());
    if bytes[at..].starts_with(b"-- ") {
        at += 3;
    }
    let value = literal::literal(bytes, at, true).filter(|value| value.quoted)?;
    let shown = text.get(value.start..value.end)?;
    // What follows is `\r` or `\n`: the key that sends it.
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
        assert_eq!(FUNCTIONS.iter().map(|(name, ..)| name.len()).max(), Some(LONGEST));
    }
}
