//! The installation's key: random, private, made once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use redact::KEY_LENGTH;

use crate::{place, private};

/// The key in the user's folder for state, made if it is not there.
///
/// Where it can neither be read nor made, a key for this process alone: tags then say less, and never more.
pub fn fetch() -> [u8; KEY_LENGTH] {
    let kept = place::state().and_then(|state| {
        let path = state.join("key");
        read(&path).or_else(|| make(&state, &path).ok().and_then(|()| read(&path)))
    });
    kept.unwrap_or_else(|| random().unwrap_or([0x5a; KEY_LENGTH]))
}

fn read(path: &Path) -> Option<[u8; KEY_LENGTH]> {
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut key = [0; KEY_LENGTH];
    File::open(path).ok()?.read_exact(&mut key).ok()?;
    Some(key)
}

/// Makes the key whole before it has its name, so that nobody reads half of it.
fn make(folder: &Path, path: &Path) -> io::Result<()> {
    let key = random().ok_or_else(|| io::Error::other("no random bytes"))?;
    private::private_folder(folder).map_err(io::Error::other)?;
    let draft = folder.join(format!("key.{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&draft)?.write_all(&key)?;
    // Another process may be first: a link, unlike a rename, takes nobody's place.
    let linked = fs::hard_link(&draft, path);
    let _ = fs::remove_file(&draft);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn random() -> Option<[u8; KEY_LENGTH]> {
    let mut key = [0; KEY_LENGTH];
    getrandom::fill(&mut key).ok().map(|()| key)
}
