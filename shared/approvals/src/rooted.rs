//! Root's word: grants that only the owner of a private key can have made, which is root.
//!
//! Where the machine says `by = "root"`, what the user's own programs write grants nothing: they run as the user, and so does
//! the agent. Root signs what it was shown; hooks, which run as the user, verify with the public half, which the machine's
//! file names. What was signed is what a hook sees in the call itself, so that no one can have shown root something else.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ed25519_compact::{KeyPair, PublicKey, Seed, Signature};
use serde::{Deserialize, Serialize};
use store::settings::KEY_LENGTH;

use crate::book::Bound;
use crate::lasting::{GRANT, duration, milliseconds};
use crate::seal::hex;

/// What is signed begins with it: no signature for something else serves here.
const PURPOSE: &[u8] = b"policy-hooks root grant 1\n";

/// Larger files hold no grant.
const LARGEST: u64 = 64 * 1024;

/// More files are not looked at; root removes what has ended.
const MOST: usize = 256;

/// What root lets through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rooted {
    /// The number of the user whose agent it is.
    pub(crate) user: u32,
    pub(crate) host: String,
    pub(crate) session: String,
    pub(crate) folder: String,
    /// The action as root saw it.
    pub(crate) shown: Vec<(String, String)>,
    pub(crate) rules: Vec<String>,
    pub(crate) from: u64,
    pub(crate) until: u64,
    pub(crate) nonce: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    text: String,
    signature: String,
}

/// Where root's grants lie: root's folder, which everyone reads.
pub fn grants() -> PathBuf {
    if cfg!(target_os = "macos") {
        PathBuf::from("/Library/Application Support/policy-hooks/grants")
    } else {
        PathBuf::from("/var/lib/policy-hooks/grants")
    }
}

/// Where the private half of root's key lies.
pub fn private_key() -> PathBuf {
    store::settings::system("approvals.key")
}

impl Rooted {
    /// Whether it lets this call through, whosever it is, at this time.
    pub(crate) fn lets(&self, bound: &Bound, shown: &[(String, String)], now: u64) -> bool {
        // The session and the folder as well: what root saw in one of them is not what it means in another.
        (&self.host, &self.session, &self.folder) == (&bound.host, &bound.session, &bound.folder)
            && self.shown == shown
            && (self.from..self.until).contains(&now)
            && self.until - self.from <= duration(GRANT)
    }
}

/// The grants in a folder that were signed with the private half of this key.
pub(crate) fn signed(folder: &Path, key: [u8; KEY_LENGTH]) -> Vec<Rooted> {
    // A machine without such a folder has no grants of root: nothing is wrong with it.
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().take(MOST).filter_map(|entry| open(&entry.path(), key)).collect()
}

fn open(path: &Path, key: [u8; KEY_LENGTH]) -> Option<Rooted> {
    // Not through links: what is there must lie in root's own folder.
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let signed: Signed = serde_json::from_slice(&bytes).ok()?;
    // Verified as text, and only then read: what was signed is what is parsed, byte for byte.
    let signature = Signature::from_slice(&unhex(&signed.signature)?).ok()?;
    PublicKey::new(key).verify(message(&signed.text), &signature).ok()?;
    serde_json::from_str(&signed.text).ok()
}

fn message(text: &str) -> Vec<u8> {
    [PURPOSE, text.as_bytes()].concat()
}

/// Root's key, read by root.
pub struct Signer {
    pair: KeyPair,
}

impl Signer {
    /// Makes a key and keeps the private half in `path`, which only its owner reads. The public half in digits.
    pub fn make(path: &Path) -> io::Result<String> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(io::Error::other)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(hex(&seed).as_bytes())?;
        Ok(hex(&*KeyPair::from_seed(Seed::new(seed)).pk))
    }

    /// The key in `path`.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(path)?;
        let seed = unhex(text.trim()).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let seed = seed.ok_or_else(|| io::Error::other("it contains no key"))?;
        Ok(Self { pair: KeyPair::from_seed(Seed::new(seed)) })
    }

    /// The public half.
    pub fn public(&self) -> [u8; KEY_LENGTH] {
        *self.pair.pk
    }

    /// Grants what root was shown, to this user, and removes what has ended.
    pub fn grant(&self, offer: &Shown, user: u32, folder: &Path, now: SystemTime) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        sweep(folder, now);
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(io::Error::other)?;
        let from = milliseconds(now);
        let Shown { host, session, folder: at, shown, rules } = offer.clone();
        let rooted = Rooted {
            user,
            host,
            session,
            folder: at,
            shown,
            rules: rules.into_iter().map(|(rule, _)| rule).collect(),
            from,
            until: from.saturating_add(duration(GRANT)),
            nonce: hex(&nonce),
        };
        let text = serde_json::to_string(&rooted)?;
        let signature = hex(&*self.pair.sk.sign(message(&text), None));
        let path = folder.join(format!("{}.json", rooted.nonce));
        let beside = path.with_extension("new");
        // Under another name first: a hook may read the folder at any moment.
        fs::write(&beside, serde_json::to_vec(&Signed { text, signature })?)?;
        // Whatever root's mask is: hooks run as the user.
        readable(folder, 0o755)?;
        readable(&beside, 0o644)?;
        fs::rename(beside, path)
    }
}

#[cfg(unix)]
fn readable(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Windows has no root.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn readable(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Removes what has ended.
fn sweep(folder: &Path, now: SystemTime) {
    let old = |path: &Path| {
        let written = fs::metadata(path).and_then(|about| about.modified()).ok()?;
        now.duration_since(written).ok().filter(|age| *age > GRANT + Duration::from_mins(1))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if old(&entry.path()).is_some() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What waits, as one program of ours tells another: read as the user, shown and signed by root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    pub host: String,
    pub session: String,
    /// The folder that the agent works in.
    pub folder: String,
    /// The tool and its arguments, without their secrets.
    pub shown: Vec<(String, String)>,
    /// The rules that hold it back, with their reasons.
    pub rules: Vec<(String, String)>,
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    // The last of an odd number of digits would be taken for a byte of its own.
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
