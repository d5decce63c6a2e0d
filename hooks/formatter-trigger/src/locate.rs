//! Where a formatter's program is.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::code;
use crate::evidence;
use crate::folder::{Folder, is_inside, outside, real};
use crate::installed::is_installed;
use crate::skip::Skip;
use crate::workspace::Workspace;

/// Files that choose what the shims of version managers run (asdf, mise): versions, folders, even commands.
const CHOOSE_VERSIONS: &[&str] = &[
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    "mise.local.toml",
    ".mise.local.toml",
    "mise/config.toml",
    ".mise/config.toml",
    ".config/mise.toml",
    ".config/mise/config.toml",
];

/// What such a file leads into folders with, or runs commands with.
const LEAD_ELSEWHERE: &[&str] = &["path", "PATH", "_.", "source", "exec", "\\"];

/// The program `name`: the project's own copy, nearest first, else the one on the `PATH` outside of the project.
pub(crate) fn program(
    workspace: &Workspace,
    name: &str,
    local: &[&str],
    folders: &[Folder],
) -> Result<Option<PathBuf>, Skip> {
    shims_are_settled(workspace, folders)
        .map_err(|why| Skip::Untrusted { formatter: name.to_owned(), why })?;
    // Windows' `node_modules\.bin` holds scripts for its shell, and nothing goes through a shell here.
    if cfg!(unix) {
        for folder in folders {
            for place in local {
                let mut program = String::with_capacity(place.len() + 1 + name.len());
                program.extend([place, "/", name]);
                if folder.has_program(&program) {
                    let program = folder.join(&program);
                    vouched(workspace, &program)
                        .map_err(|why| Skip::Untrusted { formatter: name.to_owned(), why })?;
                    return Ok(Some(program));
                }
            }
        }
    }
    // A link may lead from outside into the project.
    let is_outside =
        |program: &PathBuf| real(program).is_ok_and(|program| !is_inside(&program, &workspace.root));
    let mut programs = workspace.path().iter().map(|folder| in_folder(folder, name));
    Ok(programs.find(|program| is_executable(program) && is_outside(program)))
}

/// The program's path in a folder of the `PATH`.
fn in_folder(folder: &Path, name: &str) -> PathBuf {
    let length = folder.as_os_str().len() + 1 + name.len() + env::consts::EXE_SUFFIX.len();
    let mut program = PathBuf::with_capacity(length);
    program.push(folder);
    program.push(name);
    program.as_mut_os_string().push(env::consts::EXE_SUFFIX);
    program
}

/// Whether the project's own copy was installed by someone, and did not come with the repository or from the agent.
fn vouched(workspace: &Workspace, program: &Path) -> Result<(), String> {
    if workspace.is_trusted() {
        return Ok(());
    }
    workspace.lets_committed_code_run()?;
    let shown = program.display();
    if !workspace.in_repository {
        return Err(format!("{shown} may have come with the folder, which is not a repository"));
    }
    let real = real(program).map_err(|error| format!("{shown}: {error}"))?;
    let inside: Vec<&Path> =
        [program, &real].into_iter().filter_map(|path| workspace.relative(path)).collect();
    // A link above it may be what is tracked.
    let above = inside.iter().flat_map(|path| {
        path.ancestors().filter(|part| !part.as_os_str().is_empty()).map(move |part| (*path, part))
    });
    if !workspace.surely_tracks_none(&inside)
        && let Some(repository) = workspace.repository().map_err(|skip| skip.to_string())?
    {
        for (path, part) in above {
            let leads_out = part != path && real.strip_prefix(&workspace.root).is_err();
            if !leads_out && repository.tracks(part).map_err(|error| error.to_string())? {
                return Err(format!("{shown} is part of the repository"));
            }
        }
    }
    if workspace.relative(&real).is_some_and(|real| !is_installed(real)) {
        return Err(format!("{shown} is code of the project"));
    }
    workspace.agent_left_alone(workspace.caller.changed_program(program, &workspace.root))
}

/// An error where a file of the project, as the agent may have written it, chooses what programs on the `PATH` are.
fn shims_are_settled(workspace: &Workspace, folders: &[Folder]) -> Result<(), String> {
    if !workspace.path().iter().any(|folder| folder.as_os_str().as_encoded_bytes().ends_with(b"shims")) {
        return Ok(());
    }
    let found = folders.iter().flat_map(|folder| {
        CHOOSE_VERSIONS.iter().filter(|name| folder.has_file(name)).map(|name| folder.join(name))
    });
    for file in found {
        if workspace.is_trusted() {
            return Ok(());
        }
        workspace.lets_committed_code_run()?;
        if !code::is_committed(workspace, &file) {
            return Err(format!("{} is not what was committed", file.display()));
        }
        let text = evidence::read(&file).unwrap_or_default();
        if let Some(word) = LEAD_ELSEWHERE.iter().find(|word| text.contains(**word)) {
            return Err(format!("what {} chooses cannot be followed (`{word}`)", file.display()));
        }
    }
    Ok(())
}

/// The environment of a formatter, `python` if it may be written in that: nothing secret, and no folder of the project
/// where programs look for code. Nothing is said against colours, as there is no terminal, and what is shown of its
/// output goes without them anyway.
pub(crate) fn environment(workspace: &Workspace, python: Option<&Path>) -> Vec<(OsString, OsString)> {
    let mut environment = process::inherited();
    for (name, value) in &mut environment {
        let folders = match name.to_str() {
            Some("PATH") if workspace.is_path_outside() => continue,
            Some("PATH") => env::join_paths(workspace.path()),
            // Programs load code from these as well: only what lies outside of the project stays.
            Some("PYTHONPATH" | "NODE_PATH" | "LD_LIBRARY_PATH") => {
                env::join_paths(outside(&workspace.root, value))
            }
            _ => continue,
        };
        *value = folders.unwrap_or_default();
    }
    // An empty one would mean the folder it runs in.
    environment.retain(|(name, value)| name == "PATH" || !value.is_empty());
    if let Some(program) = python {
        environment.push(("PYTHONSAFEPATH".into(), "1".into()));
        if is_inside(program, &workspace.root) {
            // Compiled code beside the source counts for as new as the source says, so an agent could have written it:
            // none is read, and none written.
            environment.push(("PYTHONPYCACHEPREFIX".into(), "/dev/null".into()));
        }
    }
    environment
}

/// Whether a file may be executed.
#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

/// Whether a file may be executed.
#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
