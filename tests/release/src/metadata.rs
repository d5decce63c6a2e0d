//! What cargo and git know of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::programs::run;
use crate::target::Target;
use crate::{ReleaseError, read};

/// What all parts of a release need to know of the repository around the current folder.
#[derive(Debug)]
pub(crate) struct Metadata {
    pub(crate) root: PathBuf,
    pub(crate) target_folder: PathBuf,
    pub(crate) version: String,
    /// The time of the commit, in seconds since 1970.
    pub(crate) time: u64,
    /// The commit, shortened; empty where neither git nor the environment knows it.
    pub(crate) commit: String,
    /// Where the project lives.
    pub(crate) repository: String,
    /// The programs, sorted.
    pub(crate) hooks: Vec<String>,
    /// Everything that is linked into them, sorted by name and version.
    pub(crate) packages: Vec<Package>,
    library: (PathBuf, String),
}

/// One package of Rust.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: String,
    pub(crate) folder: PathBuf,
    /// From the registry, with the digest that `Cargo.lock` has of it; none for our own.
    pub(crate) digest: Option<String>,
    /// Names and versions of what it depends on.
    pub(crate) needs: Vec<(String, String)>,
    /// Whether it brings a library that is not Rust.
    pub(crate) is_native: bool,
}

impl Metadata {
    pub(crate) fn read(target: Target) -> Result<Self, ReleaseError> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["metadata", "--locked", "--format-version", "1", "--filter-platform", target.triple()]);
        let text = run(&mut cargo, "install Rust with rustup: https://rustup.rs")?;
        let json: Value = serde_json::from_str(&text)
            .map_err(|error| ReleaseError::Form { what: "cargo's metadata", why: error.to_string() })?;
        let root = PathBuf::from(word(&json["workspace_root"]));
        let lock = String::from_utf8_lossy(&read(&root.join("Cargo.lock"))?).into_owned();
        let hooks = hooks(&json, &root);
        Ok(Self {
            target_folder: word(&json["target_directory"]).into(),
            version: hooks.values().next().map(|(_, version)| version.clone()).unwrap_or_default(),
            time: commit_time(&root)?,
            commit: commit(&root),
            repository: repository(&json),
            packages: linked(&json, hooks.values().map(|(id, _)| id.clone()).collect(), &digests(&lock)?),
            hooks: hooks.into_keys().collect(),
            library: library()?,
            root,
        })
    }

    /// The version, with the commit and its day where they are known: what a report of a mistake needs.
    pub(crate) fn full_version(&self) -> String {
        let moment = i64::try_from(self.time).ok().and_then(|time| chrono::DateTime::from_timestamp(time, 0));
        match moment {
            Some(moment) if !self.commit.is_empty() => {
                format!("{} ({} {})", self.version, self.commit, moment.format("%Y-%m-%d"))
            }
            _ => self.version.clone(),
        }
    }

    /// Whether a library that is not Rust is linked into a program.
    pub(crate) fn has_native_code(&self, hook: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<&Package> =
            self.packages.iter().filter(|package| package.name == hook).collect();
        while let Some(package) = waiting.pop() {
            if package.is_native {
                return true;
            }
            if seen.insert((&package.name, &package.version)) {
                waiting.extend(self.packages.iter().filter(|other| {
                    package
                        .needs
                        .iter()
                        .any(|(name, version)| *name == other.name && *version == other.version)
                }));
            }
        }
        false
    }

    /// Folders that differ from machine to machine, and what programs call them instead. The longest last, as the
    /// last that fits counts.
    pub(crate) fn remapped(&self) -> Vec<(PathBuf, String)> {
        let cargo = cargo_home();
        let rustup = std::env::var_os("RUSTUP_HOME").map_or_else(|| home().join(".rustup"), PathBuf::from);
        let mut folders = vec![
            (cargo.clone(), "/cargo".to_owned()),
            (rustup, "/rustup".to_owned()),
            self.library.clone(),
            (self.root.clone(), "/policy-hooks".to_owned()),
            (self.target_folder.clone(), "/target".to_owned()),
        ];
        // Named after where packages come from, which may be a mirror of the registry.
        let registries = std::fs::read_dir(cargo.join("registry/src")).into_iter().flatten().flatten();
        folders.extend(registries.map(|registry| (registry.path(), "/crates".to_owned())));
        folders
    }
}

fn home() -> PathBuf {
    std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).unwrap_or_default().into()
}

/// Cargo's own folder.
pub(crate) fn cargo_home() -> PathBuf {
    std::env::var_os("CARGO_HOME").map_or_else(|| home().join(".cargo"), PathBuf::from)
}

