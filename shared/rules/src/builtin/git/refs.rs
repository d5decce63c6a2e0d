//! git: what loses commits, branches, tags and stashes.

use shell::mark;

use super::call::Parsed;
use super::call::is_shared_branch;
use super::calls;
use super::tree::on_tree;
use crate::command::Command;
use crate::rule::{Rule, Severity, When};
use crate::zone::Zone;

pub(super) const STASH: Rule = Rule {
    id: "git.stash-drop",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["stash"], |_, parsed| {
            parsed.begins(&["clear"]) || parsed.begins(&["drop"]) && stashes_itself(command)
        })
    }),
    reason: "It deletes stashed work, and nothing lists it afterwards.",
    instead: "Inspect it with `git stash show -p`, and keep it, or use `git stash pop`.",
    matches: "
        git stash clear
        git stash && git stash drop
        git stash push -u; git switch main; git stash drop
    ",
    spares: "
        git stash pop
        git stash push -m drop
        git stash show -p
        git stash list
    ",
};

pub(super) const STASH_ONE: Rule = Rule {
    id: "git.stash-drop-one",
    severity: Severity::Risky,
    when: When::Loss(|command| on_tree(command, &["stash"], |_, parsed| parsed.begins(&["drop"]))),
    reason: "It deletes stashed work, which can then be found only by the hash that git prints.",
    instead: "Inspect it with `git stash show -p`, and keep it, or use `git stash pop`.",
    matches: "
        git stash drop
        git stash drop -q stash@{1}
    ",
    spares: "
        git stash pop
        git stash list
    ",
};

pub(super) const BRANCH: Rule = Rule {
    id: "git.branch-delete",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["branch"], |_, parsed| {
            if parsed.has(&["-r", "--remotes"]) {
                // Only what this clone remembers of a remote.
                return false;
            }
            let forced = parsed.has(&["-f", "--force"]);
            let shared = || parsed.all().any(is_shared_branch);
            // `git branch -M main` names the branch that is checked out.
            let renames = parsed.has(&["-M"]) && parsed.all().count() == 1;
            let listed = || parsed.all().any(|name| name.contains(mark::is_hole));
            // One branch of one's own is worth a question only: `git.branch-overwrite` asks.
            deletes_branches(parsed) && (shared() || listed() || parsed.all().count() != 1)
                || !renames && (parsed.has(&["-M", "-C"]) || forced) && shared()
        })
    }),
    reason: "It deletes or overwrites a branch whether or not its commits are merged.",
    instead: "Use `git branch -d`, which refuses to lose commits, or rename with `git branch -m`.",
    matches: "
        git branch -D main
        git branch -df one two
        git branch -M feature main
        git branch -f main HEAD~5
        git branch --merged | xargs git branch -D
    ",
    spares: "
        git branch -d merged
        git branch -m old new
        git branch --list 'D*'
        git branch -f scratch HEAD
        git branch -dr origin/gone
        git branch fix-f
    ",
};

pub(super) const TAGS: Rule = Rule {
    id: "git.tag-delete-many",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        calls(command, &["tag"], |_, parsed| parsed.has(&["-d", "--delete"]) && parsed.is_listed())
    }),
    reason: "It deletes every tag that another command prints.",
    instead: "List them with `git tag -l`, and delete one by its name.",
    matches: "
        git tag | xargs git tag -d
        git tag -d $(git tag -l)
    ",
    spares: "
        git tag -d v1.0.0-rc1
        git tag -l
    ",
};

pub(super) const REWRITE: Rule = Rule {
    id: "git.rewrite-history",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        calls(command, &["filter-branch", "filter-repo", "lfs", "obliterate"], |call, parsed| {
            match &*call.sub {
                "filter-repo" => !parsed.has(&["--analyze", "--dry-run", "-h", "--help", "--version"]),
                "lfs" => {
                    parsed.begins(&["migrate"]) && parsed.operands.get(1).is_some_and(|verb| *verb != "info")
                        || parsed.begins(&["prune"])
                            && parsed.has(&["-f", "--force"])
                            && !parsed.has(&["-d", "--dry-run"])
                }
                _ => !parsed.has(&["-h", "--help"]),
            }
        }) || command.name == "bfg" && !command.args().is_empty() && !command.only_asks()
    }),
    reason: "It rewrites history or deletes stored objects; clones and links to commits break.",
    instead: "Work on a fresh clone in another folder, and let a person push the result.",
    matches: "
        git filter-branch --tree-filter 'rm -f key.pem' HEAD
        git filter-repo --invert-paths --path key.pem
        git lfs migrate import --include='*.bin'
        git lfs prune --force
        bfg --delete-files key.pem
    ",
    spares: "
        git filter-repo --analyze
        git lfs migrate info
        git lfs prune --dry-run --force
        git lfs pull
    ",
};

