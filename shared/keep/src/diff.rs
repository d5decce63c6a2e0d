//! What is different now from what was kept.

use std::fs;
use std::path::Path;

use git2::{ObjectType, Patch, Repository};

use crate::entry::{Entry, Kind, What};
use crate::error::KeepError;
use crate::store::Store;

/// A patch from what lies on the disk to what was kept, file by file.
pub fn diff(store: &Store, entry: &Entry) -> Result<Vec<u8>, KeepError> {
    let mut all = Vec::new();
    match &entry.what {
        What::Tree(tree) => {
            let git = open(&tree.root)?;
            let state = git.find_reference(&entry.reference("state"))?.peel_to_tree()?;
            for file in &tree.files {
                let kept = state.get_path(&Path::new("files").join(&file.path))?;
                let kept = git.find_object(kept.id(), Some(ObjectType::Blob))?.peel_to_blob()?;
                let now = on_disk(&Path::new(&tree.root).join(&file.path));
                add(&mut all, &file.path, &now, kept.content())?;
            }
        }
        What::Files(files) => {
            for item in &files.items {
                let Kind::File(number) = &item.kind else { continue };
                let path = store.folder(&entry.id).join(number.to_string());
                let kept = fs::read(&path).map_err(|error| KeepError::disk(&path, error))?;
                add(&mut all, &item.path, &on_disk(Path::new(&item.path)), &kept)?;
            }
        }
    }
    Ok(all)
}

/// The content at a path; empty if there is no file.
fn on_disk(path: &Path) -> Vec<u8> {
    match fs::symlink_metadata(path) {
        Ok(facts) if facts.is_file() => fs::read(path).unwrap_or_default(),
        Ok(facts) if facts.is_symlink() => {
            fs::read_link(path).map(|to| to.into_os_string().into_encoded_bytes()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn add(all: &mut Vec<u8>, path: &str, now: &[u8], kept: &[u8]) -> Result<(), KeepError> {
    if now != kept {
        let path = Some(Path::new(path));
        let mut patch = Patch::from_buffers(now, path, kept, path, None)?;
        all.extend_from_slice(&patch.to_buf()?);
    }
    Ok(())
}

pub(crate) fn open(root: &str) -> Result<Repository, KeepError> {
    Repository::open(root)
        .map_err(|error| KeepError::NoRepository { root: root.into(), why: error.message().to_owned() })
}
