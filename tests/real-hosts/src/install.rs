//! Installs the hosts from the npm registry, each in a folder of its own: about 1 GB in all.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::Host;

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

fn folder(host: Host) -> PathBuf {
    root().join(format!("npm-{host}"))
}

/// The host's program, if the version that is tested is installed.
pub fn installed(host: Host) -> Option<PathBuf> {
    let (package, version) = host.package();
    let manifest = folder(host).join("node_modules").join(package).join("package.json");
    let manifest: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).ok()?).ok()?;
    let program = folder(host).join(host.program());
    (manifest["version"] == version && program.exists()).then_some(program)
}

/// Installs the version that is tested, if it is not there yet.
///
/// # Errors
///
/// What npm says, when it cannot install the package, and whatever keeps its folder from being made.
pub fn install(host: Host) -> Result<PathBuf, String> {
    if let Some(program) = installed(host) {
        return Ok(program);
    }
    let folder = folder(host);
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(problem)?;
    fs::write(folder.join("package.json"), "{\"private\":true}\n").map_err(problem)?;
    let (package, version) = host.package();
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
        .arg(format!("{package}@{version}"))
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("npm does not start ({error}); install Node.js with npm"))?;
    if !output.status.success() {
        return Err(format!("npm cannot install {package}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    installed(host).ok_or_else(|| format!("{package}@{version} has no {}", host.program()))
}
