//! Files by which others fetch the archives: each is a template, filled from the release's versions and checksums.

use std::fmt::Write as _;

use super::names::Names;
use super::{Archive, Package, Release, SUMMARY, managed};
use crate::ReleaseError;
use crate::archive::{self, Entry};

/// Each file's name and template.
const TEMPLATES: [(&str, &str); 10] = [
    ("install.sh", include_str!("../../channels/install.sh")),
    ("install.ps1", include_str!("../../channels/install.ps1")),
    ("Dockerfile", include_str!("../../channels/Dockerfile")),
    ("policy-hooks.rb", include_str!("../../channels/policy-hooks.rb")),
    ("policy-hooks.json", include_str!("../../channels/scoop.json")),
    ("PolicyHooks.PolicyHooks.yaml", include_str!("../../channels/winget.yaml")),
    ("PolicyHooks.PolicyHooks.installer.yaml", include_str!("../../channels/winget.installer.yaml")),
    ("PolicyHooks.PolicyHooks.locale.en-US.yaml", include_str!("../../channels/winget.locale.yaml")),
    ("flake.nix", include_str!("../../channels/flake.nix")),
    ("aqua-registry.yaml", include_str!("../../channels/aqua-registry.yaml")),
];

/// The page that registries show.
pub(crate) fn about(release: &Release) -> String {
    let text = include_str!("../../channels/about.md");
    text.replace("%{repository}%", &release.repository)
}

/// All of them. One that names a system whose archive is not there is not made.
pub(crate) fn all(release: &Release) -> Vec<Result<Package, ReleaseError>> {
    TEMPLATES
        .into_iter()
        .map(|(name, template)| {
            let text = fill(name, template, release)?;
            Ok(Package { name: name.to_owned(), bytes: text.into_bytes() })
        })
        .collect()
}

/// A feature of development containers: the layer that `devcontainer features publish` would make.
pub(crate) fn feature(release: &Release) -> Result<Package, ReleaseError> {
    let install =
        |name: &str, template: &str| fill(name, template, release).map(|text| Entry::new(name, text));
    let mut entries = vec![
        install(
            "devcontainer-feature.json",
            include_str!("../../channels/devcontainer/devcontainer-feature.json"),
        )?,
        install("install.sh", include_str!("../../channels/devcontainer/install.sh"))?,
        install("fetch.sh", include_str!("../../channels/install.sh"))?,
    ];
    entries.extend(managed::tree(release.archives.first().ok_or_else(super::no_archive)?));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let bytes = archive::tree_gz(&entries, release.time)?;
    Ok(Package { name: format!("devcontainer-feature-policy-hooks-{}.tgz", release.version), bytes })
}

/// A template with a value in place of each `%{name}%`.
fn fill(file: &str, template: &str, release: &Release) -> Result<String, ReleaseError> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("%{") {
        let Some((name, after)) = after.split_once("}%") else { break };
        let value = value(name, release).ok_or_else(|| ReleaseError::Form {
            what: "a template",
            why: format!("{file}: nothing is known for {name}: is its archive missing?"),
        })?;
        text += before;
        text += &value;
        rest = after;
    }
    Ok(text + rest)
}

fn value(name: &str, release: &Release) -> Option<String> {
    let of = |short: &str| release.archives.iter().find(|archive| Names::of(archive.target).short() == short);
    let (kind, system) = name.split_once(' ').unwrap_or((name, ""));
    Some(match kind {
        "version" => release.version.clone(),
        "repository" => release.repository.clone(),
        // Its owner and name, as GitHub's tools take them.
        "slug" => format!("{}/{}", owner(release)?, release.repository.rsplit('/').next()?),
        "owner" => owner(release)?.to_owned(),
        "downloads" => release.downloads.clone(),
        "summary" => SUMMARY.to_owned(),
        "url" => format!("{}/{}", release.downloads, of(system)?.name),
        "sha256" => of(system)?.sha256.clone(),
        "folder" => of(system)?.target.archive(&release.version),
        "triple" => of(system)?.target.triple().to_owned(),
        "sums" => sums(&release.archives),
        "winget-programs" => winget_programs(of("win32-x64")?, &release.version),
        "aqua-programs" => aqua_programs(release.archives.first()?),
        _ => return None,
    })
}

