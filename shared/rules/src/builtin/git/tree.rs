//! git: what throws away uncommitted work.

use super::call::{GitCall, Parsed, is_off, is_shared_branch};
use super::paths::{are_work, is_path, is_whole_tree, is_wide, may_be_work};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(super) const RESET: Rule = Rule {
    id: "git.reset-hard",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["reset"], |_, parsed| parsed.has(&["--hard", "--merge", "--keep"]))
    }),
    reason: "It throws away uncommitted changes, which git cannot restore.",
    instead: "Keep the work with `git stash push -u`, or move only the branch with `git reset --soft`.",
    matches: "
        git reset --hard
        git -C ../app reset -q --hard HEAD~3
        git reset HEAD --har
        git --git-dir=.git --work-tree . reset --merge
        /usr/lib/git-core/git-reset --hard
    ",
    spares: "
        git reset --soft HEAD~1
        git reset HEAD~1
        git reset -- hard.txt
        git log --grep='reset --hard'
        git -C /tmp/clone reset --hard origin/main
    ",
};

pub(super) const CLEAN: Rule = Rule {
    id: "git.clean",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["clean"], |call, parsed| cleans(command, call, parsed) && !parsed.has(&["-X"]))
    }),
    reason: "It deletes files that git does not know, and with them work that cannot be recovered.",
    instead: "List them first with `git clean -nd`, then delete by name what you made yourself.",
    matches: "
        git clean -fdx
        git clean -d --force
        git clean -e keep -f
        git -c clean.requireForce=false clean -d
        git -c clean.requireForce=no clean
    ",
    spares: "
        git clean -n
        git clean -fdn
        git clean --dry-run -fdx
        git clean -fdx node_modules dist/
    ",
};

pub(super) const CLEAN_IGNORED: Rule = Rule {
    id: "git.clean-ignored",
    severity: Severity::Risky,
    when: When::Loss(|command| on_tree(command, &["clean"], |call, parsed| cleans(command, call, parsed))),
    reason: "It deletes every ignored file: what tools generate again, and settings such as `.env`.",
    instead: "List them first with `git clean -ndX`, then delete by name: `rm -rf dist`.",
    matches: "
        git clean -fdX
        git clean -Xf
    ",
    spares: "
        git clean -ndX
        git clean -fX dist
    ",
};

pub(super) const CHECKOUT: Rule = Rule {
    id: "git.checkout-discard",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["checkout", "co"], |_, parsed| {
            checkout_discards(command, parsed) && !names_one_file(parsed, true)
        })
    }),
    reason: "It overwrites files of the working tree, and uncommitted changes in them are gone.",
    instead: "Keep the changes first with `git stash push`, or look at the other version with `git show HEAD:file`.",
    matches: "
        git checkout -- .
        git checkout .
        git checkout -f
        git checkout -qf main
        git checkout HEAD~2 -- src/lib.rs src/main.rs
        git checkout main src
        git checkout --theirs .
        git checkout '*.rs'
        git checkout -B main origin/main
    ",
    spares: "
        git checkout main
        git checkout -b fix/clean-up
        git checkout -bfix
        git checkout release/1.2
        git checkout feature --
        git checkout -B my-branch
        git checkout -- package-lock.json
        git checkout --theirs src/conflict.rs
        git checkout -p
        git checkout HEAD -- $(git ls-files --deleted)
    ",
};

pub(super) const RESTORE: Rule = Rule {
    id: "git.restore",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["restore"], |_, parsed| {
            restore_discards(command, parsed) && !names_one_file(parsed, false)
        })
    }),
    reason: "It overwrites files of the working tree, and uncommitted changes in them are gone.",
    instead: "Keep the changes first with `git stash push`, or only unstage with `git restore --staged`.",
    matches: "
        git restore .
        git restore src/
        git restore -SW .
        git restore --staged --worktree src
        git restore src/lib.rs src/main.rs
        git restore --sour=main src
    ",
    spares: "
        git restore --staged .
        git restore -S src/lib.rs
        git restore --stag --source=HEAD~1 src
        git restore -p
        git restore Cargo.lock
        git diff --name-only --diff-filter=D | xargs git restore
    ",
};

