//! Whether what is installed in the project is older than the agent's session.
//!
//! No hook sees what a shell writes: a script, a package manager, `printf >`. The file system does: a file's change time
//! (`ctime`) moves with its content, mode, name and links, and no program of the user's can set it back. What changed
//! since the session began may be the agent's own code, so it does not run without trust.

use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use payload::Event;

use crate::folder::{is_inside, parts, real};

/// How far back a session may reach whose beginning is not known.
const UNKNOWN_SESSION: Duration = Duration::from_hours(24);

/// At most as many files and folders are looked at for one formatter: 0.2 s on a slow disk.
const MOST: usize = 100_000;

/// As many links may follow one another, as for the kernel.
const LINKS: usize = 40;

/// Folders of what is installed in a project.
const INSTALLED: &[&str] = &["node_modules", ".venv"];

/// What package managers keep below `node_modules` under a name that no package can have, and programs run from.
const HIDDEN: &[&str] = &[".bin", ".pnpm", ".store"];

/// Whether a path leads to what is installed.
pub(crate) fn is_installed(path: &Path) -> bool {
    parts(path).any(|part| INSTALLED.iter().any(|name| part == name.as_bytes()))
}

/// Who wants a file formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A person, who sees what is there.
    Person,
    /// An agent, and the log of its session, if it is known: it is as old as the session.
    Agent(Option<PathBuf>),
}

impl Caller {
    /// The agent whose session the event belongs to.
    ///
    /// Claude Code, Codex, Gemini CLI and VS Code name their log in the payload, Copilot CLI 1.0.102 keeps
    /// `session-state/<id>` in its folder (seen in runs of each but VS Code).
    pub(crate) fn of(event: &Event<'_>, home: &Path) -> Self {
        let named = event.transcript_path().filter(|path| !path.is_empty()).map(|path| PathBuf::from(&*path));
        Self::Agent(named.or_else(|| unnamed_log(event, home)))
    }

    /// When the agent's session began at the latest; `None` for a person.
    fn began(&self) -> Option<SystemTime> {
        let Self::Agent(log) = self else { return None };
        let created = log.as_ref().and_then(|log| fs::metadata(log).ok()?.created().ok());
        Some(created.unwrap_or_else(|| SystemTime::now() - UNKNOWN_SESSION))
    }

    /// What of the program at `path`, and of what it loads, changed since the session began; `root` is the project's.
    pub(crate) fn changed_program(&self, path: &Path, root: &Path) -> Option<PathBuf> {
        let began = self.began()?;
        let mut hop = path.to_owned();
        for _ in 0..LINKS {
            // From the folder of what is installed downwards: those above change with every file of the project.
            let inside = hop.ancestors().take_while(|part| is_inside(part, root) && is_installed(part));
            if let Some(changed) = inside.map(Path::to_owned).find(|part| changed_since(part, began)) {
                return Some(changed);
            }
            let Ok(target) = fs::read_link(&hop) else {
                // A native program is one file. A script is whatever it loads, too.
                return if is_script(&hop) { changed_below(&tops(path, root), began) } else { None };
            };
            // A link is relative to the folder that really holds it.
            let folder = hop.parent().and_then(|folder| real(folder).ok())?;
            hop = folder.join(target);
            if let (Some(Ok(folder)), Some(name)) = (hop.parent().map(real), hop.file_name()) {
                hop = folder.join(name);
            }
        }
        // A chain of links without an end counts as changed.
        Some(hop)
    }

    /// What changed since the session began of all that code in `folder` finds installed.
    pub(crate) fn changed_around(&self, folder: &Path, root: &Path) -> Option<PathBuf> {
        let began = self.began()?;
        let above = folder.ancestors().take_while(|above| is_inside(above, root));
        let tops: Vec<PathBuf> = above
            .flat_map(|above| INSTALLED.iter().map(|name| above.join(name)))
            .filter(|top| top.is_dir())
            .collect();
        changed_below(&tops, began)
    }
}

/// The log of a session that payloads do not name.
fn unnamed_log(event: &Event<'_>, home: &Path) -> Option<PathBuf> {
    let traits = event.host.traits();
    let (variable, folder) = traits.kept.moved?;
    let below = traits.session_log?;
    let id = event.session_id()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    // The id becomes a part of a path.
    if id.is_empty() || !id.chars().all(plain) {
        return None;
    }
    let own = std::env::var_os(variable).filter(|own| !own.is_empty()).map(PathBuf::from);
    Some(own.unwrap_or_else(|| home.join(folder)).join(below).join(&*id))
}

/// The outermost folders of what is installed on the way to `path`, without links and with them.
fn tops(path: &Path, root: &Path) -> Vec<PathBuf> {
    let top = |path: &Path| {
        let above = path.ancestors().filter(|part| is_inside(part, root) && is_installed(part)).last();
        above.map(Path::to_owned)
    };
    let mut tops: Vec<PathBuf> =
        [top(path), real(path).ok().and_then(|real| top(&real))].into_iter().flatten().collect();
    tops.dedup();
    tops
}

/// The first file or folder in `tops` that changed since then. Also what is too large to look at.
fn changed_below(tops: &[PathBuf], began: SystemTime) -> Option<PathBuf> {
    let mut open = tops.to_vec();
    let mut seen = 0;
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            // What cannot be listed may hold anything.
            Err(_) => return Some(folder),
        };
        let in_modules = folder.file_name().is_some_and(|name| name == "node_modules");
        for entry in entries.flatten() {
            seen += 1;
            let path = entry.path();
            if seen > MOST {
                return Some(path);
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Nothing is loaded from caches: those of Python are switched off, see `locate::environment`.
            if name == "__pycache__" || (in_modules && name.starts_with('.') && !HIDDEN.contains(&&*name)) {
                continue;
            }
            // Gone since the folder was listed: it is not loaded either.
            let Ok(facts) = fs::symlink_metadata(&path) else { continue };
            if has_changed(&facts, began) {
                return Some(path);
            }
            if facts.is_dir() {
                open.push(path);
            }
        }
    }
    None
}

