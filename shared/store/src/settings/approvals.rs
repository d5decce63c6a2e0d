//! Who may let a held-back call through: the machine's file `approvals.toml`.
//!
//! ```toml
//! by = "person"                     # or "root", or "nobody"
//! key = "5f0c…"                     # for "root": the public half of root's key, 64 digits
//! terminals = ["/usr/bin/kitty"]    # more terminals at which a person sits
//! ```
//!
//! A hook asks with every call that it holds back, so it is read by hand: one value a line, in double quotes. What is not
//! understood, and what others than root can have written, lets no one through.

use std::path::{Path, PathBuf};

use crate::settings::{Found, LARGEST, Layer, find, only_root_writes, system};

/// The length of a public key, in bytes.
pub const KEY_LENGTH: usize = 32;

/// Who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A person at a terminal.
    Person,
    /// Who has root's key.
    Root([u8; KEY_LENGTH]),
    /// No one.
    Nobody,
}

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvals {
    /// Who may.
    pub by: By,
    /// More terminals at which a person sits, by their programs' paths.
    pub terminals: Vec<PathBuf>,
    /// Why no one may, where that is a mistake.
    pub problem: Option<String>,
}

impl Approvals {
    /// Where the file is.
    pub fn file() -> PathBuf {
        system("approvals.toml")
    }

    /// What this machine says. No environment variable moves the file.
    pub fn of_the_machine() -> Self {
        Self::at(&Self::file(), |path| only_root_writes(path).is_ok())
    }

    /// What a file says, if it is `trusted`.
    pub fn at(path: &Path, trusted: impl Fn(&Path) -> bool) -> Self {
        let nobody = |problem| Self { by: By::Nobody, terminals: Vec::new(), problem: Some(problem) };
        // The user's layer for reading: whether root alone writes it is asked below, with a reason of its own.
        match find(path, Layer::User, LARGEST) {
            // Nothing configured is the usual case: a person at a terminal decides.
            Found::Absent => Self { by: By::Person, terminals: Vec::new(), problem: None },
            Found::Content(_) if !trusted(path) => nobody(format!("{} is not root's alone", path.display())),
            Found::Content(bytes) => String::from_utf8(bytes)
                .ok()
                .and_then(|text| Self::parse(&text))
                .unwrap_or_else(|| nobody(format!("{} cannot be understood", path.display()))),
            Found::Broken(why) => nobody(format!("{} cannot be read: {}", path.display(), why.hint())),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (mut by, mut key, mut terminals) = ("person", None, Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.split_once('=')?;
            let values: Vec<&str> = match value.trim().strip_prefix('[') {
                // A comma inside of quotes cuts the word in two, neither of which is quoted: the file is not
                // understood.
                Some(list) => list.strip_suffix(']')?.split(',').map(quoted).collect::<Option<_>>()?,
                None => vec![quoted(value)?],
            };
            match (name.trim(), &values[..]) {
                ("by", [who]) => by = *who,
                ("key", [digits]) => key = Some(bytes(digits)?),
                ("terminals", paths) => terminals = paths.iter().map(PathBuf::from).collect(),
                _ => return None,
            }
        }
        let by = match by {
            "person" => By::Person,
            // Without a key root's word cannot be verified: the file is not understood, and no one may.
            "root" => By::Root(key?),
            "nobody" => By::Nobody,
            _ => return None,
        };
        Some(Self { by, terminals, problem: None })
    }
}

/// What stands in double quotes, with a comment after it or not.
fn quoted(text: &str) -> Option<&str> {
    let (value, rest) = text.trim().strip_prefix('"')?.split_once('"')?;
    // No escapes: a reader this small would get some of them wrong.
    let plain = !value.contains('\\') && (rest.trim().is_empty() || rest.trim().starts_with('#'));
    plain.then_some(value)
}

fn bytes(digits: &str) -> Option<[u8; KEY_LENGTH]> {
    if digits.len() != 2 * KEY_LENGTH || !digits.is_ascii() {
        return None;
    }
    let mut key = [0; KEY_LENGTH];
    for (byte, pair) in key.iter_mut().zip(digits.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_lets_no_one_through() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("approvals.toml");
        let of = |trusted: bool| Approvals::at(&file, |_| trusted);
        assert_eq!(of(true).by, By::Person, "no file");
        let key = "0f".repeat(KEY_LENGTH);
        for (text, by) in [
            ("", By::Person),
            ("# nobody\nby = \"nobody\" # for now\n", By::Nobody),
            (&format!("by = \"root\"\nkey = \"{key}\"\n"), By::Root([15; KEY_LENGTH])),
            ("by = \"root\"\n", By::Nobody),
            ("by = \"root\"\nkey = \"0f\"\n", By::Nobody),
            ("by = \"everybody\"\n", By::Nobody),
            ("by = person\n", By::Nobody),
            ("who = \"person\"\n", By::Nobody),
            ("[approvals]\nby = \"person\"\n", By::Nobody),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(of(true).by, by, "{text}");
            assert_eq!(of(false).by, By::Nobody, "not root's: {text}");
        }
        std::fs::write(&file, "terminals = [\"/usr/bin/kitty\", \"/usr/bin/tmux\"]\n").unwrap();
        assert_eq!(of(true).terminals, [PathBuf::from("/usr/bin/kitty"), PathBuf::from("/usr/bin/tmux")]);
    }
}
