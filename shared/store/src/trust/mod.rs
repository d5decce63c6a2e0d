//! Whose files and repositories may run code: what the person said, and nothing else.
//!
//! The record is a TOML file in the user's own configuration, `~/.config/policy-hooks/trust.toml`. Three things can be
//! trusted: a *repository* (the person's own checks and the formatters there may run its code), a *file* of a
//! repository by the SHA-256 of its exact bytes (it may say what runs, or loosen), and the hooks of a *project*: what they
//! run, and how its configurations, policies and programs were when a person looked at them. A file that changes is not
//! trusted any more. No environment variable moves the record, and a record that cannot be read trusts nothing.

pub mod agents;
#[cfg(any(target_os = "macos", test))]
#[cfg_attr(not(target_os = "macos"), expect(dead_code, reason = "its tests run everywhere"))]
mod macos;
#[cfg(any(target_os = "linux", test))]
mod person;
#[cfg(target_os = "linux")]
mod processes;
mod project;
pub mod terminal;

pub use project::{Drift, Look};

use project::{Project, Seen};

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// What the person trusts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trust {
    /// The repositories whose code may run.
    #[serde(default, rename = "repository", skip_serializing_if = "Vec::is_empty")]
    repositories: Vec<Place>,
    /// The files that may say what runs.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    files: Vec<Exact>,
    /// The projects whose hooks may run.
    #[serde(default, rename = "project", skip_serializing_if = "Vec::is_empty")]
    projects: Vec<Project>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    path: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    path: PathBuf,
    sha256: String,
}

/// Why the record could not be read or kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrustError {
    #[error("cannot {what} {}: {error}", path.display())]
    Io {
        what: &'static str,
        /// The record, or its folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The record is not a record.
    #[error("{}: {error}", path.display())]
    Malformed {
        /// The record.
        path: PathBuf,
        /// What is wrong, with line and column.
        error: Box<toml::de::Error>,
    },
    /// A path that the record cannot hold.
    #[error("{} cannot be trusted: its name is not text", path.display())]
    NotText { path: PathBuf },
}

impl TrustError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "Make ~/.config/policy-hooks a folder that you own and may write to.",
            Self::Malformed { .. } => "Fix it, or remove it and trust again; until then nothing is trusted.",
            Self::NotText { .. } => "Move it to a path that is valid Unicode.",
        }
    }
}

