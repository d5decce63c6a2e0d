//! Our own programs, where they are, and which hooks of a project a person let run.

pub mod command;
pub mod trusted;
pub mod watched;

use std::env;
use std::path::{Path, PathBuf};

/// The programs of this project that are hooks.
pub const PROGRAMS: &[&str] = &[
    "command-blocker",
    "approval-gate",
    "audit-logger",
    "context-injector",
    "formatter-trigger",
    "stop-guard",
];

/// The program that a name means: in the folder of this program, or on the `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&file)));
    beside.filter(|path| is_executable(path)).or_else(|| on_path(name))
}

/// The program that a shell would start.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| is_executable(path))
}

/// Whether a file may be executed.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    // A folder has these bits as well.
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Whether a file may be executed.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The program of ours that a command runs, where it runs nothing else; by name or by an absolute path.
pub fn plain_program(command: &str) -> Option<&'static str> {
    command::call(command).map(|call| call.program)
}

/// Whether a command runs one of our programs and nothing else, from outside the project.
pub fn is_ours(command: &str, project: &Path) -> bool {
    let Some(call) = command::call(command) else { return false };
    // A folder of the project on the PATH may hold a program of the same name, and a relative one is such a folder.
    let relative =
        env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| !folder.is_absolute()));
    !(relative && call.path.is_none()) && call.is_installed(project)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_call_is_ours() {
        let project = Path::new("/nowhere");
        for command in
            ["command-blocker", "command-blocker --mode observe", "audit-logger; exit $LASTEXITCODE"]
        {
            assert!(is_ours(command, project), "{command}");
        }
        // An absolute path is ours where it leads to the program that is installed, and nowhere else.
        assert!(!is_ours("/bin/../tmp/../bin/sh", project));
        for command in [
            "./command-blocker",
            "command-blocker; rm -rf x",
            "command-blocker $(id)",
            "PATH=. command-blocker",
            "command-blocker > x",
            "bash x.sh",
            "command-blocker\nid",
            "",
        ] {
            assert!(!is_ours(command, project), "{command}");
        }
    }
}
