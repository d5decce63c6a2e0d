//! Puts a bundle into the machine's folder of policies: all of it by one rename, or none.
//!
//! A new folder is made beside the old one, with the administrator's own files and the bundle's, and the two change
//! places. The old one is kept for a while, as a hook may be listing it. Where a system cannot do that (Windows, some file systems), the new files come in before the old ones go: what
//! is in force between is stricter than either.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use store::bundle::{self, Identity, is_bundled};

use crate::archive::Archive;

/// What an installation does next; after each of them it may be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Lock,
    /// The new folder is made.
    Stage,
    /// A file of the administrator's is taken over.
    Own,
    /// A file of the bundle is written.
    Write,
    /// The memory is written.
    Remember,
    /// The folders change places.
    Swap,
    /// The old folder is put aside.
    Aside,
}

/// Why a bundle could not be put in force.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("another pull is at work")]
    Busy,
    #[error("{}: {error}", .path.display())]
    Disk { path: PathBuf, error: io::Error },
}

/// How long a folder that was in force is kept, in seconds: no hook runs so long.
const KEPT: u64 = 3600;

/// What its name begins with.
const OLD: &str = "old-";

/// Says what comes next; an error ends the work there and then, as a kill does.
pub(crate) type Watch<'w> = &'w mut dyn FnMut(Step) -> io::Result<()>;

/// The folder of the machine's settings, with what a pull keeps there.
#[derive(Debug)]
pub(crate) struct Place {
    /// The machine's policies, as hooks read them.
    pub(crate) policies: PathBuf,
    /// Ours: the memory, the lock, and the folder to come.
    own: PathBuf,
    /// What the clock says, in seconds since 1970.
    clock: u64,
    /// Held until this is dropped.
    _lock: File,
}

fn disk(path: &Path) -> impl Fn(io::Error) -> InstallError {
    let path = path.to_owned();
    move |error| InstallError::Disk { path: path.clone(), error }
}

/// The file of what the machine remembers, in the folder of its settings.
pub(crate) fn memory_file(machine: &Path) -> PathBuf {
    machine.join("bundle/memory.json")
}

