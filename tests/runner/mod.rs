//! `hook-runner`, as people call it.

mod bundles;
mod check;
mod desk;
mod drill;
mod first;
mod front;
mod import;
mod init;
mod machine;
mod processes;
mod run;
mod screens;
mod session;
mod statusline;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use support::call::{Answer, Call};
use support::programs::{command_blocker, hook_runner, stand_in};
use support::terminal::{at_a_terminal, has_script};
use tempfile::TempDir;

/// A machine with a home and a project, and nothing else.
pub(crate) struct Machine {
    folder: TempDir,
}

impl Machine {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self::below(&std::env::temp_dir())
    }

    /// An empty one in this folder.
    pub(crate) fn below(folder: &Path) -> Self {
        let machine = Self { folder: tempfile::tempdir_in(folder).unwrap() };
        fs::create_dir_all(machine.project().join(".git")).unwrap();
        fs::create_dir_all(machine.home()).unwrap();
        machine
    }

    /// The user's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    /// With a file in the project.
    pub(crate) fn with(self, name: &str, text: &str) -> Self {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A call of the runner in the project.
    pub(crate) fn call<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Call {
        self.prepare(Call::new(hook_runner()).args(arguments))
    }

    /// The same for any program.
    pub(crate) fn prepare(&self, call: Call) -> Call {
        // The test may run in an agent's shell.
        let call = store::trust::agents::marks().fold(call, |call, mark| call.env(mark, ""));
        call.folder(&self.project())
            .env("HOME", self.home())
            .env("XDG_STATE_HOME", self.home().join("state"))
            .env("TZ", "UTC0")
            .env("COPILOT_HOME", "")
            .env("CODEX_HOME", "")
            .env("SHELL", "/bin/sh")
            .env("PATH", path())
    }

    /// What the runner says to a person at a terminal, where one can be made.
    pub(crate) fn at_a_terminal(&self, arguments: &[&str], typed: &str) -> Option<Answer> {
        let line = format!("'{}' {}", stand_in("hook-runner").display(), arguments.join(" "));
        let call = self.prepare(Call::new("/usr/bin/env"));
        has_script().then(|| at_a_terminal(call, &line, typed, &[]))
    }

    /// What the runner says.
    pub(crate) fn runner<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Answer {
        self.call(arguments).run()
    }
}

/// A PATH on which the built programs come first.
pub(crate) fn path() -> OsString {
    let folders = [command_blocker(), hook_runner()].map(|program| program.parent().unwrap().to_owned());
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&rest).filter(|f| f.is_absolute())))
        .unwrap()
}

/// A shipped configuration.
pub(crate) fn shipped(name: &str) -> String {
    fs::read_to_string(Path::new(support::programs::root()).join("configs").join(name)).unwrap()
}
