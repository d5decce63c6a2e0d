//! Files that a command runs, as they are read from this machine's disk: bounded, and without waiting for anyone.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use shell::{Disk, Entry, Found};

/// A larger file is not read, in bytes.
const MAX_FILE: u64 = 256 * 1024;
/// Names in one folder that are looked at.
pub const MAX_ENTRIES: usize = 1024;
/// How much of a file tells whether it holds text.
const HEAD: usize = 1024;

/// This machine's disk, as far as programs run what lies there.
pub struct Files {
    before: Box<dyn Fn()>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

impl Files {
    /// The disk as it is.
    pub fn here() -> Self {
        Self::guarded(|| ())
    }

    /// The disk; `before` is called each time before it is touched.
    pub fn guarded(before: impl Fn() + 'static) -> Self {
        Self { before: Box::new(before) }
    }
}

impl Disk for Files {
    fn read(&self, path: &str) -> Found {
        (self.before)();
        let file = match open(Path::new(path)) {
            Ok(file) => file,
            // A FIFO or a device: whoever runs it runs what someone feeds it then.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => return Found::Unreadable,
            // What is not ours to read is not the agent's to run either: both are the same user.
            Err(_) => return Found::Nothing,
        };
        // Asked of the open file, not of the path: another one may lie there by now.
        let Ok(about) = file.metadata() else { return Found::Unreadable };
        if about.is_dir() {
            return Found::Nothing;
        }
        if !about.is_file() {
            return Found::Unreadable;
        }
        match text_of(file, about.len()) {
            Found::Unreadable if is_generated(path) => Found::Nothing,
            found => found,
        }
    }

    fn has(&self, path: &str) -> bool {
        // Where the system knows by heart, nothing can take long: the usual answer for the files of a project's tools.
        is_known_to_lie(path).unwrap_or_else(|| {
            (self.before)();
            Path::new(path).symlink_metadata().is_ok()
        })
    }

    fn list(&self, folder: &str) -> Vec<Entry> {
        (self.before)();
        entries(Path::new(folder))
    }
}

/// What lies in a folder, in order, up to a bound.
fn entries(folder: &Path) -> Vec<Entry> {
    let Ok(listing) = folder.read_dir() else { return Vec::new() };
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.ok()?;
        let kind = entry.file_type().ok()?;
        // Links to files count as files. A link to a folder may lead round.
        Some(Entry { name: entry.file_name().into_string().ok()?, is_folder: kind.is_dir() })
    };
    let mut entries: Vec<Entry> = listing.take(MAX_ENTRIES).filter_map(entry).collect();
    entries.sort();
    entries
}

/// Whether a large file is what a tool has put together, and not what a person or an agent writes: bundles, and the scripts
/// of build systems.
fn is_generated(path: &str) -> bool {
    const FOLDERS: [&str; 12] = [
        "dist",
        "build",
        "out",
        "target",
        "node_modules",
        "vendor",
        "public",
        "static",
        "releases",
        ".next",
        ".output",
        "site-packages",
    ];
    let mut parts = path.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or(path);
    matches!(name, "configure" | "config.status" | "libtool" | ".pnp.cjs" | "gradlew" | "mvnw")
        || name.contains(".min.")
        || name.contains("bundle")
        || parts.any(|part| FOLDERS.contains(&part))
}

/// The text of a regular file. What begins like a compiled program is none.
fn text_of(mut file: File, size: u64) -> Found {
    let mut bytes = Vec::new();
    if file.by_ref().take(HEAD as u64).read_to_end(&mut bytes).is_err() {
        return Found::Unreadable;
    }
    // UTF-16 has such bytes as well; Windows writes scripts in it.
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if bytes.contains(&0) && !wide {
        return Found::Nothing;
    }
    // One byte more than is allowed tells a file that grew while it was read.
    let rest = (MAX_FILE + 1).saturating_sub(bytes.len() as u64);
    if size > MAX_FILE || file.take(rest).read_to_end(&mut bytes).is_err() || bytes.len() as u64 > MAX_FILE {
        return Found::Unreadable;
    }
    if wide {
        return Found::Recoded(wide_text(&bytes), bytes);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Found::Text(text),
        Err(error) => {
            Found::Recoded(String::from_utf8_lossy(error.as_bytes()).into_owned(), error.into_bytes())
        }
    }
}

