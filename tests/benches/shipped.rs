//! The programs, built as they are shipped for Linux.

use std::path::PathBuf;
use std::process::Command;

use support::programs::{names, root};

/// What programs for users of Linux are built for.
const SHIPPED_FOR: &str = "x86_64-unknown-linux-musl";

/// Every hook, built: its name, and its program.
///
/// # Errors
///
/// When one cannot be built.
pub fn hooks() -> Result<Vec<(String, PathBuf)>, String> {
    let hooks = names().into_iter().filter(|name| name != "hook-runner");
    hooks.map(|name| build(&name).map(|program| (name, program))).collect()
}

/// Builds one package and returns the path of its program.
///
/// # Errors
///
/// With what went wrong.
pub fn build(package: &str) -> Result<PathBuf, String> {
    run_cargo(package, words(package)?)
}

/// The same, but for the names of its functions, which are kept.
///
/// # Errors
///
/// With what went wrong.
pub fn build_with_symbols(package: &str) -> Result<PathBuf, String> {
    let mut words = words(package)?;
    words.push("-Cstrip=none".to_owned());
    run_cargo(package, words)
}

/// How cargo is called to build what is shipped.
fn words(package: &str) -> Result<Vec<String>, String> {
    release::cargo_words(package, SHIPPED_FOR).map_err(|error| error.to_string())
}

fn run_cargo(package: &str, mut words: Vec<String>) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    words.insert(1, "--message-format=json-render-diagnostics".to_owned());
    let output = Command::new(cargo)
        .args(words)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("{package} does not build:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == package)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| format!("cargo built no program for {package}"))
}

/// A program that does nothing, built like ours: the least that a program of this kind costs.
///
/// # Errors
///
/// With what went wrong.
pub fn empty(target: &str) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("policy-hooks-empty-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").map_err(|error| format!("{}: {error}", source.display()))?;
    let program = folder.join("empty");
    let flags = [
        "--edition=2024",
        "-Copt-level=3",
        "-Cpanic=abort",
        "-Clto=fat",
        "-Ccodegen-units=1",
        "-Cstrip=symbols",
    ];
    let status = Command::new("rustc")
        .args(flags)
        .args(["--target", target, "-o"])
        .arg(&program)
        .arg(&source)
        .status()
        .map_err(|error| format!("rustc does not start: {error}"))?;
    if status.success() { Ok(program) } else { Err(format!("rustc failed: {status}")) }
}