pub(super) const FILE: Rule = Rule {
    id: "git.discard-file",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["checkout", "co"], |_, parsed| checkout_discards(command, parsed))
            || on_tree(command, &["restore"], |_, parsed| restore_discards(command, parsed))
    }),
    reason: "It overwrites a file, and uncommitted changes in it are gone.",
    instead: "Keep the changes first with `git stash push src/lib.rs`, or undo your own edit by hand.",
    matches: "
        git checkout -- src/lib.rs
        git checkout HEAD~2 -- src/lib.rs
        git restore src/lib.rs
        git restore -s HEAD~1 -- src/lib.rs
    ",
    spares: "
        git restore --staged src/lib.rs
        git checkout -- Cargo.lock
        git show HEAD:src/lib.rs
    ",
};

pub(super) const DISPOSABLE: Rule = Rule {
    id: "git.discard-tracked",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        on_tree(command, &["checkout", "restore"], |call, parsed| {
            let unstages = call.sub == "restore" && parsed.has(&["-S", "--staged"]);
            !unstages && parsed.all().any(|path| may_be_work(command, path))
        })
    }),
    reason: "It overwrites a file in a folder that git tracks, and uncommitted changes in it are gone.",
    instead: "Keep the changes first with `git stash push logs/notes.txt`.",
    matches: "
        git checkout -- logs/notes.txt
        git restore vendor
    ",
    spares: "
        git checkout -- node_modules
        git restore Cargo.lock
    ",
};

pub(super) const UNSTAGE: Rule = Rule {
    id: "git.unstage",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        on_tree(command, &["reset", "restore"], |call, parsed| {
            if call.sub == "restore" {
                return parsed.has(&["-S", "--staged"]);
            }
            let moves = parsed.operands.first().is_some_and(|first| *first != "HEAD");
            !parsed.has(&["--soft"]) && (parsed.dashed || !moves)
        })
    }),
    reason: "It takes back what is staged, and the files hold something else by now.",
    instead: "Commit what is staged first, with `git commit`.",
    matches: "
        git restore --staged src/lib.rs
        git reset
        git reset HEAD src/lib.rs
        git reset -- src/lib.rs
    ",
    spares: "
        git reset --soft HEAD~1
        git reset HEAD~1
        git restore src/lib.rs
    ",
};

pub(super) const SWITCH: Rule = Rule {
    id: "git.switch-discard",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["switch", "sw"], |_, parsed| {
            parsed.has(&["-f", "--force", "--discard-changes"]) && !parsed.has_beginning("--force-c")
                || parsed.value(&["-C", "--force-create"]).is_some_and(is_shared_branch)
        })
    }),
    reason: "It throws away uncommitted changes, or moves a shared branch.",
    instead: "Keep the changes first with `git stash push`, then `git switch main`.",
    matches: "
        git switch -f main
        git switch --discard-changes main
        git switch -C main origin/main
        git switch main --discard
    ",
    spares: "
        git switch main
        git switch -c feature
        git switch -C feature origin/main
        git switch --force-create feature
        git switch -
    ",
};

pub(super) const PLUMBING: Rule = Rule {
    id: "git.overwrite-tree",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["read-tree", "checkout-index"], |call, parsed| {
            if call.sub == "read-tree" {
                parsed.has(&["--reset"]) && !parsed.has(&["-n", "--dry-run"])
            } else {
                parsed.has(&["-f", "--force"])
            }
        })
    }),
    reason: "It overwrites files of the working tree without looking at uncommitted changes.",
    instead: "Keep the changes first with `git stash push`, then use `git switch` or `git merge`.",
    matches: "
        git read-tree -u --reset HEAD~3
        git checkout-index -f -a
    ",
    spares: "
        git read-tree -m HEAD
        git read-tree --empty
        git checkout-index -a
    ",
};

pub(super) const REMOVE_ALL: Rule = Rule {
    id: "git.rm-all",
    severity: Severity::Destructive,
    when: When::Loss(|command| {
        on_tree(command, &["rm"], |_, parsed| {
            removes(parsed)
                && parsed.has(&["-r"])
                && (parsed.has(&["-f", "--force"]) || parsed.all().any(is_whole_tree))
        })
    }),
    reason: "It deletes files of the working tree, and with force also changes that were never committed.",
    instead: "Use `git rm --cached` to only stop tracking, or name the files one by one.",
    matches: "
        git rm -rf .
        git rm -r --force src
        git rm -r .
    ",
    spares: "
        git rm -r --cached .
        git rm src/old.rs
        git rm -rfn .
    ",
};

