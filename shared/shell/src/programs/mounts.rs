//! What a container shares with this machine: folders and files that are mounted into it, and what its programs do there.

use std::rc::Rc;

use shell_engine::{Arg, Atom, Place, Process, Runner, Scope, path};

/// Programs whose work on a shared folder is work on this machine.
const REACHING: [&str; 26] = [
    "base64", "cat", "cp", "curl", "dd", "find", "git", "http", "mv", "nc", "ncat", "rm", "rmdir", "rsync",
    "scp", "sed", "shred", "socat", "ssh", "tar", "tee", "truncate", "unlink", "wget", "xz", "zip",
];

/// Those of them that only change what they name, which a folder that is read-only does not let happen.
const CHANGING: [&str; 8] = ["mv", "rm", "rmdir", "sed", "shred", "tee", "truncate", "unlink"];

/// Where paths of the container lie that this machine does not share.
const OWN: &str = "/tmp/container";

/// A folder, a file or a volume that is mounted into a container.
#[derive(Debug, Clone, Copy)]
pub struct Mount<'a> {
    /// Where it lies on this machine; a name without a slash is a volume of its own.
    pub source: &'a str,
    /// Where the container sees it.
    pub target: &'a str,
    /// Whether the container may only read it.
    pub read_only: bool,
}

impl Mount<'_> {
    /// Whether it is a folder or a file of this machine.
    pub fn is_folder(&self) -> bool {
        self.source.starts_with(['/', '.', '~']) || shell_windows::has_drive(self.source)
    }

    /// What a path in the container adds to the folder that is shared with it, if it lies there.
    pub fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(self.target.trim_end_matches('/'))?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }
}

/// What the options of a container's runner mount.
pub fn mounts(args: &[Arg]) -> Vec<Mount<'_>> {
    let mut mounts = Vec::new();
    let mut args = args.iter().map(|arg| arg.text.as_str());
    while let Some(text) = args.next() {
        let value = match text {
            "-v" | "--volume" | "--mount" => args.next(),
            _ => text
                .strip_prefix("--volume=")
                .or_else(|| text.strip_prefix("--mount="))
                // `-v/:/mnt`: glued, unlike `-vv`.
                .or_else(|| text.strip_prefix("-v").filter(|value| value.contains(':'))),
        };
        let Some(value) = value else { continue };
        let mount = if value.contains("type=bind") || value.contains("source=") || value.contains("src=") {
            bind(value)
        } else {
            // The colon of a drive parts nothing.
            let drive = if shell_windows::has_drive(value) { 2 } else { 0 };
            let end = value[drive..].find(':').map_or(value.len(), |at| drive + at);
            let (source, rest) = value.split_at(end);
            let mut parts = rest.strip_prefix(':').unwrap_or_default().split(':');
            let target = parts.next().unwrap_or_default();
            let read_only = parts.next().is_some_and(|mode| mode.split(',').any(|mode| mode == "ro"));
            Mount { source, target, read_only }
        };
        mounts.extend(Some(mount).filter(|mount| !mount.target.is_empty()));
    }
    mounts
}

/// `type=bind,source=/,target=/mnt,readonly`
fn bind(value: &str) -> Mount<'_> {
    let mut mount = Mount { source: "", target: "", read_only: false };
    for field in value.split(',') {
        match field.split_once('=').unwrap_or((field, "")) {
            ("source" | "src", value) => mount.source = value,
            ("target" | "dst" | "destination", value) => mount.target = value,
            ("readonly" | "ro", "" | "true" | "1") => mount.read_only = true,
            _ => {}
        }
    }
    mount
}

/// Paths of a container with those of this machine that lie there.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    pub(super) folders: Vec<(String, String)>,
    /// Those that the container cannot write to, as it sees them.
    read_only: Vec<String>,
}

/// The folders of this machine that a call's container sees.
pub(super) fn shared(scope: &Scope, args: &[Arg]) -> Shared {
    let mut shared = Shared::default();
    for mount in mounts(args).into_iter().filter(Mount::is_folder) {
        shared.read_only.extend(mount.read_only.then(|| mount.target.to_owned()));
        shared.folders.push((mount.target.to_owned(), scope.absolute(mount.source)));
    }
    shared
}

impl Shared {
    /// The innermost of the folders in which a path of the container lies, which hides the others, with what follows.
    fn folder_of<'s, 'p>(&'s self, inside: &'p str) -> Option<(&'s str, &'s str, &'p str)> {
        let found = self.folders.iter().filter_map(|(target, source)| {
            let mount = Mount { source, target, read_only: false };
            Some((target.as_str(), source.as_str(), mount.rest(inside)?))
        });
        found.max_by_key(|(target, ..)| target.len())
    }

