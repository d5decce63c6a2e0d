//! GitHub, GitLab, Gitea and Bitbucket: their programs and their interfaces by HTTP.

use super::http::Request;
use crate::calls::{Table, calls, is_harmless};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

/// What deletes or exposes something for everyone.
static DELETES: Table = calls!(
    "
    gh:
        repo delete|archive
        repo edit --visibility=public|internal
        repo edit --visibility=private --accept-visibility-change-consequences
        repo sync --force
        repo deploy-key|autolink delete
        release delete|delete-asset
        secret|variable delete|remove
        cache delete -a|--all
        pr close -d|--delete-branch
        pr merge --admin
        issue|gist|ssh-key|gpg-key|codespace|label|project|ruleset|run|discussion delete
        cs delete
        project item-delete|field-delete
    glab:
        repo|project delete|archive
        mr|issue|release|variable|label|snippet|milestone|ssh-key|gpg-key|deploy-key|schedule delete
        securefile remove|delete
        ci|pipeline delete
        token revoke
    tea:
        repo|repos|release|releases|label|labels|milestone|milestones|webhook|webhooks|branch|branches delete|rm
    hub:
        delete
        release delete
"
);

/// What a person can set right again, but others notice.
static RISKS: Table = calls!(
    "
    gh:
        auth logout
        auth refresh --scopes=delete_repo
        auth refresh -s=delete_repo
        ssh-key add
        repo edit --visibility
        repo edit --default-branch
        repo rename
        workflow disable
        issue transfer|lock
        org|repo transfer
        release create !--draft !-d
        release edit --draft=false
        release upload --clobber
        repo deploy-key add -w|--allow-write
        gist create -p|--public
        repo create --public --push
        workflow run *deploy*|*release*|*publish*|*prod*
    glab:
        auth logout
        repo|project transfer
        mr merge -d|--remove-source-branch
        release create
        token create|rotate
        ssh-key|deploy-key add
        runner delete
        cluster agent delete
    tea:
        logout|logouts
        release|releases create !--draft
        branches|branch unprotect
    gh:
        secret|variable set @production
        # For every repository of an organization.
        secret set --visibility=all
        secret set -v=all
        attestation|ruleset delete
    glab:
        variable set|update|import @production
        securefile upload
    glab:
        ci|pipeline run|run-trig|trigger|retry @production
    gh:
        workflow run @production
    glab:
        repo|project update --visibility
"
);

/// Hosts of forges, and paths that only forges have.
const HOSTS: &[&str] = &[
    "api.github.com",
    "/api/v3/repos",
    "gitlab.com/api/",
    "/api/v4/",
    "api.bitbucket.org",
    "/api/v1/repos/",
    "codeberg.org/api",
    "gitea.com/api",
    "dev.azure.com",
];

/// Ends of paths below which a deletion only takes a mark away: easily set again.
const MARKS: &[&str] = &[
    "/labels/",
    "/assignees",
    "/requested_reviewers",
    "/reactions/",
    "/subscription",
    "/lock",
    "/threads/",
    "/starred/",
];

