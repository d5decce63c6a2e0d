//! A wheel: `pip` and `uv` put the native programs where commands lie, without a line of Python around them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::names::Names;
use super::{Archive, BILL, Package, Release, SUMMARY};
use crate::ReleaseError;
use crate::archive::{self, Entry};

pub(crate) fn package(release: &Release, archive: &Archive) -> Result<Package, ReleaseError> {
    let version = &release.version;
    let tags = Names::of(archive.target).wheel;
    let mut entries: Vec<Entry> = archive
        .programs()
        .map(|(name, entry)| Entry {
            path: format!("policy_hooks-{version}.data/scripts/{name}"),
            ..entry.clone()
        })
        .collect();
    let about = format!("policy_hooks-{version}.dist-info");
    for paper in archive.papers()? {
        let folder = if paper.path == BILL { "sboms" } else { "licenses" };
        entries.push(Entry::new(format!("{about}/{folder}/{}", paper.path), paper.bytes.clone()));
    }
    entries.push(Entry::new(format!("{about}/METADATA"), metadata(release)));
    let lines: String = tags.iter().map(|tag| format!("Tag: py3-none-{tag}\n")).collect();
    let wheel =
        format!("Wheel-Version: 1.0\nGenerator: policy-hooks ({version})\nRoot-Is-Purelib: false\n{lines}");
    entries.push(Entry::new(format!("{about}/WHEEL"), wheel));
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let record = format!("{about}/RECORD");
    let sums: String = entries.iter().map(record_line).collect();
    entries.push(Entry::new(record.clone(), format!("{sums}{record},,\n")));
    Ok(Package {
        name: format!("policy_hooks-{version}-py3-none-{}.whl", tags.join(".")),
        bytes: archive::zip("", &entries, release.time)?,
    })
}

fn record_line(entry: &Entry) -> String {
    let sum = URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
    format!("{},sha256={sum},{}\n", entry.path, entry.bytes.len())
}

fn metadata(release: &Release) -> String {
    let Release { version, repository, .. } = release;
    format!(
        "Metadata-Version: 2.4\nName: policy-hooks\nVersion: {version}\nSummary: {SUMMARY}\n\
         License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\n\
         License-File: THIRD-PARTY-LICENSES.txt\nRequires-Python: >=3.8\n\
         Project-URL: Repository, {repository}\nProject-URL: Changelog, {repository}/blob/main/CHANGELOG.md\n\
         Keywords: claude-code,copilot,codex,gemini-cli,hooks,policy\n\
         Description-Content-Type: text/markdown\n\n{}",
        super::manifests::about(release)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    #[test]
    fn a_wheel_lists_what_it_holds_with_its_sums() {
        let release = release();
        for archive in &release.archives {
            let wheel = package(&release, archive).unwrap();
            // `inside` takes the first folder off, which differs: programs, or what describes them.
            let entries = archive::unpack("x.zip", &wheel.bytes).unwrap();
            let record =
                String::from_utf8(entries.iter().find(|entry| entry.path == "RECORD").unwrap().bytes.clone())
                    .unwrap();
            assert_eq!(record.lines().count(), entries.len());
            // What `printf hook-runner | openssl dgst -sha256 -binary | basenc --base64url` prints.
            assert!(record.contains("hook-runner"), "{record}");
            assert!(record.contains(",sha256=") && record.ends_with(".dist-info/RECORD,,\n"), "{record}");
            let programs = entries.iter().filter(|entry| entry.path.starts_with("scripts/"));
            assert!(programs.clone().count() == 2 && programs.clone().all(|entry| entry.executable));
            let text = |name: &str| {
                let entry = entries.iter().find(|entry| entry.path == name).unwrap();
                String::from_utf8(entry.bytes.clone()).unwrap()
            };
            let name = wheel.name.strip_suffix(".whl").unwrap().rsplit_once('-').unwrap().1.to_owned();
            for tag in name.split('.') {
                assert!(text("WHEEL").contains(&format!("Tag: py3-none-{tag}\n")), "{tag}");
            }
            assert!(text("METADATA").contains("\nVersion: 1.2.3\n"));
        }
    }
}
