//! What is known about the machine a command would run on.

use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use payload::Host;
use shell::{Atom, Language, Place};

use crate::files::Files;
use crate::head::Head;
use crate::judge::CommandText;
use crate::loss::{Line, Loss, World};
use crate::protected;
use crate::zone::Target;

/// Where a command runs. Looking at the disk is done lazily, and only for commands that touch paths.
#[derive(Default)]
pub struct Facts<'a> {
    /// The folder in which the command starts, absolute.
    pub cwd: Option<&'a str>,
    /// The user's home folder, absolute.
    pub home: Option<&'a str>,
    disk: Disk<'a>,
    /// Where files are read that a command runs.
    scripts: Option<Rc<dyn shell::Disk>>,
    world: Option<&'a dyn World>,
    worktree: OnceCell<Option<String>>,
    windows_home: OnceCell<String>,
    /// The paths that were placed last: several rules ask about the same ones, a command at a time.
    placed: RefCell<VecDeque<Placed>>,
    /// The path that was followed last, and where it leads: one folder holds most of what a command names.
    followed: RefCell<Option<(String, Option<String>)>>,
    moved: OnceCell<Vec<(String, &'static str)>>,
    own_program: OnceCell<Option<String>>,
    path_folders: OnceCell<Vec<String>>,
    linked: OnceCell<Vec<protected::Linked>>,
    cwd_is_kept: OnceCell<bool>,
    /// The path about which [`Facts::leads_to`] was asked last, and its answer.
    led: RefCell<Option<(String, Option<String>)>>,
}

/// The root of the working tree around a folder.
fn around(folder: &Path) -> Option<&Path> {
    // A file as well as a folder: linked working trees and submodules have a file there.
    folder.ancestors().find(|path| path.join(".git").exists())
}

/// No one may look at repositories.
struct NoOne;

impl World for NoOne {
    fn loss(&self, _: &Line<'_>) -> Loss {
        Loss::Unknown
    }

    fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        vec![None; paths.len()]
    }
}

/// What stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content<T> {
    /// The disk may not be asked, or it is not a string.
    Unknown,
    /// There is no such file.
    None,
    /// This.
    Text(T),
}

/// A path as a command names it, and where it lies.
struct Placed {
    text: String,
    cwd: Rc<str>,
    place: Place,
    /// Whether it was written as Windows' shells write it.
    windows: bool,
    target: Target,
}

/// Placed paths that are remembered: more than most commands name, and few enough to look through.
const MAX_PLACED: usize = 8;

/// A larger file is not read, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// Whether links and working trees may be looked up on this machine's disk.
#[derive(Default)]
enum Disk<'a> {
    #[default]
    Untouched,
    Open,
    /// Open, once this has been called: a disk may be slow, and someone wants to watch the clock.
    After(&'a dyn Fn()),
}

impl fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts").field("cwd", &self.cwd).field("home", &self.home).finish_non_exhaustive()
    }
}

impl<'a> Facts<'a> {
    /// Facts about this machine, with its disk.
    pub fn here(cwd: Option<&'a str>, home: Option<&'a str>) -> Self {
        Self { cwd, home, disk: Disk::Open, scripts: Some(Rc::new(Files::here())), ..Self::default() }
    }

    /// Facts about this machine. `before` is called each time before the disk is touched.
    pub fn guarded(cwd: Option<&'a str>, home: Option<&'a str>, before: &'a dyn Fn()) -> Self {
        Self { cwd, home, disk: Disk::After(before), ..Self::default() }
    }

    /// The same, with the files that commands run: read from there.
    #[must_use]
    pub fn with_scripts(self, disk: Rc<dyn shell::Disk>) -> Self {
        Self { scripts: Some(disk), ..self }
    }

    /// Which of these files are committed and unchanged; `None` for those of which no one knows.
    pub fn are_committed(&self, paths: &[&str]) -> Vec<Option<bool>> {
        match self.world {
            Some(world) if !paths.is_empty() => world.are_committed(paths),
            _ => Vec::new(),
        }
    }

    /// Whether this machine's disk may be looked at.
    pub fn sees_disk(&self) -> bool {
        !matches!(self.disk, Disk::Untouched)
    }

    /// Where files are read that a command runs.
    pub fn scripts(&self) -> Option<&Rc<dyn shell::Disk>> {
        self.scripts.as_ref()
    }

    /// Facts without a disk: paths are only text.
    pub fn on_paper(cwd: Option<&'a str>, home: Option<&'a str>) -> Self {
        Self { cwd, home, disk: Disk::Untouched, ..Self::default() }
    }