fn owner(release: &Release) -> Option<&str> {
    release.repository.rsplit('/').nth(1)
}

/// A line per archive, which `sha256sum --check` reads as well.
fn sums(archives: &[Archive]) -> String {
    let lines: Vec<String> =
        archives.iter().map(|archive| format!("{}  {}", archive.sha256, archive.name)).collect();
    lines.join("\n")
}

/// winget makes a command of each file that is named.
fn winget_programs(archive: &Archive, version: &str) -> String {
    let mut text = String::new();
    for (file, _) in archive.programs() {
        let folder = archive.target.archive(version);
        let alias = file.strip_suffix(".exe").unwrap_or(file);
        let _ =
            write!(text, "\n  - RelativeFilePath: {folder}\\bin\\{file}\n    PortableCommandAlias: {alias}");
    }
    text
}

/// Where aqua finds each program: it fills in the version and the system itself.
fn aqua_programs(archive: &Archive) -> String {
    let folder = "policy-hooks-{{trimV .Version}}-{{.Arch}}-{{.OS}}/bin";
    let mut text = String::new();
    for (file, _) in archive.programs() {
        let name = file.strip_suffix(".exe").unwrap_or(file);
        let _ = write!(text, "\n      - name: {name}\n        src: \"{folder}/{name}\"");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::packages::tests::release;

    fn made() -> Vec<(String, String)> {
        let made = all(&release()).into_iter().map(Result::unwrap);
        made.map(|package| (package.name, String::from_utf8(package.bytes).unwrap())).collect()
    }

    #[test]
    fn every_place_is_filled_and_every_file_names_the_version() {
        for (name, text) in made() {
            assert!(!text.contains("%{") && !text.contains("}%"), "{name}: {text}");
            assert!(text.contains("1.2.3") || name == "aqua-registry.yaml", "{name}: {text}");
        }
    }

    #[test]
    fn what_is_fetched_is_fetched_with_its_sum() {
        let release = release();
        for (name, text) in made() {
            if [
                "PolicyHooks.PolicyHooks.yaml",
                "PolicyHooks.PolicyHooks.locale.en-US.yaml",
                "aqua-registry.yaml",
            ]
            .contains(&name.as_str())
            {
                continue;
            }
            let sums = release.archives.iter().filter(|archive| text.contains(&archive.sha256));
            assert!(sums.count() > 0, "{name} has no sum");
        }
    }

    #[test]
    fn a_missing_archive_is_named_and_nothing_is_left_open() {
        let mut release = release();
        release.archives.retain(|archive| archive.target.is_linux());
        let failed: Vec<String> =
            all(&release).into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
        assert!(
            failed
                .iter()
                .any(|error| error.contains("policy-hooks.rb: nothing is known for url darwin-arm64"))
        );
        assert!(!failed.iter().any(|error| error.contains("install.sh")), "{failed:?}");
    }

    /// Each by its own language, where a program that reads it is installed.
    #[test]
    fn the_form_is_right() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in made() {
            let path = folder.path().join(&name);
            std::fs::write(&path, &text).unwrap();
            let words: &[&str] = match name.rsplit_once('.').map_or("", |(_, end)| end) {
                "json" => {
                    serde_json::from_str::<serde_json::Value>(&text).unwrap();
                    continue;
                }
                "rb" => &["ruby", "-c"],
                "sh" => &["sh", "-n"],
                "nix" => &["nix-instantiate", "--parse"],
                "yaml" => &["ruby", "-ryaml", "-e", "YAML.load_file(ARGV[0])"],
                _ => continue,
            };
            let mut command = Command::new(words[0]);
            // Not every machine has every language.
            if let Ok(output) = command.args(&words[1..]).arg(&path).output() {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{name}: {said}\n{text}");
            }
        }
    }
}
