//! On Unix: no link is followed, no pipe is waited for, and owner and mode are looked at before a byte is written.

use std::fs::{DirBuilder, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Resource, getegid, geteuid, getrlimit};

use crate::error::LogError;

/// Opens a log for reading and appending; creates it, and its folder, if they are not there.
pub(crate) fn open_log(path: &Path, create: bool) -> Result<File, LogError> {
    let open = || {
        // No link is followed, and a pipe in the log's place does not keep us waiting.
        let mut flags = OFlags::RDWR | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        flags.set(OFlags::CREATE, create);
        rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map(File::from).map_err(io::Error::from)
    };
    let file = match open() {
        Err(error) if create && error.kind() == io::ErrorKind::NotFound => {
            // Made only where it is missing: every other call opens the log by one system call.
            let folder = path.parent().unwrap_or(Path::new("."));
            private_folder(folder)?;
            open()
        }
        other => other,
    };
    let file = file.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => {
            LogError::Unsafe { path: path.to_owned(), what: "a symbolic link" }
        }
        // A pipe or a socket that no one reads.
        Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
            LogError::Unsafe { path: path.to_owned(), what: "not a regular file" }
        }
        _ => LogError::io(path, "opening the log")(error),
    })?;
    let about = file.metadata().map_err(LogError::io(path, "looking at the log"))?;
    let refuse = |what| Err(LogError::Unsafe { path: path.to_owned(), what });
    if !about.is_file() {
        return refuse("not a regular file");
    }
    if about.uid() != geteuid().as_raw() {
        return refuse("someone else's file");
    }
    // Under the other name, someone else may read or change it.
    if about.nlink() > 1 {
        return refuse("a file with a second name (a hard link)");
    }
    // It is ours, so closing it to others is safe; refusing it would leave this call without a record.
    if about.mode() & 0o077 != 0 {
        rustix::fs::fchmod(&file, Mode::RUSR | Mode::WUSR)
            .map_err(|error| LogError::io(path, "making the log private")(error.into()))?;
    }
    // Also where no folder had to be made: in someone else's, the log can be replaced as soon as it is closed.
    check_folder(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))?;
    Ok(file)
}

/// Opens what may be a regular file for reading; a pipe in its place would keep us waiting otherwise.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    Ok(rustix::fs::open(path, flags, Mode::empty()).map(File::from)?)
}

/// Whether a file or folder could be made in `folder`.
pub(crate) fn may_write_in(folder: &Path) -> Result<(), LogError> {
    use rustix::fs::Access;
    let about = folder.metadata().map_err(LogError::io(folder, "looking at the folder"))?;
    if !about.is_dir() {
        return Err(LogError::Unsafe { path: folder.to_owned(), what: "not a folder" });
    }
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| LogError::io(folder, "creating the log in")(error.into()))?;
    check_folder(folder)
}

/// Creates a folder for one person, with what is missing above it.
pub(crate) fn private_folder(folder: &Path) -> Result<(), LogError> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(LogError::io(folder, "creating the folder"))?;
    check_folder(folder)
}

/// A folder in which others can put another file in the place of ours keeps no log.
fn check_folder(folder: &Path) -> Result<(), LogError> {
    let about = folder.metadata().map_err(LogError::io(folder, "looking at the folder"))?;
    let me = geteuid().as_raw();
    // In a folder such as /tmp, only the owner of a file may replace it.
    let sticky = about.mode() & 0o1000 != 0;
    // Many systems give everyone a group of their own, and make folders writable for it.
    let others =
        about.mode() & 0o002 != 0 || (about.mode() & 0o020 != 0 && about.gid() != getegid().as_raw());
    let refuse = |what| Err(LogError::Unsafe { path: folder.to_owned(), what });
    // Root's folders count as ours: root can read and replace everything anyway.
    if about.uid() != me && about.uid() != 0 {
        return refuse("someone else's folder");
    }
    if others && !sticky {
        return refuse("a folder that others can write to");
    }
    Ok(())
}

/// What a file is, whatever its name.
pub(crate) fn identity(about: &Metadata) -> (u64, u64) {
    (about.dev(), about.ino())
}

/// Whether a file belongs to this user, and no one else may read or write it.
pub(crate) fn only_mine(about: &Metadata) -> bool {
    let for_others = about.mode() & 0o077;
    about.uid() == geteuid().as_raw() && for_others == 0
}

pub(crate) fn user_id() -> u64 {
    geteuid().as_raw().into()
}

/// Whether `bytes` more after `length` stay within the limit of the process; the system kills who passes it.
pub(crate) fn room_for(length: u64, bytes: usize) -> bool {
    let limit = getrlimit(Resource::Fsize).current;
    limit.is_none_or(|limit| length.saturating_add(bytes as u64) <= limit)
}

/// Whether a file lies on a network file system, where neither locks nor appends can be relied upon.
///
/// Linux NFS FAQ A9: append writes are never atomic on NFS. The numbers are those of `statfs(2)`: NFS, SMB, CIFS,
/// SMB2, 9p (also WSL's drives), Ceph, AFS, FUSE.
#[cfg(target_os = "linux")]
pub(crate) fn is_network(file: &File) -> bool {
    const KINDS: [i64; 8] =
        [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x00c3_6400, 0x5346_414f, 0x6573_5546];
    #[expect(clippy::useless_conversion, reason = "the type differs from machine to machine")]
    rustix::fs::fstatfs(file).is_ok_and(|about| KINDS.contains(&i64::from(about.f_type)))
}

/// Unknown on this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_network(_file: &File) -> bool {
    false
}