/// Where the standard library's sources are if rustup's `rust-src` is installed, and what programs built without it
/// call that place.
fn library() -> Result<(PathBuf, String), ReleaseError> {
    let help = "install Rust with rustup: https://rustup.rs";
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]), help)?;
    let about = run(Command::new("rustc").arg("-vV"), help)?;
    let commit = about.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or_default();
    Ok((Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")))
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The packages in `hooks/`: name to id and version.
fn hooks(json: &Value, root: &Path) -> BTreeMap<String, (String, String)> {
    let folder = root.join("hooks");
    let packages = json["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| Path::new(&word(&package["manifest_path"])).starts_with(&folder))
        .map(|package| (word(&package["name"]), (word(&package["id"]), word(&package["version"]))))
        .collect()
}

/// What is linked into the programs: their dependencies but those of build scripts, tests and macros.
fn linked(json: &Value, roots: Vec<String>, digests: &BTreeMap<(String, String), String>) -> Vec<Package> {
    let by_id: BTreeMap<String, &Value> = json["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|package| (word(&package["id"]), package))
        .collect();
    let is_macro = |id: &str| {
        let kinds = by_id[id]["targets"].as_array().into_iter().flatten();
        kinds.filter_map(|target| target["kind"].as_array()).flatten().any(|kind| kind == "proc-macro")
    };
    let nodes: BTreeMap<String, Vec<String>> = json["resolve"]["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|node| {
            let needs = node["deps"].as_array().into_iter().flatten();
            let linked = needs.filter(|dependency| {
                dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
            });
            (word(&node["id"]), linked.map(|dependency| word(&dependency["pkg"])).collect())
        })
        .collect();
    let mut seen = BTreeSet::new();
    let mut waiting = roots;
    while let Some(id) = waiting.pop() {
        if by_id.contains_key(&id) && !is_macro(&id) && seen.insert(id.clone()) {
            waiting.extend(nodes.get(&id).into_iter().flatten().cloned());
        }
    }
    let key = |id: &String| (word(&by_id[id]["name"]), word(&by_id[id]["version"]));
    let mut packages: Vec<Package> = seen
        .iter()
        .map(|id| {
            let (name, version) = key(id);
            let mut needs: Vec<_> =
                nodes.get(id).into_iter().flatten().filter(|id| seen.contains(*id)).map(key).collect();
            needs.sort();
            Package {
                licence: word(&by_id[id]["license"]).replace('/', " OR "),
                folder: Path::new(&word(&by_id[id]["manifest_path"]))
                    .parent()
                    .unwrap_or(Path::new(""))
                    .to_owned(),
                digest: digests.get(&(name.clone(), version.clone())).cloned(),
                needs,
                is_native: by_id[id]["links"].is_string(),
                name,
                version,
            }
        })
        .collect();
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    packages
}

/// What `Cargo.lock` knows of packages from the registry.
fn digests(lock: &str) -> Result<BTreeMap<(String, String), String>, ReleaseError> {
    let table: toml::Table = toml::from_str(lock)
        .map_err(|error| ReleaseError::Form { what: "Cargo.lock", why: error.to_string() })?;
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let packages = table.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    Ok(packages
        .filter_map(|package| {
            Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
        })
        .collect())
}

/// Where `Cargo.toml` says that the project lives.
fn repository(json: &Value) -> String {
    let mut packages = json["packages"].as_array().into_iter().flatten();
    let own = packages.find(|package| package["name"] == "release");
    own.map(|package| word(&package["repository"])).unwrap_or_default()
}

/// The last commit; a copy without git's folder takes it from the environment.
fn commit(root: &Path) -> String {
    std::env::var("POLICY_HOOKS_COMMIT").unwrap_or_else(|_| {
        let mut git = Command::new("git");
        git.args(["rev-parse", "--short=10", "HEAD"]).current_dir(root);
        run(&mut git, "").map(|commit| commit.trim().to_owned()).unwrap_or_default()
    })
}

/// The last commit's time; outside of a repository, that of `SOURCE_DATE_EPOCH`.
fn commit_time(root: &Path) -> Result<u64, ReleaseError> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let told = match given {
        Some(time) => time,
        None => run(
            Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root),
            "install git, or set SOURCE_DATE_EPOCH to the time of the release",
        )?,
    };
    told.trim()
        .parse()
        .map_err(|_| ReleaseError::Form { what: "the time of the commit", why: told.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs name places in the standard library. With rustup's `rust-src`, as editors want it, those are files.
    #[test]
    fn sources_of_the_standard_library_are_called_as_where_there_are_none() {
        let folders = Metadata::read(Target::LinuxX86).unwrap().remapped();
        let place = |end: &str| folders.iter().position(|(folder, _)| folder.ends_with(end));
        let library = place("lib/rustlib/src/rust").unwrap();
        let name = &folders[library].1;
        assert!(name.starts_with("/rustc/") && name.len() == "/rustc/".len() + 40, "{name}");
        // The last that fits counts.
        assert!(folders.iter().position(|(_, name)| name == "/rustup").unwrap() < library);
    }

    #[test]
    fn packages_are_called_the_same_whichever_registry_they_come_from() {
        let folders = Metadata::read(Target::LinuxX86).unwrap().remapped();
        let packages =
            folders.iter().filter(|(folder, _)| folder.parent().unwrap().ends_with("registry/src"));
        assert!(packages.clone().count() > 0);
        assert!(packages.clone().all(|(_, name)| name == "/crates"), "{folders:?}");
    }
}