pub(super) const REFS: Rule = Rule {
    id: "git.ref-delete",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        let subs = ["update-ref", "symbolic-ref", "replace", "reflog", "fast-import"];
        on_tree(command, &subs, |call, parsed| match &*call.sub {
            "reflog" => parsed.begins(&["expire", "delete"]) && !parsed.has(&["-n", "--dry-run"]),
            // Without force it refuses to move a branch away from its commits.
            "fast-import" => parsed.has(&["--force"]),
            "update-ref" => {
                // What a file lists is not known, so it may be deletions.
                let lists = |text: &str| text.contains("delete") || text.contains(mark::UNKNOWN);
                parsed.has(&["-d"])
                    || parsed.has(&["--stdin"]) && command.atom.stdin.as_deref().is_some_and(lists)
            }
            _ => parsed.has(&["-d", "--delete"]),
        })
    }),
    reason: "It deletes references that lead to commits.",
    instead: "Check with `git reflog` or `git show-ref`, and leave the references alone.",
    matches: "
        git update-ref -d refs/heads/main
        git symbolic-ref --delete HEAD
        git replace -d abc123
        git reflog expire --expire=now --all
        git reflog delete HEAD@{1}
    ",
    spares: "
        git update-ref refs/heads/scratch HEAD
        git symbolic-ref HEAD
        git reflog
        git reflog show main
        git reflog expire -n --all
    ",
};

pub(super) const WORKTREE: Rule = Rule {
    id: "git.worktree-force",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["worktree", "submodule"], |call, parsed| {
            let forced = parsed.has(&["-f", "--force"]);
            if call.sub == "worktree" {
                // One with a fresh name below `/tmp` is this text's own.
                let is_fresh =
                    |path: &&str| path.contains(mark::TOKEN) && command.target(path).zone == Zone::Temporary;
                parsed.begins(&["remove"]) && forced && !parsed.all().skip(1).all(|path| is_fresh(&path))
            } else {
                parsed.begins(&["deinit"]) && (forced || parsed.has(&["--all"]))
            }
        })
    }),
    reason: "It deletes a working tree together with uncommitted changes in it.",
    instead: "Use `git worktree remove` without force, which refuses while there are changes.",
    matches: "
        git worktree remove --force ../wt
        git worktree remove ../wt -f
        git submodule deinit -f libs/x
        git submodule deinit --all
    ",
    spares: "
        git worktree add ../wt feature
        git worktree remove ../wt
        T=$(mktemp -d); git worktree add $T/x main; git worktree remove --force $T/x
        git worktree prune
        git submodule update --init --force
    ",
};

pub(super) const SUBMODULES: Rule = Rule {
    id: "git.submodule-update",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        calls(command, &["submodule"], |_, parsed| {
            parsed.begins(&["update"]) && parsed.has(&["-f", "--force"])
        })
    }),
    reason: "It throws away uncommitted changes in submodules.",
    instead: "Use `git submodule update` without force, which keeps them.",
    matches: "
        git submodule update --force
        git submodule update -f --init libs/x
    ",
    spares: "
        git submodule update --init
        git submodule status
    ",
};

pub(super) const WORKTREE_COMMITS: Rule = Rule {
    id: "git.worktree-remove",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        calls(command, &["worktree"], |_, parsed| parsed.begins(&["remove"]) && parsed.operands.len() == 2)
    }),
    reason: "It deletes a working tree, the only one that leads to its commits.",
    instead: "Name them first, with `git branch NAME COMMIT`.",
    matches: "
        git worktree remove ../detached
    ",
    spares: "
        git worktree list
        git worktree add ../wt feature
    ",
};

pub(super) const BRANCH_MOVE: Rule = Rule {
    id: "git.branch-overwrite",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["branch"], |_, parsed| {
            let many = parsed.all().count() > 1;
            deletes_branches(parsed)
                || parsed.has(&["-M"]) && (many || !is_new(command))
                || parsed.has(&["-C", "-f", "--force"]) && many
        })
    }),
    reason: "It deletes or overwrites a branch; commits that are not merged remain only in the reflog.",
    instead: "Use `git branch -d` or `git branch -m`, which refuse to lose commits.",
    matches: "
        git branch -M old new
        git branch -M main
        git branch -f feature HEAD~3
        git branch -D feature
        git branch --delete --force feature
    ",
    spares: "
        git init && git add . && git commit -m first && git branch -M main
        git branch -m old new
        git branch -c old copy
        git branch feature
    ",
};

