//! What changes what runs elsewhere: on a host in production, or by a hook that deploys.

use super::super::has;
use super::super::http::Request;
use crate::calls::names_production;
use crate::command::Command;

/// Addresses that start a deployment, or a job that may be one, when something is sent to them.
const DEPLOYMENTS: &str = "\
    api.vercel.com/v1/integrations/deploy/ api.netlify.com/build_hooks/ api.render.com/deploy/ \
    /buildWithParameters /build?";

/// Whether a request starts a deployment: by a hook of a platform, or a job of Jenkins.
pub(super) fn calls_deployment(command: &Command<'_>) -> bool {
    let Some(request) = Request::of(command) else { return false };
    let is_job = |url: &&str| url.contains("/job/") && url.ends_with("/build");
    (request.method == "POST" || !request.bodies.is_empty())
        && (request.reaches(DEPLOYMENTS) || request.urls.iter().any(is_job))
}

/// Whether it changes something on a host that is in production: `ssh prod-web 'git pull'`.
pub(super) fn changes_host(command: &Command<'_>) -> bool {
    // What is copied there replaces what runs.
    if command.is(&["scp", "rsync"]) {
        let host =
            command.operands().last().and_then(|to| to.text.split_once(':')).map_or("", |(host, _)| host);
        return names_production(host) && !command.has(&["-n", "--dry-run"]);
    }
    if command.name != "ssh" {
        return false;
    }
    let [host, words @ ..] = command.operands() else { return false };
    let verbs = "restart stop reload pull up down deploy install upgrade update rm mv cp migrate apply restore kill \
        checkout reset prune publish rollback scale";
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '\'' | '"');
    let acts = |word: &str| {
        // `./deploy.sh`
        let script = word.strip_suffix(".sh").or_else(|| word.strip_prefix("./"));
        let verb = script.map_or(word, shell::path::file_name);
        !verb.is_empty() && has(verbs, verb)
    };
    names_production(&host.text) && words.iter().flat_map(|arg| arg.text.split(ends)).any(acts)
}
