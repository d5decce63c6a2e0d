//! What each step does to the state, as git 2.47 does it. `None` where that is not modelled.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::Path;
use std::rc::Rc;

use rules::loss::{Checkout, Clean, Does, List, Reset, ResetTree, Restore, Stash, Step};

use crate::paths::{Spec, Specs, is_globbed};
use crate::state::{Commit, Content, File, Files, Left, Name, Stashed, State, World};

/// As many names in repositories within this one are compared with a pattern.
const SEARCHED: usize = 10_000;

/// As many files in them are held against what is committed there.
const COMPARED: usize = 50;

/// Whether the last of the steps may delete files that git ignores, or one before it.
pub(crate) fn need_ignored(steps: &[&Step]) -> bool {
    let writes = steps.iter().any(|step| step.does == Does::Write);
    steps.iter().any(|step| needs_ignored(&step.does) || writes && matches!(step.does, Does::Clean(_)))
}

fn needs_ignored(does: &Does) -> bool {
    matches!(
        does,
        Does::Clean(Clean { ignored: true, .. })
            | Does::Stash(Stash { ignored: true, .. })
            | Does::Delete { .. }
            | Does::Remove { .. }
            | Does::Deinit { .. }
            | Does::InSubmodules
            | Does::Checkout(Checkout { submodules: true, .. })
            | Does::Reset(Reset { submodules: true, .. })
            | Does::RemoveWorktree { .. }
    )
}

/// Whether the step succeeds wherever its state is modelled: what it runs is git's own.
pub(crate) fn cannot_fail(world: &World<'_>, does: &Does) -> bool {
    match does {
        Does::Stash(_)
        | Does::Fetch { .. }
        | Does::SavePatch { .. }
        | Does::Nothing
        | Does::IsUnchanged { .. }
        | Does::IsClean { .. } => true,
        // A new name for a commit that is there.
        Does::Point { name, to: None, even_current: false } => world.git.find_reference(name).is_err(),
        Does::Commit { said, .. } => *said && world.commits_freely(),
        _ => false,
    }
}

/// Whether git does something else with it while it is in the middle of a merge or a rebase.
fn needs_rest(does: &Does) -> bool {
    match does {
        // One that forces nothing takes changes along, or is refused.
        Does::Checkout(checkout) => {
            let plain = !checkout.force && !checkout.discards;
            checkout.paths.as_ref().is_none_or(Vec::is_empty) && !plain
        }
        Does::Reset(_)
        | Does::PopStash { .. }
        | Does::Add { .. }
        | Does::Commit { .. }
        | Does::Merge(_)
        | Does::RemoveWorktree { .. } => true,
        _ => false,
    }
}

/// Whether it is modelled what the step does to files that git does not look at by request.
pub(crate) fn knows_hidden(does: &Does) -> bool {
    if let Does::Checkout(checkout) = does {
        return !checkout.force && !checkout.discards;
    }
    matches!(
        does,
        Does::Fetch { .. }
            | Does::Push(_)
            | Does::Point { .. }
            | Does::DeleteBranches(_)
            | Does::DeleteTags(_)
            | Does::DropStash(_)
            | Does::ClearStashes
            | Does::Write
            | Does::Stash(_)
            | Does::Add { .. }
            | Does::Commit { .. }
            | Does::Delete { .. }
            | Does::Overwrite { .. }
            | Does::Put { .. }
            | Does::Copy { .. }
            | Does::Makes { .. }
            | Does::Nothing
            | Does::IsUnchanged { .. }
            | Does::IsClean { .. }
            | Does::Merge(_)
            | Does::Bundle
            | Does::Restore(_)
            | Does::Reset(Reset { tree: ResetTree::Stays | ResetTree::Overwritten, .. })
    )
}

/// Whether git has done what it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    Yes,
    /// By all that is modelled it does nothing, as a path or a revision is not there; it may see that otherwise.
    Perhaps,
    /// It surely does nothing: there is nothing to commit, or a change lies in the way.
    Refused,
}

/// Whether what a step leaves behind stays in the files all the same: commits that a branch no longer has after a reset that
/// leaves the working tree as it is.
pub(crate) fn keeps_files(does: &Does, one: &crate::Lost) -> bool {
    let stays = matches!(does, Does::Reset(Reset { tree: ResetTree::Stays, .. }));
    stays && matches!(one, crate::Lost::Commits { in_reflog: true, .. })
}

/// Does what the step does.
pub(crate) fn step(world: &World<'_>, state: &mut State, step: &Step) -> Option<Done> {
    let prefix = match step.does {
        // It is run in another one, or names nothing by its path.
        Does::RemoveWorktree { .. }
        | Does::Point { .. }
        | Does::Head(_)
        | Does::Overwrite { .. }
        | Does::Put { .. }
        | Does::Copy { .. }
        | Does::Move { staged: false, .. } => String::new(),
        _ => prefix(world, &step.folder).or_else(|| names_no_path(&step.does).then(String::new))?,
    };
    let puts_away = matches!(step.does, Does::Stash(_));
    let records = matches!(step.does, Does::Commit { all: false, .. });
    if puts_away && !world.conflicts.is_empty() || records && is_unmerged(world, state) {
        return Some(Done::Refused);
    }
    if world.is_busy && (puts_away || needs_rest(&step.does)) {
        return None;
    }
    // What a merge makes of the files is not modelled.
    if state.merged && !matches!(step.does, Does::DeleteBranches(_) | Does::DeleteTags(_) | Does::Nothing) {
        return None;
    }
    let mut at = Applied { world, state, prefix };
    let done = if at.simply(&step.does) { Some(Done::Yes) } else { at.done(&step.does) };
    let (head, others) = if done == Some(Done::Refused) { (false, false) } else { moves(&step.does) };
    (state.moved_head, state.moved_others) = (state.moved_head || head, state.moved_others || others);
    done
}

/// Whether there are conflicts, and the line has done nothing about them.
fn is_unmerged(world: &World<'_>, state: &State) -> bool {
    !world.conflicts.is_empty() && state.index == world.index && !state.written
}

/// Whether a step may lead the current branch to another commit, and whether others.
fn moves(does: &Does) -> (bool, bool) {
    match does {
        Does::Delete { .. }
        | Does::Overwrite { .. }
        | Does::Write
        | Does::Add { .. }
        | Does::Put { .. }
        | Does::Move { .. }
        | Does::Copy { .. }
        | Does::SavePatch { .. }
        | Does::Nothing
        | Does::IsUnchanged { .. }
        | Does::IsClean { .. }
        | Does::Restore(_)
        | Does::Clean(_)
        | Does::Remove { .. } => (false, false),
        Does::Point { even_current: false, .. } | Does::DeleteTags(_) | Does::Push(_) => (false, true),
        _ => (true, true),
    }
}

