//! What steps do in the middle of a merge, a rebase or the like, and to what hangs on references and submodules.

use std::collections::BTreeSet;
use std::rc::Rc;

use git2::{IndexConflict, MergeFileOptions, Oid, RepositoryState};

use crate::apply::{Applied, Done};
use crate::state::{Commit, Content, File, Name, World};

/// A submodule in the index.
const GITLINK: u32 = 0o160_000;

/// As many commits are held against those from which a rebase made them.
const COMPARED: usize = 500;

impl Applied<'_, '_> {
    /// Files with conflicts become one side of them, or the conflict again; others become what is staged.
    pub(crate) fn take_side(&mut self, paths: &[String]) -> Option<Done> {
        let specs = self.specs(paths)?;
        let world = self.world;
        let all: BTreeSet<Name> = self.state.index.keys().chain(&world.conflicts).cloned().collect();
        let Some(paths) = self.matching(&specs, all.iter())? else { return Some(Done::Perhaps) };
        for path in paths {
            if world.conflicts.contains(&path) {
                self.drop_resolution(&path);
            } else {
                let file = self.state.index.get(&path).cloned();
                self.write(&path, file)?;
            }
        }
        Some(Done::Yes)
    }

    /// A file with a conflict gets another content: what someone made of it is gone.
    fn drop_resolution(&mut self, path: &Name) {
        if self.world.is_as_merged(path) {
            self.state.saved.insert(path.clone());
        } else if let Some(file) = self.world.file(self.state, path) {
            let file = File { mode: file.mode, content: Content::Unknown };
            self.state.tree.insert(path.clone(), Some(file));
        }
    }

    /// `git rm` without force refuses to lose changes, but for those in files with conflicts.
    pub(crate) fn remove_unmerged(&mut self, paths: &[String]) -> Option<Done> {
        let specs = self.specs(paths)?;
        let named = self.world.conflicts.iter().filter(|path| specs.match_path(path, self.world.any_case));
        for path in named.cloned().collect::<Vec<_>>() {
            self.drop_resolution(&path);
        }
        Some(Done::Yes)
    }

    /// A merge, a rebase or the like ends where it began.
    pub(crate) fn abort(&mut self) -> Option<Done> {
        let world = self.world;
        let state = world.git.state();
        if state == RepositoryState::Clean {
            return Some(Done::Perhaps);
        }
        // What git made of the files by itself, it makes again.
        self.state.remade.extend(world.made_by_git(state));
        for path in world.conflicts.clone() {
            self.drop_resolution(&path);
        }
        let is_rebase = matches!(
            state,
            RepositoryState::Rebase | RepositoryState::RebaseInteractive | RepositoryState::RebaseMerge
        );
        let files = if is_rebase {
            let origin = world.noted("orig-head")?;
            self.leave_rebase(origin)?;
            world.files_of(self.state, Commit::Real(origin))?
        } else {
            self.files_of_head()?
        };
        let before = if is_rebase { Rc::default() } else { Rc::clone(&self.state.index) };
        let all: BTreeSet<Name> =
            self.state.index.keys().chain(files.keys()).chain(&world.conflicts).cloned().collect();
        for path in all {
            let (staged, to) = (self.state.index.get(&path), files.get(&path));
            // Changes that were there before the merge stay.
            let stays =
                !is_rebase && staged == to && before.get(&path) == to && !world.conflicts.contains(&path);
            if !stays && world.file(self.state, &path) != to {
                self.write(&path, to.cloned())?;
            }
        }
        self.state.index = files;
        Some(Done::Yes)
    }

