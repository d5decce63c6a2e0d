//! Where a session takes place: a repository with the hooks installed, and the programs that they name.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use real_hosts::terminal::Person;
use real_hosts::{Report, RunError, run};
use support::payloads::RECORD_TO;

use super::promises::{Programs, Session};
use super::setups::Setup;
use super::{person, plugins};

/// Folders for the `PATH` of a session.
pub(super) struct Shelf {
    folder: tempfile::TempDir,
}

impl Shelf {
    /// Every hook that is shipped, under its name, as these paths say; and others in its place.
    pub(super) fn new(hooks: &[(String, PathBuf)]) -> Self {
        let shelf = Self { folder: tempfile::tempdir().unwrap() };
        let killed = shelf.folder.path().join("killed.sh");
        fs::write(&killed, "#!/bin/sh\nkill -9 $$\n").unwrap();
        fs::set_permissions(&killed, fs::Permissions::from_mode(0o755)).unwrap();
        for (hook, program) in hooks {
            for (kind, to) in [
                (Programs::Shipped, program.as_path()),
                (Programs::Misbehaving, Path::new(env!("CARGO_BIN_EXE_misbehaving-hook"))),
                (Programs::Killed, killed.as_path()),
                (Programs::Recording, Path::new(env!("CARGO_BIN_EXE_payload-recorder"))),
            ] {
                let folder = shelf.path(kind);
                fs::create_dir_all(&folder).unwrap();
                symlink(to, folder.join(hook)).unwrap();
            }
        }
        fs::create_dir_all(shelf.path(Programs::Missing)).unwrap();
        shelf
    }

    pub(super) fn path(&self, programs: Programs) -> PathBuf {
        self.folder.path().join(format!("{programs:?}"))
    }
}

/// Where a session takes place.
pub(super) struct Scene {
    /// The repository.
    pub(super) project: PathBuf,
    /// The audit log.
    pub(super) log: PathBuf,
    /// Whose session it is.
    pub(super) setup: Setup,
    /// What the host sent to its hooks, where these only keep it.
    pub(super) payloads: PathBuf,
    _folder: tempfile::TempDir,
}

impl Scene {
    /// Plays a session on a host.
    pub(super) fn play(
        setup: Setup,
        session: &Session,
        driver: &Path,
        shelf: &Shelf,
        plugins: Option<&Path>,
    ) -> Result<(Self, Report), RunError> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let [project, log, payloads] = ["project", "audit.jsonl", "payloads"].map(|name| root.join(name));
        fs::create_dir(&payloads).unwrap();
        let scene = Self { project, log, setup, payloads, _folder: folder };
        setup.prepare(&scene.project);
        if plugins.is_none() {
            setup.init(&scene.project, session.hooks, &shelf.path(Programs::Shipped));
        }
        (session.prepare)(&scene.project);
        let mut played = real_hosts::Session::new(setup.host(), &scene.project, (session.script)());
        if let Some(trees) = plugins {
            played.before = plugins::install(setup.host(), trees, session.hooks);
        }
        played.path = vec![shelf.path(session.programs)];
        played.full_disk = session.full_disk;
        played.permissions = session.permissions;
        played.person = session
            .person
            .filter(|_| setup.asks())
            .map(|(question, answer)| Person { question: question.to_owned(), answer });
        let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
        played.user_files = session.user_files.iter().map(owned).collect();
        played.env = vec![(RECORD_TO.to_owned(), scene.payloads.display().to_string())];
        if !session.full_disk {
            played.env.push((audit::VARIABLE.to_owned(), scene.log.display().to_string()));
        }
        let over = AtomicBool::new(false);
        let report = thread::scope(|scope| {
            let person = scope.spawn(|| person::attend(&scene.project, &over));
            let report = run(driver, &played);
            over.store(true, Ordering::Relaxed);
            person.join().unwrap();
            report
        })?;
        Ok((scene, report))
    }

    /// The records of the audit log.
    pub(super) fn records(&self) -> Result<Vec<serde_json::Value>, String> {
        let text = fs::read_to_string(&self.log).map_err(|error| format!("the audit log: {error}"))?;
        text.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
    }
}
