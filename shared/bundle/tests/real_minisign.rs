//! Keys and signatures that minisign 0.11 made: `minisign -G [-W]`, `minisign -S [-l]`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use bundle::{KeyError, PublicKey, Refusal, SecretKey};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/minisign").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

fn public(name: &str) -> PublicKey {
    PublicKey::named(file(name).to_str().unwrap()).unwrap()
}

fn no_password() -> std::io::Result<String> {
    panic!("asked for a password")
}

#[test]
fn what_minisign_signed_holds() {
    let message = text("message");
    for (key, signature) in [("plain.pub", "message.minisig"), ("locked.pub", "message.locked.minisig")] {
        public(key).check(message.as_bytes(), &text(signature)).unwrap();
    }
    let other = public("locked.pub").check(message.as_bytes(), &text("message.minisig"));
    assert!(matches!(other, Err(Refusal::OtherKey { .. })), "{other:?}");
    // `-l`, which hashes nothing first, is not taken.
    let legacy = public("plain.pub").check(message.as_bytes(), &text("message.legacy.minisig"));
    assert!(matches!(legacy, Err(Refusal::NotSigned(_))), "{legacy:?}");
}

#[test]
fn a_public_key_is_a_file_or_its_line() {
    let written = text("plain.pub").lines().nth(1).unwrap().to_owned();
    let named = PublicKey::named(&written).unwrap();
    assert_eq!(named, public("plain.pub"));
    assert_eq!(named.written(), written);
    // As minisign shows it in the file's first line.
    assert!(text("plain.pub").lines().next().unwrap().ends_with(&named.id()));
    for wrong in ["RW", &"A".repeat(56), "no-such-file"] {
        assert!(PublicKey::named(wrong).is_err(), "{wrong}");
    }
    assert!(PublicKey::named(file("plain.key").to_str().unwrap()).is_err());
}

#[test]
fn secret_keys_of_minisign_sign() {
    let plain = SecretKey::read(&file("plain.key"), no_password).unwrap();
    assert_eq!(plain.public().unwrap(), public("plain.pub"));
    // More than a line in the comment could pass for a signature.
    let signature = plain.sign(b"x", "team\nserial 7").unwrap();
    assert_eq!(signature.lines().count(), 4, "{signature}");
    public("plain.pub").check(b"x", &signature).unwrap();
    // One with a password asks for it; to try one takes a gigabyte and, unoptimised, minutes.
    let locked = SecretKey::read(&file("locked.key"), || Err(std::io::Error::other("no terminal")));
    assert!(
        matches!(locked, Err(KeyError::Format { kind: "secret", why, .. }) if why.contains("no terminal"))
    );
    assert!(SecretKey::read(&file("plain.pub"), no_password).is_err());
}
