//! Deleting at providers by their interfaces over HTTP.

use super::super::http::Request;
use crate::rule::{Rule, Severity, When};

/// Where a DELETE request takes something away from someone. Unknown hosts are everyone's own tests.
const HOSTS: &[&str] = &[
    "api.cloudflare.com",
    "api.digitalocean.com",
    "api.heroku.com",
    "management.azure.com",
    "googleapis.com",
    "api.stripe.com",
    "api.vercel.com",
    "api.netlify.com",
    "api.hetzner.cloud",
    "api.linode.com",
    "api.vultr.com",
    "api.fly.io",
    "api.machines.dev",
    "api.scaleway.com",
    "api.render.com",
    "api.supabase.com",
    "backboard.railway",
    "amazonaws.com",
    "api.ovh.com",
    "registry.npmjs.org",
    "hub.docker.com",
    "api.datadoghq.com",
    "api.pagerduty.com",
    "api.sendgrid.com",
    "api.auth0.com",
    ".auth0.com/api",
    "graph.microsoft.com",
    "api.cloud.ibm.com",
    "api.terraform.io",
    "app.terraform.io/api",
    "api.pulumi.com",
    "api.twilio.com",
    "slack.com/api",
    "api.atlassian.com",
    ".atlassian.net/rest",
    "api.notion.com",
    "api.linear.app",
    "sentry.io/api",
    "api.openai.com",
    "api.airtable.com",
    "api.shopify",
    ".myshopify.com/admin",
];

pub(super) const DELETE: Rule = Rule {
    id: "cloud.api-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        Request::of(command).is_some_and(|request| request.deletes() && request.goes_to(HOSTS))
    }),
    reason: "It deletes something at a provider through its API.",
    instead: "Read with a GET request, and let a person delete it.",
    matches: "
        curl -X DELETE https://api.cloudflare.com/client/v4/zones/1
        curl -sXDELETE -H 'Authorization: Bearer x' https://api.digitalocean.com/v2/droplets/1
        wget --method=DELETE https://api.heroku.com/apps/x
        http DELETE https://api.stripe.com/v1/customers/1
    ",
    spares: "
        curl https://api.cloudflare.com/client/v4/zones
        curl -X DELETE http://localhost:8080/users/1
        curl -X POST https://api.stripe.com/v1/customers -d name=DELETE
    ",
};
