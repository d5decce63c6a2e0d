//! The compiler of what is not Rust: zig, from `PyPI`, the same on every machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::run;
use crate::{ReleaseError, create, write};

/// The version; another one makes other bytes.
const ZIG: &str = "0.17.1";

const HELP: &str = "install Python 3 (Debian: python3 and python3-venv)";

/// A C compiler and an archiver for a target: two files that start zig.
pub(crate) fn for_target(target: &str, target_folder: &Path) -> Result<(PathBuf, PathBuf), ReleaseError> {
    let folder = folder(target_folder);
    let zig = zig(target_folder)?;
    let zig = zig.display();
    // The names that cc gives targets are not zig's.
    let compiler = format!(
        "#!/bin/sh\nfor word do shift; case $word in --target=*|-m64) ;; *) set -- \"$@\" \"$word\" ;; esac; done\n\
         exec '{zig}' cc -target {target} -fno-sanitize=all \"$@\"\n"
    );
    let archiver = format!("#!/bin/sh\nexec '{zig}' ar \"$@\"\n");
    Ok((script(&folder.join(format!("cc-{target}")), &compiler)?, script(&folder.join("ar"), &archiver)?))
}

fn folder(target_folder: &Path) -> PathBuf {
    target_folder.join("zig").join(ZIG)
}

/// The path of zig, installed the first time. Beside it lies what it knows of systems.
pub(crate) fn zig(target_folder: &Path) -> Result<PathBuf, ReleaseError> {
    let folder = folder(target_folder);
    let known = folder.join("path");
    if let Ok(path) = fs::read_to_string(&known)
        && Path::new(&path).exists()
    {
        return Ok(path.into());
    }
    create(&folder)?;
    let python = folder.join("venv/bin/python");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder.join("venv")), HELP)?;
    let package = format!("ziglang=={ZIG}");
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", &package]), HELP)?;
    let tell = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'), end='')";
    let path = run(Command::new(&python).args(["-c", tell]), HELP)?;
    write(&known, path.as_bytes())?;
    Ok(path.into())
}

/// Writes a file that can be started, unless it is there as it should be: a newer one would have everything built anew.
fn script(path: &Path, text: &str) -> Result<PathBuf, ReleaseError> {
    if fs::read_to_string(path).is_ok_and(|now| now == text) {
        return Ok(path.to_owned());
    }
    write(path, text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .map_err(|error| ReleaseError::file(path, error))?;
    }
    Ok(path.to_owned())
}
