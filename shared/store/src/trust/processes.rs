//! What Linux says about its processes.
//!
//! `/proc` is read so that no one but the kernel answers: an agent may mount files of its own over it in a user's namespace.

use std::fs;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags, ResolveFlags};

use crate::trust::agents;
use crate::trust::person::{Process, Processes};
use crate::trust::terminal::NoPerson;

/// Of a process's arguments and environment.
const MOST: u64 = 256 * 1024;

/// The number of the root of every `/proc`.
const PROC_ROOT: u64 = 1;

/// `PROC_SUPER_MAGIC`
const PROC: u64 = 0x9FA0;

/// All users, each as itself: no namespace of users around.
const EVERYBODY: [&str; 3] = ["0", "0", "4294967295"];

pub(crate) struct Linux {
    proc: OwnedFd,
    own: u32,
    namespace: PathBuf,
    pushes: bool,
}

impl Linux {
    /// The system's own list, and the number of this process in it.
    pub(crate) fn look() -> Result<(Self, u32), NoPerson> {
        let unseen = |_| NoPerson::Unseen;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let proc = rustix::fs::open("/proc", flags, Mode::empty()).map_err(unseen)?;
        let kind = rustix::fs::fstatfs(&proc).map_err(unseen)?;
        let root = rustix::fs::fstat(&proc).map_err(unseen)?;
        // The kind alone would also hold for a part of `/proc` that is mounted over the whole.
        if u64::try_from(kind.f_type).ok() != Some(PROC) || root.st_ino != PROC_ROOT {
            return Err(NoPerson::Unseen);
        }
        let mut linux = Self { proc, own: 0, namespace: PathBuf::new(), pushes: true };
        let own =
            linux.link("", "self").and_then(|own| own.to_str()?.parse().ok()).ok_or(NoPerson::Unseen)?;
        // In a namespace of users of its own, an agent is root and may mount what it likes.
        let users = linux.text(&format!("{own}/uid_map")).ok_or(NoPerson::Unseen)?;
        let status = linux.text(&format!("{own}/status")).ok_or(NoPerson::Unseen)?;
        // Who traces a process decides what it sees.
        let traced = status.lines().find_map(|line| line.strip_prefix("TracerPid:")).map(str::trim);
        if !users.split_whitespace().eq(EVERYBODY) || traced != Some("0") {
            return Err(NoPerson::Unseen);
        }
        linux.own = own;
        linux.namespace = linux.link(&format!("{own}/ns"), "mnt").ok_or(NoPerson::Unseen)?;
        let legacy = linux.text("sys/dev/tty/legacy_tiocsti");
        // An old kernel has no such setting and lets every program push.
        linux.pushes = legacy.is_none_or(|legacy| legacy.trim() != "0");
        Ok((linux, own))
    }

