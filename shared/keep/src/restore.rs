//! Brings back what was kept.
//!
//! First a [`Plan`] says what would be written, and what of that is nowhere else: whoever runs it asks about that.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use git2::build::CheckoutBuilder;
use git2::{AttrCheckFlags, Index, Oid, Repository, Status, StatusOptions};

use crate::budget;
use crate::diff::open;
use crate::entry::{Entry, Files, Item, Kind, Saved, Tree, What};
use crate::error::KeepError;
use crate::store::{self, Store};

/// What restoring an entry does.
#[derive(Debug)]
pub struct Plan<'e> {
    store: Store,
    entry: &'e Entry,
    /// Files that are written, as they stand in the entry.
    writes: Vec<Write<'e>>,
    /// Unchanged files of the index, which git itself writes.
    unchanged: Vec<String>,
    /// Files that a program of the repository's makes, and which only git with that program brings back.
    filtered: Vec<String>,
    /// Files that were not there.
    removes: Vec<PathBuf>,
    /// What is overwritten and can be had nowhere else, for people.
    overwrites: Vec<String>,
    /// References that lead elsewhere now: their names, and where they lead.
    moves: Vec<(String, Oid)>,
    /// Whether index and branches come back, too: not where only some files are wanted.
    whole: bool,
}

#[derive(Debug)]
enum Write<'e> {
    Saved(&'e Saved, Oid),
    Item(&'e Item),
}

/// What restoring would do: all of an entry, or files of it by their paths, and what lies below these.
pub fn plan<'e>(store: &Store, entry: &'e Entry, paths: &[String]) -> Result<Plan<'e>, KeepError> {
    let mut plan = Plan {
        store: store.clone(),
        entry,
        writes: Vec::new(),
        unchanged: Vec::new(),
        filtered: Vec::new(),
        removes: Vec::new(),
        overwrites: Vec::new(),
        moves: Vec::new(),
        whole: paths.is_empty(),
    };
    let wanted = |path: &str| paths.is_empty() || paths.iter().any(|wanted| is_at(path, wanted));
    match &entry.what {
        What::Tree(tree) => plan.tree(tree, &wanted)?,
        What::Files(files) => plan.copies(files, &wanted)?,
    }
    if !paths.is_empty() && plan.writes.is_empty() && plan.unchanged.is_empty() {
        return Err(KeepError::Unknown(paths.join(", ")));
    }
    Ok(plan)
}

