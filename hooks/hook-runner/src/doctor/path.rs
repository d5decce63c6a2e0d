//! With which `PATH` a host starts hooks, and hooks started with it.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use host::process::{Finished, Processes, Spec};
use host::record::{Patience, Start};
use host::{Execute, Hook, Product};

/// What a system gives to programs that its desktop starts.
const BARE: &str = if cfg!(target_os = "macos") {
    "/usr/bin:/bin:/usr/sbin:/sbin"
} else {
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
};

/// How long a login shell may take; VS Code waits for as long.
const LOGIN: Duration = Duration::from_secs(10);

/// Stands in front of the `PATH` in what a login shell prints, among what its profile prints.
const MARK: &str = "hook-runner:PATH=";

/// Starts hooks as a host does that no one started in a terminal.
pub(crate) struct Started<'a> {
    processes: &'a Processes,
    /// `None` is that of this process.
    path: Option<OsString>,
}

impl<'a> Started<'a> {
    /// By a host.
    pub(crate) fn by(product: Product, processes: &'a Processes, home: &Path) -> Self {
        let path = match product.start {
            // Windows gives every program the same PATH, wherever it was started.
            _ if cfg!(windows) => None,
            Start::Elsewhere => None,
            Start::LoginShell => Some(login(processes, home).unwrap_or_else(|| BARE.into())),
            Start::Desktop => Some(BARE.into()),
        };
        Self { processes, path }
    }

    /// From this terminal.
    pub(crate) fn here(processes: &'a Processes) -> Self {
        Self { processes, path: None }
    }
}

/// The `PATH` of the user's login shell, started from a desktop.
fn login(processes: &Processes, home: &Path) -> Option<OsString> {
    let shell = std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
    // Interactive and a login, as VS Code asks it: either kind of profile may set the PATH.
    let mut line: Vec<OsString> =
        vec![shell, "-ilc".into(), format!("printf '\\n{MARK}%s\\n' \"$PATH\"").into()];
    // An interactive shell in the background of a terminal stops until someone brings it to the front: it gets none.
    if host::installed::on_path("setsid").is_some() {
        line.splice(..0, ["setsid".into(), "--wait".into()]);
    }
    let spec = Spec {
        program: line.remove(0),
        arguments: line,
        // In the home folder: a profile may do something else in a project's.
        folder: if home.is_dir() { home.to_owned() } else { "/".into() },
        unset: Vec::new(),
        // Not the terminal's PATH, which the profile would only add to.
        env: vec![("PATH".to_owned(), BARE.into())],
        limit: LOGIN,
        patience: Patience::ForTheProcess,
    };
    let said = processes.run(&spec, b"").stdout;
    // What a profile prints comes before it, and may be anything.
    let path = said.lines().find_map(|line| line.strip_prefix(MARK))?;
    (!path.is_empty()).then(|| path.into())
}

impl Execute for Started<'_> {
    fn execute(&self, hook: &Hook, spec: &Spec, payload: &str) -> Finished {
        let Some(path) = &self.path else { return self.processes.execute(hook, spec, payload) };
        let mut spec = spec.clone();
        // What the entry sets itself comes later, and counts.
        spec.env.insert(0, ("PATH".to_owned(), path.clone()));
        self.processes.execute(hook, &spec, payload)
    }

    fn tidy(&self) -> usize {
        self.processes.tidy()
    }
}