impl Applied<'_, '_> {
    /// Does what always succeeds; `false` for what may not.
    fn simply(&mut self, does: &Does) -> bool {
        match does {
            Does::Overwrite { paths } => self.overwrite(paths),
            Does::Write => self.state.written = true,
            Does::DropStash(number) => {
                if *number < self.state.stashes.len() {
                    self.state.stashes.remove(*number);
                }
            }
            Does::ClearStashes => self.state.stashes.clear(),
            Does::DeleteBranches(names) => self.delete_branches(names),
            Does::DeleteTags(names) => {
                for name in names {
                    self.state.references.remove(&format!("refs/tags/{name}"));
                }
            }
            Does::Prune => self.state.pruned = true,
            Does::Nothing | Does::Makes { .. } => {}
            Does::Copy { from, to } => self.duplicate(from, to),
            Does::DropIndex => self.state.index = Rc::default(),
            Does::Head(name) => self.point_head(name),
            Does::Bundle => self.bundle(),
            Does::Fetch { into } => self.fetch_into(into),
            _ => return false,
        }
        true
    }

    fn done(&mut self, does: &Does) -> Option<Done> {
        match does {
            Does::Checkout(checkout) => self.checkout(checkout),
            Does::Restore(restore) => self.restore(restore),
            Does::Reset(reset) => self.reset(reset),
            Does::Clean(clean) => self.clean(clean),
            Does::Remove { paths } => self.remove(paths),
            Does::Delete { paths, deep } => self.delete(paths, *deep),
            Does::Stash(stash) => self.stash(stash),
            Does::IsUnchanged { head, staged, paths } => self.is_unchanged(*head, *staged, paths),
            Does::PopStash { number, index, stays } => self.pop(*number, *index, *stays),
            Does::Add { paths, known } => self.add(paths, *known),
            Does::Commit { all, empty, amends, .. } => self.commit(*all, *empty, *amends),
            Does::Point { name, to, even_current } => self.point(name, to.as_deref(), *even_current),
            Does::DeleteReference(name) => self.delete_reference(name),
            Does::ForgetLog(name) => self.forget_log(name.as_deref()),
            Does::Push(push) => self.push(push),
            Does::RemoveWorktree { forced, .. } => self.remove_worktree(*forced),
            Does::IsClean { untracked } => self.is_clean(*untracked),
            Does::Deinit { paths } => self.deinit(paths),
            Does::Put { from, into } => self.put(from, into),
            Does::Move { from, to, staged, forced } => self.relocate(from, to, (*staged, *forced)),
            Does::SavePatch { on_head } => self.save_patch(*on_head),
            Does::TakeSide { paths } => self.take_side(paths),
            Does::RemoveUnmerged { paths } => self.remove_unmerged(paths),
            Does::Abort => self.abort(),
            Does::Merge(from) => self.merge(from),
            Does::Unhide => self.world.hidden.is_empty().then_some(Done::Yes),
            Does::InSubmodules => self.spares_submodules().map(|()| Done::Yes),
            Does::UpdateSubmodules => self.update_submodules(),
            Does::PruneWorktrees => self.prune_worktrees(),
            // In the middle of one, it may be any commit.
            Does::Skip => (!self.world.is_busy).then_some(Done::Refused),
            _ => None,
        }
    }
}

/// Whether a step is about the whole tree or about references, so that the folder in which it is taken does not matter.
fn names_no_path(does: &Does) -> bool {
    match does {
        Does::Checkout(checkout) => checkout.branch.is_some(),
        Does::Reset(reset) => reset.paths.is_none() && reset.tree != ResetTree::Stays,
        Does::DeleteBranches(_) | Does::DeleteTags(_) | Does::DeleteReference(_) | Does::DropIndex => true,
        _ => false,
    }
}

/// The folder of a step below the root.
pub(crate) fn prefix(world: &World<'_>, folder: &str) -> Option<String> {
    // The line may make it first.
    let folder = std::fs::canonicalize(folder).ok().or_else(|| {
        let folder = Path::new(folder);
        Some(std::fs::canonicalize(folder.parent()?).ok()?.join(folder.file_name()?))
    })?;
    let root = std::fs::canonicalize(world.root()).ok()?;
    folder.strip_prefix(root).ok()?.to_str().map(str::to_owned)
}

/// Whether one of the paths that were written in a folder takes a file.
pub(crate) fn names(world: &World<'_>, folder: &str, paths: &[String], file: &[u8]) -> bool {
    let none = |_| BTreeSet::new();
    let specs = prefix(world, folder).and_then(|prefix| Specs::read(paths, &prefix, world.root(), &none));
    specs.is_some_and(|specs| specs.iter().any(|spec| spec.takes(file, world.any_case)))
}

/// A step that is being applied.
pub(crate) struct Applied<'a, 'r> {
    pub(crate) world: &'a World<'r>,
    pub(crate) state: &'a mut State,
    pub(crate) prefix: String,
}

impl<'a, 'r> Applied<'a, 'r> {
    /// A step in the top folder.
    pub(crate) fn at_root(world: &'a World<'r>, state: &'a mut State) -> Self {
        Self { world, state, prefix: String::new() }
    }
}

