//! git: what overwrites or deletes branches of a remote.

use super::call::{Parsed, is_shared_branch};
use super::calls;
use crate::rule::{Rule, Severity, When};

pub(super) const FORCE: Rule = Rule {
    id: "git.push-force",
    severity: Severity::Destructive,
    when: When::Remote(|command| {
        calls(command, &["push", "send-pack"], |_, parsed| {
            is_real(parsed)
                && (is_forced(parsed) || refspecs(parsed).any(|spec| spec.len() > 1 && spec.starts_with('+')))
        })
    }),
    reason: "It overwrites branches of the remote, and loses commits that others pushed.",
    instead: "Push without force, or to your own branch with `git push --force-with-lease`.",
    matches: "
        git push --force
        git push -uf origin main
        git push origin main --forc
        git push origin +main
        git push origin +HEAD:refs/heads/main
        git push --all --force
        git push --mirror origin
    ",
    spares: "
        git push
        git push -u origin feature
        git push --force-with-lease
        git push --force-if-includes --force-with-lease origin feature
        git push --dry-run --force
        git push -nf origin main
        git push --follow-tags
        git push origin feature+fix
        git push -o force origin main
        git fetch origin +refs/pull/1/head:pr1
    ",
};

pub(super) const DELETE: Rule = Rule {
    id: "git.push-delete",
    severity: Severity::Destructive,
    when: When::Remote(|command| {
        calls(command, &["push"], |_, parsed| {
            let deletes = parsed.has(&["-d", "--delete", "--prune"]);
            // A finished branch of one's own is worth a question only.
            let own = refspecs(parsed).count() == 1
                && !parsed.has(&["--prune", "--all", "--tags"])
                && refspecs(parsed).all(|spec| is_own_branch(spec.trim_start_matches(':')));
            is_real(parsed)
                && !own
                && (deletes || refspecs(parsed).any(|spec| spec.len() > 1 && spec.starts_with(':')))
        })
    }),
    reason: "It deletes branches or tags of the remote, for everyone.",
    instead: "Let a person delete the branch on the forge, where it can be restored.",
    matches: "
        git push -d origin one two
        git push -d origin v1.0.0
        git push origin :one :two
        git push origin :refs/tags/v1
        git push --prune origin 'refs/heads/*'
    ",
    spares: "
        git push origin HEAD:feature
        git push --dry-run origin :feature
        git push origin :
        git branch -d feature
    ",
};

/// Its commits may be here as well: that no one finds the branch is enough.
pub(super) const DELETE_SHARED: Rule = Rule {
    id: "git.push-delete-shared",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        // A quick look first: most calls of git push nothing.
        command.has_word("push")
            && calls(command, &["push"], |_, parsed| {
                let named = parsed.has(&["-d", "--delete"]);
                let deleted = |spec: &&str| {
                    spec.strip_prefix(':').or(named.then_some(*spec)).is_some_and(is_shared_branch)
                };
                is_real(parsed) && refspecs(parsed).any(|spec| deleted(&spec))
            })
    }),
    reason: "It deletes a branch of the remote that everyone works from.",
    instead: "Let a person delete the branch on the forge, where it can be restored.",
    matches: "
        git push origin --delete main
        git push origin :master
        git push -d origin develop
    ",
    spares: "
        git push origin --delete feature/login
        git push origin :feature
        git push origin main
        git push -n origin :main
    ",
};

pub(super) const DELETE_OWN: Rule = Rule {
    id: "git.push-delete-own",
    severity: Severity::Risky,
    when: When::Remote(|command| {
        calls(command, &["push"], |_, parsed| {
            let deletes = parsed.has(&["-d", "--delete", "--prune"]);
            is_real(parsed)
                && (deletes || refspecs(parsed).any(|spec| spec.len() > 1 && spec.starts_with(':')))
        })
    }),
    reason: "It deletes a branch of the remote, for everyone.",
    instead: "Let a person delete the branch on the forge, where it can be restored.",
    matches: "
        git push origin --delete feature/login
        git push origin :feature
    ",
    spares: "
        git push origin feature
        git branch -d feature
    ",
};

pub(super) const LEASE: Rule = Rule {
    id: "git.push-lease-shared",
    severity: Severity::Risky,
    when: When::Remote(|command| {
        calls(command, &["push"], |_, parsed| {
            let shared =
                || refspecs(parsed).any(|spec| is_shared_branch(spec.rsplit(':').next().unwrap_or(spec)));
            is_real(parsed) && has_lease(parsed) && (shared() || parsed.has(&["--all", "--branches"]))
        })
    }),
    reason: "It overwrites a branch that others build on, although no one may have pushed since.",
    instead: "Push to a branch of your own and open a pull request.",
    matches: "
        git push --force-with-lease origin main
        git push --force-with-lease=main origin HEAD:master
        git push --force-with-lease --all
    ",
    spares: "
        git push --force-with-lease
        git push --force-with-lease origin feature
        git push origin main
    ",
};

pub(super) const DEPLOY: Rule = Rule {
    id: "git.push-deploy",
    severity: Severity::Risky,
    when: When::Command(|command| {
        // A quick look first: most calls of git push nothing.
        command.has_word("push")
            && calls(command, &["push"], |_, parsed| {
                is_real(parsed)
                    && parsed.all().next().is_some_and(|remote| super::super::has(DEPLOYS, remote))
            })
    }),
    reason: "It deploys what is pushed: this remote runs it.",
    instead: "Push to a branch of the forge, and let a person deploy it.",
    matches: "
        git push heroku main
        git push dokku HEAD:main
        git push production main
    ",
    spares: "
        git push origin main
        git push origin production
        git push heroku-staging main
        git push -n heroku main
    ",
};

/// What people call remotes that run what is pushed to them.
const DEPLOYS: &str = "heroku dokku piku prod production live deploy clever scalingo gigalixir";

fn is_real(parsed: &Parsed<'_>) -> bool {
    !parsed.has(&["-n", "--dry-run"])
}

/// Whether a name is known, and neither a shared branch nor a release.
fn is_own_branch(name: &str) -> bool {
    let plain = name.strip_prefix("refs/heads/").unwrap_or(name);
    let version = plain.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    !is_shared_branch(name)
        // A name like that is more likely the tag of a release.
        && !version
        && !plain.starts_with("refs/")
        && !shell::mark::any(plain)
        && !plain.contains('*')
}

/// `--force` or `--mirror`. `--force-with-lease` is an option of its own, not a spelling of `--force`.
fn is_forced(parsed: &Parsed<'_>) -> bool {
    parsed.has(&["-f", "--force", "--mirror"])
}

fn has_lease(parsed: &Parsed<'_>) -> bool {
    parsed.has_beginning("--force-w")
}

/// What is pushed: everything after the remote.
fn refspecs<'a>(parsed: &Parsed<'a>) -> impl Iterator<Item = &'a str> {
    parsed.all().skip(1)
}
