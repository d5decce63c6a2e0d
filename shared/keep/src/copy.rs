//! Files outside of repositories, as copies.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use git2::{ObjectType, Oid};

use crate::Occasion;
use crate::budget::{self, Budget};
use crate::entry::{Entry, Files, Item, Kind, What};
use crate::error::KeepError;
use crate::store::{self, Store};

/// Copies files and folders by their absolute paths, with all that is in them. What is not there needs no copy.
pub fn keep(store: &Store, paths: &[PathBuf], occasion: &Occasion<'_>) -> Result<Entry, KeepError> {
    store.sweep(SystemTime::now());
    let mut copier = Copier { budget: Budget::new(occasion.until), items: Vec::new(), files: Vec::new() };
    for path in paths {
        if fs::symlink_metadata(path).is_ok() {
            copier.add(path)?;
        }
    }
    let Copier { items, files, budget } = copier;
    let bytes = files.iter().map(|file| file.len() as u64).sum();
    store.has_room(bytes)?;
    let hash = |bytes: &[u8]| Oid::hash_object(ObjectType::Blob, bytes);
    let hashes: Vec<Oid> = files.iter().map(|file| hash(file)).collect::<Result<_, _>>()?;
    let all: Vec<u8> = hashes.iter().flat_map(|hash| hash.as_bytes().to_owned()).collect();
    let fingerprint = hash(&all)?.to_string();
    let mut entry = Entry {
        version: 1,
        id: String::new(),
        time: store::milliseconds(SystemTime::now()),
        command: occasion.command.to_owned(),
        lost: occasion.lost.to_owned(),
        bytes,
        fingerprint,
        what: What::Files(Files { items }),
    };
    let alike = |known: &Entry| known.fingerprint == entry.fingerprint && known.what == entry.what;
    if let Some(same) = store.entries().into_iter().find(alike) {
        return Ok(same);
    }
    entry.id = store.claim(&entry.fingerprint)?;
    let written = write(store, &entry, &files, &budget);
    if written.is_err() {
        let _ = store.forget(&entry.id);
    }
    written.map(|()| entry)
}

fn write(store: &Store, entry: &Entry, files: &[Vec<u8>], budget: &Budget) -> Result<(), KeepError> {
    let folder = store.folder(&entry.id);
    for (number, bytes) in files.iter().enumerate() {
        budget.in_time()?;
        let path = folder.join(number.to_string());
        store::write_new(&path, bytes).map_err(|error| KeepError::disk(&path, error))?;
    }
    store.write(entry)
}

struct Copier {
    budget: Budget,
    items: Vec<Item>,
    files: Vec<Vec<u8>>,
}

impl Copier {
    fn add(&mut self, path: &Path) -> Result<(), KeepError> {
        let facts = budget::facts(path)?;
        let name = path.to_str().ok_or_else(|| KeepError::Name(path.to_owned()))?.to_owned();
        let rights = budget::rights(&facts);
        if facts.is_dir() {
            self.budget.folder()?;
            self.items.push(Item { path: name, rights, kind: Kind::Folder });
            let disk = |error| KeepError::disk(path, error);
            for entry in fs::read_dir(path).map_err(disk)? {
                self.add(&entry.map_err(disk)?.path())?;
            }
            return Ok(());
        }
        let bytes = self.budget.read(path, &facts)?;
        let kind = if facts.is_symlink() {
            Kind::Link(String::from_utf8(bytes).map_err(|_| KeepError::Name(path.to_owned()))?)
        } else {
            self.files.push(bytes);
            Kind::File(self.files.len() - 1)
        };
        self.items.push(Item { path: name, rights, kind });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn what_is_alike_is_kept_side_by_side_in_one_second() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::of(home.path());
        let occasion =
            Occasion { command: "rm x", lost: "x", until: Instant::now() + Duration::from_mins(1) };
        let ids: Vec<String> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let path = home.path().join(name);
                fs::write(&path, "the same").unwrap();
                let entry = keep(&store, std::slice::from_ref(&path), &occasion).unwrap();
                assert_eq!(keep(&store, &[path], &occasion).unwrap(), entry, "once is enough");
                entry.id
            })
            .collect();
        let mut kept = store.entries();
        kept.retain(|entry| fs::read(store.folder(&entry.id).join("0")).unwrap() == b"the same");
        assert_eq!(kept.len(), 3, "{ids:?}");
    }
}