pub(super) const FETCH: Rule = Rule {
    id: "git.fetch-overwrite",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        calls(command, &["fetch", "pull"], |_, parsed| {
            let forced = parsed.has(&["-f", "--force"]);
            parsed.operands.iter().skip(1).any(|refspec| overwrites_branch(refspec, forced))
        })
    }),
    reason: "It puts a branch of this clone where the remote's is, and leaves its own commits behind.",
    instead: "Fetch it without force, such as `git fetch origin main`, and look at `FETCH_HEAD`.",
    matches: "
        git fetch origin +main:main
        git fetch origin '+refs/heads/*:refs/heads/*'
        git fetch -f origin dev:dev
    ",
    spares: "
        git fetch origin main
        git fetch origin main:main
        git fetch origin '+refs/heads/*:refs/remotes/origin/*'
        git fetch -f origin pull/12/head:pr-12
    ",
};

/// Whether a refspec moves a branch of this clone, whatever commits that branch has.
fn overwrites_branch(refspec: &str, forced: bool) -> bool {
    let plain = refspec.strip_prefix('+');
    let Some((from, to)) = plain.unwrap_or(refspec).split_once(':') else { return false };
    // What someone proposes comes into a branch of its own, to be looked at.
    let proposed = ["refs/pull/", "pull/", "refs/merge-requests/", "merge-requests/", "refs/changes/"];
    if proposed.iter().any(|start| from.starts_with(start)) {
        return false;
    }
    let others = ["refs/remotes/", "refs/pull/", "refs/tags/", "remotes/", "refs/notes/", "refs/original/"];
    (forced || plain.is_some()) && !to.is_empty() && !others.iter().any(|start| to.starts_with(start))
}

pub(super) const TAG: Rule = Rule {
    id: "git.tag-delete",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["tag"], |_, parsed| {
            parsed.has(&["-d", "--delete"]) && parsed.all().next().is_some()
        })
    }),
    reason: "It deletes a tag, which may mark a release.",
    instead: "Make a new tag with `git tag v1.2.4` and leave the old one.",
    matches: "
        git tag -d v1.0.0
        git tag --delete v1.0.0
    ",
    spares: "
        git tag v1.0.0
        git tag -a v1.0.0 -m 'drop -d'
        git tag --list
    ",
};

pub(super) const TAG_MOVE: Rule = Rule {
    id: "git.tag-overwrite",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        calls(command, &["tag"], |_, parsed| parsed.has(&["-f", "--force"]) && parsed.all().next().is_some())
    }),
    reason: "It puts a tag elsewhere, and nothing notes where it was.",
    instead: "Make a new tag with `git tag v1.2.4` and leave the old one.",
    matches: "
        git tag -f v1.0.0
        git tag --force -a v1.0.0 -m again HEAD~1
    ",
    spares: "
        git tag v1.0.1
        git tag -l
    ",
};

pub(super) const STASH_POP: Rule = Rule {
    id: "git.stash-pop",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| calls(command, &["stash"], |_, parsed| parsed.begins(&["pop"]))),
    reason: "It deletes the stash, and what was staged in it comes back only as it was in the working tree.",
    instead: "Use `git stash pop --index`, or `git stash apply`, which leaves the stash.",
    matches: "
        git stash pop
        git stash pop stash@{1}
    ",
    spares: "
        git stash apply
        git stash list
    ",
};

pub(super) const BRANCH_RESET: Rule = Rule {
    id: "git.branch-reset",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        calls(command, &["checkout", "co", "switch", "sw", "update-ref"], |call, parsed| match &*call.sub {
            "update-ref" => !parsed.has(&["-d", "--stdin"]),
            "checkout" | "co" => parsed.value(&["-B"]).is_some(),
            _ => parsed.value(&["-C", "--force-create"]).is_some(),
        })
    }),
    reason: "It moves a branch that exists, and leaves its commits behind.",
    instead: "Choose a new name, with `git switch -c NAME`.",
    matches: "
        git checkout -B my-branch origin/main
        git switch -C my-branch
        git switch --force-create my-branch main
        git update-ref refs/heads/my-branch main
    ",
    spares: "
        git checkout -b my-branch
        git switch -c my-branch
        git switch my-branch
        git update-ref --stdin
    ",
};

