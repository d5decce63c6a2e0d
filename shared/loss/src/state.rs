//! What a repository holds, and what of it is gone after some steps.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use git2::{ObjectType, Oid, Sort, Status, StatusOptions};
use repository::Repository;

use crate::report::Lost;

/// Paths seen from the root of the working tree, as bytes.
pub(crate) type Name = Vec<u8>;

/// Commits whose files are looked at for content that seems to be lost.
const HISTORY: usize = 100;

/// A larger file counts as one that exists nowhere else, in bytes.
const LARGEST: u64 = 32 << 20;

/// As many other files are looked into for content that seems to be lost.
const COMPARED: usize = 200;

/// Below it, references lead to what was kept before it would have been lost.
const OURS: &str = "refs/policy-hooks/";

/// The mode of a submodule.
const GITLINK: u32 = 0o160_000;

/// Conflicts, sparse checkouts and what `git update-index` hides: files about which the status says little.
const STAGE: u16 = 3 << 12;
const ASSUME_UNCHANGED: u16 = 1 << 15;
const SKIP_WORKTREE: u16 = 1 << 14;
const INTENT_TO_ADD: u16 = 1 << 13;

/// What a file holds: an object, or what lay on the disk at this path in the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Object(Oid),
    Disk(Name),
    /// What a program of the line has written.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) mode: u32,
    pub(crate) content: Content,
}

pub(crate) type Files = BTreeMap<Name, File>;

/// A commit: a real one, or one that the line has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    Real(Oid),
    Made(usize),
}

/// A stash: a real one, or the files that the line has put away.
#[derive(Debug, Clone)]
pub(crate) enum Stashed {
    Real(Oid),
    /// On the commit that was checked out.
    Made {
        files: Rc<Vec<(Name, File)>>,
        on: Option<Commit>,
    },
}

/// What was checked out: the branch, by its full name if it was one, and the commit.
pub(crate) type Left = (Option<String>, Option<Commit>);

/// What the repository holds at one point of the line.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that a step may have done")]
pub(crate) struct State {
    pub(crate) index: Rc<Files>,
    /// Where the working tree is not as the index was in the beginning.
    pub(crate) tree: BTreeMap<Name, Option<File>>,
    pub(crate) head: Option<Commit>,
    /// The branch that is checked out, as a full name.
    pub(crate) branch: Option<String>,
    pub(crate) references: BTreeMap<String, Commit>,
    pub(crate) stashes: Vec<Stashed>,
    /// Commits of the line: the one before, and their files.
    pub(crate) made: Vec<(Option<Commit>, Rc<Files>)>,
    /// Tags that were put elsewhere.
    pub(crate) moved: BTreeSet<String>,
    /// References whose log was cut off; `None` is all of them.
    pub(crate) forgotten: BTreeSet<Option<String>>,
    /// Whether other machines' branches may be elsewhere by now.
    pub(crate) fetched: bool,
    /// Whether objects are gone that nothing leads to.
    pub(crate) pruned: bool,
    /// Whether the working tree is gone, with its own `HEAD` and the log of that.
    pub(crate) removed: bool,
    /// Whether another program may have written files.
    pub(crate) written: bool,
    /// What was checked out before each checkout of the line.
    pub(crate) left: Vec<Left>,
    /// Whether a step may have moved `HEAD`, or another reference, or added to their logs.
    pub(crate) moved_head: bool,
    pub(crate) moved_others: bool,
    /// Repositories in this one that were deleted.
    pub(crate) repositories: BTreeSet<Name>,
    /// Files in them, or in ignored folders, that were deleted or overwritten.
    pub(crate) inside: BTreeSet<Name>,
    /// What lay on the disk in the beginning, and comes again: as a patch, or as git makes it.
    pub(crate) saved: BTreeSet<Name>,
    /// What lies outside the tree by now, by its path there, and where it lay in the beginning.
    pub(crate) copies: BTreeMap<String, Name>,
    /// Objects that git made by itself of what is there, and makes again.
    pub(crate) remade: BTreeSet<Oid>,
    /// Whether git's own folder goes, or some of it.
    pub(crate) takes_git: bool,
    /// Whether more may be lost than is known.
    pub(crate) unclear: bool,
    /// Whether a merge was made, of whose files nothing is known.
    pub(crate) merged: bool,
    /// Commits that only what git notes of a working tree led to, if that was deleted.
    pub(crate) pruned_heads: BTreeSet<Oid>,
}

