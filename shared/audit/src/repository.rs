//! The repository around a folder, from its files: no `git` is started, and nothing of the repository runs.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::private;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Its folder.
    pub root: String,
    /// The branch, or the commit where there is none.
    pub branch: Option<String>,
}

/// How many folders are looked at, upwards.
const LEVELS: usize = 32;

/// How much of a file is read, in bytes.
const FILE: u64 = 1024;

impl Repository {
    /// The repository around `folder`.
    pub fn around(folder: &str) -> Option<Self> {
        let folder = Path::new(folder);
        // A relative one would be resolved against the folder of the hook, which need not be that of the call.
        if !folder.is_absolute() {
            return None;
        }
        // One buffer for all of them: this is on every call's way.
        let mut git = OsString::with_capacity(folder.as_os_str().len() + 8);
        folder.ancestors().take(LEVELS).find_map(|root| {
            git.clear();
            git.push(root);
            git.push("/.git");
            let git = Path::new(&git);
            let about = git.symlink_metadata().ok()?;
            // Work trees and submodules have a file that says where the rest is.
            let home = if about.is_dir() { git.to_owned() } else { linked(root, &read(git)?)? };
            let branch = read(&home.join("HEAD")).and_then(|head| branch(&head));
            Some(Self { root: root.to_str()?.to_owned(), branch })
        })
    }
}

fn linked(root: &Path, text: &str) -> Option<PathBuf> {
    let path = text.strip_prefix("gitdir:")?.trim();
    Some(root.join(path))
}

fn branch(head: &str) -> Option<String> {
    let head = head.trim();
    match head.strip_prefix("ref:") {
        Some(name) => {
            let name = name.trim();
            Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned())
        }
        None => head
            .get(..12)
            .filter(|commit| commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .map(str::to_owned),
    }
}

/// The beginning of a regular file; a pipe would keep us waiting.
fn read(path: &Path) -> Option<String> {
    let file = private::open_plain(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(FILE).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_branch_of_a_repository_of_a_work_tree_and_of_neither() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo");
        fs::create_dir_all(root.join(".git/worktrees/w")).unwrap();
        fs::create_dir_all(root.join("src/deep")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/feat/x\n").unwrap();
        let found = Repository::around(root.join("src/deep").to_str().unwrap()).unwrap();
        assert_eq!((found.root.as_str(), found.branch.as_deref()), (root.to_str().unwrap(), Some("feat/x")));

        let tree = folder.path().join("tree");
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join(".git"), format!("gitdir: {}\n", root.join(".git/worktrees/w").display()))
            .unwrap();
        fs::write(root.join(".git/worktrees/w/HEAD"), "0123456789abcdef0123456789abcdef01234567\n").unwrap();
        let found = Repository::around(tree.to_str().unwrap()).unwrap();
        assert_eq!(found.branch.as_deref(), Some("0123456789ab"));

        assert_eq!(Repository::around("relative"), None);
    }
}
