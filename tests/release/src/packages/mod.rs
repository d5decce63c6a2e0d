//! Packages of every channel, from the archives: whatever a channel is, its programs are those of the release.

mod deb;
mod layout;
mod managed;
mod manifests;
mod names;
mod npm;
mod plugin;
mod rpm;
mod wheel;

use std::path::Path;

use crate::archive::{self, Entry};
use crate::metadata::Metadata;
use crate::target::Target;
use crate::{ReleaseError, contents, create, read, say, write};

/// What all channels say of this project.
pub(crate) const SUMMARY: &str = "Hooks that stop coding agents from running destructive commands";

/// What the system's packages are, in lines that their checkers take: 79 letters with the blank before each in a .deb.
const PROGRAMS: &str = "\
VS Code, GitHub Copilot CLI, Claude Code, Codex CLI and Gemini CLI call these
programs before every tool call. They work out what a command line would
really run, and deny what is destructive. hook-runner init sets hosts up.";

const MANAGED: &str = "\
Installs the managed settings of GitHub Copilot CLI, Claude Code, Codex CLI,
Gemini CLI and others, so that each host asks the command blocker, whatever
a user or a project has configured. Files that are there already stay as
they are.";

/// One version, with everything that packages are made from.
pub(crate) struct Release {
    pub(crate) version: String,
    /// Of the commit, in seconds since 1970.
    pub(crate) time: u64,
    pub(crate) repository: String,
    /// The address before an archive's name.
    pub(crate) downloads: String,
    pub(crate) archives: Vec<Archive>,
}

/// One archive of it.
pub(crate) struct Archive {
    pub(crate) target: Target,
    /// The file's name.
    pub(crate) name: String,
    pub(crate) sha256: String,
    pub(crate) entries: Vec<Entry>,
}

impl Archive {
    /// Its programs, with their files' names.
    pub(crate) fn programs(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().filter_map(|entry| Some((entry.path.strip_prefix("bin/")?, entry)))
    }

    /// A file of it that every archive has.
    pub(crate) fn file(&self, path: &str) -> Result<&Entry, ReleaseError> {
        self.entries.iter().find(|entry| entry.path == path).ok_or_else(|| ReleaseError::Form {
            what: "the archive",
            why: format!("{} has no {path}", self.name),
        })
    }

    /// Licences of ours and of what is linked, and the bill of materials: what goes along everywhere.
    pub(crate) fn papers(&self) -> Result<Vec<&Entry>, ReleaseError> {
        ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES.txt", BILL]
            .into_iter()
            .map(|path| self.file(path))
            .collect()
    }
}

pub(crate) const BILL: &str = "bill-of-materials.cdx.json";

/// A package as it will lie in the folder.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Makes them all, and says which were made and which not. False if there is an archive and something is missing.
pub(crate) fn make(
    from: Option<&Path>,
    out: Option<&Path>,
    downloads: Option<&str>,
) -> Result<bool, ReleaseError> {
    let metadata = Metadata::read(Target::LinuxX86)?;
    let from = from.map_or_else(|| metadata.target_folder.join("release-archives"), Path::to_owned);
    let out = out.map_or_else(|| metadata.target_folder.join("release-packages"), Path::to_owned);
    let default = || format!("{}/releases/download/v{}", metadata.repository, metadata.version);
    let release = Release {
        archives: archives(&from, &metadata.version)?,
        downloads: downloads.map_or_else(default, str::to_owned),
        repository: metadata.repository,
        time: metadata.time,
        version: metadata.version,
    };
    create(&out)?;
    let mut sums = String::new();
    let mut missing = false;
    let work = out.join("work");
    let made = release
        .archives
        .iter()
        .flat_map(|archive| {
            [
                Some(wheel::package(&release, archive)),
                Some(npm::platform(&release, archive)),
                Some(plugin::marketplace(&release, archive)),
                Some(plugin::extension(&release, archive)),
                deb::package(&release, archive),
                rpm::package(&release, archive, &work),
            ]
        })
        .flatten()
        .chain([
            npm::front(&release),
            deb::managed(&release),
            rpm::managed(&release, &work),
            manifests::feature(&release),
        ])
        .chain(manifests::all(&release));
    for package in made {
        match package {
            Ok(package) => {
                let path = out.join(&package.name);
                create(path.parent().unwrap_or(&out))?;
                write(&path, &package.bytes)?;
                sums += &archive::sum_line(&package.name, &package.bytes);
                say(&format!("{} ({} KiB)", package.name, package.bytes.len().div_ceil(1024)));
            }
            Err(error) => {
                missing = true;
                say(&format!("NOT MADE: {error}"));
            }
        }
    }
    write(&out.join("SHA256SUMS"), sums.as_bytes())?;
    say(&format!("in {}", out.display()));
    Ok(!missing)
}

