//! git, and other version control.

mod call;
mod others;
mod paths;
mod push;
mod refs;
mod settings;
mod step;
mod tree;

use super::containers::is_in_new_container;
use crate::command::Command;
use crate::rule::Covers;
use crate::rule::Family;
use call::{GitCall, Parsed};
pub(crate) use step::{GitStep, asks_for_changes, git_step, may_be_alias, reversed};

pub(super) static FAMILY: Family = Family {
    id: "git",
    title: "Version control",
    covers: Covers::Also(catalog::family("git"), |name| name.starts_with("git-")),
    rules: &[
        tree::RESET,
        tree::CLEAN,
        tree::CHECKOUT,
        tree::RESTORE,
        tree::SWITCH,
        tree::PLUMBING,
        tree::REMOVE_ALL,
        push::FORCE,
        push::DELETE_SHARED,
        push::DELETE,
        refs::STASH,
        refs::BRANCH,
        refs::TAGS,
        refs::REWRITE,
        refs::REFS,
        others::DISCARD,
        refs::WORKTREE,
        refs::SUBMODULES,
        refs::WORKTREE_COMMITS,
        refs::STASH_ONE,
        tree::CLEAN_IGNORED,
        tree::FILE,
        tree::DISPOSABLE,
        tree::REMOVE,
        tree::UNSTAGE,
        push::DELETE_OWN,
        push::LEASE,
        push::DEPLOY,
        refs::BRANCH_MOVE,
        refs::FETCH,
        refs::TAG,
        refs::TAG_MOVE,
        refs::STASH_POP,
        refs::BRANCH_RESET,
        refs::DETACHED,
        tree::UNSAVED,
        refs::NOTES,
        refs::OBJECTS,
        settings::SKIP,
        settings::SETTINGS,
        settings::UNVERIFIED,
        settings::APPLY,
        others::RISK,
    ],
};

/// Whether git runs one of the sub-commands and `test` holds for it.
fn calls(command: &Command<'_>, subs: &[&str], test: impl Fn(&GitCall<'_, '_>, &Parsed<'_>) -> bool) -> bool {
    if !(matches!(&*command.name, "git" | "hub" | "yadm") || command.name.starts_with("git-")) {
        return false;
    }
    let Some(call) = GitCall::of(command).filter(|call| subs.contains(&&*call.sub)) else { return false };
    let parsed = call.parsed();
    // A clone in a container that is thrown away has nothing to lose; what it sends stays sent.
    let is_lost = || call.sub == "push" || !is_in_new_container(command);
    !parsed.has_beginning("--help") && test(&call, &parsed) && is_lost()
}