    /// The path of this machine that a container sees there.
    fn on_this_machine(&self, inside: &str) -> Option<String> {
        let (_, source, rest) = self.folder_of(inside)?;
        let path = format!("{}{rest}", source.trim_end_matches('/'));
        Some(if path.is_empty() { "/".to_owned() } else { path })
    }

    /// Whether the container can only read what lies there.
    fn is_read_only(&self, inside: &str) -> bool {
        let target = self.folder_of(inside).map(|(target, ..)| target);
        target.is_some_and(|target| self.read_only.iter().any(|own| own == target))
    }
}

/// Repeats what programs did in folders that a container shares as what it is for this machine: the atoms from `first` on.
pub(super) fn repeat(process: &mut Process<'_>, first: usize, shared: &Shared) {
    let analysis = &process.runner.analysis;
    let atoms = &analysis.atoms[first..];
    let seen: Vec<Option<Atom>> =
        (first..analysis.atoms.len()).map(|at| seen_here(process.runner, at, shared)).collect();
    let is_fed = |atom: &Atom| {
        analysis.feeders(atom).any(|feeder| {
            let mut others = atoms.iter().zip(&seen);
            others.any(|(other, seen)| std::ptr::eq(other, feeder) && seen.is_some())
        })
    };
    let twins = atoms.iter().zip(&seen).filter_map(|(atom, seen)| {
        // Whoever is fed by such a program hands on what lies here.
        let fed = || (is_reaching(atom) && is_fed(atom)).then(|| translated(atom, &Shared::default()).1);
        seen.clone().or_else(fed)
    });
    let twins: Vec<Atom> = twins.collect();
    process.runner.analysis.atoms.extend(twins);
}

fn is_reaching(atom: &Atom) -> bool {
    atom.place == Place::Container && REACHING.binary_search(&&*atom.program()).is_ok()
}

/// The atom as this machine sees it, if it works on what is shared.
fn seen_here(runner: &Runner, at: usize, shared: &Shared) -> Option<Atom> {
    let atom = runner.analysis.atoms.get(at).filter(|atom| is_reaching(atom))?;
    // `chroot /host rm x`, `nsenter -t 1 -m rm x`: all paths are those of that folder.
    let mut above =
        std::iter::successors(atom.via, |via| runner.analysis.atoms.get(via.parent as usize)?.via);
    let root = above.find_map(|via| {
        let parent = runner.analysis.atoms.get(via.parent as usize)?;
        match &*parent.program() {
            "chroot" => parent.args.iter().skip(1).find_map(|arg| shared.on_this_machine(&arg.text)),
            "nsenter" if parent.place == Place::Container => Some("/".to_owned()),
            _ => None,
        }
    });
    let (is_shared, seen) = match root {
        Some(root) => {
            let folders = vec![("/".to_owned(), root)];
            translated(atom, &Shared { folders, ..Shared::default() })
        }
        None => translated(atom, shared),
    };
    is_shared.then_some(seen)
}

/// An atom with its paths as this machine has them, and whether any of them is shared.
fn translated(atom: &Atom, shared: &Shared) -> (bool, Atom) {
    let mut is_shared = false;
    let program = atom.program();
    let changes = CHANGING.contains(&&*program) || atom.args.iter().any(|arg| arg.text == "-delete");
    let mut place = |inside: &str, writes: bool| {
        let inside = path::join("/", inside);
        let found = shared.on_this_machine(&inside).filter(|_| !writes || !shared.is_read_only(&inside));
        is_shared |= found.is_some();
        found.unwrap_or_else(|| format!("{OWN}{inside}"))
    };
    let mut seen = atom.clone();
    seen.place = Place::Here;
    seen.cwd = Rc::from(place(&atom.cwd, changes));
    for arg in Rc::make_mut(&mut seen.args).iter_mut().skip(1) {
        if let Some(at) = path_in(&arg.text) {
            arg.text = format!("{}{}", &arg.text[..at], place(&arg.text[at..], changes));
        }
    }
    for redirect in &mut seen.redirects {
        let writes = redirect.flow != shell_engine::Flow::Read;
        redirect.target = place(&path::join(&atom.cwd, &redirect.target), writes);
    }
    (is_shared, seen)
}

/// Where an absolute path stands in a word: `/x`, `of=/x`, `file=@/k`.
fn path_in(word: &str) -> Option<usize> {
    if word.starts_with('/') {
        return Some(0);
    }
    word.find("=/").or_else(|| word.find("@/")).map(|before| before + 1)
}