    /// Opens what lies in this `/proc` itself: nothing that is mounted over it, and no link.
    fn open(&self, path: &str, flags: OFlags) -> Option<OwnedFd> {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
        rustix::fs::openat2(&self.proc, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve).ok()
    }

    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let file = fs::File::from(self.open(path, OFlags::RDONLY | OFlags::NONBLOCK)?);
        let mut bytes = Vec::new();
        file.take(MOST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.bytes(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn link(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let folder = if folder.is_empty() { "." } else { folder };
        let folder = self.open(folder, OFlags::PATH | OFlags::DIRECTORY)?;
        let target = rustix::fs::readlinkat(&folder, name, Vec::new()).ok()?;
        Some(PathBuf::from(target.to_str().ok()?))
    }

    fn numbers(&self, folder: &str) -> Vec<u32> {
        let Some(folder) = self.open(folder, OFlags::RDONLY | OFlags::DIRECTORY) else { return Vec::new() };
        let Ok(entries) = Dir::new(folder) else { return Vec::new() };
        let entries = entries.filter_map(Result::ok);
        entries.filter_map(|entry| entry.file_name().to_str().ok()?.parse().ok()).collect()
    }

    /// Whether what a process runs is the system's: root's file, at a path that only root can change, in the same view of the
    /// disks.
    fn is_the_systems(&self, pid: u32, exe: &Path) -> bool {
        let same_view = self.link(&format!("{pid}/ns"), "mnt").is_some_and(|view| view == self.namespace);
        let folder = self.open(&pid.to_string(), OFlags::PATH | OFlags::DIRECTORY);
        let runs =
            folder.and_then(|folder| rustix::fs::statat(&folder, "exe", rustix::fs::AtFlags::empty()).ok());
        let (Some(runs), Ok(there), true) = (runs, fs::metadata(exe), same_view) else { return false };
        (runs.st_dev, runs.st_ino) == (there.dev(), there.ino())
            && crate::settings::only_root_writes(exe).is_ok()
    }
}

impl Processes for Linux {
    fn get(&self, pid: u32) -> Option<Process> {
        let stat = self.text(&format!("{pid}/stat"))?;
        // The name in brackets may hold anything; after it: state, parent, group, session, terminal.
        let (before, after) = stat.rsplit_once(')')?;
        let name = before.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = after.split_ascii_whitespace().collect();
        let status = self.text(&format!("{pid}/status"))?;
        let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        // The real user: a program that is someone else's for a while is still its caller's.
        let mut users = users.split_whitespace().map(str::parse::<u32>);
        let (real, effective) = (users.next()?.ok()?, users.next()?.ok()?);
        let exe = self.link(&pid.to_string(), "exe");
        // A program that was updated while it runs is marked so; its path is still what it was.
        let exe = exe.map(|exe| match exe.to_str().and_then(|exe| exe.strip_suffix(" (deleted)")) {
            Some(path) => PathBuf::from(path),
            None => exe,
        });
        let args = self.bytes(&format!("{pid}/cmdline")).unwrap_or_default();
        let args = args.split(|byte| *byte == 0).filter(|arg| !arg.is_empty());
        let environment = self.bytes(&format!("{pid}/environ")).unwrap_or_default();
        Some(Process {
            pid,
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            terminal: fields
                .get(4)?
                .parse::<i32>()
                .ok()
                .map_or(0, |number| u64::from(number.cast_unsigned())),
            // Of the two the one that is not root: a program that is root's for a while is still its caller's.
            user: if real == effective { real } else { real.max(effective) },
            name,
            is_the_systems: exe.as_ref().is_some_and(|exe| self.is_the_systems(pid, exe)),
            exe,
            // A few are enough to know a script by; the rest may be any length.
            args: args.take(8).map(|arg| String::from_utf8_lossy(arg).into_owned()).collect(),
            mark: agents::by_environment(&environment).map(|(agent, mark)| (agent.name, mark)),
        })
    }

    fn all(&self) -> Vec<u32> {
        self.numbers(".")
    }

    fn holders(&self, pseudo_terminal: u32) -> Vec<u32> {
        let is_it = |pid: u32, file: u32| {
            let text = self.text(&format!("{pid}/fdinfo/{file}")).unwrap_or_default();
            let index = text.lines().find_map(|line| line.strip_prefix("tty-index:"));
            index.is_some_and(|index| index.trim().parse() == Ok(pseudo_terminal))
        };
        let holds =
            |pid: u32| self.numbers(&format!("{pid}/fdinfo")).into_iter().any(|file| is_it(pid, file));
        self.all().into_iter().filter(|pid| holds(*pid)).collect()
    }

    fn may_push_input(&self) -> bool {
        self.pushes
    }

    fn is_logged_in_to_itself(&self) -> bool {
        ["tcp", "tcp6"].iter().any(|table| {
            // What cannot be read may hold one.
            self.text(&format!("{}/net/{table}", self.own)).is_none_or(|text| to_itself(&text))
        })
    }
}

/// Whether a table of connections holds one that root accepted from this machine: both ends are in it.
fn to_itself(table: &str) -> bool {
    /// `ESTABLISHED`
    const OPEN: &str = "01";
    let lines: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.split_ascii_whitespace().collect()).collect();
    let ends =
        |line: &[&str]| Some(((*line.get(1)?).to_owned(), (*line.get(2)?).to_owned(), *line.get(3)? == OPEN));
    let all: Vec<(String, String, bool)> = lines.iter().filter_map(|line| ends(line)).collect();
    lines.iter().any(|line| {
        let roots = line.get(7).is_some_and(|user| *user == "0");
        let Some((local, remote, true)) = ends(line) else { return false };
        roots && all.iter().any(|(other, its, open)| *open && *other == remote && *its == local)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_seen_as_it_is() {
        // In a namespace of users nothing is seen, by intent.
        let Ok((linux, own)) = Linux::look() else { return };
        let process = linux.get(own).unwrap();
        assert_eq!((process.pid, own), (own, std::process::id()));
        assert!(linux.all().contains(&own) && linux.get(process.parent).is_some());
        assert_eq!(process.exe, std::env::current_exe().ok());
    }

    #[test]
    fn both_ends_of_a_connection_here_are_distinguished_from_one() {
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
        let line = |local: &str, remote: &str, state: &str, user: u32| {
            format!("0: {local} {remote} {state} 00000000:00000000 00:00000000 00000000 {user} 0 5")
        };
        let server = line("0100007F:0016", "0100007F:9C40", "01", 0);
        let client = line("0100007F:9C40", "0100007F:0016", "01", 5);
        let far = line("0A00000A:0016", "0B00000A:9C40", "01", 0);
        let listens = line("00000000:0016", "00000000:0000", "0A", 0);
        for (lines, expected) in
            [(vec![&server, &client], true), (vec![&far, &listens], false), (vec![&client, &far], false)]
        {
            let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
            assert_eq!(to_itself(&format!("{head}\n{}\n", lines.join("\n"))), expected, "{lines:?}");
        }
    }
}