impl Applied<'_, '_> {
    /// The commit that a revision names; the current one if none is given. Outer `None`: it is not modelled; inner: git
    /// does not know it.
    #[expect(clippy::option_option, reason = "not modelled, and unknown to git, are two answers")]
    pub(crate) fn commit_of<'r>(&self, revision: Option<&'r str>) -> Option<Option<Commit>> {
        // What an annotated tag leads to is a commit as well.
        let peeled = |revision: &'r str| {
            let plain = revision.strip_suffix("^{}").or_else(|| revision.strip_suffix("^{commit}"));
            plain.unwrap_or(revision)
        };
        let Some(revision) = revision.map(peeled).filter(|revision| !matches!(*revision, "HEAD" | "@"))
        else {
            return Some(self.state.head);
        };
        // These are not revisions either.
        if [":!", ":^", ":(", "\0"].iter().any(|magic| revision.starts_with(magic)) {
            return Some(None);
        }
        // No reference may have such a name: `git checkout src/*.rs` names files.
        if revision.contains(['*', '?', '[']) && !revision.contains(['{', ':']) && !revision.contains("..") {
            return Some(None);
        }
        if let Some((one, other)) = revision.split_once("...") {
            return self.merge_base(one, other);
        }
        let Some((base, parents)) = relative(revision) else { return self.commit_at_start(revision) };
        if parents > 0 {
            let Some(mut commit) = self.commit_of(Some(base))? else { return Some(None) };
            for _ in 0..parents {
                let before = match commit {
                    Commit::Made(at) => self.state.made.get(at).and_then(|(before, _)| *before),
                    Commit::Real(id) => self.world.parent(id),
                };
                let Some(before) = before else { return Some(None) };
                commit = before;
            }
            return Some(Some(commit));
        }
        if let Some(number) = entry_of(base, "stash@{") {
            return match self.state.stashes.get(number) {
                Some(Stashed::Real(id)) => Some(Some(Commit::Real(*id))),
                Some(Stashed::Made { .. }) => None,
                None => Some(None),
            };
        }
        if let Some(number) = entry_of(base, "@{-") {
            let (branch, commit) = self.left_before(number);
            return Some(match branch {
                Some(branch) => self.state.references.get(&branch).copied(),
                None => commit,
            });
        }
        if let Some(branch) = tracking(base) {
            let full = format!("refs/heads/{branch}");
            let branch = if branch.is_empty() { self.state.branch.as_deref() } else { Some(full.as_str()) };
            let upstream = branch.and_then(|branch| self.world.git.branch_upstream_name(branch).ok());
            let upstream = upstream.as_ref().and_then(|name| name.as_str().ok());
            return Some(upstream.and_then(|name| self.state.references.get(name)).copied());
        }
        let names = [format!("refs/heads/{base}"), format!("refs/tags/{base}"), base.to_owned()];
        if let Some(commit) = names.iter().find_map(|name| self.state.references.get(name)) {
            return Some(Some(*commit));
        }
        match self.world.git.revparse_single(base) {
            Ok(object) => object.peel_to_commit().ok().map(|commit| Some(Commit::Real(commit.id()))),
            Err(_) => Some(None),
        }
    }

    /// The commit at which two lines of history part, as `git checkout main...HEAD` has it.
    #[expect(clippy::option_option, reason = "as for `commit_of`")]
    fn merge_base(&self, one: &str, other: &str) -> Option<Option<Commit>> {
        let commit = |name: &str| self.commit_of(Some(name).filter(|name| !name.is_empty()));
        match (commit(one)?, commit(other)?) {
            (Some(Commit::Real(one)), Some(Commit::Real(other))) => {
                Some(self.world.git.merge_base(one, other).ok().map(Commit::Real))
            }
            (None, _) | (_, None) => Some(None),
            _ => None,
        }
    }

    /// What a revision of another form names, as long as the line has moved nothing: `HEAD@{1}`, `HEAD^2`, `v1^{commit}`.
    #[expect(clippy::option_option, reason = "as for `commit_of`")]
    fn commit_at_start(&self, revision: &str) -> Option<Option<Commit>> {
        let ago = revision.split("@{").skip(1);
        let is_number = |ago: &str| ago.split('}').next().is_some_and(|ago| ago.parse::<usize>().is_ok());
        // Dates are read by git in its own way, and so are texts of messages.
        let moved = self.state.moved_head
            || self.state.moved_others && !revision.starts_with("HEAD") && !revision.starts_with('@');
        if moved || revision.contains("..") || revision.contains(':') || !ago.into_iter().all(is_number) {
            return None;
        }
        let object = self.world.git.revparse_single(revision).ok();
        Some(object.and_then(|object| object.peel_to_commit().ok()).map(|commit| Commit::Real(commit.id())))
    }

    /// What was checked out so many checkouts ago: the branch, if it was one, and the commit.
    fn left_before(&self, number: usize) -> Left {
        let done = self.state.left.len();
        match number.checked_sub(done) {
            _ if number == 0 => (None, None),
            // Before the line.
            Some(more @ 1..) => match self.world.git.revparse_ext(&format!("@{{-{more}}}")) {
                Ok((object, branch)) => {
                    let name = branch.and_then(|branch| branch.name().ok().map(str::to_owned));
                    (name, object.peel_to_commit().ok().map(|commit| Commit::Real(commit.id())))
                }
                Err(_) => (None, None),
            },
            _ => self.state.left.get(done - number).cloned().unwrap_or_default(),
        }
    }

    /// Pathspecs that are written in the folder of the step.
    pub(crate) fn specs(&self, paths: &[String]) -> Option<Specs> {
        Specs::read(paths, &self.prefix, self.world.root(), &|list| self.listed(list))
    }

    /// What git lists.
    fn listed(&self, list: List) -> BTreeSet<Name> {
        let (world, state) = (self.world, &*self.state);
        let there = state.tree.iter().filter(|(_, file)| file.is_some()).map(|(path, _)| path);
        let unknown = there.filter(|path| !state.index.contains_key(*path));
        let named = |path: &Name| path.strip_suffix(b"/").unwrap_or(path).to_vec();
        match list {
            List::Tracked => state.index.keys().cloned().collect(),
            List::Modified => {
                let differs = |path: &&Name| world.file(state, path) != state.index.get(*path);
                let known = state.tree.keys().filter(|path| state.index.contains_key(*path));
                let known = known.filter(|path| !world.hidden.contains(*path));
                known.filter(differs).chain(&world.conflicts).cloned().collect()
            }
            List::Staged => {
                let head = self.files_of_head().unwrap_or_default();
                let staged = state.index.iter().filter(|(path, file)| head.get(*path) != Some(*file));
                staged.map(|(path, _)| path.clone()).chain(world.conflicts.iter().cloned()).collect()
            }
            List::Untracked => {
                let all = unknown.filter(|path| !world.ignored.contains(*path)).chain(&world.nested);
                all.map(named).collect()
            }
            List::Ignored => unknown.filter(|path| world.ignored.contains(*path)).map(named).collect(),
        }
    }

    /// The full name of the branch that a word names.
    pub(crate) fn branch_of(&self, word: &str) -> Option<String> {
        match entry_of(word, "@{-") {
            Some(number) => self.left_before(number).0,
            None => Some(format!("refs/heads/{word}")),
        }
    }

    fn checkout(&mut self, checkout: &Checkout) -> Option<Done> {
        if checkout.submodules {
            self.spares_submodules()?;
        }
        if checkout.sides {
            let paths = match &checkout.paths {
                Some(paths) if checkout.words.is_empty() => paths,
                None if !checkout.words.iter().any(|word| self.commit_of(Some(word)) != Some(None)) => {
                    &checkout.words
                }
                // Without changes, there is nothing to merge into what is checked out then.
                None if checkout.words.len() == 1 && self.listed(List::Modified).is_empty() => {
                    return self.switch(None, checkout.words.first().map(String::as_str), checkout);
                }
                _ => return None,
            };
            return self.take_side(paths);
        }
        if let Some(paths) = &checkout.paths {
            if checkout.branch.is_some() || checkout.words.len() > 1 {
                return None;
            }
            if !paths.is_empty() {
                return self.take(checkout.words.first().map(String::as_str), paths, checkout.force);
            }
        }
        if let Some(branch) = &checkout.branch {
            let start = checkout.words.first().map(String::as_str);
            return self.switch(Some(branch), start, checkout);
        }
        let Some((first, rest)) = checkout.words.split_first() else {
            let discards = checkout.force || checkout.discards;
            return if discards { self.switch(None, None, checkout) } else { Some(Done::Yes) };
        };
        let is_revision = self.commit_of(Some(first))?.is_some();
        match (is_revision, rest) {
            (true, []) => self.switch(None, Some(first), checkout),
            (true, paths) if checkout.files => self.take(Some(first), paths, checkout.force),
            (false, []) => {
                let taken = if checkout.files {
                    self.take(None, &checkout.words, checkout.force)?
                } else {
                    Done::Perhaps
                };
                match (taken, self.of_remotes(first).as_slice()) {
                    (Done::Yes, []) => Some(Done::Yes),
                    // `git checkout feature` makes a branch of the remote's.
                    (Done::Perhaps, [remote]) if !checkout.detached => {
                        self.switch(Some(first), Some(remote), checkout)
                    }
                    // A fetch may have brought one.
                    (Done::Perhaps, []) if !self.state.fetched => Some(Done::Perhaps),
                    _ => None,
                }
            }
            (false, _) if checkout.files => self.take(None, &checkout.words, checkout.force),
            _ => None,
        }
    }

    /// The branches of remotes with this name.
    fn of_remotes(&self, name: &str) -> Vec<String> {
        let of_one = |known: &&String| {
            let branch = known.strip_prefix("refs/remotes/").and_then(|branch| branch.split_once('/'));
            branch.is_some_and(|(_, branch)| branch == name)
        };
        self.state.references.keys().filter(of_one).cloned().collect()
    }

    /// Files from a commit or the index, as `git checkout -- PATHS` takes them.
    fn take(&mut self, from: Option<&str>, paths: &[String], forced: bool) -> Option<Done> {
        let staged = from.is_some();
        let from = from.map(str::to_owned);
        let paths = paths.to_vec();
        self.restore(&Restore { from, paths, staged, worktree: true, forced, ..Restore::default() })
    }

    fn restore(&mut self, restore: &Restore) -> Option<Done> {
        let specs = self.specs(&restore.paths)?;
        if !restore.lenient && self.spares_conflicts(&specs).is_none() {
            // Of what the index has, nothing is taken while some of it has conflicts.
            let from_index = restore.from.is_none() && !restore.staged && !restore.forced;
            return from_index.then_some(Done::Perhaps);
        }
        let source: Rc<Files> = match (&restore.from, restore.staged) {
            (Some(revision), _) => match self.commit_of(Some(revision))? {
                Some(commit) => self.world.files_of(self.state, commit)?,
                None => return Some(Done::Perhaps),
            },
            (None, true) => self.files_of_head()?,
            (None, false) => Rc::clone(&self.state.index),
        };
        let known: BTreeSet<&Name> = source.keys().chain(self.state.index.keys()).collect();
        let paths = if restore.lenient {
            let any_case = self.world.any_case;
            known.into_iter().filter(|path| specs.match_path(path, any_case)).cloned().collect()
        } else {
            let Some(paths) = self.matching(&specs, known.into_iter())? else { return Some(Done::Perhaps) };
            paths
        };
        let mut index = (*self.state.index).clone();
        for path in paths {
            let file = source.get(&path).cloned();
            if file.is_none() && !restore.deletes {
                continue;
            }
            if restore.staged {
                put(&mut index, &path, file.clone());
            }
            if restore.worktree {
                self.write(&path, file)?;
            }
        }
        self.state.index = Rc::new(index);
        Some(Done::Yes)
    }

    /// What git does to files with conflicts is not modelled.
    fn spares_conflicts(&self, specs: &Specs) -> Option<()> {
        let names = |path: &Name| specs.match_path(path, self.world.any_case);
        (!self.world.conflicts.iter().any(names)).then_some(())
    }

    /// The paths that specs name. Inner `None`: one of them names nothing, and git does nothing at all.
    #[expect(clippy::option_option, reason = "not modelled, and refused by git, are two answers")]
    pub(crate) fn matching<'n>(
        &self,
        specs: &Specs,
        known: impl Iterator<Item = &'n Name>,
    ) -> Option<Option<BTreeSet<Name>>> {
        let mut used: Vec<bool> = specs.iter().map(Spec::is_listed).collect();
        let mut found = BTreeSet::new();
        for path in known {
            for (spec, used) in specs.iter().zip(&mut used) {
                if spec.matches(path, self.world.any_case) {
                    *used = true;
                    if !specs.leave_out(path, self.world.any_case) {
                        found.insert(path.clone());
                    }
                }
            }
        }
        match used.iter().position(|used| !used) {
            // What a class or an escape means to git may be more than it means here.
            Some(at) if specs[at].is_unusual() => None,
            Some(_) => Some(None),
            None => Some(Some(found)),
        }
    }

    pub(crate) fn files_of_head(&self) -> Option<Rc<Files>> {
        match self.state.head {
            Some(commit) => self.world.files_of(self.state, commit),
            None => Some(Rc::default()),
        }
    }

    /// Puts a file into the working tree, or takes it away.
    pub(crate) fn write(&mut self, path: &[u8], file: Option<File>) -> Option<()> {
        if self.world.skipped.contains(path) {
            return (file.as_ref() == self.world.index.get(path)).then_some(());
        }
        // Where a folder stands in the way of a file, git deletes it with all that it holds, and the other way round.
        let (mut below, mut above) = (path.to_vec(), path);
        below.push(b'/');
        // Names are in order: those of a folder stand side by side.
        let from = self.state.tree.range::<[u8], _>((Bound::Included(below.as_slice()), Bound::Unbounded));
        let mut in_the_way = from.take_while(|(name, _)| name.starts_with(&below));
        if file.is_some() && in_the_way.any(|(_, file)| file.is_some()) {
            return None;
        }
        while let Some(slash) = above.iter().rposition(|byte| *byte == b'/').filter(|_| file.is_some()) {
            above = &above[..slash];
            if matches!(self.state.tree.get(above), Some(Some(_))) {
                return None;
            }
        }
        // git overwrites what it ignores, and no one has listed that.
        let is_listed = self.state.tree.contains_key(path) || self.world.index.contains_key(path);
        if file.is_some() && !is_listed && self.world.has_on_disk(path) {
            return None;
        }
        self.state.tree.insert(path.to_vec(), file);
        Some(())
    }

    fn reset(&mut self, reset: &Reset) -> Option<Done> {
        if reset.submodules {
            self.spares_submodules()?;
        }
        let (first, rest) = match reset.words.split_first() {
            Some((first, rest)) => (Some(first.as_str()), rest),
            None => (None, &[][..]),
        };
        let commit = self.commit_of(first)?;
        let paths = match (&reset.paths, commit) {
            (Some(paths), Some(_)) if rest.is_empty() => paths.clone(),
            (None, Some(_)) => rest.to_vec(),
            (None, None) => reset.words.clone(),
            _ => return None,
        };
        if !paths.is_empty() {
            // git resets no single files that way, and what is neither a commit nor a file is an error.
            if reset.tree != ResetTree::Stays {
                return Some(Done::Refused);
            }
            let from = first.filter(|_| commit.is_some()).map(str::to_owned);
            return self.restore(&Restore { from, paths, staged: true, deletes: true, ..Restore::default() });
        }
        // Before the first commit, the index becomes empty.
        let files = match commit {
            Some(to) => self.world.files_of(self.state, to)?,
            None => Rc::default(),
        };
        match reset.tree {
            ResetTree::Stays => {}
            ResetTree::Overwritten => self.overwrite_all(first, &files)?,
            ResetTree::StagedOnly | ResetTree::Kept => {
                if self.keep_changes(&files, reset.tree)? == Done::Perhaps {
                    return Some(Done::Perhaps);
                }
            }
        }
        if reset.index {
            self.state.index = files;
        }
        self.state.head = commit;
        if let (Some(branch), Some(to)) = (self.state.branch.clone(), commit) {
            self.state.references.insert(branch, to);
        }
        Some(Done::Yes)
    }

    /// Makes all tracked files what they are in a commit.
    fn overwrite_all(&mut self, revision: Option<&str>, files: &Rc<Files>) -> Option<()> {
        // No one knows yet what a branch holds that was just fetched, and what lies in its way.
        let fetched = self.state.fetched && revision.is_some_and(|name| name != "HEAD");
        if fetched && !self.world.untracked.is_empty() {
            return None;
        }
        let paths: BTreeSet<Name> = self.state.index.keys().chain(files.keys()).cloned().collect();
        for path in paths {
            let file = files.get(&path);
            // Most files of a large tree are in place.
            if self.world.file(self.state, &path) != file {
                self.write(&path, file.cloned())?;
            }
        }
        Some(())
    }

    /// Makes files what they are in a commit, where that loses no change of the kind that stays.
    fn keep_changes(&mut self, files: &Rc<Files>, how: ResetTree) -> Option<Done> {
        let head = self.files_of_head()?;
        let mut new = Vec::new();
        let all: BTreeSet<&Name> = self.state.index.keys().chain(files.keys()).chain(head.keys()).collect();
        for path in all {
            let (was, to, staged) = (head.get(path), files.get(path), self.state.index.get(path));
            let file = self.world.file(self.state, path);
            if was == to && (staged == was || how == ResetTree::Kept) {
                continue;
            }
            // It is by what it does not see.
            if self.world.hidden.contains(path) {
                return None;
            }
            // git is not stopped by a file that was deleted.
            let in_place = file.is_none() || file == staged;
            let clean = in_place && (staged == was || how == ResetTree::StagedOnly);
            if !clean {
                return Some(Done::Perhaps);
            }
            new.push((path.clone(), to.cloned()));
        }
        for (path, file) in new {
            self.write(&path, file)?;
        }
        Some(Done::Yes)
    }

    fn switch(&mut self, branch: Option<&str>, to: Option<&str>, how: &Checkout) -> Option<Done> {
        let Some(commit) = self.commit_of(to)? else { return Some(Done::Perhaps) };
        let plain = !how.force && !how.discards && !how.sides;
        let stays = branch.is_some() && self.state.head == Some(commit);
        if plain && !stays && to.is_some() && is_unmerged(self.world, self.state) {
            return Some(Done::Refused);
        }
        if how.force || how.discards {
            let files = self.world.files_of(self.state, commit)?;
            let is_new = |path: &&Name| !self.state.index.contains_key(*path);
            let is_there = |path: &Name| matches!(self.state.tree.get(path), Some(Some(_)));
            if !how.force && files.keys().filter(is_new).any(is_there) {
                return Some(Done::Perhaps);
            }
            self.overwrite_all(to, &files)?;
            self.state.index = files;
        } else if to.is_some() && self.state.head != Some(commit) {
            // Without force, git takes changes along or refuses. Which files are which afterwards is not modelled.
            let before = self.files_of_head()?;
            let after = self.world.files_of(self.state, commit)?;
            let differs = |path: &Name| before.get(path) != after.get(path);
            let changed = before.keys().chain(after.keys()).filter(|path| differs(path));
            let changed: BTreeSet<Name> = changed.cloned().collect();
            let is_clean = |path: &Name| {
                self.state.index.get(path) == before.get(path)
                    && self.world.file(self.state, path) == before.get(path)
            };
            let is_unclear = |path: &Name| {
                self.world.hidden.contains(path)
                    || self.world.file(self.state, path).is_none() && !is_clean(path)
            };
            if changed.iter().any(is_unclear) {
                return None;
            }
            if !changed.iter().all(is_clean) {
                // What is staged already as it will be, and what was deleted, does not stop it.
                let in_the_way = |path: &Name| {
                    let (staged, file) = (self.state.index.get(path), self.world.file(self.state, path));
                    let was = before.get(path);
                    let is_staged = staged != was && staged != after.get(path);
                    is_staged || was.is_some() && staged == was && file.is_some() && file != was
                };
                let certain = !self.state.written && changed.iter().any(in_the_way);
                return Some(if certain { Done::Refused } else { Done::Perhaps });
            }
            let mut index = (*self.state.index).clone();
            for path in changed {
                put(&mut index, &path, after.get(&path).cloned());
                self.write(&path, after.get(&path).cloned())?;
            }
            self.state.index = Rc::new(index);
        }
        let named = branch.or(to).filter(|_| !how.detached).and_then(|name| self.branch_of(name));
        if let (Some(name), true) = (&named, branch.is_some()) {
            self.state.references.insert(name.clone(), commit);
        }
        if to.is_some() || branch.is_some() {
            self.state.left.push((self.state.branch.clone(), self.state.head));
            self.state.branch = named.filter(|name| self.state.references.contains_key(name));
        }
        self.state.head = Some(commit);
        Some(Done::Yes)
    }

    fn clean(&mut self, clean: &Clean) -> Option<Done> {
        let specs = self.specs(&clean.paths)?;
        let any_case = self.world.any_case;
        // By a pattern, git may look into ignored folders, which no one has listed.
        let is_wild = specs.iter().any(Spec::is_wild);
        let mut unlisted = self.world.ignored.iter().filter(|path| path.ends_with(b"/"));
        let looks_in =
            |folder: &Name| specs.iter().any(|spec| spec.is_wild() && spec.meets(folder, any_case));
        let reaches = (clean.ignored || self.state.written) && unlisted.any(looks_in);
        if reaches || specs.iter().any(Spec::is_unusual) || clean.nested && !self.world.nested.is_empty() {
            return None;
        }
        if clean.only_ignored && !clean.except.is_empty() {
            return None;
        }
        // Of the patterns, those of plain names: of others, less is left alone here than by git.
        let plain = clean.except.iter().filter(|name| !name.contains(['/', '!', '\\', '[']));
        let except: Vec<String> = plain.map(|name| format!("**/{name}")).collect();
        let spared = |path: &Name| except.iter().any(|pattern| is_globbed(pattern.as_bytes(), path));
        let here = Spec::new(".", &self.prefix, self.world.root())?;
        let named = |path: &Name| {
            if specs.is_empty() {
                return here.matches(path, any_case);
            }
            let path = path.trim_ascii_end();
            // A folder that a pattern names goes with what is in it.
            specs.match_path(path, any_case)
                || is_wild
                    && specs.iter().any(|spec| spec.takes(path, any_case))
                    && !specs.leave_out(path, any_case)
        };
        let mut gone = Vec::new();
        for path in self.state.tree.keys().filter(|path| !self.state.index.contains_key(*path)) {
            if self.world.conflicts.contains(path) {
                continue;
            }
            let ignored = self.world.ignored.contains(path);
            // What has written files may have written the list of what git ignores as well.
            let taken = self.state.written || if ignored { clean.ignored } else { !clean.only_ignored };
            let reached = clean.folders || !specs.is_empty() || self.is_beside_tracked(path);
            if taken && reached && named(path) && !spared(path) {
                gone.push(path.clone());
            }
        }
        for path in gone {
            self.state.tree.insert(path, None);
        }
        Some(Done::Yes)
    }

    /// Whether a folder is known to git, so that `git clean` looks into it without being asked to.
    fn is_beside_tracked(&self, path: &[u8]) -> bool {
        let Some(slash) = path.iter().rposition(|byte| *byte == b'/') else { return true };
        let folder = &path[..=slash];
        let mut from = self.state.index.range::<[u8], _>((Bound::Included(folder), Bound::Unbounded));
        from.next().is_some_and(|(known, _)| known.starts_with(folder))
    }

    /// A stash goes back where nothing has changed since, and else git merges: that is not modelled.
    fn pop(&mut self, number: usize, with_index: bool, stays: bool) -> Option<Done> {
        let id = match self.state.stashes.get(number) {
            Some(Stashed::Real(id)) => *id,
            Some(Stashed::Made { files, .. }) => {
                // Of one that was made just now, the files come back, where nothing else has come since.
                let files = Rc::clone(files);
                let head = self.files_of_head()?;
                for (path, file) in files.iter().filter(|_| stays && !with_index) {
                    let now = self.world.file(self.state, path);
                    let as_before = now == head.get(path)
                        || files.iter().any(|(name, known)| name == path && Some(known) == now);
                    if !as_before {
                        return None;
                    }
                    self.write(path, Some(file.clone()))?;
                }
                return (stays && !with_index).then_some(Done::Yes);
            }
            None => return Some(Done::Perhaps),
        };
        let commit = self.world.git.find_commit(id).ok()?;
        let files = |at: usize| self.world.files_of(self.state, Commit::Real(commit.parent_id(at).ok()?));
        let (base, staged) = (files(0)?, files(1)?);
        let untracked = if commit.parent_count() > 2 { files(2)? } else { Rc::default() };
        let worktree = self.world.files_of(self.state, Commit::Real(id))?;
        let mut written = Vec::new();
        let all: BTreeSet<&Name> = base.keys().chain(worktree.keys()).chain(staged.keys()).collect();
        for path in all {
            let (was, to) = (base.get(path), worktree.get(path));
            if was == to && was == staged.get(path) {
                continue;
            }
            let is_clean = self.world.file(self.state, path) == was && self.state.index.get(path) == was;
            // What is new is staged, and so is what was, if that is asked for.
            if !is_clean || with_index || was.is_none() && to.is_none() {
                return None;
            }
            written.push((path.clone(), to.cloned(), was.is_none()));
        }
        for (path, file) in untracked.iter() {
            if self.world.file(self.state, path).is_some() || self.world.has_on_disk(path) {
                return None;
            }
            written.push((path.clone(), Some(file.clone()), false));
        }
        let mut index = (*self.state.index).clone();
        for (path, file, is_new) in written {
            if is_new {
                put(&mut index, &path, file.clone());
            }
            self.write(&path, file)?;
        }
        self.state.index = Rc::new(index);
        if !stays {
            self.state.stashes.remove(number);
        }
        Some(Done::Yes)
    }

    fn remove(&mut self, paths: &[String]) -> Option<Done> {
        let specs = self.specs(paths)?;
        self.spares_conflicts(&specs)?;
        let any_case = self.world.any_case;
        if self.world.nested.iter().any(|nested| specs.iter().any(|spec| spec.meets(nested, any_case))) {
            return None;
        }
        let known = Rc::clone(&self.state.index);
        let Some(paths) = self.matching(&specs, known.keys())? else { return Some(Done::Perhaps) };
        let mut index = (*known).clone();
        for path in paths {
            index.remove(&path);
            self.write(&path, None)?;
        }
        self.state.index = Rc::new(index);
        Some(Done::Yes)
    }

    /// Deletes files, as `rm -f` does, and folders, as `rm -rf` does.
    fn delete(&mut self, paths: &[String], deep: bool) -> Option<Done> {
        let specs = self.specs(paths)?;
        let any_case = self.world.any_case;
        for spec in specs.iter() {
            // A link on the way leads to files of another place.
            if !spec.stays_below(self.world.root()) {
                return None;
            }
            // git's folder holds everything: what else goes is no more than a part of it.
            self.state.takes_git |= spec.matches(b".git", any_case);
            self.delete_ignored(spec);
            self.delete_nested(spec, deep)?;
        }
        let all = self.state.tree.keys().chain(self.state.index.keys());
        let takes = |spec: &Spec, path: &Name| {
            if deep || spec.is_wild() { spec.takes(path, any_case) } else { spec.is(path, any_case) }
        };
        let is_named = |path: &&Name| specs.iter().any(|spec| takes(spec, path));
        let gone: Vec<Name> = all.filter(is_named).cloned().collect();
        self.state.tree.extend(gone.into_iter().map(|path| (path, None)));
        Some(Done::Yes)
    }

    /// What it deletes in ignored folders, into which no one has looked.
    fn delete_ignored(&mut self, spec: &Spec) {
        let (world, any_case) = (self.world, self.world.any_case);
        for folder in world.ignored.iter().filter(|path| path.ends_with(b"/")) {
            match spec {
                Spec::Plain(path) if spec.is_inside(folder) => {
                    if world.has_on_disk(path) {
                        self.state.inside.insert(path.clone());
                    }
                }
                _ => {
                    let reaches = spec.is_inside(folder)
                        || spec.is_wild() && spec.meets(folder, any_case) && !spec.takes(folder, any_case);
                    self.state.unclear |= reaches;
                }
            }
        }
    }

    /// What it deletes in repositories in this one.
    fn delete_nested(&mut self, spec: &Spec, deep: bool) -> Option<()> {
        let (world, any_case) = (self.world, self.world.any_case);
        for nested in world.nested.iter().filter(|nested| spec.meets(nested, any_case)) {
            let whole = spec.takes(nested, any_case);
            if whole && !spec.is_wild() {
                if deep {
                    self.state.repositories.insert(nested.clone());
                }
                continue;
            }
            if whole {
                return None;
            }
            // Of one that goes in part, each file.
            for path in self.found_in(spec, nested)? {
                let full = world.root().join(repository::to_path(&path));
                if crate::is_committed(&full) != Some(true) {
                    self.state.inside.insert(path);
                }
            }
        }
        Some(())
    }

    /// What a pattern takes in a repository within this one. `None` where that is too much.
    fn found_in(&self, spec: &Spec, nested: &Name) -> Option<Vec<Name>> {
        let (mut folders, mut found) = (vec![nested.clone()], Vec::new());
        let mut left = SEARCHED;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(self.world.root().join(repository::to_path(&folder))).ok()? {
                let entry = entry.ok()?;
                left = left.checked_sub(1)?;
                let name = entry.file_name();
                let path = [folder.as_slice(), name.as_encoded_bytes()].concat();
                if name != ".git" && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push([path.as_slice(), b"/"].concat());
                } else if name != ".git" && spec.takes(&path, self.world.any_case) {
                    found.push(path);
                }
            }
        }
        (found.len() <= COMPARED).then_some(found)
    }

    /// Files of the working tree get a content of which nothing is known.
    fn overwrite(&mut self, paths: &[String]) {
        for path in paths {
            // Through a link, what it leads to is written.
            if let Ok(full) = std::fs::canonicalize(path) {
                self.overwrite_one(&full);
            }
        }
    }

    /// The same of one, by its path as the system knows it.
    pub(crate) fn overwrite_one(&mut self, full: &Path) {
        let Ok(root) = std::fs::canonicalize(self.world.root()) else { return };
        let Ok(name) = full.strip_prefix(&root) else { return };
        let name = name.as_os_str().as_encoded_bytes();
        let is_known = self.state.index.contains_key(name) || self.state.tree.contains_key(name);
        if let (true, Some(file)) = (is_known, self.world.file(self.state, name)) {
            let file = File { mode: file.mode, content: Content::Unknown };
            self.state.tree.insert(name.to_vec(), Some(file));
        }
    }

    /// Takes the whole working tree away, and with it what only its own `HEAD` leads to.
    fn remove_worktree(&mut self, forced: bool) -> Option<Done> {
        // What is looked at is that tree: see `stake`.
        if !self.world.git.is_worktree() || !self.world.nested.is_empty() {
            return None;
        }
        if !forced && self.is_clean(true)? == Done::Refused {
            return Some(Done::Refused);
        }
        let all: Vec<Name> = self.state.tree.keys().chain(self.state.index.keys()).cloned().collect();
        for path in all {
            self.state.tree.insert(path, None);
        }
        self.state.index = Rc::default();
        self.state.head = None;
        self.state.branch = None;
        self.state.removed = true;
        Some(Done::Yes)
    }

    /// Takes the files of submodules away. What is committed in them stays in the repository around them.
    fn deinit(&mut self, paths: &[String]) -> Option<Done> {
        let specs = self.specs(paths)?;
        let any_case = self.world.any_case;
        let world = self.world;
        let goes = |nested: &&Name| {
            world.is_submodule(nested)
                && (specs.is_empty() || specs.iter().any(|spec| spec.meets(nested, any_case)))
        };
        self.state.repositories.extend(world.nested.iter().filter(goes).cloned());
        Some(Done::Yes)
    }

    /// Whether files, or what is staged, are what they are in the index or in the current commit.
    fn is_unchanged(&self, head: bool, staged: bool, paths: &[String]) -> Option<Done> {
        // Another program may have put it back.
        if self.state.written {
            return Some(Done::Yes);
        }
        let specs = self.specs(paths)?;
        let any_case = self.world.any_case;
        let committed = self.files_of_head()?;
        let differs = |path: &Name| {
            let (was, index) = (committed.get(path), self.state.index.get(path));
            let file = if staged { index } else { self.world.file(self.state, path) };
            file != if head || staged { was } else { index }
        };
        let named = |path: &Name| specs.is_empty() || specs.match_path(path, any_case);
        let seen = |path: &&Name| named(path) && !self.world.hidden.contains(*path);
        let mut known = self.state.index.keys().chain(committed.keys()).filter(seen);
        Some(if known.any(differs) { Done::Refused } else { Done::Yes })
    }

    /// Whether `git status --porcelain` prints nothing.
    fn is_clean(&self, untracked: bool) -> Option<Done> {
        // Another program may have put it back.
        if self.state.written {
            return Some(Done::Yes);
        }
        let (index, committed) = (&self.state.index, self.files_of_head()?);
        let is_looked_at =
            |path: &&Name| !self.world.hidden.contains(*path) && !self.world.nested.contains(*path);
        let mut tracked = index.keys().chain(committed.keys()).filter(is_looked_at);
        let changed = tracked.any(|path| {
            index.get(path) != committed.get(path) || self.world.file(self.state, path) != index.get(path)
        });
        let is_new = |(path, file): (&Name, &Option<File>)| {
            file.is_some() && !index.contains_key(path) && !self.world.ignored.contains(path)
        };
        let setting = self.world.git.config().ok()?.get_string("status.showUntrackedFiles");
        let shows = untracked && setting.map_or(true, |how| how != "no" && how != "false");
        let has_new = shows && self.state.tree.iter().any(is_new);
        Some(if changed || has_new { Done::Refused } else { Done::Yes })
    }

    fn stash(&mut self, stash: &Stash) -> Option<Done> {
        let Stash { paths, untracked, ignored, keeps_index } = stash;
        let head = match self.state.head {
            Some(commit) => self.world.files_of(self.state, commit)?,
            // There is nothing to go back to.
            None => return Some(Done::Refused),
        };
        // git cannot put away a file of which only the name is staged.
        if self.state.index.values().any(|file| file.content == Content::Unknown) {
            return Some(Done::Refused);
        }
        let specs = self.specs(paths)?;
        if specs.iter().any(Spec::is_wild) {
            return None;
        }
        let any_case = self.world.any_case;
        let named = |path: &Name| specs.is_empty() || specs.match_path(path, any_case);
        let (mut saved, mut away) = (Vec::new(), Vec::new());
        let tracked: BTreeSet<&Name> = self.state.index.keys().chain(head.keys()).collect();
        for path in tracked.into_iter().filter(|path| named(path) && !self.world.hidden.contains(*path)) {
            let (staged, file) = (self.state.index.get(path), self.world.file(self.state, path));
            if staged == head.get(path) && file == head.get(path) {
                continue;
            }
            saved.extend([staged, file].into_iter().flatten().map(|file| (path.clone(), file.clone())));
            away.push(path.clone());
        }
        for (path, file) in &self.state.tree {
            let is_ignored = self.world.ignored.contains(path);
            let taken = *if is_ignored { ignored } else { untracked };
            if let (Some(file), true) = (file, taken && named(path) && !self.state.index.contains_key(path)) {
                saved.push((path.clone(), file.clone()));
                away.push(path.clone());
            }
        }
        if saved.is_empty() && away.is_empty() {
            return Some(Done::Yes);
        }
        // It does not put away what it does not see, and overwrites it all the same.
        if specs.is_empty() {
            let unseen = self.world.hidden.difference(&self.world.skipped);
            away.extend(unseen.filter(|path| head.contains_key(*path)).cloned());
        }
        let back_to = if *keeps_index { Rc::clone(&self.state.index) } else { head };
        let mut index = (*self.state.index).clone();
        for path in away {
            let file = back_to.get(&path).cloned();
            put(&mut index, &path, file.clone());
            self.write(&path, file)?;
        }
        self.state.index = Rc::new(index);
        self.state.stashes.insert(0, Stashed::Made { files: Rc::new(saved), on: self.state.head });
        Some(Done::Yes)
    }

    fn add(&mut self, paths: &[String], known: bool) -> Option<Done> {
        let specs = self.specs(paths)?;
        let index = Rc::clone(&self.state.index);
        let ignored = &self.world.ignored;
        let others = self.state.tree.keys().filter(|path| !known && !ignored.contains(*path));
        let all: BTreeSet<&Name> = index.keys().chain(others).collect();
        let paths = if specs.is_empty() {
            all.into_iter().cloned().collect()
        } else {
            match self.matching(&specs, all.iter().copied())? {
                Some(found) => found,
                // Another program may have written it.
                None if self.state.written => all
                    .iter()
                    .filter(|path| specs.match_path(path, self.world.any_case))
                    .map(|path| (*path).clone())
                    .collect(),
                None => return Some(Done::Perhaps),
            }
        };
        // A repository in this one becomes an entry of its own.
        self.state.written |= !known && !self.world.nested.is_empty();
        let mut staged = (*index).clone();
        for path in paths.into_iter().filter(|path: &Name| !self.world.hidden.contains(path)) {
            put(&mut staged, &path, self.world.file(self.state, &path).cloned());
        }
        self.state.index = Rc::new(staged);
        Some(Done::Yes)
    }

    fn commit(&mut self, all: bool, empty: bool, amends: bool) -> Option<Done> {
        if all {
            self.add(&[], true)?;
        }
        // What another program has written may be in it.
        if !empty && !amends && !self.state.written && self.state.index == self.files_of_head()? {
            return Some(Done::Refused);
        }
        let parent = match self.state.head {
            Some(Commit::Made(at)) if amends => self.state.made.get(at)?.0,
            Some(Commit::Real(id)) if amends => match self.world.git.find_commit(id).ok()?.parent_count() {
                0 => None,
                1 => Some(self.world.parent(id)?),
                // What a merge has brought together stays so.
                _ => return None,
            },
            None if amends => return Some(Done::Refused),
            head => head,
        };
        self.state.made.push((parent, Rc::clone(&self.state.index)));
        let commit = Commit::Made(self.state.made.len() - 1);
        self.state.head = Some(commit);
        if let Some(branch) = self.state.branch.clone() {
            self.state.references.insert(branch, commit);
        }
        Some(Done::Yes)
    }
}