/// Writes the marketplace and the extension of this machine as folders.
pub(crate) fn plugins(bin: &Path, out: &Path) -> Result<(), ReleaseError> {
    let target = Target::host()?;
    let metadata = Metadata::read(target)?;
    let end = if target.is_windows() { ".exe" } else { "" };
    let programs: Vec<_> = metadata.hooks.iter().map(|hook| bin.join(format!("{hook}{end}"))).collect();
    let entries = contents::files(&metadata, &programs)?;
    let archive = Archive { target, name: target.archive(&metadata.version), sha256: String::new(), entries };
    let release = Release {
        archives: Vec::new(),
        downloads: String::new(),
        repository: metadata.repository,
        time: metadata.time,
        version: metadata.version,
    };
    for (name, tree) in [
        ("plugins", plugin::marketplace_tree(&release, &archive)?),
        ("extension", plugin::extension_tree(&release, &archive)?),
    ] {
        for entry in tree {
            let path = out.join(name).join(&entry.path);
            create(path.parent().unwrap_or(out))?;
            write(&path, &entry.bytes)?;
            if entry.executable {
                executable(&path)?;
            }
        }
        say(&out.join(name).display().to_string());
    }
    Ok(())
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<(), ReleaseError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).map_err(|error| ReleaseError::file(path, error))
}

/// Elsewhere a file's name says whether it runs.
#[cfg(not(unix))]
fn executable(path: &Path) -> Result<(), ReleaseError> {
    read(path).map(drop)
}

/// Packages for every system are made from any archive, but there has to be one.
pub(crate) fn no_archive() -> ReleaseError {
    ReleaseError::Form { what: "the archives", why: "there is none".to_owned() }
}

/// The archives of this version in a folder.
fn archives(folder: &Path, version: &str) -> Result<Vec<Archive>, ReleaseError> {
    let mut archives = Vec::new();
    for target in Target::ALL {
        let name = format!("{}.{}", target.archive(version), target.suffix());
        let path = folder.join(&name);
        if path.exists() {
            let bytes = read(&path)?;
            let sha256 = archive::hex(&bytes);
            archives.push(Archive { target, entries: archive::unpack(&name, &bytes)?, name, sha256 });
        }
    }
    if archives.is_empty() {
        let why = format!("there is none of {version} in {}: `.ci/release` makes them", folder.display());
        return Err(ReleaseError::Form { what: "the archives", why });
    }
    Ok(archives)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A release of every target, whose programs are short texts.
    pub(crate) fn release() -> Release {
        let archives = Target::ALL.into_iter().map(|target| {
            let end = if target.is_windows() { ".exe" } else { "" };
            let mut entries: Vec<Entry> = ["command-blocker", "hook-runner"]
                .map(|name| Entry { executable: true, ..Entry::new(format!("bin/{name}{end}"), name) })
                .into();
            let files = ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES.txt", BILL, "CHANGELOG.md"];
            entries.extend(files.map(|name| Entry::new(name, "text\n")));
            entries.push(Entry::new("man/man1/hook-runner.1", "page\n"));
            entries.push(Entry::new("configs/policies/starter.toml", "schema = 1\n"));
            entries.push(Entry::new("completions/zsh/_hook-runner", "words\n"));
            for system in ["linux/etc", "macos/etc", "windows/C/ProgramData"] {
                entries.push(Entry::new(format!("managed/{system}/codex/requirements.toml"), "[hooks]\n"));
            }
            let name = format!("{}.{}", target.archive("1.2.3"), target.suffix());
            Archive { target, sha256: archive::hex(name.as_bytes()), name, entries }
        });
        Release {
            version: "1.2.3".to_owned(),
            time: 1_700_000_000,
            repository: "https://example.com/o/policy-hooks".to_owned(),
            downloads: "https://example.com/o/policy-hooks/releases/download/v1.2.3".to_owned(),
            archives: archives.collect(),
        }
    }

    #[test]
    fn only_archives_of_this_version_count() {
        let folder = tempfile::tempdir().unwrap();
        assert!(archives(folder.path(), "1.2.3").is_err());
        let bytes = archive::tar_gz("x", &[Entry::new("bin/a", "1")], 1_700_000_000).unwrap();
        for version in ["1.2.3", "1.2.4"] {
            let name = format!("{}.tar.gz", Target::LinuxX86.archive(version));
            std::fs::write(folder.path().join(name), &bytes).unwrap();
        }
        let found = archives(folder.path(), "1.2.3").unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].sha256, archive::hex(&bytes));
        assert_eq!(found[0].programs().map(|(name, _)| name).collect::<Vec<_>>(), ["a"]);
    }
}
