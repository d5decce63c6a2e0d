//! What a command line would lose in a repository: the world behind a rule that is about loss.
//!
//! The steps of the line are gone through on a [`State`] in memory: the files that differ from the index, the index,
//! branches, stashes. What existed before and can be had nowhere afterwards is lost. Nothing is run and nothing is
//! written. Where git's behaviour is not modelled, the answer is [`Answer::Unknown`], never [`Answer::Nothing`].

mod apply;
mod branches;
mod committed;
mod paths;
mod remote;
mod report;
mod stake;
mod state;
mod worktree;

pub use committed::{committed, is_committed};
pub use report::{Answer, Lost};
pub use stake::Stake;

use std::path::Path;

use apply::Done;
use repository::Repository;
use rules::loss::{Does, Runs, Step};
use state::{State, World};

/// Nothing is said about a line with more steps that may or may not run: each doubles the work.
const MAX_DOUBTS: usize = 4;

/// What the last of the steps would lose. `is_made_again` says whether tools make an ignored file or folder again.
pub fn look(steps: &[Step], is_made_again: &dyn Fn(&Path) -> bool) -> Answer {
    stake(steps, is_made_again).map_or(Answer::Unknown, |(answer, _)| answer)
}

/// What the last of the steps would lose, and all that is at stake in its repository. `None` where that is not known.
pub fn stake(steps: &[Step], is_made_again: &dyn Fn(&Path) -> bool) -> Option<(Answer, Stake)> {
    let last = steps.last()?;
    let mut repository = Repository::around(Path::new(&last.folder)).ok()??;
    // Of a working tree that is removed, the question is what it holds itself.
    if let Does::RemoveWorktree(path) = &last.does {
        match worktree::named(&repository, &Path::new(&last.folder).join(path), path)? {
            Some(removed) => repository = removed,
            None => return Some((Answer::Nothing, Stake::none(repository.root()))),
        }
    }
    let steps = within(steps, &repository)?;
    let (world, start) = World::read(&repository, apply::need_ignored(&steps), is_made_again)?;
    let (last, before) = steps.split_last()?;
    if !world.hidden.is_empty() && !before.iter().all(|step| apply::knows_hidden(&step.does)) {
        return None;
    }
    let mut lost = Vec::new();
    let mut stake = Stake::of(repository.root(), &start);
    for mut state in variants(&world, &start, before)? {
        let already = world.lost(&state)?;
        apply::step(&world, &mut state, last)?;
        let now = world.lost(&state)?;
        let is_new = |one: &Lost| !already.contains(one) && !is_disposable(&world, last, one, is_made_again);
        for one in now.into_iter().filter(is_new) {
            if !lost.contains(&one) {
                lost.push(one);
            }
        }
        stake.add(&start, &state);
    }
    if let (true, Does::Push(push)) = (lost.is_empty(), &last.does) {
        let fetches = before.iter().any(|step| matches!(step.does, Does::Fetch { .. }));
        remote::is_as_known(&world, &start, push, fetches).then_some(())?;
    }
    let answer = if lost.is_empty() { Answer::Nothing } else { Answer::Lost(lost) };
    Some((answer, stake))
}

/// Whether a file that git does not know goes with a folder that tools make again, and of which git tracks nothing.
fn is_disposable(world: &World<'_>, step: &Step, one: &Lost, is_made_again: &dyn Fn(&Path) -> bool) -> bool {
    let (Does::Delete { paths, .. }, Lost::Untracked { path }) = (&step.does, one) else { return false };
    let is_named = |named: &&String| is_made_again(&Path::new(&step.folder).join(named));
    let named: Vec<String> = paths.iter().filter(is_named).cloned().collect();
    if named.is_empty() || !apply::names(world, &step.folder, &named, path.as_bytes()) {
        return false;
    }
    let folders = path.match_indices('/').map(|(at, _)| &path[..=at]);
    let made_again =
        folders.into_iter().find(|folder| is_made_again(&world.root().join(folder.trim_end_matches('/'))));
    let is_tracked = |folder: &str| world.index.keys().any(|name| name.starts_with(folder.as_bytes()));
    made_again.is_some_and(|folder| !is_tracked(folder))
}

/// What is at stake in the working tree around a folder, where no one knows what comes.
pub fn all_at_stake(folder: &Path, is_made_again: &dyn Fn(&Path) -> bool) -> Option<Stake> {
    let repository = Repository::around(folder).ok()??;
    let (_, start) = World::read(&repository, true, is_made_again)?;
    Some(Stake::of(repository.root(), &start))
}

/// The steps that work in this repository. Those elsewhere do not matter, unless they share its references.
fn within<'s>(steps: &'s [Step], repository: &Repository) -> Option<Vec<&'s Step>> {
    let (last, before) = steps.split_last()?;
    let mut within = Vec::new();
    for step in before {
        match Repository::around(Path::new(&step.folder)) {
            Ok(Some(other)) if other.root() == repository.root() => within.push(step),
            // Files of another working tree are not in this one.
            Ok(Some(_))
                if matches!(step.does, Does::Delete { .. } | Does::Overwrite { .. } | Does::Write) => {}
            Ok(Some(other)) if other.shares_references(repository) => return None,
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    within.push(last);
    Some(within)
}

/// The states in which the last step may begin: a step that may fail, or not run at all, leaves two.
fn variants(world: &World<'_>, start: &State, before: &[&Step]) -> Option<Vec<State>> {
    let mut states = vec![start.clone()];
    let mut doubts = 0;
    // A push changes nothing here but what is known of a remote.
    for step in before.iter().filter(|step| !matches!(step.does, Does::Push(_))) {
        let doubtful = match step.runs {
            Runs::Succeeded => false,
            Runs::Tried => !apply::cannot_fail(&step.does),
            Runs::Perhaps => true,
        };
        let skipped = if doubtful { states.clone() } else { Vec::new() };
        doubts += usize::from(doubtful);
        let mut after = Vec::new();
        for mut state in states {
            let done = apply::step(world, &mut state, step)?;
            // After `&&`, nothing runs where it was refused.
            let ends_here = step.runs == Runs::Succeeded && done == Done::Refused;
            if !ends_here {
                after.push(state);
            }
        }
        after.extend(skipped);
        states = after;
    }
    (doubts <= MAX_DOUBTS).then_some(states)
}
