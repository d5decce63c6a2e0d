//! Services with programs of their own: search, errors, models, registries, app stores, forges to host oneself.

use crate::calls::{Table, calls, fits};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(in crate::builtin) static DELETES: Table = calls!(
    "
    surge:
        teardown
    tccli:
        ... Terminate*|Delete*|Destroy*|Release*
    convox:
        apps|services|resources delete
        rack uninstall
    appwrite:
        ... delete|delete-*|deleteCollection|deleteDocument
    okta auth0-deploy-cli launchdarkly ldcli:
        ... delete|destroy
    dog:
        monitor|timeboard|screenboard|dashboard|host|service_check|downtime delete|delete_all
    pd pagerduty-cli:
        ... delete|remove
    algolia:
        ... clear|delete
    ngrok:
        api ... delete
    fastlane match:
        ... nuke
        nuke
    nexus3:
        ... delete|rm
    cloudsmith:
        delete|rm
        repositories|repos|entitlements delete|rm
    wandb:
        artifact rm|delete
        sync --clean-force
    mlflow:
        gc
        experiments|runs delete
    kaggle:
        datasets|kernels|models delete
    cbt:
        deletetable|deleteinstance|deletefamily|deleteallrows|deletecluster|deletebackup
    tiup:
        cluster destroy|clean|prune|scale-in
        playground clean
    patronictl:
        remove|reinit
    gitea forgejo:
        admin user|repo|auth delete
    gitlab-rake:
        ... gitlab:cleanup:*|cache:clear|db:*
    circleci:
        context delete|remove-secret
        runner ... delete
    travis:
        env clear|unset
        cache -d|--delete
    buildkite-agent:
        artifact|secret delete
    bb:
        repo|repos delete
    kafkactl:
        delete
    telepresence:
        uninstall -e|--everything
    aws-nuke gcp-nuke azure-nuke:
        --no-dry-run
    cloud-nuke:
        aws|gcp|defaults-aws
    awsweeper:
        --force
    mongocli:
        ... delete|terminate|purge
    jenkins-cli:
        delete-*|clear-queue
    prefect:
        ... delete|purge
    dagster:
        run wipe|delete
        asset wipe
    dbt:
        run-operation drop*|delete*|truncate*|purge*|clean*|wipe*
    prefect:
        ... database reset
    render:
        ... terminate
"
);

pub(super) const DELETE: Rule = Rule {
    id: "cloud.service-delete",
    severity: Severity::Destructive,
    when: When::Command(is_deletion),
    reason: "It deletes something that a service keeps for everyone.",
    instead: "Check with the matching `list` or `info` command, and let a person delete it.",
    matches: "
        surge teardown x.surge.sh
        fastlane match nuke development
        mlflow experiments delete -x 1
        cbt deletetable users
        tiup cluster destroy prod
        patronictl remove prod
        gitea admin user delete --id 1
    ",
    spares: "
        surge ./dist
        fastlane ios beta
        mlflow ui
        cbt ls
        tiup cluster list
        patronictl list
        travis logs
    ",
};

fn is_deletion(command: &Command<'_>) -> bool {
    fits(command, &DELETES)
}