/// A text of UTF-16, after its mark.
fn wide_text(bytes: &[u8]) -> String {
    let big = bytes.starts_with(&[0xfe, 0xff]);
    let units = bytes.get(2..).unwrap_or_default().chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    });
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Whether something lies there, as far as the kernel knows that without asking a disk or a server (Linux 5.12).
#[cfg(target_os = "linux")]
fn is_known_to_lie(path: &str) -> Option<bool> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    match openat2(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::CACHED) {
        Ok(_) => Some(true),
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Some(false),
        Err(_) => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn is_known_to_lie(_: &str) -> Option<bool> {
    None
}

/// Opens a file to read it. A FIFO without a writer, or a device that is not ready, does not hold this up, and a
/// terminal does not become ours.
#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    // Looked at before it is opened: opening alone makes some devices act.
    let about = rustix::fs::stat(path)?;
    if !rustix::fs::FileType::from_raw_mode(about.st_mode).is_file()
        && !rustix::fs::FileType::from_raw_mode(about.st_mode).is_dir()
    {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Opens a file to read it.
#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    let about = path.metadata()?;
    if !about.is_file() {
        let kind =
            if about.is_dir() { std::io::ErrorKind::NotFound } else { std::io::ErrorKind::InvalidInput };
        return Err(kind.into());
    }
    File::open(path)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    /// A folder of its own for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("policy-hooks-files-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn read(path: &Path) -> Found {
        Files::here().read(path.to_str().unwrap())
    }

    #[test]
    fn only_regular_texts_within_bounds_are_read() {
        let folder = folder("bounds");
        let at = |name: &str| folder.join(name);
        let limit = usize::try_from(MAX_FILE).unwrap();
        std::fs::write(at("plain"), "ls\n").unwrap();
        std::fs::write(at("full"), "#".repeat(limit)).unwrap();
        std::fs::write(at("large"), "#".repeat(limit + 1)).unwrap();
        std::fs::write(at("configure"), "#".repeat(limit + 1)).unwrap();
        std::fs::create_dir(at("dist")).unwrap();
        std::fs::write(at("dist/index.js"), "/".repeat(limit + 1)).unwrap();
        std::fs::write(at("program"), b"\x7fELF\0\0").unwrap();
        std::fs::write(at("broken"), b"rm \xff x").unwrap();
        std::fs::write(at("wide.ps1"), b"\xff\xfel\0s\0").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        symlink(at("round"), at("round")).unwrap();
        assert_eq!(read(&at("plain")), Found::Text("ls\n".to_owned()));
        assert_eq!(read(&at("link")), Found::Text("ls\n".to_owned()));
        assert!(matches!(read(&at("full")), Found::Text(text) if text.len() == limit));
        assert_eq!(read(&at("large")), Found::Unreadable);
        for nothing in ["configure", "dist/index.js", "program", "round", "missing", "dist"] {
            assert_eq!(read(&at(nothing)), Found::Nothing, "{nothing}");
        }
        let recoded = |text: &str, bytes: &[u8]| Found::Recoded(text.to_owned(), bytes.to_vec());
        assert_eq!(read(&at("broken")), recoded("rm \u{fffd} x", b"rm \xff x"));
        assert_eq!(read(&at("wide.ps1")), recoded("ls", b"\xff\xfel\0s\0"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_that_waits_is_opened() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = folder("fifo");
        let fifo = folder.join("fifo");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(read(&fifo), Found::Unreadable);
        assert_eq!(read(Path::new("/dev/zero")), Found::Unreadable);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whoever_watches_the_clock_hears_of_it_before_the_disk_is_touched() {
        use std::cell::Cell;
        use std::rc::Rc;
        let times = Rc::new(Cell::new(0));
        let count = Rc::clone(&times);
        let files = Files::guarded(move || count.set(count.get() + 1));
        assert_eq!(times.get(), 0);
        assert_eq!(files.read("/no/such/file"), Found::Nothing);
        assert_eq!(times.get(), 1);
    }
}