impl Place {
    /// Takes the place, so that no other pull works there.
    pub(crate) fn take(machine: &Path, clock: u64, step: Watch<'_>) -> Result<Self, InstallError> {
        let own = machine.join("bundle");
        step(Step::Lock).map_err(disk(&own))?;
        for folder in [machine, &own] {
            if !folder.is_dir() {
                fs::create_dir_all(folder).and_then(|()| readable(folder, 0o755)).map_err(disk(folder))?;
            }
        }
        let path = own.join("lock");
        let lock =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(disk(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { policies: machine.join("policy.d"), own, clock, _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(InstallError::Busy),
            Err(fs::TryLockError::Error(error)) => Err(disk(&path)(error)),
        }
    }

    /// Writes what the machine remembers.
    pub(crate) fn remember(&self, text: &str, step: Watch<'_>) -> Result<(), InstallError> {
        let path = self.own.join("memory.json");
        step(Step::Remember).map_err(disk(&path))?;
        replace(&path, text.as_bytes()).map_err(disk(&path))
    }

    /// Puts a bundle in force. `remember` is what the machine is to know from then on, whatever happens.
    pub(crate) fn install(
        &self,
        archive: &Archive,
        identity: &Identity,
        remember: &str,
        step: Watch<'_>,
    ) -> Result<(), InstallError> {
        let next = self.own.join(NEXT);
        let staged = self.stage(&next, archive, identity, step).map_err(disk(&next))?;
        // Before the bundle is in force: a pull that is killed between has nothing to lose but a second pull of the same.
        self.remember(remember, step)?;
        step(Step::Swap).map_err(disk(&self.policies))?;
        let swapped = match exchange(&next, &self.policies) {
            Ok(swapped) => swapped,
            Err(_) if self.policies.is_dir() => {
                self.one_by_one(&next, &staged, step).map_err(disk(&self.policies))?;
                false
            }
            Err(error) => return Err(disk(&self.policies)(error)),
        };
        sync(&self.own)
            .and_then(|()| self.policies.parent().map_or(Ok(()), sync))
            .map_err(disk(&self.own))?;
        step(Step::Aside).map_err(disk(&next))?;
        self.put_aside(swapped).map_err(disk(&next))
    }

    /// Clears up after a pull that was killed; `swapped` is whether the folders had changed places by then.
    pub(crate) fn recover(&self, swapped: bool) -> Result<(), InstallError> {
        self.put_aside(swapped).and_then(|()| self.sweep()).map_err(disk(&self.own))
    }

    /// Makes the folder to come; the names of the bundle's files in it.
    fn stage(
        &self,
        next: &Path,
        archive: &Archive,
        identity: &Identity,
        step: Watch<'_>,
    ) -> io::Result<Vec<String>> {
        step(Step::Stage)?;
        fs::create_dir(next)?;
        readable(next, 0o755)?;
        for entry in listed(&self.policies)? {
            let name = entry.file_name();
            if !is_ours(&name.to_string_lossy()) && !entry.file_type()?.is_dir() {
                step(Step::Own)?;
                take_over(&entry.path(), &next.join(name))?;
            }
        }
        let mut staged = Vec::new();
        for (file, named) in archive.files.iter().zip(&identity.files) {
            step(Step::Write)?;
            write(&next.join(&named.name), file.text.as_bytes())?;
            staged.push(named.name.clone());
        }
        step(Step::Write)?;
        write(&next.join(bundle::NAME), identity.render().as_bytes())?;
        staged.push(bundle::NAME.to_owned());
        sync(next)?;
        Ok(staged)
    }

    /// What the swap does, where a system has none: names differ between bundles, so that both are whole until the old
    /// one goes.
    fn one_by_one(&self, next: &Path, staged: &[String], step: Watch<'_>) -> io::Result<()> {
        for name in staged {
            step(Step::Swap)?;
            fs::rename(next.join(name), self.policies.join(name))?;
        }
        sync(&self.policies)?;
        for entry in listed(&self.policies)? {
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_ours(&name) && !staged.contains(&name) {
                step(Step::Swap)?;
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Puts the folder aside that is not in force: removed if it never was, kept for a while if hooks may be listing it.
    fn put_aside(&self, was_in_force: bool) -> io::Result<()> {
        let next = self.own.join(NEXT);
        if !was_in_force {
            return gone(&next);
        }
        // What the administrator put there meanwhile, and folders, which no hook reads.
        for entry in listed(&next)? {
            let name = entry.file_name();
            let there = self.policies.join(&name);
            if !is_ours(&name.to_string_lossy()) && fs::symlink_metadata(&there).is_err() {
                fs::rename(entry.path(), there)?;
            }
        }
        let aside = |number: u32| self.own.join(format!("{OLD}{}-{number}", self.clock));
        // A number that is free: several pulls may come in one second.
        let free = (0..=u32::MAX).map(aside).find(|path| fs::symlink_metadata(path).is_err());
        match free.map_or(Ok(()), |free| fs::rename(&next, free)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    /// Removes the folders that were put aside long ago.
    fn sweep(&self) -> io::Result<()> {
        for entry in listed(&self.own)? {
            let name = entry.file_name();
            let since =
                name.to_str().and_then(|name| name.strip_prefix(OLD)?.split('-').next()?.parse::<u64>().ok());
            if since.is_some_and(|since| since.abs_diff(self.clock) > KEPT) {
                gone(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// The folder to come, which after the swap is the old one.
const NEXT: &str = "next";

/// Removes a folder, if there is one.
fn gone(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Whether a file in the folder of policies is a bundle's.
fn is_ours(name: &str) -> bool {
    name == bundle::NAME || is_bundled(name)
}

/// What a folder lists; nothing where there is none.
fn listed(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The administrator's file under another name: the same file where the system has links, so that owner and rights are
/// the same.
fn take_over(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

/// A file that every user can read and no one but its owner can write, on the disk when this returns.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    readable(path, 0o644)?;
    file.sync_all()
}

/// Replaces a file as a whole.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write(&new, bytes)?;
    fs::rename(&new, path)?;
    path.parent().map_or(Ok(()), sync)
}

/// Whatever the umask says: what hooks cannot read would hold back every call.
#[cfg(unix)]
fn readable(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn readable(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Makes sure that what a folder lists is on the disk.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Windows does not open folders.
#[cfg(not(unix))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Lets two folders change places; the first takes the other's where that is not there. Whether there was another.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(new: &Path, old: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    if fs::symlink_metadata(old).is_err() {
        return fs::rename(new, old).map(|()| false);
    }
    // A link to a folder elsewhere would take its place here, and lead nowhere from there: its folder changes instead.
    let old = fs::canonicalize(old)?;
    renameat_with(CWD, new, CWD, &old, RenameFlags::EXCHANGE).map_err(io::Error::from).map(|()| true)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(new: &Path, old: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(old) {
        Err(_) => fs::rename(new, old).map(|()| false),
        Ok(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::NamedFile;
    use crate::manifest::Manifest;

    fn archive(serial: u64) -> (Archive, Identity) {
        let manifest =
            Manifest { name: "team".to_owned(), serial, not_before: 1, not_after: 2, requires: None };
        let file = |name: &str| NamedFile { name: name.to_owned(), text: format!("# {serial}\n") };
        let archive = Archive { manifest, files: vec![file("a.toml"), file("b.toml")] };
        let files = archive.files.iter().map(|file| bundle::File {
            name: format!("{}{serial}-{}", bundle::PREFIX, file.name),
            digest: bundle::digest(file.text.as_bytes()),
        });
        let identity = Identity {
            name: "team".to_owned(),
            serial,
            digest: String::new(),
            not_before: 1,
            not_after: 2,
            key: String::new(),
            pulled: serial,
            files: files.collect(),
        };
        (archive, identity)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            listed(folder).unwrap().iter().map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The way of systems on which folders cannot change places.
    #[test]
    fn file_by_file_the_new_ones_are_there_before_the_old_ones_go() {
        for killed in 0..12 {
            let machine = tempfile::tempdir().unwrap();
            let place = Place::take(machine.path(), 100, &mut |_| Ok(())).unwrap();
            let (old, old_identity) = archive(7);
            place.install(&old, &old_identity, "{}", &mut |_| Ok(())).unwrap();
            fs::write(place.policies.join("own.toml"), "").unwrap();
            let (new, new_identity) = archive(8);
            let next = place.own.join(NEXT);
            let staged = place.stage(&next, &new, &new_identity, &mut |_| Ok(())).unwrap();
            let mut steps = 0;
            let done = place.one_by_one(&next, &staged, &mut |_| {
                steps += 1;
                if steps > killed { Err(io::Error::other("killed")) } else { Ok(()) }
            });
            let there = names(&place.policies);
            let whole = |serial: u64| {
                ["a", "b"].iter().all(|name| there.contains(&format!("bundle-{serial}-{name}.toml")))
            };
            assert!(whole(7) || whole(8), "killed after {killed}: {there:?}");
            assert!(there.contains(&"own.toml".to_owned()), "{there:?}");
            // Whatever was left, the next one ends it.
            place.recover(false).unwrap();
            place.install(&new, &new_identity, "{}", &mut |_| Ok(())).unwrap();
            let all = ["bundle-8-a.toml", "bundle-8-b.toml", "bundle.lock", "own.toml"];
            assert_eq!(names(&place.policies), all, "{done:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_a_link_stays_one() {
        let machine = tempfile::tempdir().unwrap();
        let elsewhere = machine.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, machine.path().join("policy.d")).unwrap();
        let place = Place::take(machine.path(), 100, &mut |_| Ok(())).unwrap();
        for serial in [7, 8] {
            let (archive, identity) = archive(serial);
            place.install(&archive, &identity, "{}", &mut |_| Ok(())).unwrap();
            assert!(fs::symlink_metadata(&place.policies).unwrap().is_symlink());
            let first = format!("bundle-{serial}-a.toml");
            assert_eq!(names(&elsewhere)[..1], [first]);
        }
    }

    #[test]
    fn what_was_in_force_is_kept_for_a_while() {
        let machine = tempfile::tempdir().unwrap();
        let install = |serial: u64, clock: u64| {
            let place = Place::take(machine.path(), clock, &mut |_| Ok(())).unwrap();
            place.recover(false).unwrap();
            let (archive, identity) = archive(serial);
            place.install(&archive, &identity, "{}", &mut |_| Ok(())).unwrap();
            names(&place.own).into_iter().filter(|name| name.starts_with(OLD)).count()
        };
        assert_eq!(install(1, 1000), 0);
        assert_eq!(install(2, 1000), 1);
        assert_eq!(install(3, 1001), 2);
        assert_eq!(install(4, 1000 + KEPT), 3);
        // The first two are gone, the third is not, and the fourth came now.
        assert_eq!(install(5, 1002 + KEPT), 2);
    }
}