/// Whether a script that the system hands to an interpreter lies there. What cannot be read may be one.
fn is_script(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_err() || !matches!(&start, b"\x7fELF" | b"\xcf\xfa\xed\xfe" | b"\xca\xfe\xba\xbe")
}

fn changed_since(path: &Path, began: SystemTime) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| has_changed(&facts, began))
}

/// Whether content, mode, name or links changed at that time or later.
#[cfg(unix)]
fn has_changed(facts: &Metadata, began: SystemTime) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let began = began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = u64::try_from(facts.ctime()).unwrap_or_default();
    let nanoseconds = u32::try_from(facts.ctime_nsec()).unwrap_or_default();
    Duration::new(seconds, nanoseconds) >= began
}

/// Whether it was written then or later; programs of a project do not run there.
#[cfg(not(unix))]
fn has_changed(facts: &Metadata, began: SystemTime) -> bool {
    facts.modified().is_ok_and(|modified| modified >= began)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn what_cannot_be_listed_counts_as_changed() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now() + Duration::from_mins(1);
        // A file cannot be listed by anyone; root lists every folder.
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(changed_below(std::slice::from_ref(&file), now), Some(file.clone()));
        assert_eq!(changed_below(&[folder.path().join("gone")], now), None);
    }

    #[test]
    fn what_is_installed_is_known_by_a_part() {
        for (path, installed) in
            [("a/node_modules/b", true), (".venv/x", true), ("node_modules.js", false), ("a/.venvs/b", false)]
        {
            assert_eq!(is_installed(Path::new(path)), installed, "{path}");
        }
    }

    /// A project in which a script and a native program are installed, and the time at which a session begins there.
    fn installed() -> (tempfile::TempDir, PathBuf, Caller) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let modules = root.join("node_modules");
        for (name, text) in [
            ("prettier/bin/prettier.cjs", &b"#!/usr/bin/env node\nrequire('..')\n"[..]),
            ("prettier/index.cjs", b"1\n"),
            ("native/bin", b"\x7fELF\x02\x01"),
            (".cache/x", b""),
        ] {
            let file = modules.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::create_dir(modules.join(".bin")).unwrap();
        symlink("../prettier/bin/prettier.cjs", modules.join(".bin/prettier")).unwrap();
        symlink("../native/bin", modules.join(".bin/native")).unwrap();
        // A file's times are those of the kernel's tick: the session begins in a later one.
        let last = fs::symlink_metadata(modules.join(".bin")).unwrap().modified().unwrap();
        let log = root.join("session.jsonl");
        loop {
            let _ = fs::remove_file(&log);
            fs::write(&log, "").unwrap();
            if fs::metadata(&log).unwrap().created().unwrap() > last {
                break;
            }
        }
        (folder, root, Caller::Agent(Some(log)))
    }

    #[test]
    fn what_is_older_than_the_session_is_unchanged() {
        let (_folder, root, agent) = installed();
        for name in ["prettier", "native"] {
            assert_eq!(
                agent.changed_program(&root.join("node_modules/.bin").join(name), &root),
                None,
                "{name}"
            );
        }
        assert_eq!(agent.changed_around(&root.join("src"), &root), None);
    }

    #[test]
    fn whatever_changes_is_seen_and_times_that_are_set_back_do_not_help() {
        type Way = fn(&Path);
        let ways: &[(&str, Way)] = &[
            ("written over", |modules| fs::write(modules.join("prettier/bin/prettier.cjs"), "#!x").unwrap()),
            ("with its time set back", |modules| {
                let file = File::options().append(true).open(modules.join("prettier/index.cjs")).unwrap();
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }),
            ("another link", |modules| {
                fs::remove_file(modules.join(".bin/prettier")).unwrap();
                symlink("/bin/sh", modules.join(".bin/prettier")).unwrap();
            }),
            ("a new file beside it", |modules| fs::write(modules.join("prettier/plugin.cjs"), "").unwrap()),
            ("moved into its place", |modules| {
                fs::rename(modules.join("native"), modules.join("prettier/lib")).unwrap();
            }),
        ];
        for (what, change) in ways {
            let (_folder, root, agent) = installed();
            let modules = root.join("node_modules");
            change(&modules);
            assert!(agent.changed_program(&modules.join(".bin/prettier"), &root).is_some(), "{what}");
            assert!(agent.changed_around(&root, &root).is_some(), "{what}");
            assert_eq!(Caller::Person.changed_program(&modules.join(".bin/prettier"), &root), None, "{what}");
        }
    }

    #[test]
    fn a_native_program_is_one_file_and_caches_are_not_programs() {
        let (_folder, root, agent) = installed();
        let modules = root.join("node_modules");
        fs::write(modules.join("prettier/index.cjs"), "2").unwrap();
        fs::write(modules.join(".cache/x"), "2").unwrap();
        assert_eq!(agent.changed_program(&modules.join(".bin/native"), &root), None);
        fs::set_permissions(modules.join("native/bin"), fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(
            agent.changed_program(&modules.join(".bin/native"), &root),
            Some(modules.join("native/bin"))
        );
    }
}