pub(super) const DETACHED: Rule = Rule {
    id: "git.leave-detached",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        calls(command, &["checkout", "co", "switch", "sw"], |call, parsed| {
            let leaves = !parsed.dashed && !parsed.operands.is_empty();
            leaves && call.folder().is_some_and(|folder| command.facts.may_be_detached(&folder))
        })
    }),
    reason: "It leaves commits to which no branch leads.",
    instead: "Give them a branch first, with `git branch NAME`.",
    matches: "
        git checkout main
        git switch main
        git checkout -
    ",
    spares: "
        git checkout -- Cargo.lock
        git switch -c my-branch
        git checkout -b my-branch
    ",
};

pub(super) const NOTES: Rule = Rule {
    id: "git.notes-delete",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        calls(command, &["notes", "sparse-checkout", "annex", "rerere"], |call, parsed| match &*call.sub {
            "notes" => {
                parsed.begins(&["remove", "prune"]) && !parsed.has(&["-n", "--dry-run"])
                    || parsed.begins(&["add", "copy"]) && parsed.has(&["-f", "--force"])
            }
            // With a set that holds next to nothing, it takes every other file out of the folder.
            "sparse-checkout" => {
                parsed.begins(&["set"]) && parsed.all().nth(1).is_none_or(|set| set == "none")
            }
            "annex" => {
                parsed.begins(&["drop", "dropunused", "dropkey", "uninit", "unannex", "forget"])
                    && (parsed.has(&["--force"]) || parsed.begins(&["uninit", "forget"]))
            }
            _ => parsed.begins(&["clear", "forget", "gc"]),
        })
    }),
    reason: "It deletes notes, contents or recorded resolutions that no commit holds.",
    instead: "List them first, such as with `git notes list` or `git annex whereis`.",
    matches: "
        git notes remove HEAD
        git notes prune
        git annex drop --force .
        git sparse-checkout set none
        git rerere clear
    ",
    spares: "
        git notes add -m x
        git notes list
        git notes prune -n
        git annex drop big.bin
        git sparse-checkout set src docs
        git rerere diff
    ",
};

pub(super) const OBJECTS: Rule = Rule {
    id: "git.prune",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["gc", "prune"], |call, parsed| {
            let at_once = |when: &str| matches!(when, "now" | "all" | "0");
            let now = || {
                parsed.value(&["--prune"]).or_else(|| call.setting("gc.pruneExpire")).is_some_and(at_once)
                    || call.setting("gc.reflogExpire").is_some_and(at_once)
                    || call.setting("gc.reflogExpireUnreachable").is_some_and(at_once)
            };
            // gc keeps what is younger than two weeks unless it is asked for more.
            if call.sub == "gc" { now() } else { !parsed.has(&["-n", "--dry-run"]) }
        })
    }),
    reason: "It deletes commits and files that only the reflog, or nothing at all, points to.",
    instead: "Use `git gc`, which keeps recent objects, or look first with `git prune -n`.",
    matches: "
        git prune --expire=now
        git gc --prune=now
        git -c gc.pruneExpire=now gc
        git -c gc.reflogExpire=now -c gc.pruneExpire=now gc
        git gc --aggressive --prune=all
    ",
    spares: "
        git gc
        git gc --auto
        git prune -n
        git remote prune origin
        git fetch --prune
    ",
};

/// Whether `git branch` deletes, whether or not everything is merged.
fn deletes_branches(parsed: &Parsed<'_>) -> bool {
    let remembered = parsed.has(&["-r", "--remotes"]);
    let forced = parsed.has(&["-f", "--force"]) && parsed.has(&["-d", "--delete"]);
    !remembered && (parsed.has(&["-D"]) || forced)
}

/// Whether the same text makes the repository: there is nothing to lose in it.
fn is_new(command: &Command<'_>) -> bool {
    let makes = |atom: &shell::Atom| {
        atom.program() == "git"
            && atom.args.get(1).is_some_and(|sub| sub.text == "init")
            && atom.cwd == command.atom.cwd
    };
    command.analysis.atoms.iter().any(makes)
}

/// Whether the same text puts into the stash what it then deletes.
fn stashes_itself(command: &Command<'_>) -> bool {
    let stashes = |atom: &shell::Atom| {
        let mut words = atom.args.iter().skip_while(|arg| arg.text != "stash").skip(1);
        atom.program() == "git"
            && atom.args.iter().any(|arg| arg.text == "stash")
            && words.next().is_none_or(|word| {
                word.text.starts_with('-') || matches!(word.text.as_str(), "push" | "save")
            })
    };
    command.analysis.atoms.iter().any(stashes)
}