/// Where the record of the user with this home lies.
pub fn file(home: &Path) -> PathBuf {
    home.join(".config/policy-hooks/trust.toml")
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Whether the record at `record` trusts this file with exactly these bytes. The same as [`Trust::has_file`], for a hook
/// that asks with every call: most records do not name the digest at all, and the projects behind the files are not read.
pub fn has_file(record: &Path, path: &Path, bytes: &[u8]) -> bool {
    // A record that is not there, or not readable, trusts nothing.
    let Ok(text) = fs::read_to_string(record) else { return false };
    let files = text.split_once(PROJECT).map_or(text.as_str(), |(files, _)| files);
    files.contains(&digest(bytes))
        && toml::from_str::<Trust>(files).is_ok_and(|trust| trust.has_file(path, bytes))
}

/// What a project begins with. The record is written with all of them at its end.
const PROJECT: &str = "\n[[project]]";

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Trust {
    /// Reads a record; one that is not there trusts nothing.
    pub fn read(path: &Path) -> Result<Self, TrustError> {
        match fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| TrustError::Malformed { path: path.to_owned(), error: Box::new(error) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(TrustError::Io { what: "read", path: path.to_owned(), error }),
        }
    }

    /// Replaces the record as a whole.
    pub fn write(&self, path: &Path) -> Result<(), TrustError> {
        let refused = |what, error| TrustError::Io { what, path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| refused("make the folder of", error))?;
        }
        // Beside it first, then renamed: a hook that reads meanwhile sees the old record or the new one.
        let beside = path.with_extension(format!("new-{}", std::process::id()));
        fs::write(&beside, self.text())
            .and_then(|()| fs::rename(&beside, path))
            .map_err(|error| refused("write", error))
    }

    /// Whether code of this repository may run. Compares the real path, so that a link does not inherit trust.
    pub fn has_repository(&self, root: &Path) -> bool {
        fs::canonicalize(root).is_ok_and(|root| self.repositories.iter().any(|place| place.path == root))
    }

    /// Whether this file may say what runs, with exactly these bytes.
    pub fn has_file(&self, path: &Path, bytes: &[u8]) -> bool {
        let Ok(path) = fs::canonicalize(path) else { return false };
        let sha256 = digest(bytes);
        self.files.iter().any(|file| file.path == path && file.sha256 == sha256)
    }

    /// The trusted files below `root` that are not what they were.
    pub fn changed_below(&self, root: &Path) -> Vec<&Path> {
        // Without links on both sides, as the record holds real paths.
        let Ok(root) = fs::canonicalize(root) else { return Vec::new() };
        let files = self.files.iter().filter(|file| file.path.starts_with(&root));
        let as_it_was = |file: &Exact| {
            let found =
                crate::settings::find(&file.path, crate::settings::Layer::Project, crate::settings::LARGEST);
            matches!(found, crate::settings::Found::Content(bytes) if digest(&bytes) == file.sha256)
        };
        files.filter(|file| !as_it_was(file)).map(|file| file.path.as_path()).collect()
    }

    /// From now on, code of this repository may run.
    pub fn add_repository(&mut self, root: &Path) -> Result<(), TrustError> {
        let path = real(root)?;
        self.repositories.retain(|place| place.path != path);
        self.repositories.push(Place { path });
        Ok(())
    }

    /// From now on, this file may say what runs, as long as it has these bytes.
    pub fn add_file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), TrustError> {
        let path = real(path)?;
        self.files.retain(|file| file.path != path);
        self.files.push(Exact { path, sha256: digest(bytes) });
        Ok(())
    }

    /// Takes back all trust in a repository and in the files below it; whether there was any.
    pub fn remove(&mut self, root: &Path) -> bool {
        // A repository that is gone can still be removed from the record.
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let before = self.repositories.len() + self.files.len();
        self.repositories.retain(|place| place.path != root);
        self.files.retain(|file| !file.path.starts_with(&root));
        before != self.repositories.len() + self.files.len()
    }

    /// Ends the trust in one file; whether there was any.
    pub fn remove_file(&mut self, path: &Path) -> bool {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = self.files.len();
        self.files.retain(|file| file.path != path);
        before != self.files.len()
    }

    /// What the hooks of a project may run; `None` where no one looked at them.
    pub fn hooks(&self, root: &Path) -> Option<&[String]> {
        self.project(root).map(|project| project.hooks.as_slice())
    }

    /// From now on, the hooks of this project may run what they run, and these files are as they should be.
    pub fn add_project(
        &mut self,
        root: &Path,
        hooks: Vec<String>,
        files: &[PathBuf],
    ) -> Result<(), TrustError> {
        let path = real(root)?;
        let mut seen = Vec::new();
        for file in files {
            // A name that is not text could not be written into the record and found again.
            if file.to_str().is_none() {
                return Err(TrustError::NotText { path: file.clone() });
            }
            let refused = |error| TrustError::Io { what: "read", path: file.clone(), error };
            seen.push(Seen::of(file).map_err(refused)?);
        }
        self.projects.retain(|project| project.path != path);
        self.projects.push(Project { path, hooks, seen });
        Ok(())
    }

    /// Takes back the trust in the hooks of a project; whether there was any.
    pub fn remove_project(&mut self, root: &Path) -> bool {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let before = self.projects.len();
        self.projects.retain(|project| project.path != root);
        before != self.projects.len()
    }

    /// How the files of a project differ from what a person saw; `None` where no one did.
    pub fn drift(&self, root: &Path, look: Look) -> Option<Drift> {
        self.project(root).map(|project| project.drift(look))
    }

    fn project(&self, root: &Path) -> Option<&Project> {
        // Most projects were never looked at: no need to ask the disk.
        if self.projects.is_empty() {
            return None;
        }
        let root = fs::canonicalize(root).ok()?;
        self.projects.iter().find(|project| project.path == root)
    }

    /// The record's text. Written by hand, as the workspace's `toml` only reads.
    fn text(&self) -> String {
        let mut text = String::from(
            "# What you trust. The `trust` commands write it; removing a line removes that trust.\n",
        );
        for Place { path } in &self.repositories {
            let _ = write!(text, "\n[[repository]]\npath = {}\n", quoted(path));
        }
        for Exact { path, sha256 } in &self.files {
            let _ = write!(text, "\n[[file]]\npath = {}\nsha256 = \"{sha256}\"\n", quoted(path));
        }
        for Project { path, hooks, seen } in &self.projects {
            let _ = write!(text, "\n[[project]]\npath = {}\nhooks = [\n", quoted(path));
            for hook in hooks {
                let _ = writeln!(text, "  {},", quoted(Path::new(hook)));
            }
            text.push_str("]\n");
            for Seen { path, sha256, stamp } in seen {
                let _ = write!(
                    text,
                    "[[project.seen]]\npath = {}\nsha256 = \"{sha256}\"\nstamp = \"{stamp}\"\n",
                    quoted(path)
                );
            }
        }
        text
    }
}

