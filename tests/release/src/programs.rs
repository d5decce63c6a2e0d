//! The programs, built.

use std::path::PathBuf;
use std::process::Command;

use crate::metadata::Metadata;
use crate::target::Target;
use crate::{ReleaseError, compiler, mac};

const RUST: &str = "install Rust with rustup: https://rustup.rs";

/// The lines of a failure that are shown.
const TOLD: usize = 12;

/// Builds every program for a target.
pub(crate) fn build(target: Target, metadata: &Metadata) -> Result<Vec<PathBuf>, ReleaseError> {
    target.possible()?;
    run(Command::new("rustup").args(["target", "add", target.triple()]), RUST)?;
    let environment = environment(target, metadata)?;
    // One by one: together they would share features that they do not have alone.
    for hook in &metadata.hooks {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(words(hook, target, metadata));
        cargo.current_dir(&metadata.root).envs(environment.iter().map(|(name, value)| (name, value)));
        run(&mut cargo, RUST)?;
    }
    Ok(paths(target, metadata))
}

/// Where cargo puts them.
pub(crate) fn paths(target: Target, metadata: &Metadata) -> Vec<PathBuf> {
    let folder = metadata.target_folder.join(target.triple()).join("release");
    let name = |hook: &String| if target.is_windows() { format!("{hook}.exe") } else { hook.clone() };
    metadata.hooks.iter().map(|hook| folder.join(name(hook))).collect()
}

/// The arguments by which cargo builds a program as it is shipped; what follows goes to rustc.
///
/// A static program of Rust alone is linked for a fixed address, as Go's are: tables with addresses inside then need
/// no correction at every start, which is half of the instructions of a short call and every fourth page that it
/// touches. One with C inside reads what others wrote with code that can go wrong, so its address stays random.
pub(crate) fn words(hook: &str, target: Target, metadata: &Metadata) -> Vec<String> {
    let words = [
        "rustc",
        "--locked",
        "--quiet",
        "--release",
        "--package",
        hook,
        "--bin",
        hook,
        "--target",
        target.triple(),
        "--",
    ];
    let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    if target.is_linux() && !metadata.has_native_code(hook) {
        words.push("-Crelocation-model=static".to_owned());
    }
    words
}

/// The variables that make a build independent of where, when and by whom.
pub(crate) fn environment(
    target: Target,
    metadata: &Metadata,
) -> Result<Vec<(String, String)>, ReleaseError> {
    let triple = target.triple();
    let upper = triple.to_uppercase().replace('-', "_");
    let lower = triple.replace('-', "_");
    let mut flags: Vec<String> = metadata
        .remapped()
        .into_iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    flags.extend(target.linker_flags().iter().map(|&flag| flag.to_owned()));
    let maps = metadata.remapped().into_iter();
    let c_flags: Vec<String> =
        maps.map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).collect();
    let mut variables = vec![
        ("SOURCE_DATE_EPOCH".to_owned(), metadata.time.to_string()),
        ("POLICY_HOOKS_VERSION".to_owned(), metadata.full_version()),
        (format!("CARGO_TARGET_{upper}_RUSTFLAGS"), flags.join(" ")),
        (format!("CFLAGS_{lower}"), c_flags.join(" ")),
    ];
    if let Some(zig) = target.zig() {
        let (compiler, archiver) = compiler::for_target(zig, &metadata.target_folder)?;
        variables.push((format!("CC_{lower}"), compiler.display().to_string()));
        variables.push((format!("AR_{lower}"), archiver.display().to_string()));
    }
    if target.is_mac() {
        let sdk =
            mac::sdk(&compiler::zig(&metadata.target_folder)?, &metadata.target_folder.join("mac-sdk"))?;
        variables.push(("SDKROOT".to_owned(), sdk.display().to_string()));
    }
    Ok(variables)
}

/// Runs a program to its end, and returns what it printed.
pub(crate) fn run(command: &mut Command, help: &'static str) -> Result<String, ReleaseError> {
    let output = command.output().map_err(|error| ReleaseError::Missing {
        program: command.get_program().display().to_string(),
        error,
        help,
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.display().to_string())
        .collect();
    Err(ReleaseError::Failed {
        command: words.join(" "),
        told: lines[lines.len().saturating_sub(TOLD)..].join("\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_of_rust_alone_for_linux_have_a_fixed_address() {
        let fixed = |hook: &str, target: Target| {
            let metadata = Metadata::read(target).unwrap();
            words(hook, target, &metadata).contains(&"-Crelocation-model=static".to_owned())
        };
        assert!(fixed("command-blocker", Target::LinuxX86));
        assert!(fixed("command-blocker", Target::LinuxArm));
        assert!(!fixed("context-injector", Target::LinuxX86), "libgit2 is C");
        assert!(!fixed("formatter-trigger", Target::LinuxX86), "libgit2 is C");
        assert!(!fixed("command-blocker", Target::WindowsX86), "Windows relocates by itself");
    }
}
