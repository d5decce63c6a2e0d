//! git: what leaves out a commit, forgets a remote, or takes a patch back.

use super::call::is_off;
use super::calls;
use crate::rule::{Rule, Severity, When};

pub(super) const SKIP: Rule = Rule {
    id: "git.skip",
    severity: Severity::Risky,
    when: When::Loss(|command| {
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

/// Whether a server's addresses lead to another one: `url.https://mirror.example/.insteadOf https://github.com/`. Another
/// way to the same server is everyone's.
fn redirects(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let to = name.strip_prefix("url.");
    let to = to.and_then(|to| to.strip_suffix(".insteadof").or_else(|| to.strip_suffix(".pushinsteadof")));
    let server = |address: &str| {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        host.split(['/', ':']).next().unwrap_or(host).to_ascii_lowercase()
    };
    // What is short for an address, as `gh:`, names no server.
    to.is_some_and(|to| value.contains('.') && server(to) != server(value))
}

pub(super) const UNVERIFIED: Rule = Rule {
    id: "git.unverified",
    severity: Severity::Risky,
    when: When::Command(|command| {
        let sslless = |name: &str, value: &str| name.eq_ignore_ascii_case("http.sslVerify") && is_off(value);
        calls(command, &["config", "clone", "fetch", "pull", "push", "submodule"], |call, parsed| {
            if call.sub != "config" {
                return call.setting("http.sslVerify").is_some_and(is_off)
                    || command
                        .atom
                        .assigns
                        .iter()
                        .any(|(name, value)| name == "GIT_SSL_NO_VERIFY" && !is_off(value));
            }
            let words: Vec<&str> = parsed.all().filter(|word| *word != "set").collect();
            let [name, value] = words.as_slice() else { return false };
            // In one repository it is a matter of that one.
            parsed.has(&["--global", "--system"])
                && (sslless(name, value)
                    || name.eq_ignore_ascii_case("credential.helper") && *value == "store"
                    || redirects(name, value))
        })
    }),
    reason: "It trusts any server, keeps passwords as plain text, or has another one answer, for all repositories.",
    instead: "Give git the server's certificate, with `git config http.sslCAInfo FILE`.",
    matches: "
        git config --global http.sslVerify false
        git config --global credential.helper store
        git -c http.sslVerify=false clone https://example.com/r.git
        GIT_SSL_NO_VERIFY=1 git fetch
        git config --global url.https://mirror.example/.insteadOf https://github.com/
        git config --global URL.https://mirror.example/.pushInsteadOf https://github.com/
    ",
    spares: "
        git config --get http.sslVerify
        git config --global http.sslVerify true
        git config --global credential.helper cache
        git config --global user.name me
        git config --global url.git@github.com:.insteadOf https://github.com/
        git config --global url.https://github.com/.insteadOf git://github.com/
        git -c http.sslVerify=true fetch
    ",
};

pub(super) const APPLY: Rule = Rule {
    id: "git.apply-reverse",
    severity: Severity::Risky,
    when: When::Loss(|command| {
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