fn is_at(path: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_end_matches('/');
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A file of an index, as far as it is compared.
type Staged = BTreeMap<Vec<u8>, (Oid, u32)>;

/// The bit of an index entry that `git update-index --assume-unchanged` sets.
const ASSUMED: u16 = 1 << 15;

/// What a repository holds now.
struct Now {
    index: Staged,
    /// Where the working tree or the index is not what is committed.
    status: BTreeMap<Vec<u8>, Status>,
}

fn staged(index: &Index) -> Staged {
    index.iter().map(|entry| (entry.path, (entry.id, entry.mode))).collect()
}

impl<'e> Plan<'e> {
    /// What would be overwritten and can be had nowhere else.
    pub fn overwrites(&self) -> &[String] {
        &self.overwrites
    }

    /// Files that only git with a program of the repository's brings back: `git checkout -- PATH`.
    pub fn filtered(&self) -> &[String] {
        &self.filtered
    }

    /// How many files are written or removed.
    pub fn files(&self) -> usize {
        let items =
            self.writes.iter().filter(|write| !matches!(write, Write::Item(Item { kind: Kind::Folder, .. })));
        items.count() + self.unchanged.len() + self.removes.len()
    }

    /// The references that are put back, and where they lead now; a deleted one leads nowhere.
    pub fn references(&self) -> impl Iterator<Item = (&str, Oid)> {
        self.moves.iter().map(|(name, id)| (name.as_str(), *id))
    }

    fn tree(&mut self, tree: &'e Tree, wanted: &dyn Fn(&str) -> bool) -> Result<(), KeepError> {
        let git = open(&tree.root)?;
        let root = Path::new(&tree.root);
        let state = git.find_reference(&self.entry.reference("state"))?.peel_to_tree()?;
        let held = state.get_name("files").ok_or_else(|| KeepError::Broken(root.to_owned()))?;
        let held = git.find_tree(held.id())?;
        let now = Now { index: staged(&git.index()?), status: uncommitted(&git)? };
        let mut known: BTreeSet<&str> = tree.gone.iter().map(String::as_str).collect();
        for saved in &tree.files {
            known.insert(&saved.path);
            let id = held.get_path(Path::new(&saved.path))?.id();
            let full = root.join(&saved.path);
            if !wanted(&saved.path) || is_as_saved(&git, &full, saved, id) {
                continue;
            }
            // What the index holds as it lies there can be had from it; all else is only there.
            self.note_overwritten(&saved.path, &full, &now);
            self.writes.push(Write::Saved(saved, id));
        }
        let then = index_of(&git, &state)?;
        self.unchanged(&git, &then, &now, &|path| !known.contains(path) && wanted(path))?;
        let added = now.index.keys().filter(|path| !then.contains_key(*path));
        let added =
            added.filter_map(|path| std::str::from_utf8(path).ok()).filter(|path| !known.contains(path));
        for path in tree.gone.iter().map(String::as_str).chain(added) {
            let full = root.join(path);
            let is_file = fs::symlink_metadata(&full).is_ok_and(|facts| !facts.is_dir());
            if is_file && self.whole && wanted(path) {
                self.note_overwritten(path, &full, &now);
                self.removes.push(full);
            }
        }
        if self.whole {
            self.branches(&git, tree)?;
            self.note_staged(&now);
        }
        Ok(())
    }

    /// Unchanged files of the index of then that are not there any more, or not the same.
    fn unchanged(
        &mut self,
        git: &Repository,
        then: &Staged,
        now: &Now,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<(), KeepError> {
        let root = git.workdir().unwrap_or(Path::new("")).to_owned();
        let index = git.index()?;
        for (path, entry) in then {
            let Ok(text) = std::str::from_utf8(path) else { continue };
            let worktree = Status::WT_MODIFIED
                | Status::WT_DELETED
                | Status::WT_NEW
                | Status::WT_TYPECHANGE
                | Status::IGNORED;
            // git does not say that a file is gone that it is set not to look at.
            let is_hidden =
                index.get_path(Path::new(text), 0).is_some_and(|entry| entry.flags & ASSUMED != 0);
            let differs = now.status.get(path).is_some_and(|status| status.intersects(worktree))
                || is_hidden && fs::symlink_metadata(root.join(text)).is_err();
            // Submodules are repositories of their own, which no step goes into.
            if !wanted(text) || now.index.get(path) == Some(entry) && !differs || entry.1 == 0o160_000 {
                continue;
            }
            let filter = git.get_attr(Path::new(text), "filter", AttrCheckFlags::FILE_THEN_INDEX)?;
            if filter.is_some() {
                self.filtered.push(text.to_owned());
                continue;
            }
            self.note_overwritten(text, &root.join(text), now);
            self.unchanged.push(text.to_owned());
        }
        Ok(())
    }

    fn note_overwritten(&mut self, path: &str, full: &Path, now: &Now) {
        let is_there = fs::symlink_metadata(full).is_ok();
        let is_known = now.index.contains_key(path.as_bytes());
        let is_changed = now.status.get(path.as_bytes()).is_some_and(|status| *status != Status::WT_DELETED);
        if is_there && (!is_known || is_changed) {
            self.overwrites.push(path.to_owned());
        }
    }

    /// What is staged now and not committed: the index of then takes its place.
    fn note_staged(&mut self, now: &Now) {
        let staged = Status::INDEX_NEW | Status::INDEX_MODIFIED | Status::INDEX_TYPECHANGE;
        for path in now.status.iter().filter(|(_, status)| status.intersects(staged)).map(|(path, _)| path) {
            let path = String::from_utf8_lossy(path).into_owned();
            if !self.overwrites.contains(&path) {
                self.overwrites.push(path);
            }
        }
    }

    fn branches(&mut self, git: &Repository, tree: &Tree) -> Result<(), KeepError> {
        for reference in &tree.references {
            let object = Oid::from_str(&reference.object)?;
            let now = git.find_reference(&reference.name).ok().and_then(|now| now.target());
            if now == Some(object) {
                continue;
            }
            // Commits that were made since would not be on it any more.
            if let Some(now) = now
                && !git.graph_descendant_of(object, now).unwrap_or_default()
            {
                self.overwrites.push(format!("{} (now at {now:.10})", reference.name));
            }
            self.moves.push((reference.name.clone(), now.unwrap_or(Oid::ZERO_SHA1)));
        }
        Ok(())
    }

    fn copies(&mut self, files: &'e Files, wanted: &dyn Fn(&str) -> bool) -> Result<(), KeepError> {
        for item in files.items.iter().filter(|item| wanted(&item.path)) {
            let path = Path::new(&item.path);
            let same = match (fs::symlink_metadata(path), &item.kind) {
                (Err(_), _) => false,
                (Ok(facts), Kind::Folder) => facts.is_dir(),
                (Ok(facts), Kind::Link(to)) => {
                    facts.is_symlink() && fs::read_link(path).is_ok_and(|now| now.to_str() == Some(to))
                }
                (Ok(facts), Kind::File(number)) => {
                    facts.is_file()
                        && budget::rights(&facts) == item.rights
                        && fs::read(path).ok() == Some(self.copy(*number)?)
                }
            };
            if !same {
                if fs::symlink_metadata(path).is_ok() {
                    self.overwrites.push(item.path.clone());
                }
                self.writes.push(Write::Item(item));
            }
        }
        Ok(())
    }

    fn copy(&self, number: usize) -> Result<Vec<u8>, KeepError> {
        let path = self.store.folder(&self.entry.id).join(number.to_string());
        fs::read(&path).map_err(|error| KeepError::disk(&path, error))
    }

    /// Does it. What it overwrites should have been kept before.
    pub fn run(&self) -> Result<(), KeepError> {
        match &self.entry.what {
            What::Tree(tree) => self.restore_tree(tree),
            What::Files(_) => self.restore_files(),
        }
    }

    fn restore_tree(&self, tree: &Tree) -> Result<(), KeepError> {
        let git = open(&tree.root)?;
        let root = Path::new(&tree.root);
        let state = git.find_reference(&self.entry.reference("state"))?.peel_to_tree()?;
        if self.whole {
            restore_references(&git, tree)?;
        }
        for path in &self.removes {
            fs::remove_file(path).map_err(|error| KeepError::disk(path, error))?;
            let above = path.ancestors().skip(1).take_while(|above| *above != root);
            // A folder that still holds something stays.
            above.map_while(|above| fs::remove_dir(above).ok()).for_each(drop);
        }
        if !self.unchanged.is_empty() {
            let index = state.get_name("index").ok_or_else(|| KeepError::Broken(root.to_owned()))?;
            let index = git.find_tree(index.id())?;
            let mut options = CheckoutBuilder::new();
            options.force().update_index(false).disable_pathspec_match(true).refresh(true);
            for path in &self.unchanged {
                options.path(path.as_str());
            }
            git.checkout_tree(index.as_object(), Some(&mut options))?;
        }
        for write in &self.writes {
            if let Write::Saved(saved, id) = write {
                let blob = git.find_blob(*id)?;
                put(root, &root.join(&saved.path), blob.content(), saved.link, saved.rights)?;
            }
        }
        if self.whole && tree.index {
            let raw = state.get_name("index.raw").ok_or_else(|| KeepError::Broken(root.to_owned()))?;
            let raw = git.find_blob(raw.id())?;
            let (index, lock) = (git.path().join("index"), git.path().join("index.lock"));
            // git's own way to say that it is being written.
            let written = store::write_new(&lock, raw.content()).and_then(|()| fs::rename(&lock, &index));
            written.map_err(|error| KeepError::disk(&index, error))?;
        }
        Ok(())
    }

    fn restore_files(&self) -> Result<(), KeepError> {
        let mut folders = Vec::new();
        for write in &self.writes {
            let Write::Item(item) = write else { continue };
            let path = Path::new(&item.path);
            let bytes = match &item.kind {
                Kind::Folder => {
                    fs::create_dir_all(path).map_err(|error| KeepError::disk(path, error))?;
                    folders.push((path, item.rights));
                    continue;
                }
                Kind::Link(to) => to.clone().into_bytes(),
                Kind::File(number) => self.copy(*number)?,
            };
            let link = matches!(item.kind, Kind::Link(_));
            put(Path::new("/"), path, &bytes, link, item.rights)?;
        }
        // Afterwards: a folder may be one into which no one may write.
        folders.into_iter().rev().try_for_each(|(path, rights)| budget::set_rights(path, rights))
    }
}

/// Where the working tree or the index is not what is committed.
fn uncommitted(git: &Repository) -> Result<BTreeMap<Vec<u8>, Status>, KeepError> {
    let mut options = StatusOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).exclude_submodules(true).update_index(false);
    let statuses = git.statuses(Some(&mut options))?;
    Ok(statuses.iter().map(|entry| (entry.path_bytes().to_owned(), entry.status())).collect())
}

/// The index of an entry.
fn index_of(git: &Repository, state: &git2::Tree<'_>) -> Result<Staged, KeepError> {
    let Some(tree) = state.get_name("index") else { return Ok(Staged::new()) };
    let mut index = Index::new()?;
    index.read_tree(&git.find_tree(tree.id())?)?;
    Ok(staged(&index))
}

fn is_as_saved(git: &Repository, full: &Path, saved: &Saved, id: Oid) -> bool {
    let Ok(facts) = fs::symlink_metadata(full) else { return false };
    let Ok(blob) = git.find_blob(id) else { return false };
    if saved.link || facts.is_symlink() {
        let to = fs::read_link(full).map(|to| to.into_os_string().into_encoded_bytes());
        return saved.link && to.is_ok_and(|to| to == blob.content());
    }
    facts.is_file()
        && budget::rights(&facts) == saved.rights
        && facts.len() == blob.size() as u64
        && fs::read(full).is_ok_and(|bytes| bytes == blob.content())
}

/// Branches, tags, stashes and what is checked out.
fn restore_references(git: &Repository, tree: &Tree) -> Result<(), KeepError> {
    const WHY: &str = "policy-hooks: restored what was kept";
    for reference in &tree.references {
        git.reference(&reference.name, Oid::from_str(&reference.object)?, true, WHY)?;
    }
    restore_stashes(git, tree)?;
    let Some(head) = &tree.head else { return Ok(()) };
    match (&head.name, &head.commit) {
        (Some(name), _) => git.set_head(name)?,
        (None, Some(commit)) => git.set_head_detached(Oid::from_str(commit)?)?,
        (None, None) => {}
    }
    Ok(())
}

/// Puts stashes back where they were in the list, which is the log of one reference.
fn restore_stashes(git: &Repository, tree: &Tree) -> Result<(), KeepError> {
    const LIST: &str = "refs/stash";
    let mut list: Vec<(Oid, String)> = Vec::new();
    if let Some(log) = repository::reference_log(git, LIST) {
        let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
        list.extend(log.iter().map(|entry| (entry.id_new(), text(entry.message_bytes()))));
    }
    let before = list.len();
    for stash in &tree.stashes {
        let commit = Oid::from_str(&stash.commit)?;
        if !list.iter().any(|(known, _)| *known == commit) {
            list.insert(stash.at.min(list.len()), (commit, stash.message.clone()));
        }
    }
    let Some((newest, message)) = list.first().filter(|_| list.len() > before) else { return Ok(()) };
    git.reference_ensure_log(LIST)?;
    git.reference(LIST, *newest, true, message)?;
    let mut log = git.reflog(LIST)?;
    while !log.is_empty() {
        log.remove(0, false)?;
    }
    for (commit, message) in list.iter().rev() {
        let made = git.find_commit(*commit)?;
        log.append(*commit, &made.committer(), Some(message))?;
    }
    Ok(log.write()?)
}

/// Writes a file or a link: whole or not at all, and never through a link on the way.
fn put(root: &Path, full: &Path, bytes: &[u8], link: bool, rights: u32) -> Result<(), KeepError> {
    let folder = full.parent().unwrap_or(root);
    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let mut on_the_way = root.to_owned();
    for part in below {
        on_the_way.push(part);
        match fs::symlink_metadata(&on_the_way) {
            Ok(facts) if facts.is_dir() || root == Path::new("/") => {}
            Ok(_) => return Err(KeepError::InTheWay(on_the_way)),
            Err(_) => fs::create_dir(&on_the_way).map_err(|error| KeepError::disk(&on_the_way, error))?,
        }
    }
    if fs::symlink_metadata(full).is_ok_and(|facts| facts.is_dir()) {
        // One that is empty holds nothing that anyone would miss.
        fs::remove_dir(full).map_err(|_| KeepError::InTheWay(full.to_owned()))?;
    }
    let name = full.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.policy-hooks-{}", std::process::id()));
    let written = if link { make_link(bytes, &new) } else { store::write_new(&new, bytes) };
    let done = written.map_err(|error| KeepError::disk(&new, error)).and_then(|()| {
        if !link {
            budget::set_rights(&new, rights)?;
        }
        fs::rename(&new, full).map_err(|error| KeepError::disk(full, error))
    });
    if done.is_err() {
        let _ = fs::remove_file(&new);
    }
    done
}

#[cfg(unix)]
fn make_link(to: &[u8], at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(repository::to_path(to), at)
}

#[cfg(not(unix))]
fn make_link(to: &[u8], at: &Path) -> std::io::Result<()> {
    // As git does where there are no links.
    store::write_new(at, to)
}
