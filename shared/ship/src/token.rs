//! The secret that a receiver asks for: out of a file, and into one header.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::error::ShipError;

/// A token is shorter, in bytes.
const LONGEST: u64 = 16 * 1024;

/// A token. It has no readable form but [`Token::reveal`].
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Reads a file that holds the token alone, and that only its owner can read.
    pub fn read(path: &Path) -> Result<Self, ShipError> {
        let wrong = |why: String| ShipError::Token { path: path.to_owned(), why };
        let about = path.metadata().map_err(|error| wrong(error.to_string()))?;
        if !about.is_file() {
            return Err(wrong("is not a regular file".to_owned()));
        }
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::mode(&about) & 0o077 != 0 {
            return Err(wrong("others can read it (chmod 600)".to_owned()));
        }
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST).read_to_string(&mut text))
            .map_err(|error| wrong(error.to_string()))?;
        let token = text.trim();
        // It becomes a header's value: one line of visible characters, which may have blanks between them.
        if token.is_empty() || !token.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(wrong("is not one line of text".to_owned()));
        }
        Ok(Self(token.to_owned()))
    }

    /// The value of a header `Authorization`; a token that names its scheme keeps it.
    pub(crate) fn reveal(&self, scheme: &str) -> String {
        if self.0.contains(' ') { self.0.clone() } else { format!("{scheme} {}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_token_is_private_and_is_never_shown() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        std::fs::write(&path, "s3cret\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Token::read(&path).unwrap_err().to_string().contains("others can read it"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let token = Token::read(&path).unwrap();
        assert_eq!(
            (token.reveal("Splunk"), format!("{token:?}")),
            ("Splunk s3cret".to_owned(), "Token(…)".to_owned())
        );
        std::fs::write(&path, "Basic dTpw").unwrap();
        assert_eq!(Token::read(&path).unwrap().reveal("Bearer"), "Basic dTpw");
        for bad in ["", "two\nlines", "caf\u{e9}"] {
            std::fs::write(&path, bad).unwrap();
            assert!(Token::read(&path).is_err(), "{bad}");
        }
    }
}
