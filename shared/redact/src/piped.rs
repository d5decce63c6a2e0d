//! A secret that one program prints for another: `echo … | docker login --password-stdin`, `chpasswd <<< bob:…`.

use crate::class::{self, WORD};
use crate::guard;
use crate::option::{self, NEAR};
use crate::span::Span;

/// What the reader expects on stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// A password or token, and nothing else.
    Secret,
    /// `user:password`
    Pair,
}

/// What is fed to the command of the word `bytes[start..end]`, if that reads a secret.
pub(crate) fn secret(text: &str, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let expected = match &bytes[start..end] {
        b"chpasswd" => Expected::Pair,
        b"--password-stdin" | b"--with-token" | b"--passphrase-fd" | b"--token-stdin" | b"--stdin" => {
            Expected::Secret
        }
        b"-S" if command(bytes, start).starts_with(b"sudo") => Expected::Secret,
        _ => return None,
    };
    let (from, to) = printed(bytes, start).or_else(|| here_string(bytes, end))?;
    let from = match expected {
        Expected::Secret => from,
        Expected::Pair => from + bytes[from..to].iter().position(|byte| *byte == b':')? + 1,
    };
    let shown = text.get(from..to)?.trim_end_matches("\\n");
    (shown.len() >= 4 && !guard::is_placeholder(shown))
        .then(|| Span::plain(from, from + shown.len(), "piped-secret"))
}

fn ends_pipeline(byte: u8) -> bool {
    matches!(byte, b';' | b'&' | b'\n' | b'|')
}

/// The command that the word at `at` belongs to, from its first word on.
fn command(bytes: &[u8], at: usize) -> &[u8] {
    let low = at.saturating_sub(NEAR);
    let from =
        bytes[low..at].iter().rposition(|byte| ends_pipeline(*byte)).map_or(low, |stop| low + stop + 1);
    bytes[from..at].trim_ascii_start()
}

/// The last argument of an `echo` or `printf` whose output goes into the command at `at`.
fn printed(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let low = at.saturating_sub(NEAR);
    let pipe = low + bytes[low..at].iter().rposition(|byte| ends_pipeline(*byte))?;
    if bytes[pipe] != b'|' {
        return None;
    }
    let before = &bytes[..pipe];
    let low = pipe.saturating_sub(NEAR);
    let from = before[low..].iter().rposition(|byte| ends_pipeline(*byte)).map_or(low, |stop| low + stop + 1);
    let mut start = from
        + ["echo ", "printf ", "print "].iter().find_map(|name| {
            let at = memchr::memmem::rfind(&before[from..], name.as_bytes())?;
            let whole = at == 0 || !class::is(before[from + at - 1], WORD);
            whole.then_some(at + name.len())
        })?;
    let mut last = None;
    while let Some((from, to)) = option::argument(before, start) {
        last = Some((from, to));
        // The closing quote, if there is one, belongs to the argument.
        start = to + usize::from(matches!(before.get(to), Some(b'"' | b'\'')));
    }
    last
}

/// `<<< 'text'` behind `at`.
fn here_string(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let high = bytes.len().min(at + NEAR);
    let to = bytes[at..high].iter().position(|byte| ends_pipeline(*byte)).map_or(high, |stop| at + stop);
    let sign = memchr::memmem::find(&bytes[at..to], b"<<<")?;
    option::argument(&bytes[..to], at + sign + 3)
}