/// What there was in the beginning.
pub(crate) struct World<'r> {
    pub(crate) git: &'r git2::Repository,
    pub(crate) root: &'r Path,
    pub(crate) index: Rc<Files>,
    start: State,
    pub(crate) untracked: BTreeSet<Name>,
    pub(crate) ignored: BTreeSet<Name>,
    /// Repositories in this one that hold something of their own, with a slash at their ends; of the git submodules among
    /// them only those whose files are not as their index has them.
    pub(crate) nested: BTreeSet<Name>,
    /// Files that git does not look at by request, and that are not as the index has them.
    pub(crate) hidden: BTreeSet<Name>,
    /// Those among them that git leaves alone, wherever it can.
    pub(crate) skipped: BTreeSet<Name>,
    /// Files of the index that a sparse checkout leaves out.
    left_out: BTreeSet<Name>,
    /// Files with conflicts. They are on the disk, and in no simple way in the index.
    pub(crate) conflicts: BTreeSet<Name>,
    /// Whether git is in the middle of a merge, a rebase or the like: the same commands do more then.
    pub(crate) is_busy: bool,
    pub(crate) any_case: bool,
    hashes: RefCell<HashMap<Name, Option<Oid>>>,
    trees: RefCell<HashMap<Oid, Rc<Files>>>,
    /// The objects of the index.
    staged: OnceCell<HashSet<Oid>>,
}

impl<'r> World<'r> {
    /// `None` if the repository is in a state that is not modelled.
    pub(crate) fn read(
        repository: &'r Repository,
        with_ignored: bool,
        is_made_again: &dyn Fn(&Path) -> bool,
    ) -> Option<(Self, State)> {
        let git = repository.libgit2();
        // Then git goes on in submodules, whose trees are not looked at.
        if git.config().and_then(|config| config.get_bool("submodule.recurse")).unwrap_or_default() {
            return None;
        }
        let Indexed { files, unusual, conflicts } = Indexed::of(git)?;
        let index = Rc::new(files);
        let mut options = StatusOptions::new();
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .include_ignored(with_ignored)
            .exclude_submodules(true)
            .update_index(false);
        let statuses = git.statuses(Some(&mut options)).ok()?;
        let (mut tree, mut untracked, mut ignored) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let submodules = index.iter().filter(|(_, file)| file.mode == GITLINK);
        let is_clean = |path: &Name| {
            let folder = repository.root().join(repository::to_path(path));
            with_ignored && is_clean_submodule(&folder, is_made_again)
        };
        let mut nested: BTreeSet<Name> = submodules
            .filter(|(path, _)| !is_clean(path))
            .map(|(path, _)| [path.as_slice(), b"/"].concat())
            .collect();
        for entry in statuses.iter() {
            let (path, bits) = (entry.path_bytes().to_owned(), entry.status());
            if bits.intersects(Status::WT_UNREADABLE) {
                return None;
            }
            if unusual.contains_key(&path) || conflicts.contains(&path) {
                continue;
            }
            let full = repository.root().join(repository::to_path(&path));
            // A repository of its own: git leaves it alone, and so do the steps that are modelled. What only looks
            // like one to libgit2, git deletes.
            if bits.intersects(Status::WT_NEW) && path.ends_with(b"/") {
                git2::Repository::open(&full).ok()?;
                if !(with_ignored && is_clone(&full, is_made_again)) {
                    nested.insert(path);
                }
                continue;
            }
            if bits.intersects(Status::IGNORED) {
                if full.join(".git").exists() {
                    nested.insert(path);
                } else if !is_made_again(&full) {
                    ignored.insert(path.clone());
                    tree.insert(path.clone(), File::on_disk(&full, path));
                }
            } else if bits.intersects(Status::WT_DELETED) {
                tree.insert(path, None);
            } else if bits.intersects(Status::WT_NEW | Status::WT_MODIFIED | Status::WT_TYPECHANGE) {
                if bits.intersects(Status::WT_NEW) {
                    untracked.insert(path.clone());
                }
                tree.insert(path.clone(), File::on_disk(&full, path));
            }
        }
        for path in &conflicts {
            let full = repository.root().join(repository::to_path(path));
            tree.insert(path.clone(), File::on_disk(&full, path.clone()));
        }
        let (mut hidden, mut skipped, mut left_out) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let settings = git.config().ok()?;
        let is_sparse = settings.get_bool("core.sparseCheckout").unwrap_or_default();
        for (path, how) in &unusual {
            let full = repository.root().join(repository::to_path(path));
            let staged = index.get(path)?;
            match File::on_disk(&full, path.clone()) {
                Some(file) if file.mode == staged.mode && hash(&full) == id_of(staged) => {}
                None if *how == Unusual::LeftOut => {
                    left_out.insert(path.clone());
                }
                file => {
                    if *how != Unusual::Intended {
                        hidden.insert(path.clone());
                    }
                    // In a sparse checkout, what is there all the same is a file like others.
                    if *how == Unusual::LeftOut && !is_sparse {
                        skipped.insert(path.clone());
                    }
                    tree.insert(path.clone(), file);
                }
            }
        }
        let start = State {
            index: Rc::clone(&index),
            tree,
            head: git.head().ok().and_then(|head| head.target()).map(Commit::Real),
            branch: branch_of(git),
            references: references_of(git)?,
            stashes: stashes_of(git),
            made: Vec::new(),
            moved: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            fetched: false,
            pruned: false,
            removed: false,
            written: false,
            left: Vec::new(),
            moved_head: false,
            moved_others: false,
            repositories: BTreeSet::new(),
            inside: BTreeSet::new(),
            saved: BTreeSet::new(),
            copies: BTreeMap::new(),
            remade: BTreeSet::new(),
            takes_git: false,
            unclear: false,
            merged: false,
            pruned_heads: BTreeSet::new(),
        };
        let any_case = git.config().and_then(|config| config.get_bool("core.ignorecase")).unwrap_or_default();
        let world = Self {
            git,
            root: repository.root(),
            index,
            start: start.clone(),
            untracked,
            ignored,
            nested,
            hidden,
            skipped,
            left_out,
            is_busy: git.state() != git2::RepositoryState::Clean || !conflicts.is_empty(),
            conflicts,
            any_case,
            hashes: RefCell::default(),
            trees: RefCell::default(),
            staged: OnceCell::new(),
        };
        Some((world, start))
    }

