//! `policy-hooks-managed`: what hosts read for everyone on the machine, and the script that puts it there.

use super::Archive;
use crate::archive::Entry;

/// Where the files wait, with their paths below `/`.
const WAITING: &str = "usr/share/policy-hooks-managed";

/// Where they lie in an archive, as `hook-runner init --machine --out` wrote them.
const FILES: &str = "managed/linux/";

const SCRIPT: &str = include_str!("../../channels/managed.sh");

/// The tree below `/`.
pub(crate) fn tree(archive: &Archive) -> Vec<Entry> {
    let waiting = |entry: &Entry| {
        let path = entry.path.strip_prefix(FILES)?;
        Some(Entry { path: format!("{WAITING}/{path}"), ..entry.clone() })
    };
    let mut entries: Vec<Entry> = archive.entries.iter().filter_map(waiting).collect();
    entries.push(Entry::new("usr/lib/policy-hooks/managed", SCRIPT));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::tests::release;

    #[test]
    fn the_files_of_this_system_wait_for_the_script() {
        let tree = tree(&release().archives[0]);
        let paths: Vec<(&str, bool)> =
            tree.iter().map(|entry| (entry.path.as_str(), entry.executable)).collect();
        let waiting = "usr/share/policy-hooks-managed/etc/codex/requirements.toml";
        assert_eq!(paths, [(waiting, false), ("usr/lib/policy-hooks/managed", true)]);
    }
}
