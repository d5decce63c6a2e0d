//! git: what leaves out a commit, forgets a remote, or takes a patch back.

use super::calls;
use crate::rule::{Rule, Severity, When};

pub(super) const SKIP: Rule = Rule {
    id: "git.skip",
    severity: Severity::Risky,
    when: When::Command(|command| {
        calls(command, &["rebase", "am", "cherry-pick", "revert"], |_, parsed| parsed.has(&["--skip"]))
    }),
    reason: "It skips the commit that does not apply.",
    instead: "Resolve the conflict and use `git rebase --continue`, or stop with `git rebase --abort`.",
    matches: "
        git rebase --skip
        git am --skip
    ",
    spares: "
        git rebase --continue
        git rebase --abort
        git rebase main
    ",
};

pub(super) const SETTINGS: Rule = Rule {
    id: "git.remote-remove",
    severity: Severity::Risky,
    when: When::Command(|command| {
        calls(command, &["remote", "config"], |call, parsed| {
            if call.sub == "remote" {
                return parsed.begins(&["remove", "rm"]);
            }
            let remote = parsed.all().any(|name| name.starts_with("remote.") || name.starts_with("branch."));
            let everywhere = parsed.has(&["--global", "--system"]);
            parsed.has_beginning("--unset-all") && (remote || everywhere)
                || parsed.has(&["--remove-section"])
                || parsed.begins(&["remove-section"])
                || parsed.begins(&["unset"]) && remote
                || parsed.has_beginning("--unset") && remote
        })
    }),
    reason: "It removes a remote or settings of the repository.",
    instead: "Check with `git remote -v`, and add another remote with `git remote add`.",
    matches: "
        git remote remove origin
        git remote rm upstream
        git config --unset-all remote.origin.url
        git config --unset remote.origin.pushurl
    ",
    spares: "
        git remote -v
        git remote add upstream https://example.org/x
        git config --get remote.origin.url
        git config --unset user.signingkey
        git config --unset-all sendemail.validateWorktree
    ",
};

pub(super) const APPLY: Rule = Rule {
    id: "git.apply-reverse",
    severity: Severity::Risky,
    when: When::Command(|command| {
        calls(command, &["apply"], |_, parsed| {
            let looks = ["--check", "--stat", "--numstat", "--summary", "--cached"];
            parsed.has(&["-R", "--reverse"]) && !parsed.has(&looks)
        })
    }),
    reason: "It reverts changes in the working tree.",
    instead: "Check first with `git apply -R --check`, or undo a commit with `git revert`.",
    matches: "
        git apply -R fix.patch
        git apply --reverse fix.patch
    ",
    spares: "
        git apply fix.patch
        git apply -R --check fix.patch
        git revert HEAD
    ",
};
