//! One archive per target of everything that users download, the same bytes from every build of a commit.

mod archive;
mod bill;
mod command_line;
mod compiler;
mod contents;
mod error;
mod licences;
mod mac;
mod metadata;
mod packages;
mod pages;
mod programs;
mod runner;
mod shape;
mod target;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use archive::Entry;
use command_line::{CommandLine, Task};
pub use error::ReleaseError;
use metadata::Metadata;
use target::Target;

/// Runs the command line to its end.
pub fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let result = match &command_line.task {
        Some(Task::Environment { target }) => environment(*target),
        Some(Task::Programs { target, names }) => only_programs(*target, names),
        Some(Task::Install { to }) => install(to.as_deref()),
        Some(Task::Packages { from, out, downloads }) => {
            packages::make(from.as_deref(), out.as_deref(), downloads.as_deref())
        }
        Some(Task::Plugins { bin, out }) => plugins(bin, out).map(|()| true),
        None => release(&command_line),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

/// The arguments by which cargo builds `hook` for `target` as it is shipped, without the variables of a release.
///
/// # Errors
///
/// When there is no such target, or cargo cannot tell what the program consists of.
pub fn cargo_words(hook: &str, target: &str) -> Result<Vec<String>, ReleaseError> {
    let target = target.parse().map_err(|why| ReleaseError::Form { what: "the target", why })?;
    Ok(programs::words(hook, target, &Metadata::read(target)?))
}

/// Writes the plugins and the extension for this machine below a folder, as `plugins` and `extension`.
///
/// # Errors
///
/// When a program is missing, or what a release says of itself cannot be found out.
pub fn plugins(bin: &Path, out: &Path) -> Result<(), ReleaseError> {
    packages::plugins(bin, out)
}

/// Builds programs, and says where they are.
fn only_programs(target: Target, names: &[String]) -> Result<bool, ReleaseError> {
    let mut metadata = Metadata::read(target)?;
    if !names.is_empty() {
        if let Some(unknown) = names.iter().find(|name| !metadata.hooks.contains(name)) {
            let why = format!("{unknown} is none; known are {}", metadata.hooks.join(", "));
            return Err(ReleaseError::Form { what: "the program's name", why });
        }
        metadata.hooks = names.to_vec();
    }
    for program in programs::build(target, &metadata)? {
        say(&program.display().to_string());
    }
    Ok(true)
}

/// Builds the programs as a release has them and puts them where commands are found. `cargo install` alone would build
/// them for the system's C library, without the linker's settings of this repository: every call would take twice as long.
fn install(to: Option<&Path>) -> Result<bool, ReleaseError> {
    let target = Target::host()?;
    let folder = match to {
        Some(folder) => folder.to_owned(),
        None => metadata::cargo_home().join("bin"),
    };
    create(&folder)?;
    for program in programs::build(target, &Metadata::read(target)?)? {
        let name = program.file_name().unwrap_or_default();
        let new = folder.join(name).with_extension("new");
        // Renamed into place: a host may be calling the old one at this moment.
        fs::copy(&program, &new).map_err(|error| ReleaseError::file(&new, error))?;
        fs::rename(&new, folder.join(name)).map_err(|error| ReleaseError::file(&folder.join(name), error))?;
        say(&folder.join(name).display().to_string());
    }
    Ok(true)
}

/// Prints what a shell sets so that what its cargo builds does not depend on where and when.
fn environment(target: Target) -> Result<bool, ReleaseError> {
    let metadata = Metadata::read(target)?;
    for (name, value) in programs::environment(target, &metadata)? {
        say(&format!("export {name}={}", shell_words::quote(&value)));
    }
    Ok(true)
}

/// Makes the archives, and says which were made and which not. False if one that was asked for is missing, or all are.
fn release(command_line: &CommandLine) -> Result<bool, ReleaseError> {
    let asked = !command_line.targets.is_empty();
    let targets = if asked { command_line.targets.clone() } else { Target::ALL.to_vec() };
    let mut sums = String::new();
    let mut missing = 0;
    let folder = match &command_line.out {
        Some(folder) => folder.clone(),
        None => Metadata::read(targets[0])?.target_folder.join("release-archives"),
    };
    create(&folder)?;
    for target in targets {
        match one(target, &folder, command_line.as_built) {
            Ok(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let bytes = read(&path)?;
                sums += &archive::sum_line(&name, &bytes);
                say(&format!("{target:<28} {name} ({} KiB)", bytes.len() / 1024));
            }
            Err(error) => {
                missing += 1;
                say(&format!("{target:<28} NOT BUILT: {error}"));
            }
        }
    }
    write(&folder.join("SHA256SUMS"), sums.as_bytes())?;
    say(&format!("in {}", folder.display()));
    Ok(!sums.is_empty() && (missing == 0 || !asked))
}

/// The archive of one target.
fn one(target: Target, folder: &Path, as_built: bool) -> Result<PathBuf, ReleaseError> {
    let metadata = Metadata::read(target)?;
    let programs =
        if as_built { programs::paths(target, &metadata) } else { programs::build(target, &metadata)? };
    for program in &programs {
        let faults = shape::faults(target, &read(program)?);
        if !faults.is_empty() {
            let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(ReleaseError::Shape { program, faults: faults.join(", ") });
        }
    }
    let mut entries: Vec<Entry> = contents::files(&metadata, &programs)?;
    archive::finish(&mut entries);
    let name = target.archive(&metadata.version);
    let path = folder.join(format!("{name}.{}", target.suffix()));
    let bytes = if target.is_windows() {
        archive::zip(&name, &entries, metadata.time)?
    } else {
        archive::tar_gz(&name, &entries, metadata.time)?
    };
    write(&path, &bytes)?;
    Ok(path)
}

fn create(folder: &Path) -> Result<(), ReleaseError> {
    fs::create_dir_all(folder).map_err(|error| ReleaseError::file(folder, error))
}

fn read(path: &Path) -> Result<Vec<u8>, ReleaseError> {
    fs::read(path).map_err(|error| ReleaseError::file(path, error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ReleaseError> {
    fs::write(path, bytes).map_err(|error| ReleaseError::file(path, error))
}

#[expect(clippy::print_stdout, reason = "a program for people")]
fn say(line: &str) {
    println!("{line}");
}

/// On stderr: a shell may be reading what is printed as its own commands.
#[expect(clippy::print_stderr, reason = "a program for people")]
fn complain(error: &ReleaseError) {
    eprintln!("error: {error}");
}
