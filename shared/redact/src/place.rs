//! Places that hold a secret by their form: an address's user info, a private key's block, a line of `.pgpass`.

use crate::class::{self, ALNUM, DIGIT, DOTTED, LOWER, UPPER};
use crate::guard;
use crate::span::Span;
use crate::token;

/// `://user:password@host`; `at` is the place of the `:`.
pub(crate) fn user_info(text: &str, at: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let start = at + 3;
    let scheme_start = at
        - bytes[..at]
            .iter()
            .rev()
            .take_while(|byte| class::is(**byte, ALNUM | class::DOT) || matches!(byte, b'+' | b'-'))
            .count();
    let stops = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'|' | b'\\')
    };
    let whole = bytes[start..].iter().take(512).position(stops).unwrap_or((bytes.len() - start).min(512));
    let web = bytes[scheme_start..at].starts_with(b"http");
    let authority = bytes[start..start + whole]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(whole);
    // Passwords of databases hold slashes; in web addresses an `@` after a slash is part of the path.
    let reach = if web || !bytes[start..start + authority].contains(&b':') { authority } else { whole };
    // The last one: a password may hold an `@`.
    let end = start + bytes[start..start + reach].iter().rposition(|byte| *byte == b'@')?;
    let colon = bytes[start..end].iter().position(|byte| *byte == b':');
    let (from, rule) = match colon {
        Some(colon) => (start + colon + 1, "url-password"),
        None => (start, "url-token"),
    };
    let shown = text.get(from..end)?;
    // `redis://host:6379/a@b`: digits up to the slash, and the `@` further on.
    let port = shown.len() <= 5 && shown.bytes().all(|byte| byte.is_ascii_digit()) && reach > authority;
    let secret = match colon {
        Some(_) => shown.len() >= 3 && !port && !guard::is_placeholder(shown),
        // A token with a prefix of its own is found as a word.
        None => {
            token::at(shown.as_bytes()).is_none()
                && shown.len() >= 16
                && guard::is_random(shown)
                && !guard::is_placeholder(shown)
        }
    };
    secret.then(|| Span::plain(from, end, rule))
}

/// `-----BEGIN … PRIVATE KEY-----` to its end, or to the end of the text; `at` is the place of the first dash.
pub(crate) fn private_key(text: &str, at: usize) -> Option<Span> {
    let rest = text.get(at..)?;
    let label = rest.strip_prefix("-----BEGIN ")?;
    let line = label.find("-----")?;
    let name = label.get(..line)?;
    // What is longer is text between dashes.
    if name.len() > 64 || !(name.contains("PRIVATE KEY") || name.contains("OpenVPN Static key")) {
        return None;
    }
    let body = at + "-----BEGIN ".len() + line + "-----".len();
    // A key that was cut off is secret as well.
    let end = text.get(body..)?.find("-----END ").map_or(text.len(), |end| body + end);
    let shown = text.get(body..end)?;
    let letters = shown.bytes().filter(|byte| class::is(*byte, class::ANY64)).count();
    (letters >= 16 && !guard::is_placeholder(shown.trim())).then(|| Span::plain(body, end, "private-key"))
}

/// The entries of a Kubernetes manifest's `stringData:` and, in a secret, of `data:`; the word is `bytes[start..end]`.
pub(crate) fn manifest(text: &str, start: usize, end: usize, found: &mut Vec<Span>) {
    /// How far the kind may stand from the data, in bytes.
    const NEAR: usize = 1024;
    let bytes = text.as_bytes();
    let near = &bytes[start.saturating_sub(NEAR)..bytes.len().min(end + NEAR)];
    if memchr::memmem::find(near, b"kind: Secret").is_none() {
        return;
    }
    let column = |line: &str| line.len() - line.trim_start().len();
    let own = bytes[..start].iter().rev().take_while(|byte| **byte == b' ').count();
    let Some(first) = text.get(end + 1..).and_then(|rest| rest.find('\n')) else { return };
    let mut at = end + 1 + first + 1;
    for line in text.get(at..).unwrap_or_default().split_inclusive('\n').take(64) {
        // A line that is not indented further is the next key of the manifest.
        if column(line) <= own {
            return;
        }
        if let Some(colon) = line.find(": ") {
            let value = line[colon + 2..].trim().trim_matches(['"', '\'']);
            let from = at + colon + 2 + line[colon + 2..].find(value).unwrap_or(0);
            if value.len() >= 4 && !guard::is_placeholder(value) {
                found.push(Span::plain(from, from + value.len(), "kubernetes-secret"));
            }
        }
        at += line.len();
    }
}

/// `Private-Lines: 8` of a `PuTTY` key to its end; the word starts at `at`.
pub(crate) fn putty_key(text: &str, at: usize) -> Option<Span> {
    let line = text.get(at..)?.strip_prefix("Private-Lines: ")?;
    let start =
        at + "Private-Lines: ".len() + line.bytes().take(8).position(|byte| matches!(byte, b'\n' | b'\\'))?;
    let end = text.get(start..)?.find("Private-MAC").map_or(text.len(), |end| start + end);
    let letters = text.get(start..end)?.bytes().filter(|byte| class::is(*byte, class::ANY64)).count();
    (letters >= 16).then(|| Span::plain(start, end, "private-key"))
}

/// `host:5432:database:user:password`, as in `.pgpass`; `at` is the place of the first `:`.
pub(crate) fn pgpass(text: &str, at: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let host =
        bytes[..at].iter().rev().take_while(|byte| class::is(**byte, DOTTED) || **byte == b'*').count();
    // In an address the same letters come after a scheme, a user or another field.
    if host == 0 || matches!(at.checked_sub(host + 1).map(|before| bytes[before]), Some(b':' | b'/' | b'@')) {
        return None;
    }
    let mut from = at + 1;
    for field in 0..3 {
        let length =
            bytes[from..].iter().take_while(|byte| class::is(**byte, DOTTED) || **byte == b'*').count();
        let value = &bytes[from..from + length];
        let fits = if field == 0 {
            // PostgreSQL's ports begin like that; any number would fit times and versions as well.
            value == b"*" || value.starts_with(b"54") && length == 4 && class::run(value, DIGIT) == length
        } else {
            value == b"*" || value.iter().any(|byte| class::is(*byte, LOWER | UPPER))
        };
        if !fits || bytes.get(from + length) != Some(&b':') {
            return None;
        }
        from += length + 1;
    }
    let length = bytes[from..]
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<'))
        .count();
    let shown = text.get(from..from + length)?;
    // A number alone is more likely a line and a column.
    (length >= 4 && !guard::is_placeholder(shown) && !shown.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| Span::plain(from, from + length, "password"))
}
