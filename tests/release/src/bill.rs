//! The bill of materials: what is linked into the programs, as `CycloneDX` 1.6.

use chrono::SecondsFormat;
use serde_json::{Value, json};

use crate::archive::hex;
use crate::metadata::{Metadata, Package};

/// The whole document.
pub(crate) fn bill(metadata: &Metadata) -> String {
    let (own, foreign): (Vec<&Package>, Vec<&Package>) =
        metadata.packages.iter().partition(|package| package.digest.is_none());
    let mut components: Vec<Value> = own.iter().chain(&foreign).map(|package| component(package)).collect();
    components.extend(vendored(metadata));
    let dependencies: Vec<Value> = metadata
        .packages
        .iter()
        .map(|package| {
            let needs: Vec<String> =
                package.needs.iter().map(|(name, version)| reference(name, version)).collect();
            json!({"ref": reference(&package.name, &package.version), "dependsOn": needs})
        })
        .collect();
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": format!("urn:uuid:{}", uuid(&format!("{components:?}"))),
        "version": 1,
        "metadata": {
            "timestamp": moment(metadata.time),
            "component": {
                "type": "application",
                "bom-ref": "policy-hooks",
                "name": "policy-hooks",
                "version": metadata.version,
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    format!("{document:#}\n")
}

fn reference(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

fn component(package: &Package) -> Value {
    let reference = reference(&package.name, &package.version);
    let mut component = json!({
        "type": if package.folder.parent().is_some_and(|folder| folder.ends_with("hooks")) { "application" } else { "library" },
        "bom-ref": reference,
        "name": package.name,
        "version": package.version,
        "licenses": [{"expression": package.licence}],
    });
    if let Some(digest) = &package.digest {
        component["purl"] = json!(reference);
        component["hashes"] = json!([{"alg": "SHA-256", "content": digest}]);
    }
    component
}

/// What packages carry inside: libgit2 says its version after the `+` of its package's.
fn vendored(metadata: &Metadata) -> Vec<Value> {
    let library = |package: &Package, name: &str, version: &str, licence: Value| {
        json!({
            "type": "library",
            "bom-ref": format!("{name}@{version}"),
            "name": name,
            "version": version,
            "licenses": [{"license": licence}],
            "description": format!("compiled into {} {}", package.name, package.version),
        })
    };
    let mut libraries = Vec::new();
    for package in &metadata.packages {
        match package.name.as_str() {
            "libgit2-sys" => {
                let version = package.version.split_once('+').map_or("", |(_, version)| version);
                let licence = json!({"name": "GPL-2.0-only with an exception for linking: see THIRD-PARTY-LICENSES.txt"});
                libraries.push(library(package, "libgit2", version, licence));
            }
            "libz-sys" => libraries.push(library(package, "zlib", "", json!({"id": "Zlib"}))),
            _ => {}
        }
    }
    libraries
}

fn moment(time: u64) -> String {
    i64::try_from(time)
        .ok()
        .and_then(|time| chrono::DateTime::from_timestamp(time, 0))
        .map_or_else(String::new, |moment| moment.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// A name-based UUID (version 8): the same content, the same number.
fn uuid(text: &str) -> String {
    let hex = hex(text.as_bytes());
    format!("{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::target::Target;

    #[test]
    fn it_names_what_is_linked_and_nothing_else() {
        let metadata = Metadata::read(Target::LinuxX86).unwrap();
        let text = bill(&metadata);
        assert_eq!(text, bill(&metadata));
        let bill: Value = serde_json::from_str(&text).unwrap();
        let references: BTreeSet<&str> = bill["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["bom-ref"].as_str().unwrap())
            .collect();
        let starts = |name: &str| references.iter().any(|reference| reference.starts_with(name));
        for linked in ["pkg:cargo/command-blocker@", "pkg:cargo/git2@", "pkg:cargo/serde_json@", "libgit2@1."]
        {
            assert!(starts(linked), "{linked}: {references:?}");
        }
        // A macro, a build script's tool, a test's tool, what only another system needs, and this program.
        for other in ["serde_derive", "cc", "insta", "windows-sys", "release"] {
            assert!(!starts(&format!("pkg:cargo/{other}@")), "{other}");
        }
        for edge in bill["dependencies"].as_array().unwrap() {
            for end in edge["dependsOn"].as_array().unwrap().iter().chain([&edge["ref"]]) {
                assert!(references.contains(end.as_str().unwrap()), "{end}");
            }
        }
        for part in bill["components"].as_array().unwrap() {
            assert_ne!(part["licenses"][0]["expression"], "", "{part}");
        }
    }
}
