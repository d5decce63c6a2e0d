//! Any bytes as a bundle, and any change of a good one: no panic, one form only, and only what was signed comes through.
//! See `tests/fuzz/run`.
#![no_main]

use std::sync::LazyLock;

use bundle::{Archive, Candidate, Manifest, Memory, NamedFile, PublicKey, SecretKey, Situation, judge, pack, unpack};
use libfuzzer_sys::fuzz_target;
use semver::Version;

struct Signed {
    key: PublicKey,
    secret: SecretKey,
    bytes: Vec<u8>,
    signature: String,
}

static GOOD: LazyLock<Signed> = LazyLock::new(|| {
    let secret = SecretKey::make().expect("the system has random numbers");
    let manifest = Manifest { name: "team".to_owned(), serial: 7, not_before: 100, not_after: 200, requires: None };
    let file = NamedFile { name: "a.toml".to_owned(), text: "schema = 1\n".to_owned() };
    let bytes = pack(&Archive { manifest, files: vec![file] }).expect("it is a bundle");
    let signature = secret.sign(&bytes, "fuzz").expect("the key signs");
    Signed { key: secret.public().expect("the key has a public half"), secret, bytes, signature }
});

fn judged(bytes: &[u8], signature: &str, memory: &Memory) -> Result<(Archive, String), bundle::Refusal> {
    let version = Version::new(1, 0, 0);
    let situation =
        Situation { key: &GOOD.key, memory, in_force: None, clock: 150, version: &version, switch: false };
    judge(&Candidate { bytes, signature }, &situation)
}

fuzz_target!(|data: &[u8]| {
    let memory = Memory::default();
    // As an archive that the right person signed by mistake.
    if let Ok(archive) = unpack(data) {
        assert_eq!(pack(&archive).as_deref(), Ok(data), "two forms of one bundle");
        assert!(archive.files.iter().all(|file| bundle::is_name(&file.name) && file.name.ends_with(".toml")));
        let signature = GOOD.secret.sign(data, "fuzz").expect("the key signs");
        let _ = judged(data, &signature, &memory);
    }
    // As a change of a good one: each three bytes say where, and what.
    let (mut bytes, mut signature) = (GOOD.bytes.clone(), GOOD.signature.clone().into_bytes());
    for edit in data.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        let all = bytes.len() + signature.len();
        match place % all {
            at if at < bytes.len() => bytes[at] ^= edit[2],
            at => signature[at - GOOD.bytes.len()] ^= edit[2],
        }
    }
    let signature = String::from_utf8_lossy(&signature).into_owned();
    // No one vouches for the first line.
    let rest = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let same = bytes == GOOD.bytes && rest(&signature) == rest(&GOOD.signature);
    assert!(same || judged(&bytes, &signature, &memory).is_err(), "a changed bundle came through");
    // As a signature of a good one.
    let text = String::from_utf8_lossy(data);
    assert!(rest(&text) == rest(&GOOD.signature) || judged(&GOOD.bytes, &text, &memory).is_err());
});
