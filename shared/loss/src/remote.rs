//! What is known of a remote that is pushed to.

use std::path::PathBuf;

use rules::loss::Push;

use crate::apply::Applied;
use crate::state::{Commit, State, World};

/// Whether what is known here of the branches that a push overwrites is what the remote has: it lies on this disk, or
/// checks that itself. `fetches` says whether something was fetched by the same line.
pub(crate) fn is_as_known(world: &World<'_>, start: &State, push: &Push, fetches: bool) -> bool {
    is_known(world, start, push, fetches).unwrap_or_default()
}

fn is_known(world: &World<'_>, start: &State, push: &Push, fetches: bool) -> Option<bool> {
    if push.all || !is_usual(world, push) {
        return None;
    }
    let mut start = start.clone();
    let (remote, targets) = Applied::at_root(world, &mut start).targets(push)?;
    let tracked = |name: &str| match start.references.get(&format!("refs/remotes/{remote}/{name}")) {
        Some(Commit::Real(id)) => Some(*id),
        _ => None,
    };
    let is_tag =
        |git: &git2::Repository, name: &str| git.find_reference(&format!("refs/tags/{name}")).is_ok();
    if !targets.is_empty() && targets.iter().all(|(_, to)| to.is_none()) && !push.prunes {
        // What is not there is not deleted.
        let there = on_disk(world, &remote).and_then(|path| git2::Repository::open(path).ok());
        let is_there = |there: &git2::Repository, name: &str| {
            let full = ["", "refs/heads/", "refs/tags/"].map(|folder| format!("{folder}{name}"));
            full.iter().any(|name| there.find_reference(name).is_ok())
        };
        if there.is_some_and(|there| !targets.iter().any(|(name, _)| is_there(&there, name))) {
            return Some(true);
        }
    }
    let mut names = targets.iter().map(|(name, _)| name.as_str()).filter(|name| !name.starts_with("refs/"));
    if targets.iter().any(|(name, _)| name.starts_with("refs/")) || targets.is_empty() {
        return None;
    }
    if push.prunes {
        let there = git2::Repository::open(on_disk(world, &remote)?).ok()?;
        // It may take any branch, also those that no one here has seen.
        let heads = there.references_glob("refs/heads/*").ok()?;
        let is_seen = |head: git2::Reference<'_>| {
            head.shorthand().is_ok_and(|name| head.target().is_some() && head.target() == tracked(name))
        };
        return Some(
            heads.filter_map(Result::ok).all(is_seen)
                && !targets.iter().any(|(name, _)| is_tag(&there, name)),
        );
    }
    let Some(there) = on_disk(world, &remote).and_then(|path| git2::Repository::open(path).ok()) else {
        // What was fetched just now was not looked at.
        let is_safe = |name: &str| tracked(name).is_some() && !is_tag(world.git, name);
        return Some(push.leased && !fetches && names.all(is_safe));
    };
    Some(names.all(|name| {
        let branch = there.refname_to_id(&format!("refs/heads/{name}")).ok();
        branch == tracked(name) && !is_tag(&there, name) && !is_tag(world.git, name)
    }))
}

/// Whether no setting says that a push goes elsewhere, or takes more along.
fn is_usual(world: &World<'_>, push: &Push) -> bool {
    let Ok(settings) = world.git.config() else { return false };
    let simple =
        || settings.get_string("push.default").map_or(true, |how| how == "simple" || how == "upstream");
    let Ok(mut all) = settings.entries(None) else { return false };
    let mut turns = false;
    while let Some(Ok(entry)) = all.next() {
        let Ok(name) = entry.name() else { return false };
        let remote = name.strip_prefix("remote.").or(name.strip_prefix("branch.")).unwrap_or_default();
        let more = [".mirror", ".push", ".pushremote"].iter().any(|ending| remote.ends_with(ending));
        turns |= more || remote == "pushdefault";
    }
    !turns && (!push.specs.is_empty() || simple())
}

/// The folder of a remote that is one.
fn on_disk(world: &World<'_>, remote: &str) -> Option<PathBuf> {
    let settings = world.git.config().ok()?;
    let mut places = 0;
    let pushed = settings.multivar(&format!("remote.{remote}.pushurl"), None).ok()?;
    pushed.for_each(|_| places += 1).ok()?;
    if places > 1 {
        return None;
    }
    let remote = world.git.find_remote(remote).ok()?;
    let address = remote.pushurl().ok().flatten().or(remote.url().ok())?;
    let path = address.strip_prefix("file://").unwrap_or(address);
    // `host:path` is another machine.
    let is_path = path.starts_with(['/', '.']) && !path.contains("://");
    is_path.then(|| world.root().join(path))
}
