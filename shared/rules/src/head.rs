//! What is checked out, by `.git/HEAD` and without git: an untrusted repository's git runs code.

use std::fs;
use std::path::Path;

/// What is checked out in a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    Branch(String),
    /// A commit, without a branch.
    Commit,
    Unknown,
}

impl Head {
    /// That of the working tree with this root.
    pub fn of(worktree: &Path) -> Self {
        let Some(text) = read(worktree) else { return Self::Unknown };
        match text.trim().strip_prefix("ref: refs/heads/") {
            // With `--ref-format=reftable` the file only keeps older versions of git away (git 2.47.3).
            Some(".invalid") => Self::Unknown,
            Some(branch) => Self::Branch(branch.to_owned()),
            None if text.starts_with(|c: char| c.is_ascii_hexdigit()) => Self::Commit,
            None => Self::Unknown,
        }
    }
}

fn read(worktree: &Path) -> Option<String> {
    let dot = worktree.join(".git");
    let mut head = dot.join("HEAD");
    if dot.is_file() {
        // A linked working tree: `gitdir: PATH`.
        let text = fs::read_to_string(&dot).ok()?;
        head = worktree.join(text.strip_prefix("gitdir:")?.trim()).join("HEAD");
    }
    fs::read_to_string(head).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branch_is_read_from_the_file_of_head() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Head::of(folder.path()), Head::Unknown);
        fs::create_dir(folder.path().join(".git")).unwrap();
        for (text, head) in [
            ("ref: refs/heads/main\n", Head::Branch("main".to_owned())),
            ("ref: refs/heads/team/x\n", Head::Branch("team/x".to_owned())),
            ("4a5b6c\n", Head::Commit),
            ("ref: refs/heads/.invalid\n", Head::Unknown),
            ("", Head::Unknown),
        ] {
            fs::write(folder.path().join(".git/HEAD"), text).unwrap();
            assert_eq!(Head::of(folder.path()), head, "{text}");
        }
    }
}
