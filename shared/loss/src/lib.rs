//! What a command line would lose in a repository: the world behind a rule that is about loss.
//!
//! The steps of the line are gone through on a [`State`] in memory: the files that differ from the index, the index,
//! branches, stashes. What existed before and can be had nowhere afterwards is lost. Nothing is run and nothing is
//! written. Where git's behaviour is not modelled, the answer is [`Answer::Unknown`], never [`Answer::Nothing`].

mod apply;
mod archive;
mod branches;
mod committed;
mod merges;
mod paths;
mod places;
mod reach;
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
    match stakes(steps, is_made_again) {
        Err(Unreadable) => Answer::Unreadable,
        Ok(None) => Answer::Unknown,
        Ok(Some(all)) => {
            let lost = all.into_iter().filter_map(|(answer, _)| match answer {
                Answer::Lost(lost) => Some(lost),
                _ => None,
            });
            let lost: Vec<Lost> = lost.flatten().collect();
            if lost.is_empty() { Answer::Nothing } else { Answer::Lost(lost) }
        }
    }
}

/// There is a repository, and its data cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable;

/// What is lost in a repository, and all that is at stake in it.
pub type Staked = (Answer, Stake);

/// What the last command of the steps would lose in each of the repositories that it works in. `None` where that is not
/// known.
pub fn stakes(
    steps: &[Step],
    is_made_again: &dyn Fn(&Path) -> bool,
) -> Result<Option<Vec<Staked>>, Unreadable> {
    let Some(atom) = steps.last().map(|step| step.atom) else { return Ok(None) };
    let from = steps.iter().position(|step| step.atom == atom).unwrap_or_default();
    let (before, last) = steps.split_at(from);
    if let Some(folder) = reach::made_by_line(before, last) {
        return Ok(Some(vec![(Answer::Nothing, Stake::none(folder))]));
    }
    let Some(reached) = reach::repositories(last)? else { return Ok(None) };
    let mut all = Vec::new();
    for (repository, last) in reached {
        let Some(staked) = staked(&repository, before, &last, is_made_again)? else { return Ok(None) };
        all.push(staked);
    }
    Ok((!all.is_empty()).then_some(all))
}

/// The same in one repository.
fn staked(
    repository: &Repository,
    before: &[Step],
    last: &[Step],
    is_made_again: &dyn Fn(&Path) -> bool,
) -> Result<Option<Staked>, Unreadable> {
    let Some(Looked { lost, stake, takes_git, unclear }) = looked(repository, before, last, is_made_again)
    else {
        return Ok(None);
    };
    Ok(match lost.is_empty() {
        false => Some((Answer::Lost(lost), stake)),
        // A search may find git's own files, and what they lead to.
        true if takes_git => return Err(Unreadable),
        true if unclear => None,
        true => Some((Answer::Nothing, stake)),
    })
}

/// What was found in a repository.
struct Looked {
    lost: Vec<Lost>,
    stake: Stake,
    takes_git: bool,
    unclear: bool,
}

fn looked(
    repository: &Repository,
    before: &[Step],
    last: &[Step],
    is_made_again: &dyn Fn(&Path) -> bool,
) -> Option<Looked> {
    let before = within(before, repository)?;
    let all: Vec<&Step> = before.iter().copied().chain(last).collect();
    let (world, start) = World::read(repository, apply::need_ignored(&all), is_made_again)?;
    if !world.hidden.is_empty() && !before.iter().all(|step| apply::knows_hidden(&step.does)) {
        return None;
    }
    let stake = Stake::of(repository.root(), &start);
    let mut looked = Looked { lost: Vec::new(), stake, takes_git: false, unclear: false };
    for mut state in variants(&world, &start, &before)? {
        let already = world.lost(&state)?;
        for step in last {
            apply::step(&world, &mut state, step)?;
        }
        let is_new = |one: &Lost| {
            let stays = |step: &Step| {
                is_disposable(&world, step, one, is_made_again) || apply::keeps_files(&step.does, one)
            };
            !already.contains(one) && !last.iter().any(stays)
        };
        for one in world.lost(&state)?.into_iter().filter(is_new) {
            if !looked.lost.contains(&one) {
                looked.lost.push(one);
            }
        }
        looked.takes_git |= state.takes_git;
        looked.unclear |= state.unclear;
        looked.stake.add(&start, &state);
    }
    if let (true, Some(Does::Push(push))) = (looked.lost.is_empty(), last.last().map(|step| &step.does)) {
        let fetches = before.iter().any(|step| matches!(step.does, Does::Fetch { .. }));
        remote::is_as_known(&world, &start, push, fetches).then_some(())?;
    }
    Some(looked)
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
fn within<'s>(before: &'s [Step], repository: &Repository) -> Option<Vec<&'s Step>> {
    let mut within = Vec::new();
    for step in before {
        // By their paths, these may come from anywhere, and go anywhere.
        if matches!(step.does, Does::Copy { .. } | Does::Move { staged: false, .. }) {
            within.push(step);
            continue;
        }
        match Repository::around(Path::new(&step.folder)) {
            Ok(Some(other)) if other.root() == repository.root() => within.push(step),
            // Files of another working tree are not in this one, and what is asked about them changes nothing.
            Ok(Some(_))
                if matches!(
                    step.does,
                    Does::Delete { .. }
                        | Does::Overwrite { .. }
                        | Does::Write
                        | Does::Makes { .. }
                        | Does::Nothing
                        | Does::IsUnchanged { .. }
                        | Does::IsClean { .. }
                ) => {}
            Ok(Some(other)) if other.shares_references(repository) => return None,
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    Some(within)
}

/// The states in which the last step may begin: a step that may fail, or not run at all, leaves two.
fn variants(world: &World<'_>, start: &State, before: &[&Step]) -> Option<Vec<State>> {
    let mut states = vec![start.clone()];
    let mut doubts = 0;
    // A push changes nothing here but what is known of a remote, and a question only says whether what follows runs.
    let matters = |step: &&&Step| match step.does {
        Does::Push(_) => false,
        Does::IsUnchanged { .. } | Does::IsClean { .. } => step.runs == Runs::Succeeded,
        _ => true,
    };
    for step in before.iter().filter(matters) {
        let doubtful = match step.runs {
            Runs::Succeeded => false,
            Runs::Tried => !apply::cannot_fail(world, &step.does),
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
