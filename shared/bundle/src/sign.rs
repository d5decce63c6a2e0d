//! Keys and signatures in minisign's format.

use std::io::Cursor;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign::{PublicKeyBox, SecretKeyBox, SignatureBox};
use store::settings::{Found, Layer, find};

use crate::archive::SIGNATURE_LARGEST;
use crate::refusal::Refusal;

/// How many characters a public key has in base64.
const WRITTEN: usize = 56;

/// How many bytes a secret key has.
const SECRET: usize = 158;

/// A key that bundles are checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(minisign::PublicKey);

/// A key that bundles are signed with.
pub struct SecretKey(minisign::SecretKey);

/// Why a key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("{file}: {why}")]
    File { file: String, why: String },
    #[error("{file}: not a {kind} key of minisign: {why}")]
    Format { file: String, kind: &'static str, why: String },
    #[error("the bundle cannot be signed: {0}")]
    Signing(String),
}

impl KeyError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File { .. } => "Name the file of a key; `minisign -G` makes a pair.",
            Self::Format { kind: "public", .. } => {
                "Give `minisign.pub`, or the line in it that begins with RW."
            }
            Self::Format { .. } | Self::Signing(_) => {
                "Give `minisign.key`, and its password where it has one."
            }
        }
    }
}

fn read(path: &Path) -> Result<String, KeyError> {
    let broken = |why: String| KeyError::File { file: path.display().to_string(), why };
    match find(path, Layer::User, SIGNATURE_LARGEST as u64) {
        Found::Absent => Err(broken("there is no such file".to_owned())),
        Found::Broken(why) => Err(broken(why.to_string())),
        Found::Content(bytes) => {
            String::from_utf8(bytes).map_err(|_| broken("it is not UTF-8 text".to_owned()))
        }
    }
}

impl PublicKey {
    /// The key that a person named: a file, or the key itself.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn named(text: &str) -> Result<Self, KeyError> {
        if text.len() == WRITTEN && text.starts_with("RW") && !Path::new(text).exists() {
            return Self::parse(text);
        }
        let broken = |why: minisign::PError| KeyError::Format {
            file: text.to_owned(),
            kind: "public",
            why: why.to_string(),
        };
        let key = PublicKeyBox::from_string(&read(Path::new(text))?).and_then(PublicKeyBox::into_public_key);
        key.map(Self).map_err(broken)
    }

    /// The key as it is written in one line.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let broken = |why: minisign::PError| KeyError::Format {
            file: payload::one_line(text),
            kind: "public",
            why: why.to_string(),
        };
        minisign::PublicKey::from_base64(text).map(Self).map_err(broken)
    }

    /// In one line.
    pub fn written(&self) -> String {
        self.0.to_base64()
    }

    /// As minisign names it: 16 hexadecimal digits.
    pub fn id(&self) -> String {
        id(self.0.keynum())
    }

    /// Whether `signature` is this key's for `bytes`.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn check(&self, bytes: &[u8], signature: &str) -> Result<(), Refusal> {
        if signature.len() > SIGNATURE_LARGEST {
            return Err(Refusal::NotSigned("the signature is too large".to_owned()));
        }
        let broken = |error: minisign::PError| Refusal::NotSigned(payload::one_line(&error.to_string()));
        let read = SignatureBox::from_string(signature).map_err(broken)?;
        let signer = id(read.keynum());
        if signer != self.id() {
            return Err(Refusal::OtherKey { signer, wanted: self.id() });
        }
        // Prehashed only: the older form can be confused with a signature for something else.
        minisign::verify(&self.0, &read, Cursor::new(bytes), true, false, false).map_err(broken)?;
        // The first line is a remark that no key vouches for; of the others there is one spelling.
        let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        if lines(&read.to_string()) == lines(signature) {
            Ok(())
        } else {
            Err(Refusal::NotSigned("the signature is not in the form that minisign writes".to_owned()))
        }
    }
}

/// The id of a key as minisign shows it.
fn id(number: &[u8]) -> String {
    // Little-endian.
    number.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

impl SecretKey {
    /// Reads a secret key of minisign. One with a password `ask`s for it.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn read(path: &Path, ask: impl FnOnce() -> std::io::Result<String>) -> Result<Self, KeyError> {
        Self::parse(&path.display().to_string(), &read(path)?, ask)
    }

    /// The same for the text of a file of that name.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn parse(
        file: &str,
        text: &str,
        ask: impl FnOnce() -> std::io::Result<String>,
    ) -> Result<Self, KeyError> {
        let broken = |why: String| KeyError::Format { file: file.to_owned(), kind: "secret", why };
        let line = text.lines().nth(1).unwrap_or_default().trim();
        let bytes = STANDARD.decode(line).map_err(|_| broken("it is not base64".to_owned()))?;
        if bytes.len() != SECRET {
            return Err(broken("it has another length".to_owned()));
        }
        // `minisign -W` writes no checksum, which the crate insists on: whether the halves fit is seen as it signs.
        if bytes.get(2..4) == Some(&[0, 0]) {
            return minisign::SecretKey::from_bytes(&bytes)
                .map(Self)
                .map_err(|error| broken(error.to_string()));
        }
        let password = ask().map_err(|error| broken(format!("its password: {error}")))?;
        let key = SecretKeyBox::from_string(text).and_then(|key| key.into_secret_key(Some(password)));
        key.map(Self).map_err(|error| broken(error.to_string()))
    }

    /// The signature's file for `bytes`. `comment` is signed with it: one line.
    ///
    /// # Errors
    ///
    /// Why it cannot be made.
    pub fn sign(&self, bytes: &[u8], comment: &str) -> Result<String, KeyError> {
        let broken = |error: minisign::PError| KeyError::Signing(error.to_string());
        let public = minisign::PublicKey::from_secret_key(&self.0).map_err(broken)?;
        let comment = payload::one_line(comment);
        let signed = minisign::sign(Some(&public), &self.0, Cursor::new(bytes), Some(&comment), None);
        Ok(signed.map_err(broken)?.to_string())
    }

    /// The other half.
    ///
    /// # Errors
    ///
    /// Why the key has none.
    pub fn public(&self) -> Result<PublicKey, KeyError> {
        minisign::PublicKey::from_secret_key(&self.0)
            .map(PublicKey)
            .map_err(|error| KeyError::Signing(error.to_string()))
    }

    /// A new key without a password.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn make() -> Result<Self, KeyError> {
        let pair = minisign::KeyPair::generate_unencrypted_keypair();
        pair.map(|pair| Self(pair.sk)).map_err(|error| KeyError::Signing(error.to_string()))
    }
}