/// A revision without `~2` and `^` at its end, and how many commits these go back. `None` for what else git understands,
/// and what the line may have moved: `@{1}`, `a..b`, `:/text`.
fn relative(revision: &str) -> Option<(&str, usize)> {
    let end = revision.find(['~', '^']).unwrap_or(revision.len());
    let (base, mut steps) = revision.split_at(end);
    let mut parents = 0;
    while let Some(rest) = steps.strip_prefix('~').or_else(|| steps.strip_prefix('^')) {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = if digits == 0 { 1 } else { rest[..digits].parse().ok()? };
        // The second parent of a merge is another line of history.
        if steps.starts_with('^') && number != 1 {
            return None;
        }
        parents += number;
        steps = &rest[digits..];
    }
    let in_log = ["stash@{", "@{-"].into_iter().any(|log| entry_of(base, log).is_some());
    let in_log = in_log || tracking(base).is_some();
    let plain = steps.is_empty() && !base.contains(['{', ':']) && !base.contains("..");
    (plain || in_log).then_some((base, parents))
}

/// The number of an entry in a log: `stash@{1}`, `@{-1}`.
fn entry_of(base: &str, log: &str) -> Option<usize> {
    base.strip_prefix(log)?.strip_suffix('}')?.parse().ok()
}

/// The branch whose upstream a word names, empty for the current one: `@{u}`, `main@{upstream}`.
fn tracking(base: &str) -> Option<&str> {
    let (branch, what) = base.strip_suffix('}')?.split_once("@{")?;
    let is_upstream = ["u", "upstream"].iter().any(|name| what.eq_ignore_ascii_case(name));
    is_upstream.then_some(if branch == "HEAD" { "" } else { branch })
}

pub(crate) fn put(files: &mut Files, path: &[u8], file: Option<File>) {
    match file {
        Some(file) => files.insert(path.to_vec(), file),
        None => files.remove(path),
    };
}
