//! The shipped programs, built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The command blocker, built the first time that it is asked for, in the profile of the caller.
///
/// # Panics
///
/// When it cannot be built.
pub fn command_blocker() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("command-blocker", &BUILT)
}

/// The audit logger, in the same way.
///
/// # Panics
///
/// When it cannot be built.
pub fn audit_logger() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("audit-logger", &BUILT)
}

/// The failure is kept as well: a second attempt in every test would only repeat it.
fn built(package: &str, built: &'static OnceLock<Result<PathBuf, String>>) -> &'static Path {
    let built = built.get_or_init(|| build(package, profile()));
    built.as_deref().unwrap_or_else(|error| panic!("{error}"))
}

/// The runner, built the first time that it is asked for, in the profile of the caller.
///
/// # Panics
///
/// When it cannot be built.
pub fn hook_runner() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("hook-runner", &BUILT)
}

/// The approval gate, in the same way.
///
/// # Panics
///
/// When it cannot be built.
pub fn approval_gate() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("approval-gate", &BUILT)
}

/// The stop guard, in the same way.
///
/// # Panics
///
/// When it cannot be built.
pub fn stop_guard() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("stop-guard", &BUILT)
}

/// What programs for users of Linux are built for.
const SHIPPED_FOR: &str = "x86_64-unknown-linux-musl";

/// How programs are built for users of Linux.
pub const AS_SHIPPED: &[&str] = &["--release", "--target", SHIPPED_FOR];

/// Every hook that is shipped: its name, and its program, built with these arguments.
///
/// # Panics
///
/// When one cannot be built.
pub fn hooks(arguments: &[&str]) -> Vec<(String, PathBuf)> {
    let folder = root().join("hooks");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name != "hook-runner").collect();
    names.sort();
    let built = names.into_iter().map(|name| {
        let program = build(&name, arguments).unwrap_or_else(|error| panic!("{error}"));
        (name, program)
    });
    built.collect()
}

/// Builds in the profile of the caller.
pub fn profile() -> &'static [&'static str] {
    if cfg!(debug_assertions) { &[] } else { &["--release"] }
}

/// The context injector, in the same way.
///
/// # Panics
///
/// When it cannot be built.
pub fn context_injector() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("context-injector", &BUILT)
}

/// The formatter trigger, in the same way.
///
/// # Panics
///
/// When it cannot be built.
pub fn formatter_trigger() -> &'static Path {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    built("formatter-trigger", &BUILT)
}

/// Builds one package and returns the path of its program, or what went wrong.
pub fn build(package: &str, arguments: &[&str]) -> Result<PathBuf, String> {
    if arguments == AS_SHIPPED {
        return run_cargo(package, shipped(package)?);
    }
    let words = ["build", "--quiet", "--package", package].into_iter();
    run_cargo(package, words.chain(arguments.iter().copied()).map(str::to_owned).collect())
}

/// The same as it is shipped, but for the names of its functions, which are kept.
pub fn build_with_symbols(package: &str) -> Result<PathBuf, String> {
    let mut words = shipped(package)?;
    words.push("-Cstrip=none".to_owned());
    run_cargo(package, words)
}

/// What cargo is told to build what is shipped.
fn shipped(package: &str) -> Result<Vec<String>, String> {
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
