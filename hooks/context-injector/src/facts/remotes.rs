//! `remotes`: where the branches are pushed to, and never as whom.

use repository::Repository;

use super::listed;
use crate::untrusted::quoted;

/// How many are reported.
const MOST: usize = 4;

pub(super) fn tell(git: &Repository) -> Option<String> {
    let text = listed(
        git.remotes()
            .iter()
            .map(|(name, address)| format!("{} {}", quoted(name, 40), quoted(place(address), 120))),
        MOST,
        400,
    );
    (!text.is_empty()).then_some(text)
}

/// `git@host:path` has no `://` before its user; the others are cut like every address.
fn place(address: &[u8]) -> &[u8] {
    if address.windows(3).any(|part| part == b"://") {
        return address;
    }
    // An `@` after the first slash belongs to the path.
    let path = address.iter().position(|byte| matches!(byte, b'/')).unwrap_or(address.len());
    let user = address.iter().take(path).rposition(|byte| *byte == b'@');
    user.map_or(address, |at| address.get(at + 1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_one_is_named() {
        for (address, expected) in [
            ("git@github.com:o/r.git", "github.com:o/r.git"),
            ("me:secret@host:path/a@b", "host:path/a@b"),
            ("/srv/a@b/c.git", "/srv/a@b/c.git"),
            ("https://me@host/x", "https://me@host/x"),
        ] {
            assert_eq!(place(address.as_bytes()), expected.as_bytes());
        }
    }
}