    /// The root of the working tree.
    pub(crate) fn root(&self) -> &Path {
        self.root
    }

    /// Whether a repository in this one, with a slash at its end, is a submodule.
    pub(crate) fn is_submodule(&self, nested: &[u8]) -> bool {
        self.index.contains_key(nested.strip_suffix(b"/").unwrap_or(nested))
    }

    /// Whether something lies at a path, or at one above it where git needs a folder.
    pub(crate) fn has_on_disk(&self, path: &[u8]) -> bool {
        let full = self.root.join(repository::to_path(path));
        if std::fs::symlink_metadata(&full).is_ok() {
            return true;
        }
        let mut above = full.ancestors().skip(1).take_while(|above| above.starts_with(self.root));
        let there = above.find_map(|above| std::fs::symlink_metadata(above).ok());
        there.is_some_and(|above| !above.is_dir())
    }

    /// The first parent of a commit.
    pub(crate) fn parent(&self, id: Oid) -> Option<Commit> {
        self.git.find_commit(id).and_then(|commit| commit.parent_id(0)).ok().map(Commit::Real)
    }

    /// What the working tree holds at a path.
    pub(crate) fn file<'s>(&'s self, state: &'s State, path: &[u8]) -> Option<&'s File> {
        match state.tree.get(path) {
            Some(file) => file.as_ref(),
            None => self.index.get(path),
        }
    }

