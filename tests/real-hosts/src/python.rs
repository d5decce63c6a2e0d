//! Hosts from PyPI, each in an environment of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What stands before the name of such a package among the versions.
pub(crate) const PREFIX: &str = "pypi:";

/// The oldest Python that runs them.
const WANTED: &str = "import sys, venv; sys.exit(sys.version_info < (3, 12))";

/// The folder of the environment, below that of the host.
const ENVIRONMENT: &str = "venv";

fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// A Python of this machine that is new enough.
fn python() -> Result<&'static str, String> {
    let runs = |name: &&str| output(Command::new(name).args(["-c", WANTED])).is_ok();
    let found = ["python3.13", "python3.12", "python3"].into_iter().find(runs);
    found.ok_or_else(|| "there is no Python 3.12 or newer on the PATH".to_owned())
}

/// Whether this version of a package is there.
pub(crate) fn has(folder: &Path, package: &str, version: &str) -> bool {
    let libraries = fs::read_dir(folder.join(ENVIRONMENT).join("lib"));
    let noted = format!("site-packages/{package}-{version}.dist-info");
    libraries.into_iter().flatten().flatten().any(|library| library.path().join(&noted).is_dir())
}

/// Installs packages, each with its version.
pub(crate) fn install(folder: &Path, packages: &[(&str, &str)]) -> Result<(), String> {
    let environment = folder.join(ENVIRONMENT);
    output(Command::new(python()?).args(["-m", "venv", "--clear"]).arg(&environment))?;
    let wanted = packages.iter().map(|(package, version)| format!("{package}=={version}"));
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    output(Command::new(environment.join("bin/python")).args(pip).args(wanted))?;
    Ok(())
}

/// The newest version of a package.
pub(crate) fn newest(package: &str) -> Result<String, String> {
    let said = output(Command::new(python()?).args(["-m", "pip", "index", "versions", package]))?;
    let version = said.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    version.map(|(version, _)| version.to_owned()).ok_or_else(|| format!("pip says of {package}: {said}"))
}