    /// The branch is where it was; commits that only repeat others lose nothing.
    fn leave_rebase(&mut self, origin: Oid) -> Option<()> {
        let world = self.world;
        if let Some(Commit::Real(head)) = self.state.head {
            let mut walk = world.git.revwalk().ok()?;
            walk.push(origin).ok()?;
            let key = |id: Oid| {
                let commit = world.git.find_commit(id).ok()?;
                let (time, name) = (commit.author().when().seconds(), commit.author().name_bytes().to_vec());
                Some((time, name, commit.summary_bytes().map(<[u8]>::to_vec)))
            };
            let origins: Vec<_> = walk.take(COMPARED).filter_map(|id| key(id.ok()?)).collect();
            let mut walk = world.git.revwalk().ok()?;
            walk.push(head).ok()?;
            walk.hide(origin).ok()?;
            if let Some(onto) = world.noted("onto") {
                walk.hide(onto).ok()?;
            }
            let repeats =
                walk.take(COMPARED).all(|id| id.ok().and_then(key).is_some_and(|key| origins.contains(&key)));
            if repeats {
                self.state.references.insert("repeated".to_owned(), Commit::Real(head));
            }
        }
        self.state.head = Some(Commit::Real(origin));
        Some(())
    }

    /// Another branch counts as checked out.
    pub(crate) fn point_head(&mut self, name: &str) {
        self.state.head = self.state.references.get(name).copied();
        self.state.branch = Some(name.to_owned());
    }

    /// The current branch leads to another one's commits.
    pub(crate) fn merge(&mut self, from: &str) -> Option<Done> {
        let Some(commit) = self.commit_of(Some(from))? else { return Some(Done::Perhaps) };
        self.state.references.insert("merged".to_owned(), commit);
        self.state.merged = true;
        Some(Done::Yes)
    }

    /// All that references lead to is in a file as well.
    pub(crate) fn bundle(&mut self) {
        let all: Vec<Commit> = self.state.references.values().copied().collect();
        for (number, commit) in all.into_iter().enumerate() {
            self.state.references.insert(format!("bundle/{number}"), commit);
        }
    }

    /// Whether nothing of any submodule can be lost.
    pub(crate) fn spares_submodules(&self) -> Option<()> {
        (!self.world.nested.iter().any(|nested| self.world.is_submodule(nested))).then_some(())
    }

    /// Submodules check out what is noted of them: without force their changes stay, but not what only `HEAD` leads to.
    pub(crate) fn update_submodules(&mut self) -> Option<Done> {
        let world = self.world;
        for (path, _) in world.index.iter().filter(|(_, file)| file.mode == GITLINK) {
            let folder = world.root().join(repository::to_path(path));
            let Ok(git) = git2::Repository::open(&folder) else { continue };
            if !git.head_detached().unwrap_or_default() {
                continue;
            }
            let mut walk = git.revwalk().ok()?;
            walk.push_head().ok()?;
            walk.hide_glob("*").ok()?;
            if let Some(Content::Object(noted)) = world.index.get(path).map(|file| &file.content) {
                let _ = walk.hide(*noted);
            }
            if walk.next().is_some() {
                self.state.repositories.insert([path.as_slice(), b"/"].concat());
            }
        }
        Some(Done::Yes)
    }

    /// What git notes of working trees that are gone: what was checked out there, and what was staged.
    pub(crate) fn prune_worktrees(&mut self) -> Option<Done> {
        let git = self.world.git;
        let Ok(folders) = std::fs::read_dir(git.commondir().join("worktrees")) else {
            return Some(Done::Yes);
        };
        for folder in folders {
            let folder = folder.ok()?.path();
            let link = std::fs::read_to_string(folder.join("gitdir")).ok()?;
            let tree = std::path::PathBuf::from(link.trim_end());
            if tree.exists() || folder.join("locked").exists() {
                continue;
            }
            let head = std::fs::read_to_string(folder.join("HEAD")).ok()?;
            let commit = if let Some(name) = head.trim().strip_prefix("ref: ") {
                git.refname_to_id(name).ok()
            } else {
                let id: Oid = head.trim().parse().ok()?;
                self.state.pruned_heads.insert(id);
                Some(id)
            };
            let files = match commit {
                Some(id) => self.world.files_of(self.state, Commit::Real(id))?,
                None => Rc::default(),
            };
            let Ok(index) = git2::Index::open(&folder.join("index")) else { continue };
            for entry in index.iter() {
                let staged = Content::Object(entry.id);
                if files.get(&entry.path).is_none_or(|file| file.content != staged) {
                    let root = tree.parent().unwrap_or(&tree);
                    self.state.inside.insert(
                        root.join(repository::to_path(&entry.path)).into_os_string().into_encoded_bytes(),
                    );
                }
            }
        }
        Some(Done::Yes)
    }
}

