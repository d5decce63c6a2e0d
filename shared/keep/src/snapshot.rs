//! What a repository holds, as objects and references of git.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use git2::{Index, IndexEntry, IndexTime, ObjectType, Odb, Oid, Repository};
use loss::Stake;

use crate::Occasion;
use crate::budget::{self, Budget};
use crate::entry::{Branch, Entry, Reference, Saved, Stash, Tree, What};
use crate::error::KeepError;
use crate::store::{self, Store};

/// Saves all that is at stake in a repository.
pub fn keep(store: &Store, stake: &Stake, occasion: &Occasion<'_>) -> Result<Entry, KeepError> {
    store.sweep(SystemTime::now());
    if stake.forgets {
        return Err(KeepError::Log);
    }
    if stake.beyond {
        return Err(KeepError::Beyond);
    }
    let git = Repository::open(&stake.root)?;
    let root = stake.root.to_str().ok_or_else(|| KeepError::Name(stake.root.clone()))?;
    let mut saver = Saver {
        git: &git,
        odb: git.odb()?,
        root: &stake.root,
        budget: Budget::new(occasion.until),
        files: Index::new()?,
        saved: Vec::new(),
        bytes: 0,
    };
    for name in &stake.files {
        saver.add(name)?;
    }
    let index_file = git.path().join("index");
    let raw = read_if_there(&index_file)?;
    let index = git.index()?;
    saver.add_converted(&index, stake)?;
    let Saver { mut files, mut saved, bytes, odb, budget, .. } = saver;
    saved.sort_by(|one, other| one.path.cmp(&other.path));
    let files = files.write_tree_to(&git)?;
    let index = { index }.write_tree_to(&git)?;
    // Both were read: someone may have written to it in between.
    if read_if_there(&index_file)? != raw {
        return Err(KeepError::Moving);
    }
    store.has_room(bytes)?;
    let name = |bytes: &Vec<u8>| text(bytes, &stake.root);
    let tree = Tree {
        root: root.to_owned(),
        files: saved,
        gone: stake.gone.iter().map(name).collect::<Result<_, _>>()?,
        references: references(&git, stake)?,
        stashes: stashes(&git, stake),
        head: stake.head.as_ref().map(|(name, commit)| Branch {
            name: name.clone(),
            commit: commit.map(|commit| commit.to_string()),
        }),
        index: raw.is_some(),
    };
    let raw = odb.write(ObjectType::Blob, &raw.unwrap_or_default())?;
    let described = serde_json::to_vec(&tree).map_err(|_| KeepError::Broken(stake.root.clone()))?;
    let described = odb.write(ObjectType::Blob, &described)?;
    let mut builder = git.treebuilder(None)?;
    builder.insert("files", files, 0o040_000)?;
    builder.insert("index", index, 0o040_000)?;
    builder.insert("index.raw", raw, 0o100_644)?;
    builder.insert("tree.json", described, 0o100_644)?;
    let all = builder.write()?;
    let parents = parents(&git, stake);
    let mut entry = Entry {
        version: 1,
        id: String::new(),
        time: store::milliseconds(SystemTime::now()),
        command: occasion.command.to_owned(),
        lost: occasion.lost.to_owned(),
        bytes,
        fingerprint: all.to_string(),
        what: What::Tree(tree),
    };
    if let Some(same) = same(store, &git, &entry) {
        return Ok(same);
    }
    budget.in_time()?;
    entry.id = store.claim(&entry.fingerprint)?;
    let kept = point(&git, &entry, all, &parents).and_then(|()| store.write(&entry));
    if let Err(error) = kept {
        // What no one finds is not kept.
        let _ = store::delete_references(&git, &entry);
        let _ = store.forget(&entry.id);
        return Err(error);
    }
    Ok(entry)
}

/// An entry of the same things that is still there: two of our programs may be asked about one call.
fn same(store: &Store, git: &Repository, entry: &Entry) -> Option<Entry> {
    let alike = |known: &Entry| known.fingerprint == entry.fingerprint && known.what == entry.what;
    let known = store.entries().into_iter().find(alike)?;
    git.find_reference(&known.reference("state")).is_ok().then_some(known)
}

/// Makes the commit that holds everything, and the references to it.
fn point(git: &Repository, entry: &Entry, tree: Oid, parents: &BTreeSet<Oid>) -> Result<(), KeepError> {
    let author = git2::Signature::now("policy-hooks", "policy-hooks@localhost")?;
    let parents: Vec<git2::Commit<'_>> =
        parents.iter().map(|id| git.find_commit(*id)).collect::<Result<_, _>>()?;
    let parents: Vec<&git2::Commit<'_>> = parents.iter().collect();
    let message = format!("Kept before: {}\n\n{}\n", entry.command, entry.lost);
    let commit = git.commit(None, &author, &author, &message, &git.find_tree(tree)?, &parents)?;
    // Tags with a message are objects of their own, which no commit leads to.
    if let What::Tree(tree) = &entry.what {
        for (number, reference) in tree.references.iter().enumerate() {
            let object = Oid::from_str(&reference.object)?;
            if git.find_tag(object).is_ok() {
                git.reference(&entry.reference(&format!("tag-{number}")), object, false, "kept")?;
            }
        }
    }
    git.reference(&entry.reference("state"), commit, false, "kept")?;
    Ok(())
}

