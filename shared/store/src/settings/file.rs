//! A file in a layer: absent, there, or broken.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// The largest settings file that is read, in bytes.
pub const LARGEST: u64 = 256 * 1024;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The administrator's: no one else may have written it.
    Machine,
    User,
    /// A repository's.
    Project,
}

/// What is at a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Absent,
    /// A regular file with these bytes.
    Content(Vec<u8>),
    /// Something that cannot be used as a file.
    Broken(Why),
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It, or a folder on the way to it, is a link to something that is not there.
    Dangling,
    /// It is a folder, a pipe, a socket or a device.
    NotAFile,
    /// Larger than it may be; in bytes.
    TooLarge(u64),
    /// Someone other than the administrator can have written it.
    NotTheSystems {
        /// The file, or a folder above it.
        path: String,
        what: &'static str,
    },
    /// The system refuses; its message.
    Unreadable(String),
}

impl Why {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Dangling => "put the file where the link points, or remove the link",
            Self::NotAFile => "put a regular file there, or remove it",
            Self::TooLarge(_) => "remove what it does not need",
            Self::NotTheSystems { .. } => {
                "the file and every folder above it must belong to root, and only root may write there"
            }
            Self::Unreadable(_) => "check the file's owner and permissions",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dangling => f.write_str("it is a link to something that is not there"),
            Self::NotAFile => f.write_str("it is not a file"),
            Self::TooLarge(limit) if *limit >= 1 << 20 => write!(f, "it is larger than {} MiB", limit >> 20),
            Self::TooLarge(limit) => write!(f, "it is larger than {} KiB", limit >> 10),
            Self::NotTheSystems { path, what } => write!(f, "{path} {what}"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
        }
    }
}

/// What is at `path`, in a layer. It never waits for a pipe.
pub fn find(path: &Path, layer: Layer, largest: u64) -> Found {
    // Follows links: people keep their settings in a folder of their own and link to it.
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return if dangles(path) { Found::Broken(Why::Dangling) } else { Found::Absent };
        }
        Err(error) => return Found::Broken(Why::Unreadable(error.to_string())),
    };
    if !about.is_file() {
        return Found::Broken(Why::NotAFile);
    }
    // Before it is read: nothing of a file that others can have written is to be used.
    if layer == Layer::Machine
        && let Err(why) = only_root_writes(path)
    {
        return Found::Broken(why);
    }
    match content(path, largest) {
        Ok(found) => found,
        Err(error) => Found::Broken(Why::Unreadable(error.to_string())),
    }
}

/// The bytes of what was a regular file a moment ago.
fn content(path: &Path, largest: u64) -> io::Result<Found> {
    let file = open(path)?;
    // Asked again of what is open: something else may have been put there since the first look.
    let about = file.metadata()?;
    if !about.is_file() {
        return Ok(Found::Broken(Why::NotAFile));
    }
    if about.len() > largest {
        return Ok(Found::Broken(Why::TooLarge(largest)));
    }
    // One more than it says: the read that finds the end then needs no larger buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default() + 1);
    file.take(largest + 1).read_to_end(&mut bytes)?;
    // It grows while it is read.
    if bytes.len() as u64 > largest {
        return Ok(Found::Broken(Why::TooLarge(largest)));
    }
    Ok(Found::Content(bytes))
}

/// A pipe that was put there meanwhile would keep us waiting otherwise.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    Ok(rustix::fs::open(path, flags, Mode::empty()).map(File::from)?)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether a path on which nothing is found is a link to nothing, or leads through one: the nearest part that is there
/// decides.
fn dangles(path: &Path) -> bool {
    let nearest = path.ancestors().find_map(|part| Some((part, fs::symlink_metadata(part).ok()?)));
    nearest.is_some_and(|(part, about)| about.is_symlink() && fs::metadata(part).is_err())
}

/// Whether no one but the administrator can have written what is at `path`.
///
/// # Errors
///
/// Who else can.
pub(crate) fn only_root_writes(path: &Path) -> Result<(), Why> {
    administrators(path, 0)
}

/// Whether no one but root and the user `owner` can have written what is at `path`: every folder above it counts.
///
/// # Errors
///
/// Who else can.
#[cfg(unix)]
pub fn administrators(path: &Path, owner: u32) -> Result<(), Why> {
    use std::os::unix::fs::MetadataExt as _;
    let unreadable = |error: io::Error| Why::Unreadable(error.to_string());
    let real = fs::canonicalize(path).map_err(unreadable)?;
    // Every folder above, too: who can write there can put another file in its place.
    for part in real.ancestors() {
        let about = fs::metadata(part).map_err(unreadable)?;
        let what = if about.uid() != owner && about.uid() != 0 {
            "does not belong to root"
        } else if about.mode() & 0o022 != 0 {
            "can be written by others, not only its owner"
        } else {
            continue;
        };
        return Err(Why::NotTheSystems { path: part.display().to_string(), what });
    }
    Ok(())
}

/// Windows keeps who may write in lists that the standard library cannot read; `%ProgramData%\policy-hooks` must be
/// set up so that only administrators write there.
///
/// # Errors
///
/// None here.
#[cfg(not(unix))]
pub fn administrators(_path: &Path, _owner: u32) -> Result<(), Why> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.toml");
        let found = |path: &Path| find(path, Layer::User, LARGEST);
        assert_eq!(found(&file), Found::Absent);
        assert_eq!(found(&file.join("below")), Found::Absent);
        fs::write(&file, "x").unwrap();
        assert_eq!(found(&file), Found::Content(b"x".to_vec()));
        assert_eq!(found(&file.join("below")), Found::Absent);
        fs::write(&file, vec![b'#'; 300 * 1024]).unwrap();
        assert_eq!(found(&file), Found::Broken(Why::TooLarge(LARGEST)));
        assert_eq!(found(folder.path()), Found::Broken(Why::NotAFile));
    }

    #[cfg(unix)]
    #[test]
    fn what_was_to_be_a_file_and_is_none_is_never_absent() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let found = |path: &Path| find(path, Layer::Project, LARGEST);
        symlink("/nowhere/at/all", at("link")).unwrap();
        assert_eq!(found(&at("link")), Found::Broken(Why::Dangling));
        // The folder is the link, as in dotfiles that are not unpacked yet.
        assert_eq!(found(&at("link/policy-hooks/a.toml")), Found::Broken(Why::Dangling));
        symlink(at("loop"), at("loop")).unwrap();
        assert!(matches!(found(&at("loop")), Found::Broken(Why::Unreadable(_))));
        let pipe = at("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(found(&pipe), Found::Broken(Why::NotAFile));
        symlink(&pipe, at("to-pipe")).unwrap();
        assert_eq!(found(&at("to-pipe")), Found::Broken(Why::NotAFile));
        fs::write(at("file"), "x").unwrap();
        symlink(at("file"), at("to-file")).unwrap();
        assert_eq!(found(&at("to-file")), Found::Content(b"x".to_vec()));
        fs::create_dir(at("folder")).unwrap();
        symlink(at("folder"), at("to-folder")).unwrap();
        assert_eq!(found(&at("to-folder/policy-hooks/a.toml")), Found::Absent);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_can_write_is_not_the_machines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.toml");
        fs::write(&file, "x").unwrap();
        // The folder for temporary files is everyone's.
        let found = find(&file, Layer::Machine, LARGEST);
        assert!(matches!(found, Found::Broken(Why::NotTheSystems { .. })), "{found:?}");
    }
}
