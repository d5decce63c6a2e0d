//! Which working tree `git worktree remove` means.

use std::path::Path;

use repository::Repository;

/// The working tree at a path, or the only one whose path ends with the words; inner `None` where git knows none of them.
#[expect(clippy::option_option, reason = "not certain, and unknown to git, are two answers")]
pub(crate) fn named(around: &Repository, path: &Path, words: &str) -> Option<Option<Repository>> {
    let git = around.libgit2();
    let names = git.worktrees().ok()?;
    let trees = names.iter().flatten().flatten().filter_map(|name| git.find_worktree(name).ok());
    let trees: Vec<_> = trees.map(|tree| tree.path().to_owned()).collect();
    // Of one that was moved away, git forgets what was checked out.
    if !trees.iter().all(|tree| tree.exists()) {
        return None;
    }
    let there = std::fs::canonicalize(path).ok();
    let is_it = |tree: &&std::path::PathBuf| there.is_some() && std::fs::canonicalize(tree).ok() == there;
    let mut ending = trees.iter().filter(|tree| tree.ends_with(words));
    let found = match (trees.iter().find(is_it), ending.next(), ending.next()) {
        (Some(tree), ..) | (None, Some(tree), None) => tree,
        (None, None, _) => return Some(None),
        _ => return None,
    };
    Repository::around(found).ok()?.map(Some)
}

/// Whether git notes a working tree at a path that is not there any more.
pub(crate) fn is_gone(around: &Repository, path: &Path, words: &str) -> bool {
    let git = around.libgit2();
    let Ok(names) = git.worktrees() else { return false };
    let mut trees = names.iter().flatten().flatten().filter_map(|name| git.find_worktree(name).ok());
    let named = path.file_name();
    !path.exists()
        && trees.any(|tree| {
            let is_it =
                tree.path().ends_with(words.trim_start_matches("../")) || tree.path().file_name() == named;
            is_it && !tree.path().exists()
        })
}
