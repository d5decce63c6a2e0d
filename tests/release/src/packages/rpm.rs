//! RPM's packages, by `rpmbuild`: it is in every distribution, and nothing else writes all that RPM checks.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::names::Names;
use super::{Archive, Package, Release, SUMMARY, layout, managed};
use crate::archive::Entry;
use crate::programs::run;
use crate::{ReleaseError, create, read, write};

const HELP: &str = "install rpmbuild (Debian: apt-get install rpm; Fedora: dnf install rpm-build)";

/// Neither stripped nor searched: the programs are those of the archive, byte for byte.
const PLAIN: &str = "%global debug_package %{nil}\n%global __os_install_post %{nil}\n%global _build_id_links none\n\
                     %global _buildhost localhost\n%global use_source_date_epoch_as_buildtime 1\n\
                     %global clamp_mtime_to_source_date_epoch 1\n%global _binary_payload w9.gzdio\nAutoReqProv: no\n";

/// The programs and what belongs to them; none for other systems than Linux.
pub(crate) fn package(
    release: &Release,
    archive: &Archive,
    work: &Path,
) -> Option<Result<Package, ReleaseError>> {
    let architecture = Names::of(archive.target).rpm?;
    Some(layout::system(archive).and_then(|mut tree| {
        for paper in archive.papers()?.into_iter().filter(|paper| paper.path.starts_with("LICENSE")) {
            tree.push(Entry::new(
                format!("usr/share/licenses/policy-hooks/{}", paper.path),
                paper.bytes.clone(),
            ));
        }
        for entry in &mut tree {
            // Where Fedora and openSUSE look for it.
            entry.path = entry.path.replace("zsh/vendor-completions", "zsh/site-functions");
        }
        let spec =
            Spec { name: "policy-hooks", architecture, summary: SUMMARY, text: super::PROGRAMS, rest: "" };
        build(release, &spec, &tree, work)
    }))
}

/// The files by which hosts call the guard for everyone on the machine.
pub(crate) fn managed(release: &Release, work: &Path) -> Result<Package, ReleaseError> {
    let rest = format!(
        "Requires: policy-hooks = {}, diffutils, findutils, coreutils\n\
         %post\n/usr/lib/policy-hooks/managed put\n\
         %preun\nif [ \"$1\" = 0 ]; then /usr/lib/policy-hooks/managed take; fi\n",
        release.version
    );
    let spec = Spec {
        name: "policy-hooks-managed",
        architecture: "noarch",
        summary: "Managed settings of coding agents for policy-hooks",
        text: super::MANAGED,
        rest: &rest,
    };
    let archive = release.archives.first().ok_or_else(super::no_archive)?;
    build(release, &spec, &managed::tree(archive), work)
}

/// What differs between the packages.
struct Spec<'a> {
    name: &'a str,
    architecture: &'a str,
    summary: &'a str,
    text: &'a str,
    /// Requirements and scripts.
    rest: &'a str,
}

fn build(release: &Release, spec: &Spec, tree: &[Entry], work: &Path) -> Result<Package, ReleaseError> {
    let folder = work.join(format!("rpm-{}-{}", spec.name, spec.architecture));
    // What an earlier version left would be packed as well.
    let _ = fs::remove_dir_all(&folder);
    let files = lay_out(&folder.join("tree"), tree)?;
    let file = folder.join("package.spec");
    create(&folder)?;
    write(&file, text(release, spec, &files, &folder).as_bytes())?;
    let mut rpmbuild = Command::new("rpmbuild");
    rpmbuild
        .args(["-bb", "--quiet", "--target", spec.architecture, "--define"])
        .arg(format!("_topdir {}", folder.display()))
        .arg("--define")
        .arg(format!("_rpmdir {}", folder.join("made").display()))
        .arg(&file)
        .env("SOURCE_DATE_EPOCH", release.time.to_string());
    run(&mut rpmbuild, HELP)?;
    let name = format!("{}-{}-1.{}.rpm", spec.name, release.version, spec.architecture);
    let bytes = read(&folder.join("made").join(spec.architecture).join(&name))?;
    Ok(Package { name, bytes })
}

/// Writes the tree, and returns the lines that name its files.
fn lay_out(root: &Path, tree: &[Entry]) -> Result<String, ReleaseError> {
    let mut lines = String::new();
    for entry in tree {
        let path = root.join(&entry.path);
        if entry.path.ends_with('/') {
            create(&path)?;
            let _ = writeln!(lines, "%dir %attr(0755, root, root) /{}", entry.path.trim_end_matches('/'));
            continue;
        }
        create(path.parent().unwrap_or(root))?;
        write(&path, &entry.bytes)?;
        let kind = if entry.path.contains("/doc/") || entry.path.contains("/man/") { "%doc " } else { "" };
        let kind = if entry.path.contains("/licenses/") { "%license " } else { kind };
        let mode = if entry.executable { "0755" } else { "0644" };
        let _ = writeln!(lines, "{kind}%attr({mode}, root, root) /{}", entry.path);
    }
    // Folders of our own go with the package.
    for folder in own_folders(tree) {
        let _ = writeln!(lines, "%dir /{folder}");
    }
    Ok(lines)
}

/// Every folder in which something lies, from the one that has our name on.
fn own_folders(tree: &[Entry]) -> BTreeSet<&str> {
    tree.iter()
        .flat_map(|entry| entry.path.match_indices('/').map(|(at, _)| &entry.path[..at]))
        .filter(|folder| folder.contains("policy-hooks"))
        // Named with their owners already.
        .filter(|folder| !tree.iter().any(|entry| entry.path.strip_suffix('/') == Some(folder)))
        .collect()
}

fn text(release: &Release, spec: &Spec, files: &str, folder: &Path) -> String {
    let Release { version, repository, .. } = release;
    let Spec { name, architecture, summary, text, rest } = spec;
    let (requires, scripts) = rest.split_at(rest.find('%').unwrap_or(rest.len()));
    let moment = i64::try_from(release.time).ok().and_then(|time| chrono::DateTime::from_timestamp(time, 0));
    let date = moment.map_or_else(String::new, |moment| moment.format("%a %b %d %Y").to_string());
    let maintainer = super::deb::maintainer(release);
    format!(
        "{PLAIN}Name: {name}\nVersion: {version}\nRelease: 1\nSummary: {summary}\nLicense: MIT OR Apache-2.0\n\
         URL: {repository}\nPackager: {maintainer}\nBuildArch: {architecture}\n{requires}\n%description\n{text}\n\n\
         %install\ncp -a '{}/.' %{{buildroot}}/\n\n{scripts}\n%files\n{files}\n\
         %changelog\n* {date} {maintainer} - {version}-1\n- What changed: {repository}/blob/v{version}/CHANGELOG.md\n",
        folder.join("tree").display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_our_own_are_the_packages() {
        let paths = [
            "etc/policy-hooks/policy.d/",
            "usr/bin/a",
            "usr/share/policy-hooks/configs/codex/x",
            "usr/share/man/y",
        ];
        let tree: Vec<Entry> = paths.map(|path| Entry::new(path, "")).into();
        let own: Vec<&str> = own_folders(&tree).into_iter().collect();
        let all = [
            "etc/policy-hooks",
            "usr/share/policy-hooks",
            "usr/share/policy-hooks/configs",
            "usr/share/policy-hooks/configs/codex",
        ];
        assert_eq!(own, all);
    }
}
