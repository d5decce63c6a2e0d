//! Whether a file is as it was last committed.

use std::path::Path;

use repository::Repository;

use crate::state::{File, hash};

/// What a file below the root of a working tree holds in the current commit; inner `None` where it is not in it.
pub fn committed(root: &Path, name: &str) -> Option<Option<Vec<u8>>> {
    let repository = Repository::around(root).ok()??;
    let git = repository.libgit2();
    let head = git.head().ok().and_then(|head| head.peel_to_tree().ok());
    let Some(entry) = head.and_then(|tree| tree.get_path(Path::new(name)).ok()) else { return Some(None) };
    Some(Some(git.find_blob(entry.id()).ok()?.content().to_vec()))
}

/// Whether the file at an absolute path is in the current commit and in the index as it lies on the disk; `None` where
/// no repository says. Bytes are compared as they are: what git would convert counts as changed.
pub fn is_committed(path: &Path) -> Option<bool> {
    // The folder as it is: a link to it may stand in another repository.
    let folder = std::fs::canonicalize(path.parent()?).ok()?;
    let repository = Repository::around(&folder).ok()??;
    let root = std::fs::canonicalize(repository.root()).ok()?;
    let name = folder.strip_prefix(root).ok()?.join(path.file_name()?);
    let git = repository.libgit2();
    let head = git.head().ok().and_then(|head| head.peel_to_tree().ok());
    let Some(committed) = head.and_then(|tree| tree.get_path(&name).ok()) else { return Some(false) };
    let index = git.index().ok()?;
    let Some(staged) = index.get_path(&name, 0) else { return Some(false) };
    let File { mode, .. } = File::on_disk(path, Vec::new())?;
    let same = staged.id == committed.id()
        && u32::try_from(committed.filemode())
            .is_ok_and(|committed| committed == mode && staged.mode == mode)
        && hash(path) == Some(staged.id);
    Some(same)
}
