//! Where a formatter's program is.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::scene::Scene;
use crate::skip::Skip;

/// The program `name`: the project's own copy, nearest first, else the one on the `PATH` outside of the project.
pub(crate) fn program(
    scene: &Scene,
    name: &str,
    local: &[&str],
    file: &Path,
) -> Result<Option<PathBuf>, Skip> {
    // Windows' `node_modules\.bin` holds scripts for its shell, and nothing goes through a shell here.
    if cfg!(unix) {
        for folder in scene.folders_above(file) {
            for place in local {
                let program = folder.join(place).join(name);
                if is_executable(&program) {
                    vouched(scene, &program)
                        .map_err(|why| Skip::Untrusted { formatter: name.to_owned(), why })?;
                    return Ok(Some(program));
                }
            }
        }
    }
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    Ok(outside(&scene.root, &env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join(&file))
        .find(|program| is_executable(program)))
}

/// Whether the project's own copy was installed by somebody, and did not come with the repository or from the agent.
fn vouched(scene: &Scene, program: &Path) -> Result<(), String> {
    if scene.is_trusted() {
        return Ok(());
    }
    let shown = program.display();
    let Some(repository) = scene.repository().map_err(|skip| skip.to_string())? else {
        return Err(format!("{shown} may have come with the folder, which is no repository"));
    };
    let real = fs::canonicalize(program).map_err(|error| format!("{shown}: {error}"))?;
    for path in [program, &real] {
        let Some(relative) = scene.relative(path) else { continue };
        // A link above it may be what is tracked.
        for part in relative.ancestors().filter(|part| !part.as_os_str().is_empty()) {
            if repository.tracks(part).map_err(|error| error.to_string())? {
                let outside = part != relative && real.strip_prefix(&scene.root).is_err();
                if !outside {
                    return Err(format!("{shown} is part of the repository"));
                }
            }
        }
    }
    if scene.tools_edited().exists() {
        return Err(format!("the agent edited what is installed in {}", scene.root.display()));
    }
    Ok(())
}

/// The environment of a formatter: nothing secret, and no folder of the project where programs look for code.
pub(crate) fn environment(scene: &Scene) -> Vec<(OsString, OsString)> {
    let mut environment = subprocess::usual(|_| false);
    for (name, value) in &mut environment {
        let lists = ["PATH", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH"];
        if lists.iter().any(|list| name == list) {
            *value = env::join_paths(outside(&scene.root, value)).unwrap_or_default();
        }
    }
    // An empty one would mean the folder it runs in.
    environment.retain(|(name, value)| name == "PATH" || !value.is_empty());
    environment.push(("PYTHONSAFEPATH".into(), "1".into()));
    environment
}

/// The folders of a list such as `PATH` that are absolute and not in the project.
fn outside<'v>(root: &Path, value: &'v std::ffi::OsStr) -> impl Iterator<Item = PathBuf> + 'v {
    let root = root.to_owned();
    env::split_paths(value).filter(move |folder| {
        folder.is_absolute()
            && !folder.starts_with(&root)
            && !fs::canonicalize(folder).is_ok_and(|real| real.starts_with(&root))
    })
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_folders_outside_of_the_project_count() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir_all(root.join("bin")).unwrap();
        let link = root.with_file_name("link");
        std::os::unix::fs::symlink(root.join("bin"), &link).unwrap();
        let list =
            env::join_paths([Path::new("/usr/bin"), Path::new("."), Path::new(""), &root.join("bin"), &link])
                .unwrap();
        assert_eq!(outside(&root, &list).collect::<Vec<_>>(), [Path::new("/usr/bin")]);
    }
}