    /// The files of a commit.
    pub(crate) fn files_of(&self, state: &State, commit: Commit) -> Option<Rc<Files>> {
        match commit {
            Commit::Made(at) => state.made.get(at).map(|(_, files)| Rc::clone(files)),
            Commit::Real(id) => {
                if let Some(files) = self.trees.borrow().get(&id) {
                    return Some(Rc::clone(files));
                }
                let mut files = Files::new();
                let tree = self.git.find_commit(id).and_then(|commit| commit.tree()).ok()?;
                tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
                    if entry.kind() != Some(ObjectType::Tree) {
                        let name = [folder.as_bytes(), entry.name_bytes()].concat();
                        let mode = u32::try_from(entry.filemode()).unwrap_or_default();
                        files.insert(name, File { mode, content: Content::Object(entry.id()) });
                    }
                    git2::TreeWalkResult::Ok
                })
                .ok()?;
                let files = Rc::new(files);
                self.trees.borrow_mut().insert(id, Rc::clone(&files));
                Some(files)
            }
        }
    }

    /// What existed in the beginning and can be had nowhere now.
    pub(crate) fn lost(&self, state: &State) -> Option<Vec<Lost>> {
        let mut lost = Vec::new();
        let head = match self.start.head {
            Some(head) => self.files_of(&self.start, head)?,
            None => Rc::default(),
        };
        for (path, file) in &self.start.tree {
            let Some(file) = file else { continue };
            if !self.is_held(state, path, file) {
                lost.push(self.describe(path, file));
            }
        }
        for (path, file) in self.index.iter() {
            let committed = head.get(path) == Some(file) || file.content == Content::Unknown;
            if !committed && !self.is_held(state, path, file) {
                let path = String::from_utf8_lossy(path).into_owned();
                lost.push(Lost::Staged { path });
            }
        }
        lost.extend(state.repositories.iter().map(|name| {
            let path = String::from_utf8_lossy(name).trim_end_matches('/').to_owned();
            // What is committed in a submodule stays in the repository around it.
            if self.is_submodule(name) {
                Lost::Changes { path, added: 0, removed: 0 }
            } else {
                Lost::Repository { path }
            }
        }));
        lost.extend(state.inside.iter().map(|name| {
            let path = String::from_utf8_lossy(name).into_owned();
            if self.ignored.iter().any(|folder| name.starts_with(folder)) {
                Lost::Ignored { path }
            } else {
                Lost::Changes { path, added: 0, removed: 0 }
            }
        }));
        lost.extend(self.lost_commits(state)?);
        lost.extend(self.forgotten(state)?);
        if state.pruned {
            lost.extend(self.loose(state)?);
        }
        let is_gone = |name: &&String| !state.references.contains_key(*name) || state.moved.contains(*name);
        let tags = self.start.references.keys().filter(is_gone);
        for (name, tag) in tags.filter_map(|name| Some((name, name.strip_prefix("refs/tags/")?))) {
            let object = self.git.find_reference(name).ok()?.target()?;
            let moved = state.moved.contains(name);
            lost.push(Lost::Tag { name: tag.to_owned(), object: format!("{object:.10}"), moved });
        }
        for stash in &self.start.stashes {
            let Stashed::Real(id) = stash else { continue };
            let kept = state.stashes.iter().any(|kept| matches!(kept, Stashed::Real(kept) if kept == id));
            // Where logs are cut off, all that they led to is named.
            let held =
                || state.forgotten.is_empty() && self.holds_all_of_stash(state, *id).unwrap_or_default();
            if !kept && !held() {
                let commit = self.git.find_commit(*id).ok()?;
                lost.push(Lost::Stash { subject: subject(&commit) });
            }
        }
        Some(lost)
    }

    /// Whether a file that existed can still be had: in the working tree, the index, a stash or a commit.
    fn is_held(&self, state: &State, path: &[u8], file: &File) -> bool {
        let same = |other: &File| other.mode == file.mode && self.is_same(&other.content, &file.content);
        let is_there = !self.left_out.contains(path) || state.tree.contains_key(path);
        if is_there && self.file(state, path).is_some_and(same) || state.index.get(path).is_some_and(same) {
            return true;
        }
        if self.is_held_elsewhere(state, path, file) {
            return true;
        }
        let stashed = state.stashes.iter().any(|stash| match stash {
            Stashed::Made { files, .. } => files.iter().any(|(name, file)| name == path && same(file)),
            Stashed::Real(id) => {
                self.files_of(state, Commit::Real(*id)).is_some_and(|files| files.get(path).is_some_and(same))
            }
        });
        stashed || self.is_in_a_commit(state, path, &same)
    }

    /// Whether what a file holds is in a copy, under another name in the tree or in the index, or is nothing at all.
    fn is_held_elsewhere(&self, state: &State, path: &[u8], file: &File) -> bool {
        if let Content::Disk(name) = &file.content {
            let full = self.root.join(repository::to_path(name));
            let is_empty =
                || std::fs::symlink_metadata(full).is_ok_and(|facts| facts.is_file() && facts.len() == 0);
            // What git makes of a conflict, it makes again.
            let is_merged = || self.conflicts.contains(name) && self.is_as_merged(name);
            let is_copied = || state.copies.values().any(|copied| copied == name);
            if state.saved.contains(name) || is_copied() || is_empty() || is_merged() {
                return true;
            }
        }
        let there = || {
            let others = state.tree.iter().filter(|(name, _)| name.as_slice() != path);
            others.filter_map(|(_, file)| file.as_ref())
        };
        if there().any(|other| other.content == file.content && file.content != Content::Unknown) {
            return true;
        }
        let Some(id) = self.object(&file.content) else { return false };
        if state.remade.contains(&id) {
            return true;
        }
        // What is at this path itself was compared before, with its mode.
        let is_here = self.index.get(path).is_some_and(|file| id_of(file) == Some(id));
        if !is_here
            && self.staged.get_or_init(|| self.index.values().filter_map(id_of).collect()).contains(&id)
        {
            // As long as it stays there.
            let kept = |(_, other): (&Name, &File)| id_of(other) == Some(id);
            if Rc::ptr_eq(&state.index, &self.index) || state.index.iter().any(kept) {
                return true;
            }
        }
        // To look into many files takes too long.
        there().count() <= COMPARED && there().any(|other| self.object(&other.content) == Some(id))
    }

    /// Whether a commit succeeds wherever there is something to commit: no hook has a say, and its author is known.
    pub(crate) fn commits_freely(&self) -> bool {
        let Ok(settings) = self.git.config() else { return false };
        let signs = settings.get_bool("commit.gpgsign").unwrap_or_default();
        let is_known = |name: &str| settings.get_string(name).is_ok_and(|value| !value.is_empty());
        let hooks = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
        let folder = self.git.commondir().join("hooks");
        !signs
            && settings.get_string("core.hookspath").is_err()
            && !hooks.iter().any(|hook| folder.join(hook).exists())
            && is_known("user.email")
            && is_known("user.name")
    }

    /// Whether a commit that something leads to has such a file at the path.
    fn is_in_a_commit(&self, state: &State, path: &[u8], same: &dyn Fn(&File) -> bool) -> bool {
        let tips = state.references.values().copied().chain(state.head);
        let mut real = BTreeSet::new();
        for tip in tips {
            let mut commit = Some(tip);
            while let Some(Commit::Made(at)) = commit {
                let Some((before, files)) = state.made.get(at) else { break };
                if files.get(path).is_some_and(same) {
                    return true;
                }
                commit = *before;
            }
            if let Some(Commit::Real(id)) = commit {
                real.insert(id);
            }
        }
        let name = repository::to_path(path);
        let in_commit = |id: Oid| {
            let commit = self.git.find_commit(id).ok()?;
            let entry = commit.tree().ok()?.get_path(name).ok()?;
            let mode = u32::try_from(entry.filemode()).ok()?;
            Some(same(&File { mode, content: Content::Object(entry.id()) }))
        };
        if real.iter().any(|id| in_commit(*id) == Some(true)) {
            return true;
        }
        let Ok(mut walk) = self.git.revwalk() else { return false };
        for id in real {
            if walk.push(id).is_err() {
                return false;
            }
        }
        walk.take(HISTORY).filter_map(Result::ok).any(|id| in_commit(id) == Some(true))
    }

    fn is_same(&self, one: &Content, other: &Content) -> bool {
        one == other
            || matches!((self.object(one), self.object(other)), (Some(one), Some(other)) if one == other)
    }

    /// The object that this content is, or would be.
    pub(crate) fn object(&self, content: &Content) -> Option<Oid> {
        let name = match content {
            Content::Object(id) => return Some(*id),
            Content::Disk(name) => name,
            Content::Unknown => return None,
        };
        if let Some(known) = self.hashes.borrow().get(name) {
            return *known;
        }
        let found = hash(&self.root.join(repository::to_path(name)));
        self.hashes.borrow_mut().insert(name.clone(), found);
        found
    }

    fn describe(&self, path: &[u8], file: &File) -> Lost {
        let name = String::from_utf8_lossy(path).into_owned();
        if self.ignored.contains(path) {
            return Lost::Ignored { path: name };
        }
        if self.untracked.contains(path) {
            return Lost::Untracked { path: name };
        }
        let (added, removed) = self.lines(path, file).unwrap_or_default();
        Lost::Changes { path: name, added, removed }
    }

    /// Lines that were added to a file, and taken away from it, since the index.
    fn lines(&self, path: &[u8], file: &File) -> Option<(usize, usize)> {
        let Some(File { content: Content::Object(old), .. }) = self.index.get(path) else { return None };
        let Content::Disk(name) = &file.content else { return None };
        let full = self.root.join(repository::to_path(name));
        if std::fs::symlink_metadata(&full).ok()?.len() > LARGEST {
            return None;
        }
        let old = self.git.find_blob(*old).ok()?;
        let new = std::fs::read(full).ok()?;
        let patch = git2::Patch::from_blob_and_buffer(&old, None, &new, None, None).ok()?;
        let (_, added, removed) = patch.line_stats().ok()?;
        Some((added, removed))
    }

    /// Commits that references led to, and none does now.
    fn lost_commits(&self, state: &State) -> Option<Vec<Lost>> {
        let real = |state: &State| {
            let mut tips = BTreeSet::new();
            // A stash leads to the commit that it was made on.
            let stashed = state.stashes.iter().filter_map(|stash| match stash {
                Stashed::Real(id) => self.parent(*id),
                Stashed::Made { on, .. } => *on,
            });
            for tip in state.references.values().copied().chain(state.head).chain(stashed) {
                let mut commit = Some(tip);
                while let Some(Commit::Made(at)) = commit {
                    commit = state.made.get(at).and_then(|(before, _)| *before);
                }
                if let Some(Commit::Real(id)) = commit {
                    tips.insert(id);
                }
            }
            tips
        };
        let (before, after) = (real(&self.start), real(state));
        if before.is_subset(&after) && state.pruned_heads.is_empty() {
            return Some(Vec::new());
        }
        let mut walk = self.git.revwalk().ok()?;
        walk.set_sorting(Sort::TOPOLOGICAL).ok()?;
        for id in before.iter().chain(&state.pruned_heads) {
            walk.push(*id).ok()?;
        }
        for id in after.iter().copied().chain(self.other_heads()) {
            if !state.pruned_heads.contains(&id) {
                walk.hide(id).ok()?;
            }
        }
        let gone: Vec<Oid> = walk.collect::<Result<_, _>>().ok()?;
        let Some(newest) = gone.first() else { return Some(Vec::new()) };
        let logged = self.logged(state);
        let in_reflog = logged.iter().any(|logged| {
            logged == newest || self.git.graph_descendant_of(*logged, *newest).unwrap_or_default()
        });
        let commit = self.git.find_commit(*newest).ok()?;
        let newest = newest.to_string().chars().take(10).collect();
        Some(vec![Lost::Commits { number: gone.len(), newest, subject: subject(&commit), in_reflog }])
    }

    /// Commits to which only logs lead that were cut off.
    fn forgotten(&self, state: &State) -> Option<Vec<Lost>> {
        if state.forgotten.is_empty() {
            return Some(Vec::new());
        }
        let mut walk = self.git.revwalk().ok()?;
        walk.set_sorting(Sort::TOPOLOGICAL).ok()?;
        for id in self.logged(&self.start) {
            // git may have collected it since.
            let _ = walk.push(id);
        }
        let stays = self.start.references.values().copied().chain(self.start.head);
        let stays = stays.filter_map(|commit| match commit {
            Commit::Real(id) => Some(id),
            Commit::Made(_) => None,
        });
        let stashed = self.start.stashes.iter().filter_map(|stash| match stash {
            Stashed::Real(id) => Some(*id),
            Stashed::Made { .. } => None,
        });
        for id in stays.chain(stashed).chain(self.other_heads()).chain(self.logged(state)) {
            let _ = walk.hide(id);
        }
        let gone: Vec<Oid> = walk.collect::<Result<_, _>>().ok()?;
        let Some(newest) = gone.first() else { return Some(Vec::new()) };
        let commit = self.git.find_commit(*newest).ok()?;
        Some(vec![Lost::Logged {
            number: gone.len(),
            newest: format!("{newest:.10}"),
            subject: subject(&commit),
        }])
    }

    /// Commits that nothing leads to, but for what is left of stashes whose files can be had.
    fn loose(&self, state: &State) -> Option<Vec<Lost>> {
        let mut walk = self.git.revwalk().ok()?;
        walk.push_glob("*").ok()?;
        for id in self.other_heads().into_iter().chain(self.logged(state)) {
            // git may have collected it since.
            let _ = walk.push(id);
        }
        let real = |commit: &Commit| match commit {
            Commit::Real(id) => Some(*id),
            Commit::Made(_) => None,
        };
        for id in state.head.iter().chain(&self.start.head).filter_map(real) {
            walk.push(id).ok()?;
        }
        for stash in &state.stashes {
            if let Stashed::Real(id) = stash {
                walk.push(*id).ok()?;
            }
        }
        let reached: BTreeSet<Oid> = walk.collect::<Result<_, _>>().ok()?;
        let objects = self.git.odb().ok()?;
        let mut loose = BTreeSet::new();
        let is_commit = |id| objects.read_header(id).is_ok_and(|(_, kind)| kind == ObjectType::Commit);
        objects
            .foreach(|id| {
                if !reached.contains(id) && is_commit(*id) {
                    loose.insert(*id);
                }
                true
            })
            .ok()?;
        for id in loose.clone() {
            let commit = self.git.find_commit(id).ok()?;
            let is_stash = (2..=3).contains(&commit.parent_count());
            if is_stash && self.holds_all_of_stash(state, id) == Some(true) {
                loose.remove(&id);
                for part in commit.parent_ids().skip(1) {
                    loose.remove(&part);
                }
            }
        }
        let commits = loose.iter().filter_map(|id| self.git.find_commit(*id).ok());
        let Some(newest) = commits.max_by_key(|commit| commit.time().seconds()) else {
            return Some(Vec::new());
        };
        let id = newest.id().to_string().chars().take(10).collect();
        Some(vec![Lost::Loose { number: loose.len(), newest: id, subject: subject(&newest) }])
    }

    /// Commits that other working trees of the same repository have checked out.
    fn other_heads(&self) -> Vec<Oid> {
        let Ok(names) = self.git.worktrees() else { return Vec::new() };
        let linked = names.iter().flatten().flatten().filter_map(|name| {
            let folder = self.git.find_worktree(name).ok()?;
            git2::Repository::open_from_worktree(&folder).ok()
        });
        let all = linked.chain(git2::Repository::open(self.git.commondir()));
        let others = all.filter(|other| other.path() != self.git.path());
        others.filter_map(|other| other.head().ok()?.target()).collect()
    }

    /// Commits that the log of a reference still leads to after the steps.
    fn logged(&self, state: &State) -> Vec<Oid> {
        let own = (!state.removed).then_some("HEAD");
        let names = state.references.keys().map(String::as_str).chain(own);
        let mut logged = Vec::new();
        let forgets =
            |name: &str| state.forgotten.iter().any(|log| log.as_deref().is_none_or(|log| log == name));
        for name in names.filter(|name| !forgets(name)) {
            let Some(log) = repository::reference_log(self.git, name) else { continue };
            if !log.is_empty() {
                logged.extend(log.iter().flat_map(|entry| [entry.id_old(), entry.id_new()]));
                // What is checked out is noted when it is left.
                if let (true, Some(Commit::Real(head))) = (name == "HEAD", self.start.head) {
                    logged.push(head);
                }
            }
        }
        logged.retain(|id| !id.is_zero());
        logged.sort_unstable();
        logged.dedup();
        logged
    }

    /// Whether everything that a stash holds can be had without it.
    fn holds_all_of_stash(&self, state: &State, id: Oid) -> Option<bool> {
        let commit = self.git.find_commit(id).ok()?;
        let base = self.files_of(state, Commit::Real(commit.parent_id(0).ok()?))?;
        for held in std::iter::once(id).chain(commit.parent_ids().skip(1)) {
            let files = self.files_of(state, Commit::Real(held))?;
            let all = files
                .iter()
                .all(|(path, file)| base.get(path) == Some(file) || self.is_held(state, path, file));
            if !all {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Why the status says little about a file of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unusual {
    /// Someone has promised git that it does not change.
    Unchanged,
    /// A sparse checkout does not have it.
    LeftOut,
    /// Only its name is staged.
    Intended,
}

/// The index, and which of its files are unusual.
struct Indexed {
    files: Files,
    unusual: BTreeMap<Name, Unusual>,
    conflicts: BTreeSet<Name>,
}

impl Indexed {
    /// `None` while someone is at work in it, and the line may fail.
    fn of(git: &git2::Repository) -> Option<Self> {
        let index = git.index().ok()?;
        let mut all = Self { files: Files::new(), unusual: BTreeMap::new(), conflicts: BTreeSet::new() };
        for entry in index.iter() {
            if entry.flags & STAGE != 0 {
                all.conflicts.insert(entry.path);
                continue;
            }
            let unusual = if entry.flags_extended & INTENT_TO_ADD != 0 {
                Some(Unusual::Intended)
            } else if entry.flags_extended & SKIP_WORKTREE != 0 {
                Some(Unusual::LeftOut)
            } else {
                (entry.flags & ASSUME_UNCHANGED != 0).then_some(Unusual::Unchanged)
            };
            if let Some(unusual) = unusual {
                all.unusual.insert(entry.path.clone(), unusual);
            }
            let nothing = unusual == Some(Unusual::Intended);
            let content = if nothing { Content::Unknown } else { Content::Object(entry.id) };
            all.files.insert(entry.path, File { mode: entry.mode, content });
        }
        (!git.path().join("index.lock").exists()).then_some(all)
    }
}

fn id_of(file: &File) -> Option<Oid> {
    match file.content {
        Content::Object(id) => Some(id),
        Content::Disk(_) | Content::Unknown => None,
    }
}

/// Whether nothing of a submodule goes with its folder: the repository itself lies in the one around it.
fn is_clean_submodule(folder: &Path, is_made_again: &dyn Fn(&Path) -> bool) -> bool {
    let git = folder.join(".git");
    // Of one that was never filled, there is nothing.
    if !git.exists() {
        return std::fs::read_dir(folder).map_or(true, |mut inside| inside.next().is_none());
    }
    git.is_file() && is_as_staged(folder, is_made_again).is_some()
}

/// Whether all that a repository holds came from elsewhere, and can be had there.
fn is_clone(folder: &Path, is_made_again: &dyn Fn(&Path) -> bool) -> bool {
    let is_clone = || {
        let repository = is_as_staged(folder, is_made_again)?;
        let git = repository.libgit2();
        let (index, head) = (git.index().ok()?, git.head().ok()?.peel_to_tree().ok()?);
        let staged = git.diff_tree_to_index(Some(&head), Some(&index), None).ok()?;
        let mut walk = git.revwalk().ok()?;
        walk.push_glob("*").ok()?;
        walk.push_head().ok()?;
        walk.hide_glob("refs/remotes/*").ok()?;
        let has_remote = !git.remotes().ok()?.is_empty();
        Some(has_remote && staged.deltas().len() == 0 && walk.next().is_none())
    };
    is_clone().unwrap_or_default()
}

/// The repository in a folder, if its working tree holds nothing that its index does not.
fn is_as_staged(folder: &Path, is_made_again: &dyn Fn(&Path) -> bool) -> Option<Repository> {
    let repository = Repository::around(folder).ok()??;
    let is_here = std::fs::canonicalize(repository.root()).ok()? == std::fs::canonicalize(folder).ok()?;
    let (world, start) = World::read(&repository, true, is_made_again)?;
    let clean = start.tree.values().all(Option::is_none) && world.nested.is_empty() && !world.is_busy;
    (is_here && clean).then_some(())?;
    Some(repository)
}

fn branch_of(git: &git2::Repository) -> Option<String> {
    let head = git.find_reference("HEAD").ok()?;
    head.symbolic_target().ok().flatten().map(str::to_owned)
}

fn references_of(git: &git2::Repository) -> Option<BTreeMap<String, Commit>> {
    let mut found = BTreeMap::new();
    for reference in git.references().ok()? {
        let reference = reference.ok()?;
        let name = reference.name().ok()?;
        // Stashes are a list, of which this is only the newest. What we keep ourselves is deleted after some weeks.
        if name == "refs/stash" || name.starts_with(OURS) {
            continue;
        }
        if let Ok(commit) = reference.peel_to_commit() {
            found.insert(name.to_owned(), Commit::Real(commit.id()));
        }
    }
    Some(found)
}

fn stashes_of(git: &git2::Repository) -> Vec<Stashed> {
    let Some(log) = repository::reference_log(git, "refs/stash") else { return Vec::new() };
    log.iter().map(|entry| Stashed::Real(entry.id_new())).collect()
}

fn subject(commit: &git2::Commit<'_>) -> String {
    let subject = commit.summary_bytes().unwrap_or_default();
    String::from_utf8_lossy(subject).chars().take(60).collect()
}

impl File {
    /// The file at a path, with what git takes for its mode.
    pub(crate) fn on_disk(full: &Path, name: Name) -> Option<Self> {
        let facts = std::fs::symlink_metadata(full).ok()?;
        let mode = if facts.is_symlink() { 0o120_000 } else { repository::mode(&facts) };
        Some(Self { mode, content: Content::Disk(name) })
    }
}

/// The object that a file on the disk would be.
pub(crate) fn hash(full: &Path) -> Option<Oid> {
    let facts = std::fs::symlink_metadata(full).ok()?;
    if facts.is_symlink() {
        let target = std::fs::read_link(full).ok()?;
        return Oid::hash_object(ObjectType::Blob, target.as_os_str().as_encoded_bytes()).ok();
    }
    let small = facts.is_file() && facts.len() <= LARGEST;
    if small { Oid::hash_file(ObjectType::Blob, full).ok() } else { None }
}