/// Files on their way into objects.
struct Saver<'g> {
    git: &'g Repository,
    odb: Odb<'g>,
    root: &'g Path,
    budget: Budget,
    files: Index,
    saved: Vec<Saved>,
    bytes: u64,
}

impl Saver<'_> {
    /// A file, or all files of a folder.
    fn add(&mut self, name: &[u8]) -> Result<(), KeepError> {
        let full = self.root.join(repository::to_path(name));
        let facts = budget::facts(&full)?;
        if facts.is_dir() {
            self.budget.folder()?;
            let mut below = Vec::new();
            for entry in fs::read_dir(&full).map_err(|error| KeepError::disk(&full, error))? {
                let entry = entry.map_err(|error| KeepError::disk(&full, error))?;
                below.push(entry.file_name());
            }
            let folder = name.strip_suffix(b"/").unwrap_or(name);
            return below
                .into_iter()
                .try_for_each(|entry| self.add(&[folder, b"/", entry.as_encoded_bytes()].concat()));
        }
        let path = text(name, self.root)?;
        let bytes = self.budget.read(&full, &facts)?;
        self.bytes += bytes.len() as u64;
        let id = self.odb.write(ObjectType::Blob, &bytes)?;
        let link = facts.is_symlink();
        let mode = if link { 0o120_000 } else { repository::mode(&facts) };
        self.files.add(&entry(name, mode, id))?;
        self.saved.push(Saved { path, rights: budget::rights(&facts), link });
        Ok(())
    }

    /// Files that git calls unchanged, though they are not what it holds: it has converted their line ends, say.
    fn add_converted(&mut self, index: &Index, stake: &Stake) -> Result<(), KeepError> {
        if !converts(self.git, index) {
            return Ok(());
        }
        let known: BTreeSet<&[u8]> = stake.files.iter().chain(&stake.gone).map(Vec::as_slice).collect();
        for entry in index.iter().filter(|entry| entry.mode & 0o170_000 == 0o100_000) {
            let path = repository::to_path(&entry.path);
            // A program of the repository's makes them from what git holds, and can do so again.
            let filter = self.git.get_attr(path, "filter", git2::AttrCheckFlags::FILE_THEN_INDEX)?;
            if known.contains(entry.path.as_slice()) || filter.is_some() {
                continue;
            }
            self.budget.in_time()?;
            let (held, _) = self.odb.read_header(entry.id)?;
            if budget::facts(&self.root.join(path))?.len() != held as u64 {
                self.add(&entry.path)?;
            }
        }
        Ok(())
    }
}

/// Whether files of the working tree may be other bytes than what git holds of them.
fn converts(git: &Repository, index: &Index) -> bool {
    let set = |name: &str| git.config().is_ok_and(|config| config.get_entry(name).is_ok());
    set("core.autocrlf")
        || set("core.eol")
        || set("core.attributesfile")
        || git.commondir().join("info/attributes").exists()
        || index.iter().any(|entry| entry.path.ends_with(b".gitattributes"))
}

fn entry(path: &[u8], mode: u32, id: Oid) -> IndexEntry {
    let never = IndexTime::new(0, 0);
    IndexEntry {
        ctime: never,
        mtime: never,
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.to_vec(),
    }
}

fn text(name: &[u8], root: &Path) -> Result<String, KeepError> {
    let text =
        std::str::from_utf8(name).map_err(|_| KeepError::Name(root.join(repository::to_path(name))))?;
    Ok(text.to_owned())
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, KeepError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(KeepError::disk(path, error)),
    }
}

/// The references as they are: a tag may lead to an object of its own instead of a commit.
fn references(git: &Repository, stake: &Stake) -> Result<Vec<Reference>, KeepError> {
    let mut found = Vec::new();
    for name in stake.references.keys() {
        if let Some(object) = git.find_reference(name)?.target() {
            found.push(Reference { name: name.clone(), object: object.to_string() });
        }
    }
    Ok(found)
}

fn stashes(git: &Repository, stake: &Stake) -> Vec<Stash> {
    let Some(log) = repository::reference_log(git, "refs/stash") else { return Vec::new() };
    let lost = log.iter().enumerate().filter(|(_, entry)| stake.stashes.contains(&entry.id_new()));
    let message = |entry: &git2::ReflogEntry<'_>| {
        String::from_utf8_lossy(entry.message_bytes().unwrap_or_default()).into_owned()
    };
    let stash = |(at, entry): (usize, git2::ReflogEntry<'_>)| Stash {
        commit: entry.id_new().to_string(),
        at,
        message: message(&entry),
    };
    lost.map(stash).collect()
}

/// The commits to which something may lead no longer.
fn parents(git: &Repository, stake: &Stake) -> BTreeSet<Oid> {
    let head = git.head().ok().and_then(|head| head.target());
    stake.references.values().chain(&stake.stashes).copied().chain(head).collect()
}