    /// The same, with someone who looks at what would be lost.
    #[must_use]
    pub fn with_world(self, world: &'a dyn World) -> Self {
        Self { world: Some(world), ..self }
    }

    /// Who is asked about repositories.
    pub fn world(&self) -> &'a dyn World {
        self.world.unwrap_or(&NoOne)
    }

    /// What a command of this line would lose, as far as someone may look. Only a POSIX shell's line is understood so well.
    pub(crate) fn loss(&self, line: &CommandText<'_>, atom: usize, command: &str) -> Loss {
        match self.world {
            Some(world) if line.language == Language::Posix => {
                world.loss(&Line { text: line.text, atom, command, cwd: self.cwd, home: self.home })
            }
            _ => Loss::Unknown,
        }
    }

    /// The user's home folder, with `/` between its parts on every system.
    pub(crate) fn home_folder(&self) -> Option<&str> {
        self.home.map(|home| {
            if home.contains('\\') {
                self.windows_home.get_or_init(|| shell::windows::folder(home).into_owned()).as_str()
            } else {
                home
            }
        })
    }

    /// Where a path lies that a command in the folder `cwd` names.
    pub(crate) fn target(&self, text: &str, atom: &Atom) -> Target {
        let (cwd, place) = (&atom.cwd, atom.place);
        let windows = atom.shell != Language::Posix;
        let last = text.as_bytes().last();
        let known = |placed: &&Placed| {
            // Steps of one script mostly differ in the last letter of what they name.
            placed.text.as_bytes().last() == last
                && placed.text == text
                && placed.place == place
                && placed.windows == windows
                && placed.cwd == *cwd
        };
        if let Some(placed) = self.placed.borrow().iter().find(known) {
            return placed.target.clone();
        }
        let target = if windows {
            Target::of_windows(text, cwd, place, self)
        } else {
            Target::of(text, cwd, place, self)
        };
        let mut all = self.placed.borrow_mut();
        // Rules ask about the same few paths again and again, so a short list is enough.
        if all.len() == MAX_PLACED {
            all.pop_back();
        }
        all.push_front(Placed {
            text: text.to_owned(),
            cwd: Rc::clone(cwd),
            place,
            windows,
            target: target.clone(),
        });
        target
    }

    /// The root of the working tree in which the command starts: the nearest folder with a `.git`, else the
    /// folder itself.
    pub fn worktree(&self) -> Option<&str> {
        self.worktree.get_or_init(|| self.find_worktree()).as_deref()
    }

    /// Whether the disk may be touched now.
    fn may_look(&self) -> bool {
        match self.disk {
            Disk::Untouched => false,
            Disk::Open => true,
            Disk::After(before) => {
                before();
                true
            }
        }
    }

    fn find_worktree(&self) -> Option<String> {
        let cwd = self.cwd?;
        // A folder of another system, `C:\x` on Linux, lies nowhere here: it is not below the hook's own folder.
        if Path::new(cwd).is_absolute()
            && self.may_look()
            && let Some(path) = around(Path::new(cwd))
        {
            return path.to_str().map(|path| shell::windows::folder(path).into_owned());
        }
        Some(shell::windows::folder(cwd).into_owned())
    }

    /// Whether a commit may be checked out around a folder, and no branch.
    pub(crate) fn may_be_detached(&self, folder: &str) -> bool {
        !self.may_look() || around(Path::new(folder)).is_some_and(|root| Head::of(root) == Head::Commit)
    }

    /// Folders of hosts and of ours that an environment variable has put elsewhere, with the place below the home
    /// folder for which each stands.
    pub(crate) fn moved_folders(&self) -> &[(String, &'static str)] {
        self.moved.get_or_init(|| {
            if matches!(self.disk, Disk::Untouched) {
                return Vec::new();
            }
            let folder = |(name, stands_for): (&str, &'static str)| {
                let value = std::env::var_os(name)?.into_string().ok()?;
                let folder = shell::windows::folder(value.trim_end_matches(['/', '\\'])).into_owned();
                // An empty variable and `/` move nothing: the whole disk would be protected.
                (folder.len() > 1).then_some((folder, stands_for))
            };
            let hosts = Host::NAMED.into_iter().filter_map(|host| host.traits().kept.moved);
            let ours = [
                ("AUDIT_LOG", ".local/state/policy-hooks/audit"),
                ("XDG_STATE_HOME", ".local/state"),
                ("XDG_CONFIG_HOME", ".config"),
            ];
            hosts.chain(ours).filter_map(folder).collect()
        })
    }

    /// Whether a folder in which a command runs may be one that is protected.
    pub(crate) fn is_kept_folder(&self, cwd: &str) -> bool {
        // Most commands run where the call starts.
        if self.cwd == Some(cwd) {
            return *self.cwd_is_kept.get_or_init(|| protected::may_name(cwd));
        }
        protected::may_name(cwd)
    }

    /// The program that judges.
    pub(crate) fn own_program(&self) -> Option<&str> {
        let look = || {
            if matches!(self.disk, Disk::Untouched) {
                return None;
            }
            let path = std::env::current_exe().ok()?.into_os_string().into_string().ok()?;
            Some(shell::windows::folder(&path).into_owned())
        };
        self.own_program.get_or_init(look).as_deref()
    }

    /// The folders of the `PATH` in which this program was started.
    pub(crate) fn path_folders(&self) -> &[String] {
        self.path_folders.get_or_init(|| {
            if matches!(self.disk, Disk::Untouched) {
                return Vec::new();
            }
            let path = std::env::var_os("PATH").unwrap_or_default();
            // A folder that is not absolute lies elsewhere for each command.
            let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
            folders.filter_map(|folder| Some(shell::windows::folder(folder.to_str()?).into_owned())).collect()
        })
    }

    /// The guarded places that are links; none, where the disk may not be asked.
    pub(crate) fn linked(&self) -> &[protected::Linked] {
        self.linked.get_or_init(|| {
            if self.may_look() { protected::links(self.home_folder(), self.worktree()) } else { Vec::new() }
        })
    }

    /// Where `path` leads, if it is a link or is reached through one and the disk may be asked.
    pub(crate) fn leads_to(&self, path: &str) -> Option<String> {
        if let Some((known, real)) = &*self.led.borrow()
            && known == path
        {
            return real.clone();
        }
        let real = self.follow_link(path);
        *self.led.borrow_mut() = Some((path.to_owned(), real.clone()));
        real
    }

    fn follow_link(&self, path: &str) -> Option<String> {
        let name = shell::path::file_name(path);
        let parent = path.strip_suffix(name)?;
        // The folder first, which most paths of a call have in common and which is remembered.
        let parent = self.real_path(if parent.len() > 1 { parent.trim_end_matches('/') } else { parent })?;
        let full = shell::path::join(&parent, name);
        // The usual case costs one question: it is not a link.
        let link = Path::new(&full).symlink_metadata().is_ok_and(|about| about.is_symlink());
        let real = if link { Path::new(&full).canonicalize().ok()?.to_str()?.to_owned() } else { full };
        (real != path).then_some(real)
    }

    /// What stands in a file.
    pub(crate) fn text_of(&self, path: &str) -> Content<String> {
        if !self.may_look() {
            return Content::Unknown;
        }
        match Path::new(path).metadata() {
            // A pipe would keep the hook waiting, and a file that large does not decide about agents.
            Ok(about) if about.is_file() && about.len() <= MAX_TEXT => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Content::None,
            _ => return Content::Unknown,
        }
        let text = std::fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.map_or(Content::Unknown, Content::Text)
    }

    /// Whether something is at `path`; never, where the disk may not be asked.
    pub fn exists(&self, path: &str) -> bool {
        self.may_look() && Path::new(path).exists()
    }

    /// Whether nothing is at `path`; never known, where the disk may not be asked.
    pub(crate) fn lacks(&self, path: &str) -> bool {
        self.may_look() && Path::new(path).symlink_metadata().is_err()
    }

    /// `path` with its symbolic links followed, where the disk may be asked and knows it. A path that does not
    /// exist is followed as far as it does.
    pub fn real_path(&self, path: &str) -> Option<String> {
        if !path.starts_with('/') {
            return None;
        }
        if let Some((known, real)) = &*self.followed.borrow()
            && known == path
        {
            return real.clone();
        }
        if !self.may_look() {
            return None;
        }
        let real = follow(path);
        *self.followed.borrow_mut() = Some((path.to_owned(), real.clone()));
        real
    }
}

/// `path` with the links of the part that exists followed.
fn follow(path: &str) -> Option<String> {
    let mut existing = Path::new(path);
    let mut rest = Vec::new();
    loop {
        if let Ok(mut real) = existing.canonicalize() {
            real.extend(rest.iter().rev());
            return real.to_str().map(str::to_owned);
        }
        rest.push(existing.file_name()?);
        existing = existing.parent()?;
    }
}