pub(super) static FAMILY: Family = Family {
    id: "forges",
    title: "GitHub, GitLab and other forges",
    covers: Covers::Listed(catalog::family("forges")),
    rules: &[
        Rule {
            id: "forges.delete",
            severity: Severity::Destructive,
            when: When::calls(&DELETES),
            reason: "It deletes, archives or exposes something on the forge, for everyone.",
            instead: "Inspect it with the `view` or `list` command, and let a person do this in the web interface.",
            matches: "
                gh repo delete owner/repo --yes
                gh -R owner/repo release delete v1.0
                gh repo edit --visibility=public
                gh secret delete TOKEN --repo owner/repo
                gh pr merge 12 --admin --squash
                gh cache delete -a
                glab repo delete group/project
                tea repos rm owner/repo
            ",
            spares: "
                gh repo view owner/repo
                gh pr merge 12 --squash --delete-branch
                gh pr close 12
                gh cache delete 42
                gh issue list --search 'repo delete'
                gh pr create --title 'gh repo delete' --body x
                gh repo edit --description 'visibility public'
                glab mr list
                gh repo delete --help
            ",
        },
        Rule {
            id: "forges.api-delete",
            severity: Severity::Destructive,
            when: When::Command(|command| calls_api(command) || sends_api(command)),
            reason: "It deletes, archives or exposes something on the forge through its API.",
            instead: "Read with a GET request, and let a person do this in the web interface.",
            matches: "
                gh api -X DELETE repos/owner/repo
                gh api --method=DELETE /repos/owner/repo/git/refs/heads/main
                gh api graphql -f query='mutation { deleteRepository(input: {}) { clientMutationId } }'
                gh api -X PATCH repos/owner/repo -F archived=true
                gh api repos/owner/repo -X PATCH -f visibility=public
                gh api repos/owner/repo/rulesets/1 -X PUT -f enforcement=disabled
                curl -sX DELETE https://api.github.com/repos/owner/repo
                curl --request DELETE --header x https://gitlab.example.org/api/v4/projects/1
                http DELETE https://api.github.com/repos/owner/repo
                glab api -X DELETE projects/1
            ",
            spares: "
                gh api repos/owner/repo
                gh api graphql -f query='query { viewer { login } }'
                gh api -X DELETE repos/owner/repo/issues/1/labels/bug
                curl -s https://api.github.com/repos/owner/repo
                curl -X DELETE http://localhost:3000/items/1
                curl -X POST https://api.github.com/repos/o/r/issues -d '{\"title\":\"DELETE\"}'
            ",
        },
        Rule {
            id: "forges.change",
            severity: Severity::Risky,
            when: When::calls(&RISKS),
            reason: "It changes an account or a repository in a way that others notice.",
            instead: "Check with `gh auth status` or `gh repo view`, and ask before changing it.",
            matches: "
                gh auth logout
                gh repo rename new-name
                gh release create v1.0
                gh workflow disable ci
            ",
            spares: "
                gh auth status
                gh repo edit --description x
                gh workflow run ci
            ",
        },
    ],
};

/// `gh api` and its like, with a method or a query that deletes.
fn calls_api(command: &Command<'_>) -> bool {
    // Only the API here; the programs' own sub-commands are in the tables.
    if !command.is(&["gh", "glab", "hub", "tea"]) || is_harmless(command) || !command.sub(&["api"]) {
        return false;
    }
    let method = command.value(&["-X", "--method"]).unwrap_or("").to_ascii_uppercase();
    let args = || command.args().iter().map(|arg| arg.text.as_str());
    match method.as_str() {
        "DELETE" => !args().any(|arg| MARKS.iter().any(|mark| arg.contains(mark))),
        "PATCH" | "PUT" => {
            // To move a branch forward by the API is a push; only `force` loses commits.
            let forced = || args().any(|arg| arg == "force=true");
            args().any(|arg| {
                let lets_in = ["/collaborators/", "/memberships/"].iter().any(|path| arg.contains(path));
                lets_in
                    || exposes(arg)
                    || arg.ends_with("/protection")
                    || arg.contains("/git/refs/") && forced()
            })
        }
        // GraphQL is always POST, so the verb stands in the query.
        _ => args().any(deletes_by_query),
    }
}

/// The same with curl.
fn sends_api(command: &Command<'_>) -> bool {
    let Some(request) = Request::of(command) else { return false };
    if !request.goes_to(HOSTS) {
        return false;
    }
    match &*request.method {
        "DELETE" => !request.goes_to(MARKS),
        "PATCH" | "PUT" => request.bodies.iter().any(|body| exposes(body)),
        _ => request.bodies.iter().any(|body| deletes_by_query(body)),
    }
}

/// Whether fields of a change archive a repository or show it to everyone.
fn exposes(text: &str) -> bool {
    // JSON and `-f field=value` alike, with any spacing.
    let text: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | ' ')).collect();
    [
        "archived=true",
        "archived:true",
        "private=false",
        "private:false",
        "visibility=public",
        "visibility:public",
        // A ruleset that only watches protects nothing.
        "enforcement=disabled",
        "enforcement:disabled",
    ]
    .iter()
    .any(|field| text.contains(field))
}

/// Whether a GraphQL text changes something in a way that deletes.
fn deletes_by_query(text: &str) -> bool {
    // A query only reads, whatever its fields are called.
    let Some((_, mutation)) = text.split_once("mutation") else { return false };
    let mut words = mutation.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        ["delete", "archive", "removeEnterprise", "removeOutside", "transfer"].iter().any(|verb| {
            // GraphQL writes `deleteRepository`; a capital follows, which keeps `deleted` and `archived` out.
            word.strip_prefix(verb).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        })
    })
}