impl World<'_> {
    /// Whether a file with a conflict is as git left it: no one has begun to resolve it.
    pub(crate) fn is_as_merged(&self, path: &[u8]) -> bool {
        self.is_left_by_git(path).unwrap_or_default()
    }

    fn is_left_by_git(&self, path: &[u8]) -> Option<bool> {
        let full = self.root().join(repository::to_path(path));
        let Ok(bytes) = std::fs::read(&full) else { return Some(true) };
        let index = self.git.index().ok()?;
        let conflict = index.conflict_get(repository::to_path(path)).ok()?;
        let sides = [&conflict.ancestor, &conflict.our, &conflict.their];
        let id = Oid::hash_object(git2::ObjectType::Blob, &bytes).ok()?;
        if sides.into_iter().flatten().any(|side| side.id == id) {
            return Some(true);
        }
        let IndexConflict { ancestor, our: Some(our), their: Some(their) } = &conflict else {
            return Some(false);
        };
        let found = without_labels(&bytes);
        Some((0..3).any(|style| {
            let mut options = MergeFileOptions::new();
            match style {
                0 => options.style_standard(true),
                1 => options.style_diff3(true),
                _ => options.style_zdiff3(true),
            };
            let Some(ancestor) = ancestor else { return false };
            let merged = self.git.merge_file_from_index(ancestor, our, their, Some(&mut options));
            merged.is_ok_and(|merged| without_labels(merged.content()) == found)
        }))
    }

    /// The objects that git made of the files itself, when it merged.
    fn made_by_git(&self, state: RepositoryState) -> BTreeSet<Oid> {
        self.merged_again(state).unwrap_or_default()
    }

    fn merged_again(&self, state: RepositoryState) -> Option<BTreeSet<Oid>> {
        let head = self.git.head().ok()?.peel_to_commit().ok()?;
        let noted = |name: &str| {
            let text = std::fs::read_to_string(self.git.path().join(name)).ok()?;
            self.git.find_commit(text.lines().next()?.trim().parse().ok()?).ok()
        };
        let index = match state {
            RepositoryState::Merge => self.git.merge_commits(&head, &noted("MERGE_HEAD")?, None).ok()?,
            RepositoryState::Revert | RepositoryState::RevertSequence => {
                self.git.revert_commit(&noted("REVERT_HEAD")?, &head, 0, None).ok()?
            }
            RepositoryState::CherryPick | RepositoryState::CherryPickSequence => {
                self.git.cherrypick_commit(&noted("CHERRY_PICK_HEAD")?, &head, 0, None).ok()?
            }
            _ => self.git.cherrypick_commit(&noted("REBASE_HEAD")?, &head, 0, None).ok()?,
        };
        Some(index.iter().map(|entry| entry.id).collect())
    }

    /// A commit that a rebase has noted.
    fn noted(&self, name: &str) -> Option<Oid> {
        ["rebase-merge", "rebase-apply"].iter().find_map(|folder| {
            let text = std::fs::read_to_string(self.git.path().join(folder).join(name)).ok()?;
            text.trim().parse().ok()
        })
    }
}

/// The lines of a file, without the names at the marks of a conflict.
fn without_labels(bytes: &[u8]) -> Vec<&[u8]> {
    let marks: [&[u8]; 3] = [b"<<<<<<<", b">>>>>>>", b"|||||||"];
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.map(|line| marks.into_iter().find(|mark| line.starts_with(mark)).unwrap_or(line)).collect()
}