pub(super) const REMOVE: Rule = Rule {
    id: "git.rm",
    severity: Severity::Risky,
    when: When::Loss(|command| {
        on_tree(command, &["rm"], |_, parsed| removes(parsed) && parsed.has(&["-f", "--force"]))
    }),
    reason: "It deletes files with changes that were never committed.",
    instead: "Omit the force option: `git rm -r old` refuses to lose changes.",
    matches: "
        git rm -f old/*.rs
        git rm -f src/old.rs
    ",
    spares: "
        git rm src/old.rs
        git rm -r old
        git rm -r --cached build
        git rm --dry-run -r old
    ",
};

pub(super) const UNSAVED: Rule = Rule {
    id: "git.unsaved",
    severity: Severity::Risky,
    when: When::KnownLoss(|command| {
        let subs = [
            "mv",
            "checkout",
            "co",
            "restore",
            "read-tree",
            "rm",
            "reset",
            "apply",
            "symbolic-ref",
            "worktree",
            "merge",
            "rebase",
            "cherry-pick",
            "revert",
            "am",
            "submodule",
        ];
        on_tree(command, &subs, is_unsaved)
    }),
    reason: "It takes away what no commit, no stash and no other file holds.",
    instead: "Keep it first, with `git stash push` or a commit, and commits with `git branch NAME`.",
    matches: "
        git mv -f a.rs b.rs
        git checkout --theirs src/conflict.rs
        git reset HEAD~1
        git read-tree HEAD
        git read-tree --empty
        git rm src/old.rs
        git diff --cached | git apply -R --cached
        git symbolic-ref HEAD refs/heads/main
        git worktree add -B feature ../wt main
        git worktree prune
        git merge --abort
        git rebase --abort
        git submodule update
    ",
    spares: "
        git mv a.rs b.rs
        git checkout main
        git reset --soft HEAD~1
        git read-tree -m HEAD
        git rm --cached src/old.rs
        git symbolic-ref HEAD
        git worktree add ../wt feature
        git worktree list
        git merge feature
        git rebase --continue
        git submodule status
    ",
};

/// Whether it is one of the calls that git does not protect as it does others.
fn is_unsaved(call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> bool {
    let tries = parsed.has(&["-n", "--dry-run"]);
    let forced = parsed.has(&["-f", "--force"]);
    match &*call.sub {
        "mv" => forced && !tries,
        "checkout" | "co" | "restore" => {
            parsed.has(&["--ours", "--theirs", "-m", "--merge", "--conflict"])
                && parsed.all().next().is_some()
        }
        "read-tree" => !tries && !parsed.has(&["--reset", "-m", "--prefix", "--index-output"]),
        "rm" => !tries && !forced && !parsed.has(&["--cached"]),
        // What else it does to what is staged is `git.unstage`.
        "reset" => {
            let moves = parsed.operands.first().is_some_and(|first| *first != "HEAD");
            moves && !parsed.dashed && !parsed.has(&["--hard", "--soft", "--merge", "--keep"])
        }
        "apply" => parsed.has(&["-R", "--reverse"]) && parsed.has(&["--cached"]),
        "symbolic-ref" => parsed.operands.len() == 2,
        "worktree" => {
            parsed.begins(&["add"]) && parsed.value(&["-B"]).is_some() || parsed.begins(&["prune"]) && !tries
        }
        "submodule" => parsed.begins(&["update"]) && !forced,
        _ => parsed.has(&["--abort"]),
    }
}

/// Whether git runs one of the sub-commands, in a place where work can be lost, and `test` holds.
pub(super) fn on_tree(
    command: &Command<'_>,
    subs: &[&str],
    test: impl Fn(&GitCall<'_, '_>, &Parsed<'_>) -> bool,
) -> bool {
    super::calls(command, subs, |call, parsed| test(call, parsed) && !call.is_in_temporary_clone())
}

fn cleans(command: &Command<'_>, call: &GitCall<'_, '_>, parsed: &Parsed<'_>) -> bool {
    let forced = parsed.has(&["-f", "--force"]) || call.setting("clean.requireForce").is_some_and(is_off);
    let mut paths = parsed.all().peekable();
    let everything = paths.peek().is_none();
    // git refuses to clean without force, unless a setting says otherwise.
    forced && !parsed.has(&["-n", "--dry-run"]) && (everything || are_work(command, paths))
}

fn checkout_discards(command: &Command<'_>, parsed: &Parsed<'_>) -> bool {
    // It asks about each piece.
    if parsed.has(&["-p", "--patch"]) {
        return false;
    }
    if parsed.has(&["-f", "--force", "--pathspec-from-file"]) {
        return true;
    }
    if let Some(branch) = parsed.value(&["-B"]) {
        // `-B` moves a branch that exists; one's own may go anywhere.
        return is_shared_branch(branch);
    }
    // Switching to a branch carries changes along, or is refused.
    if parsed.has(&["-b", "--orphan", "-t", "--track", "--detach", "-d"]) {
        return false;
    }
    if brings_back(command, parsed) {
        return false;
    }
    if parsed.has(&["--ours", "--theirs"]) {
        // Taking one side of one conflict is how merges are finished.
        return parsed.all().any(is_wide);
    }
    if parsed.dashed {
        return are_work(command, parsed.paths.iter().copied());
    }
    match parsed.operands.as_slice() {
        [] => false,
        // One word may be a branch; only a path loses changes.
        [one] => is_path(command, one) && are_work(command, std::iter::once(*one)),
        [first, rest @ ..] => are_work(command, rest.iter().copied()) || is_whole_tree(first),
    }
}

/// Whether its paths are those that git itself has listed as deleted: they come back, and nothing is lost.
fn brings_back(command: &Command<'_>, parsed: &Parsed<'_>) -> bool {
    let mut paths = parsed.all().filter(|path| *path != "HEAD").peekable();
    if paths.peek().is_none() || !paths.all(shell::mark::any) {
        return false;
    }
    let mut lists = command.analysis.atoms.iter().filter(|atom| {
        let says = |words: &[&str]| atom.args.iter().any(|arg| words.contains(&arg.text.as_str()));
        atom.program() == "git" && says(&["diff", "ls-files", "status"]) && atom.captured
    });
    // One list of something else, and who knows which of them is meant.
    lists.clone().next().is_some()
        && lists.all(|atom| {
            let says = |words: &[&str]| atom.args.iter().any(|arg| words.contains(&arg.text.as_str()));
            says(&["diff"]) && says(&["--diff-filter=D"]) || says(&["ls-files"]) && says(&["-d", "--deleted"])
        })
}

fn restore_discards(command: &Command<'_>, parsed: &Parsed<'_>) -> bool {
    if brings_back(command, parsed) {
        return false;
    }
    // To unstage leaves the file as it is.
    let staged_only = parsed.has(&["-S", "--staged"]) && !parsed.has(&["-W", "--worktree"]);
    if staged_only || parsed.has(&["-p", "--patch"]) {
        return false;
    }
    if parsed.has(&["--ours", "--theirs"]) {
        return parsed.all().any(is_wide);
    }
    // What a file lists is not known, so it may be everything.
    parsed.has(&["--pathspec-from-file"]) || are_work(command, parsed.all())
}

fn removes(parsed: &Parsed<'_>) -> bool {
    !parsed.has(&["--cached", "-n", "--dry-run"])
}

/// Whether the only path is one file: a name with an ending, and no pattern. `from` says whether a version to take
/// it from may stand in front of it.
fn names_one_file(parsed: &Parsed<'_>, from: bool) -> bool {
    if parsed.has(&["-f", "--force", "--pathspec-from-file", "-B", "--ours", "--theirs"]) {
        return false;
    }
    let path = match (parsed.paths.as_slice(), parsed.operands.as_slice()) {
        ([path], []) | ([], [path]) => path,
        ([path], [_]) | ([], [_, path]) if from => path,
        _ => return false,
    };
    let name = shell::path::file_name(path);
    !is_wide(path)
        && !shell::mark::any(path)
        && !path.contains(['?', '[', '~'])
        && name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
        && !name.starts_with("..")
}
