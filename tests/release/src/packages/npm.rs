//! npm: a small package whose commands start the native programs, and one package of programs per system.

use serde_json::{Map, Value, json};

use super::names::Names;
use super::{Archive, Package, Release, SUMMARY};
use crate::ReleaseError;
use crate::archive::{self, Entry};

const RUN: &str = include_str!("../../channels/run.js");

/// The package of programs of one system; npm installs the one whose `os` and `cpu` fit.
pub(crate) fn platform(release: &Release, archive: &Archive) -> Result<Package, ReleaseError> {
    let names = Names::of(archive.target);
    let (system, processors) = names.node;
    let mut manifest = manifest(release, &format!("@policy-hooks/cli-{}", names.short()));
    manifest["description"] = json!(format!("{SUMMARY}: the programs for {}", names.short()));
    manifest["os"] = json!([system]);
    manifest["cpu"] = json!(processors);
    // Yarn would keep them inside an archive, where no host can start them.
    manifest["preferUnplugged"] = json!(true);
    let mut entries: Vec<Entry> = archive.programs().map(|(_, entry)| entry.clone()).collect();
    entries.extend(archive.papers()?.into_iter().cloned());
    pack(release, &format!("policy-hooks-cli-{}", names.short()), &manifest, entries)
}

/// The package that people name.
pub(crate) fn front(release: &Release) -> Result<Package, ReleaseError> {
    let mut manifest = manifest(release, "policy-hooks");
    let first = release.archives.first().map(Archive::programs).into_iter().flatten();
    let mut programs: Vec<&str> = first.map(|(name, _)| name.strip_suffix(".exe").unwrap_or(name)).collect();
    // `npx policy-hooks` needs a command of the package's own name.
    if !programs.contains(&"policy-hooks") {
        programs.push("policy-hooks");
    }
    let mut entries =
        vec![Entry::new("run.js", RUN), Entry::new("README.md", super::manifests::about(release))];
    let mut commands = Map::new();
    for name in programs {
        let start = if first_has(release, name) { name } else { "hook-runner" };
        let text = format!("#!/usr/bin/env node\nrequire(\"../run.js\")(\"{start}\");\n");
        entries.push(Entry::new(format!("bin/{name}.js"), text));
        commands.insert(name.to_owned(), json!(format!("bin/{name}.js")));
    }
    manifest["bin"] = Value::Object(commands);
    manifest["engines"] = json!({"node": ">=16"});
    let systems = release.archives.iter().map(|archive| Names::of(archive.target).short());
    manifest["optionalDependencies"] =
        systems.map(|short| (format!("@policy-hooks/cli-{short}"), json!(release.version))).collect();
    let archive = release.archives.first().ok_or_else(super::no_archive)?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        entries.push(archive.file(name)?.clone());
    }
    pack(release, "policy-hooks", &manifest, entries)
}

fn first_has(release: &Release, name: &str) -> bool {
    let first = release.archives.first();
    first.is_some_and(|archive| {
        archive.programs().any(|(file, _)| file.strip_suffix(".exe").unwrap_or(file) == name)
    })
}

fn manifest(release: &Release, name: &str) -> Value {
    json!({
        "name": name,
        "version": release.version,
        "description": SUMMARY,
        "license": "MIT OR Apache-2.0",
        "repository": {"type": "git", "url": format!("git+{}.git", release.repository)},
        "homepage": release.repository,
    })
}

fn pack(
    release: &Release,
    name: &str,
    manifest: &Value,
    mut entries: Vec<Entry>,
) -> Result<Package, ReleaseError> {
    entries.push(Entry::new("package.json", format!("{manifest:#}\n")));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Package {
        name: format!("{name}-{}.tgz", release.version),
        bytes: archive::tar_gz("package", &entries, release.time)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    fn manifest_of(package: &Package) -> (Vec<Entry>, Value) {
        let entries = archive::unpack("x.tgz", &package.bytes).unwrap();
        let manifest = entries.iter().find(|entry| entry.path == "package.json").unwrap();
        let manifest = serde_json::from_slice(&manifest.bytes).unwrap();
        (entries, manifest)
    }

    #[test]
    fn the_front_names_a_package_per_system_and_a_command_per_program() {
        let release = release();
        let (entries, manifest) = manifest_of(&front(&release).unwrap());
        let systems: Vec<String> = release
            .archives
            .iter()
            .map(|archive| {
                let (_, manifest) = manifest_of(&platform(&release, archive).unwrap());
                manifest["name"].as_str().unwrap().to_owned()
            })
            .collect();
        let wanted: Vec<&String> = manifest["optionalDependencies"].as_object().unwrap().keys().collect();
        assert_eq!(wanted.len(), systems.len());
        for system in &systems {
            assert!(wanted.contains(&system), "{system}");
        }
        let commands = manifest["bin"].as_object().unwrap();
        assert_eq!(commands.keys().collect::<Vec<_>>(), ["command-blocker", "hook-runner", "policy-hooks"]);
        for path in commands.values() {
            assert!(entries.iter().any(|entry| path == entry.path.as_str() && entry.executable), "{path}");
        }
    }
}
