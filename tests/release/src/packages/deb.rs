//! Debian's packages, written here: an `ar` of two archives, the same bytes every time, on every system.

use std::fmt::Write as _;

use super::names::Names;
use super::{Archive, Package, Release, layout, managed};
use crate::ReleaseError;
use crate::archive::{Entry, gzip, tree_gz};

/// The programs and what belongs to them; none for other systems than Linux.
pub(crate) fn package(release: &Release, archive: &Archive) -> Option<Result<Package, ReleaseError>> {
    let architecture = Names::of(archive.target).debian?;
    Some(layout::system(archive).and_then(|mut tree| {
        // Debian wants programs that share a library to find it outside. These are to run wherever a host runs.
        let overrides = "policy-hooks: statically-linked-binary *\n\
                         # Static as well, for a random address.\n\
                         policy-hooks: shared-library-lacks-prerequisites *\n\
                         # A library of Rust has the words of its mistakes.\n\
                         policy-hooks: embedded-library libyaml *\n\
                         # A path that is guarded; nothing reads it.\n\
                         policy-hooks: uses-dpkg-database-directly *\n\
                         # Where administrators put policies: absent, they would have to look up its name.\n\
                         policy-hooks: package-contains-empty-directory *\n";
        tree.push(Entry::new("usr/share/lintian/overrides/policy-hooks", overrides));
        let about = About {
            name: "policy-hooks",
            architecture,
            fields: "",
            synopsis: "hooks that stop coding agents from running destructive commands",
            text: super::PROGRAMS,
        };
        build(release, archive, &about, tree, &[])
    }))
}

/// The files by which hosts call the guard for everyone on the machine.
pub(crate) fn managed(release: &Release) -> Result<Package, ReleaseError> {
    let archive = release.archives.first().ok_or_else(super::no_archive)?;
    let depends = format!("Depends: policy-hooks (= {})\n", release.version);
    let about = About {
        name: "policy-hooks-managed",
        architecture: "all",
        fields: &depends,
        synopsis: "managed settings of coding agents for policy-hooks",
        text: super::MANAGED,
    };
    let scripts = [
        (
            "postinst",
            "#!/bin/sh\nset -e\nif [ \"$1\" = configure ]; then\n    /usr/lib/policy-hooks/managed put\nfi\n",
        ),
        (
            "prerm",
            "#!/bin/sh\nset -e\nif [ \"$1\" = remove ]; then\n    /usr/lib/policy-hooks/managed take\nfi\n",
        ),
    ];
    build(release, archive, &about, managed::tree(archive), &scripts)
}

/// What a package says of itself.
struct About<'a> {
    name: &'a str,
    architecture: &'a str,
    /// Further lines of the control file.
    fields: &'a str,
    /// Begins with a small letter, as Debian's do.
    synopsis: &'a str,
    text: &'a str,
}

fn build(
    release: &Release,
    archive: &Archive,
    about: &About,
    mut tree: Vec<Entry>,
    scripts: &[(&str, &str)],
) -> Result<Package, ReleaseError> {
    let About { name, architecture, fields, synopsis, text } = about;
    let documents = format!("usr/share/doc/{name}");
    tree.push(Entry::new(format!("{documents}/copyright"), copyright(release, archive)?));
    tree.push(Entry::new(format!("{documents}/changelog.gz"), gzip(changelog(release, name).as_bytes())?));
    tree.sort_by(|one, other| one.path.cmp(&other.path));
    let text = text.replace('\n', "\n ");
    let kibibytes: usize = tree.iter().map(|entry| entry.bytes.len().div_ceil(1024)).sum();
    let Release { version, repository, .. } = release;
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {}\n\
         Installed-Size: {kibibytes}\n{fields}Section: utils\nPriority: optional\nHomepage: {repository}\n\
         Description: {synopsis}\n {text}\n",
        maintainer(release)
    );
    let mut head = vec![Entry::new("control", control)];
    for (name, text) in scripts {
        head.push(Entry::new(*name, *text));
    }
    let parts = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", tree_gz(&head, release.time)?),
        ("data.tar.gz", tree_gz(&tree, release.time)?),
    ];
    Ok(Package { name: format!("{name}_{version}_{architecture}.deb"), bytes: ar(&parts, release.time) })
}

/// The oldest of archives: a line of text before each file.
fn ar(parts: &[(&str, Vec<u8>)], time: u64) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, part) in parts {
        bytes.extend(format!("{name:<16}{time:<12}0     0     100644  {:<10}`\n", part.len()).bytes());
        bytes.extend(part);
        if part.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// An address that exists wherever the repository does.
pub(crate) fn maintainer(release: &Release) -> String {
    let owner = release.repository.rsplit('/').nth(1).unwrap_or("policy-hooks");
    format!("policy-hooks maintainers <{owner}@users.noreply.github.com>")
}

fn changelog(release: &Release, name: &str) -> String {
    let Release { version, time, repository, .. } = release;
    let moment = i64::try_from(*time).ok().and_then(|time| chrono::DateTime::from_timestamp(time, 0));
    let date = moment.map_or_else(String::new, |moment| moment.to_rfc2822());
    format!(
        "{name} ({version}) unstable; urgency=medium\n\n  * What changed:\n    {repository}/blob/v{version}/CHANGELOG.md\n\n \
         -- {}  {date}\n",
        maintainer(release)
    )
}

fn copyright(release: &Release, archive: &Archive) -> Result<String, ReleaseError> {
    let licence = archive.file("LICENSE-MIT")?;
    let mit = String::from_utf8_lossy(&licence.bytes);
    let mut text = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: policy-hooks\n\
         Source: {}\nComment: The licences of what is linked into the programs are in THIRD-PARTY-LICENSES.txt.\n\n\
         Files: *\nCopyright: 2026 The policy-hooks contributors\nLicense: MIT or Apache-2.0\n\n\
         License: Apache-2.0\n On Debian systems, its text is in /usr/share/common-licenses/Apache-2.0.\n\n\
         License: MIT\n",
        release.repository
    );
    for line in mit.lines() {
        // An empty line would end the paragraph.
        let _ = writeln!(text, " {}", if line.trim().is_empty() { "." } else { line });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    #[test]
    fn a_package_has_its_three_parts_where_dpkg_reads_them() {
        let release = release();
        let package = package(&release, &release.archives[0]).unwrap().unwrap();
        assert_eq!(package.name, "policy-hooks_1.2.3_amd64.deb");
        assert!(
            package
                .bytes
                .starts_with(b"!<arch>\ndebian-binary   1700000000  0     0     100644  4         `\n2.0\n")
        );
        let mut at = 8;
        let mut names = Vec::new();
        while at < package.bytes.len() {
            let head = String::from_utf8(package.bytes[at..at + 60].to_vec()).unwrap();
            assert!(head.ends_with("`\n"), "{head:?}");
            names.push(head[..16].trim_end().to_owned());
            let length: usize = head[48..58].trim_end().parse().unwrap();
            at += 60 + length + length % 2;
        }
        assert_eq!(at, package.bytes.len());
        assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    }

    #[test]
    fn there_is_one_for_linux_only() {
        let release = release();
        let made = release.archives.iter().filter_map(|archive| super::package(&release, archive));
        assert_eq!(made.count(), 2);
        assert_eq!(managed(&release).unwrap().name, "policy-hooks-managed_1.2.3_all.deb");
    }
}
