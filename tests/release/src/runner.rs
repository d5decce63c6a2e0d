//! What `hook-runner` itself writes for a release. It is built for this machine.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::archive::Entry;
use crate::metadata::Metadata;
use crate::programs::run;
use crate::{ReleaseError, read};

/// What it prints for these arguments.
pub(crate) fn run_runner(metadata: &Metadata, words: &[&str]) -> Result<String, ReleaseError> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--locked", "--quiet", "--package", "hook-runner", "--"]).args(words);
    run(cargo.current_dir(&metadata.root), "install Rust with rustup: https://rustup.rs")
}

/// The files that it writes to a folder whose name comes after these arguments, with their paths there.
pub(crate) fn written_by_runner(metadata: &Metadata, words: &[&str]) -> Result<Vec<Entry>, ReleaseError> {
    // A directory of its own: several tests pack at once.
    let folder = tempfile::tempdir_in(&metadata.target_folder)
        .map_err(|error| ReleaseError::file(&metadata.target_folder, error))?;
    run_runner(metadata, &[words, &[&folder.path().display().to_string()]].concat())?;
    let mut entries = Vec::new();
    add(folder.path(), folder.path(), &mut entries)?;
    Ok(entries)
}

/// The managed settings of every system, with the program that needs no policies.
pub(crate) fn managed(metadata: &Metadata) -> Result<Vec<Entry>, ReleaseError> {
    let words = ["init", "--machine", "--yes", "--hook", "command-blocker", "--out"];
    let files = written_by_runner(metadata, &words)?;
    Ok(files
        .into_iter()
        .map(|file| Entry {
            path: format!("managed/{}", file.path),
            // Not every system that packs a release has such a mark.
            executable: file.bytes.starts_with(b"#!"),
            ..file
        })
        .collect())
}

/// Every file below a folder, with its path from `root`.
pub(crate) fn add(root: &Path, folder: &Path, entries: &mut Vec<Entry>) -> Result<(), ReleaseError> {
    for found in fs::read_dir(folder).map_err(|error| ReleaseError::file(folder, error))?.flatten() {
        let path = found.path();
        if path.is_dir() {
            add(root, &path, entries)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            entries.push(Entry::new(name.to_string_lossy().replace('\\', "/"), read(&path)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;

    #[test]
    fn several_pack_at_once() {
        let metadata = &Metadata::read(Target::ALL[0]).unwrap();
        std::thread::scope(|scope| {
            let packing: Vec<_> = (0..4).map(|_| scope.spawn(|| managed(metadata).unwrap().len())).collect();
            let counts: Vec<usize> = packing.into_iter().map(|one| one.join().unwrap()).collect();
            assert!(counts.iter().all(|count| *count == counts[0] && *count > 0), "{counts:?}");
        });
    }
}
