//! Keys of an installation: random, private, made once.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use redact::KEY_LENGTH;
use thiserror::Error;

use crate::error::LogError;
use crate::{place, private};

/// Why there is no key.
#[derive(Debug, Error)]
pub enum KeyError {
    /// Others may have read it, or put it there.
    #[error("the key {} is {what}", path.display())]
    Unsafe { path: PathBuf, what: &'static str },
    #[error("the key {}: {doing}: {source}", path.display())]
    Io {
        path: PathBuf,
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Its folder is not one that a key may lie in.
    #[error("{0}")]
    Folder(#[from] LogError),
    /// The system has no random bytes.
    #[error("the system gives no random bytes")]
    NoRandom,
}

impl KeyError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unsafe { .. } => {
                "Remove it: the next call makes a new one, and what the old one vouched for is void."
            }
            Self::Io { .. } | Self::Folder(_) => {
                "Make its folder one that you own and only you may write to, on a disk that is not full."
            }
            Self::NoRandom => "Check the system: nothing is safe there.",
        }
    }
}

/// The key in the user's folder for state, made if it is not there.
///
/// Where it can neither be read nor made, a key for this process alone: tags then say less, and never more.
pub fn fetch() -> [u8; KEY_LENGTH] {
    let kept = place::state().and_then(|state| {
        let path = state.join("key");
        read(&path).or_else(|_| make(&path).and_then(|()| read(&path))).ok()
    });
    kept.unwrap_or_else(|| random().unwrap_or([0x5a; KEY_LENGTH]))
}

/// The key at `path`, which only this user can read, made if it is not there: for what a forger must not have.
pub fn private(path: &Path) -> Result<[u8; KEY_LENGTH], KeyError> {
    match read_private(path) {
        Err(KeyError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            make(path)?;
            read_private(path)
        }
        other => other,
    }
}

fn read(path: &Path) -> Result<[u8; KEY_LENGTH], KeyError> {
    open(path).map(|(key, _)| key)
}

fn read_private(path: &Path) -> Result<[u8; KEY_LENGTH], KeyError> {
    let (key, about) = open(path)?;
    let refuse = |what| Err(KeyError::Unsafe { path: path.to_owned(), what });
    if about.len() != KEY_LENGTH as u64 {
        return refuse("not as long as a key");
    }
    if !private::only_mine(&about) {
        return refuse("someone else's, or readable by others");
    }
    Ok(key)
}

fn open(path: &Path) -> Result<([u8; KEY_LENGTH], Metadata), KeyError> {
    let io = |doing| move |source| KeyError::Io { path: path.to_owned(), doing, source };
    if !path.symlink_metadata().map_err(io("looking at it"))?.is_file() {
        return Err(KeyError::Unsafe { path: path.to_owned(), what: "not a regular file" });
    }
    let mut key = [0; KEY_LENGTH];
    let mut file = private::open_plain(path).map_err(io("opening it"))?;
    // Of the file that is open: another may stand under its name by now.
    let about = file.metadata().map_err(io("looking at it"))?;
    match file.read_exact(&mut key) {
        Ok(()) => Ok((key, about)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(KeyError::Unsafe { path: path.to_owned(), what: "not as long as a key" })
        }
        Err(error) => Err(io("reading it")(error)),
    }
}

/// Makes the key whole before it has its name, so that no one reads half of it.
fn make(path: &Path) -> Result<(), KeyError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let io = |doing| move |source| KeyError::Io { path: path.to_owned(), doing, source };
    let key = random().ok_or(KeyError::NoRandom)?;
    private::private_folder(path.parent().unwrap_or(Path::new("/")))?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let draft = path.with_extension(format!("{}-{number}", std::process::id()));
    // A leftover of a dead process with our number is in no one's way.
    let _ = fs::remove_file(&draft);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut file: File| file.write_all(&key));
    // Another process may be first: a link, unlike a rename, takes no one's place.
    let linked = written.and_then(|()| fs::hard_link(&draft, path));
    let _ = fs::remove_file(&draft);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(io("making it")(error)),
        _ => Ok(()),
    }
}

fn random() -> Option<[u8; KEY_LENGTH]> {
    let mut key = [0; KEY_LENGTH];
    getrandom::fill(&mut key).ok().map(|()| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_key_is_made_once_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/key");
        let key = private(&path).unwrap();
        assert_eq!(private(&path).unwrap(), key);
        assert_eq!(fs::read_dir(folder.path().join("state")).unwrap().count(), 1, "no draft is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_know_is_refused() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        private(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(private(&path), Err(KeyError::Unsafe { .. })));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        assert!(matches!(private(&link), Err(KeyError::Unsafe { .. })));
        for length in [0, KEY_LENGTH - 1, KEY_LENGTH + 1] {
            fs::write(&path, vec![7; length]).unwrap();
            assert!(matches!(private(&path), Err(KeyError::Unsafe { .. })), "{length}");
        }
    }
}