/// The path without links, if the record can hold it.
fn real(path: &Path) -> Result<PathBuf, TrustError> {
    let real = fs::canonicalize(path).map_err(|error| TrustError::Io {
        what: "find",
        path: path.to_owned(),
        error,
    })?;
    if real.to_str().is_none() {
        return Err(TrustError::NotText { path: real });
    }
    Ok(real)
}

/// A TOML basic string.
fn quoted(path: &Path) -> String {
    let mut text = String::from("\"");
    for c in path.to_string_lossy().chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                // Control characters would end a line of the record, and begin another with its own meaning.
                let _ = write!(text, "\\U{:08X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_for_exact_bytes_and_survives_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("odd \"name\"\n\\x");
        fs::create_dir(&root).unwrap();
        let project = root.join("stop.toml");
        fs::write(&project, "a = 1").unwrap();
        let record = folder.path().join("config/trust.toml");
        let mut trust = Trust::read(&record).unwrap();
        assert!(!trust.has_repository(&root) && !trust.has_file(&project, b"a = 1"));
        trust.add_repository(&root).unwrap();
        trust.add_file(&project, b"a = 1").unwrap();
        trust.write(&record).unwrap();
        let mut again = Trust::read(&record).unwrap();
        assert_eq!(again, trust);
        assert!(again.has_repository(&root) && again.has_file(&project, b"a = 1"));
        assert!(has_file(&record, &project, b"a = 1") && !has_file(&record, &project, b"a = 2"));
        again.add_project(&root, vec!["\n[[project]]".to_owned()], std::slice::from_ref(&project)).unwrap();
        again.write(&record).unwrap();
        assert!(has_file(&record, &project, b"a = 1") && !has_file(&record, &root.join("other"), b"a = 1"));
        let only_seen = fs::read_to_string(&record).unwrap().replace("[[file]]", "[[repository]]");
        fs::write(&record, only_seen).unwrap();
        assert!(!has_file(&record, &project, b"a = 1"), "remembering how a file was does not trust it");
        again.write(&record).unwrap();
        assert!(!again.has_file(&project, b"a = 2") && !again.has_repository(folder.path()));
        assert!(again.remove(&root) && !again.remove(&root));
        assert!(!again.has_repository(&root) && !again.has_file(&project, b"a = 1"));
    }

    #[test]
    fn a_project_is_as_it_was_seen_until_a_byte_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        fs::create_dir(&root).unwrap();
        let files = ["a.json", "b.toml", "program"].map(|name| root.join(name));
        for file in &files {
            fs::write(file, "as it was").unwrap();
        }
        let record = folder.path().join("trust.toml");
        let mut trust = Trust::default();
        assert!(trust.drift(&root, Look::Close).is_none() && trust.hooks(&root).is_none());
        let hooks = vec!["sh: echo \"a\\b\"\n".to_owned()];
        trust.add_project(&root, hooks.clone(), &files).unwrap();
        trust.write(&record).unwrap();
        let trust = Trust::read(&record).unwrap();
        assert_eq!(trust.hooks(&root), Some(hooks.as_slice()));
        let drift = |look| trust.drift(&root, look).unwrap();
        for look in [Look::Quick, Look::Close] {
            assert!(drift(look).is_empty());
        }
        // The same bytes written anew are the same file.
        fs::write(&files[0], "as it was").unwrap();
        fs::write(&files[1], "as it is!").unwrap();
        fs::remove_file(&files[2]).unwrap();
        for look in [Look::Quick, Look::Close] {
            let expected = Drift { changed: vec![files[1].clone()], gone: vec![files[2].clone()] };
            assert_eq!(drift(look), expected, "{look:?}");
        }
        let mut trust = trust;
        assert!(trust.remove_project(&root) && !trust.remove_project(&root));
        assert!(trust.add_project(&root, Vec::new(), &files).is_err(), "one of them is not there");
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("trust.toml");
        for text in ["[[repositori]]\npath = \"/\"\n", "\u{0}", "[[file]]\npath = 1"] {
            fs::write(&record, text).unwrap();
            assert!(matches!(Trust::read(&record), Err(TrustError::Malformed { .. })), "{text}");
        }
    }
}
