//! What git knows about one file.

use std::path::Path;

use crate::{Repository, RepositoryError};

impl Repository {
    /// Whether git ignores the file, by its path relative to the root. What is tracked is not ignored.
    pub fn ignores(&self, path: &Path) -> Result<bool, RepositoryError> {
        let ignored =
            self.git.is_path_ignored(path).map_err(|error| self.failed("read what is ignored in", &error))?;
        Ok(ignored && !self.tracks(path)?)
    }

    /// Whether the file, by its path relative to the root, is in the index.
    pub fn tracks(&self, path: &Path) -> Result<bool, RepositoryError> {
        let index = self.git.index().map_err(|error| self.failed("read the index of", &error))?;
        Ok(index.get_path(path, 0).is_some())
    }

    /// The content of the file in the commit that is checked out; `None` when it is not in there.
    pub fn committed(&self, path: &Path) -> Option<Vec<u8>> {
        let tree = self.git.head().ok()?.peel_to_tree().ok()?;
        let blob = tree.get_path(path).ok()?.to_object(&self.git).ok()?.peel_to_blob().ok()?;
        Some(blob.content().to_owned())
    }
}
