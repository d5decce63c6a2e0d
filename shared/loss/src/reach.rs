//! Which repositories a command works in: the one around its folder, or those around the paths that it names.

use std::path::{Component, Path, PathBuf};

use repository::Repository;
use rules::loss::{Does, Reset, Step};

use crate::{Unreadable, worktree};

/// A repository, and the steps in it.
type Reached = (Repository, Vec<Step>);

/// The last steps, in each repository that they work in. Inner `None` where there is none.
pub(crate) fn repositories(last: &[Step]) -> Result<Option<Vec<Reached>>, Unreadable> {
    let mut all: Vec<Reached> = Vec::new();
    for step in last {
        match &step.does {
            Does::Delete { paths, deep } => {
                for path in paths {
                    // What git lists lies around the folder.
                    let full = plain(Path::new(&step.folder), path);
                    let around =
                        if path.starts_with('\0') { Path::new(&step.folder) } else { folder_of(&full) };
                    // A whole tree goes from a folder that is in none.
                    let Some(repository) =
                        open(around)?.map_or_else(|| open(&full), |found| Ok(Some(found)))?
                    else {
                        // Of what lies outside, nothing is known.
                        if is_there(&full) {
                            return Ok(None);
                        }
                        continue;
                    };
                    let path = if path.starts_with('\0') { path.clone() } else { within(&repository, &full) };
                    let folder = repository.root().to_string_lossy().into_owned();
                    let does = Does::Delete { paths: vec![path], deep: *deep };
                    join(&mut all, repository, Step { folder, does, ..step.clone() });
                }
            }
            Does::Overwrite { paths } => {
                for path in paths {
                    let Some(repository) = open(folder_of(Path::new(path)))? else { continue };
                    let does = Does::Overwrite { paths: vec![path.clone()] };
                    join(&mut all, repository, Step { does, ..step.clone() });
                }
            }
            Does::Put { into, .. } => {
                if let Some(repository) = open(Path::new(into))? {
                    join(&mut all, repository, step.clone());
                }
            }
            Does::RemoveWorktree { path, .. } => {
                let Some(around) = open(Path::new(&step.folder))? else { continue };
                let full = plain(Path::new(&step.folder), path);
                if worktree::is_gone(&around, &full, path) {
                    join(&mut all, around, Step { does: Does::PruneWorktrees, ..step.clone() });
                    continue;
                }
                // Of a working tree that is removed, the question is what it holds itself.
                match worktree::named(&around, &full, path) {
                    Some(Some(removed)) => join(&mut all, removed, step.clone()),
                    Some(None) => join(&mut all, around, Step { does: Does::Nothing, ..step.clone() }),
                    None => return Ok(None),
                }
            }
            _ => {
                let Some(repository) = open(Path::new(&step.folder))? else { return Ok(None) };
                join(&mut all, repository, step.clone());
            }
        }
    }
    Ok((!all.is_empty()).then_some(all))
}

/// Adds a step to those in the same repository.
fn join(all: &mut Vec<Reached>, repository: Repository, step: Step) {
    let Some((_, steps)) = all.iter_mut().find(|(known, _)| known.root() == repository.root()) else {
        all.push((repository, vec![step]));
        return;
    };
    match (steps.last_mut().map(|last| &mut last.does), step.does) {
        (Some(Does::Delete { paths, .. }), Does::Delete { paths: more, .. })
        | (Some(Does::Overwrite { paths }), Does::Overwrite { paths: more }) => paths.extend(more),
        (_, does) => steps.push(Step { does, ..step }),
    }
}

/// The repository around a folder, or around the first one above it that is there.
fn open(folder: &Path) -> Result<Option<Repository>, Unreadable> {
    let Some(folder) = folder.ancestors().find(|folder| folder.exists()) else { return Ok(None) };
    match Repository::around(folder) {
        // Its index may be in a form that libgit2 does not know.
        Ok(Some(repository)) if repository.libgit2().index().is_ok() => Ok(Some(repository)),
        Ok(None) => Ok(None),
        Ok(Some(_)) | Err(_) => Err(Unreadable),
    }
}

/// A path as it is written in a folder, without what leads back.
fn plain(folder: &Path, path: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Whether something has this path, or may have, if it is a pattern.
fn is_there(full: &Path) -> bool {
    is_wild(full) || full.symlink_metadata().is_ok()
}

fn is_wild(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// The folder that a path lies in: of one with wildcards, as far as it is known.
fn folder_of(full: &Path) -> &Path {
    let known = full.ancestors().find(|path| !is_wild(path)).unwrap_or(full);
    // A link is deleted itself, and so is a repository, from the one around it.
    if known == full { full.parent().unwrap_or(full) } else { known }
}

/// A path as it is seen from the root of a repository, with its links followed up to its last part.
fn within(repository: &Repository, full: &Path) -> String {
    let root = std::fs::canonicalize(repository.root()).unwrap_or_else(|_| repository.root().to_owned());
    let seen = |path: &Path| path.strip_prefix(&root).ok().map(|path| path.to_string_lossy().into_owned());
    let folder = folder_of(full);
    let rest = full.strip_prefix(folder).unwrap_or(full);
    let real = std::fs::canonicalize(folder).map(|folder| folder.join(rest)).ok();
    let inside = real.and_then(|real| seen(&real)).or_else(|| seen(full));
    match inside {
        Some(inside) if inside.is_empty() => ".".to_owned(),
        Some(inside) => inside,
        None => full.to_string_lossy().into_owned(),
    }
}

/// The folder in which the last steps work, if the line makes it, and nothing of what they do reaches further.
pub(crate) fn made_by_line<'s>(before: &[Step], last: &'s [Step]) -> Option<&'s Path> {
    let folder = Path::new(&last.first()?.folder);
    let (made, shares) = before.iter().find_map(|step| match &step.does {
        Does::Makes { folder: path, shares } => {
            let made = plain(Path::new(&step.folder), path);
            folder.starts_with(&made).then_some((made, *shares))
        }
        _ => None,
    })?;
    let stays = |step: &Step| match &step.does {
        Does::Reset(Reset { words, .. }) => !shares || words.iter().all(|word| word == "HEAD"),
        Does::Restore(_) | Does::Clean(_) | Does::Remove { .. } => true,
        Does::Checkout(checkout) => checkout.branch.is_none(),
        _ => false,
    };
    (!made.exists() && last.iter().all(stays)).then_some(folder)
}
