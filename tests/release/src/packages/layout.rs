//! Where the files of an archive lie on a system: the same in `.deb` and `.rpm`.

use super::{Archive, BILL};
use crate::ReleaseError;
use crate::archive::{Entry, gzip};

/// The tree below `/`, sorted.
pub(crate) fn system(archive: &Archive) -> Result<Vec<Entry>, ReleaseError> {
    let mut entries = vec![
        // An administrator's policies; `approval-gate` reads what lies there.
        Entry::new("etc/policy-hooks/policy.d/", ""),
    ];
    for entry in &archive.entries {
        if let Some(path) = place(&entry.path) {
            // Manual pages are compressed on every distribution.
            let (path, bytes) = if path.starts_with("usr/share/man/") {
                (format!("{path}.gz"), gzip(&entry.bytes)?)
            } else {
                (path, entry.bytes.clone())
            };
            entries.push(Entry { path, bytes, executable: entry.executable });
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// Where a file of the archive goes; none for documents that lead to others and for the sums.
fn place(path: &str) -> Option<String> {
    let (folder, rest) = path.split_once('/').unwrap_or(("", path));
    let place = match folder {
        "bin" => format!("usr/bin/{rest}"),
        "configs" => format!("usr/share/policy-hooks/configs/{rest}"),
        "man" => format!("usr/share/man/{rest}"),
        "completions" => {
            let (shell, name) = rest.split_once('/')?;
            match shell {
                "bash" => format!("usr/share/bash-completion/completions/{name}"),
                "fish" => format!("usr/share/fish/vendor_completions.d/{name}"),
                "zsh" => format!("usr/share/zsh/vendor-completions/{name}"),
                _ => return None,
            }
        }
        "" if rest == "THIRD-PARTY-LICENSES.txt" || rest == BILL => {
            format!("usr/share/doc/policy-hooks/{rest}")
        }
        _ => return None,
    };
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    #[test]
    fn everything_lies_where_a_system_looks_for_it() {
        let tree = system(&release().archives[0]).unwrap();
        let paths: Vec<&str> = tree.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "etc/policy-hooks/policy.d/",
                "usr/bin/command-blocker",
                "usr/bin/hook-runner",
                "usr/share/doc/policy-hooks/THIRD-PARTY-LICENSES.txt",
                "usr/share/doc/policy-hooks/bill-of-materials.cdx.json",
                "usr/share/man/man1/hook-runner.1.gz",
                "usr/share/policy-hooks/configs/policies/starter.toml",
                "usr/share/zsh/vendor-completions/_hook-runner",
            ]
        );
    }
}
