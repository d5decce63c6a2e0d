//! The licence strings of everything that is in the programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::metadata::{Metadata, Package};
use crate::programs::run;
use crate::{ReleaseError, read};

/// What file names of licences begin with.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"];

/// Where packages keep the licences of what they carry inside.
const INSIDE: [&str; 4] = ["libgit2", "libgit2/deps/pcre2", "libgit2/deps/llhttp", "src/zlib"];

/// Licences that are to be passed on with programs, and which packages have without a string of their own.
const TEXTS: &[(&str, &str)] = &[];

/// The C library of the static programs.
const MUSL: &str = include_str!("musl.txt");

/// All strings, each once, with the packages that it belongs to.
pub(crate) fn third_party(metadata: &Metadata) -> Result<String, ReleaseError> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata.packages.iter().filter(|package| package.digest.is_some()) {
        for text in of(package)? {
            texts.entry(text).or_default().push(format!("{} {}", package.name, package.version));
        }
    }
    texts.entry(MUSL.to_owned()).or_default().push("musl".to_owned());
    let mut sorted: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, names)| (names, text)).collect();
    sorted.sort();
    let mut all = String::from(
        "The programs of policy-hooks are under the MIT licence or the Apache licence 2.0, at your option. They contain\n\
         the following, under these licences; where a package offers a choice, every text that it brings is here.\n\
         Rust's standard library: see COPYRIGHT-library.html.\n",
    );
    for (names, text) in sorted {
        let _ = write!(all, "\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim());
    }
    Ok(all)
}

/// The strings of one package.
fn of(package: &Package) -> Result<Vec<String>, ReleaseError> {
    let mut files = Vec::new();
    let folders =
        std::iter::once(package.folder.clone()).chain(INSIDE.map(|inside| package.folder.join(inside)));
    for folder in folders {
        files.extend(licence_files(&folder));
    }
    let mut texts = Vec::new();
    for file in files {
        texts.push(String::from_utf8_lossy(&read(&file)?).replace("\r\n", "\n").trim().to_owned());
    }
    texts.extend(TEXTS.iter().filter(|(name, _)| *name == package.name).map(|(_, text)| (*text).to_owned()));
    if texts.is_empty() {
        return Err(ReleaseError::Licence(format!("{} {}", package.name, package.version)));
    }
    Ok(texts)
}

fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    files
}

/// The licences of Rust's standard library, as rustup installs them.
pub(crate) fn standard_library() -> Result<Vec<u8>, ReleaseError> {
    let rust = "install Rust with rustup: https://rustup.rs";
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]), rust)?;
    read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;

    #[test]
    fn everything_that_is_linked_brings_its_licence() {
        // Only what this machine has built is here without a network.
        let all = third_party(&Metadata::read(Target::LinuxX86).unwrap()).unwrap();
        for part in [
            "libgit2 is Copyright (C) the libgit2 contributors",
            "musl",
            "Jean-loup Gailly",
            "Apache License",
        ] {
            assert!(all.contains(part), "{part}");
        }
    }
}
