//! Amazon Web Services.

use super::super::has;
use crate::calls::{Table, calls, fits, is_harmless};
use crate::command::Command;
use crate::places::is_emulated;
use crate::rule::{Rule, Severity, When};
use crate::zone::Zone;

/// What deletes although its name begins otherwise.
pub(in crate::builtin) static OTHERS: Table = calls!(
    "
    aws:
        s3 rb
        s3 rm --recursive
        s3 sync --delete
        kms schedule-key-deletion|disable-key
        organizations leave-organization|close-account
        cloudtrail stop-logging
        s3api put-bucket-acl|put-object-acl --acl=public-read|public-read-write|authenticated-read
        rds failover-global-cluster
        ec2 cancel-spot-fleet-requests --terminate-instances
        neptune|neptune-graph reset-graph
        cognito-idp admin-delete-user|admin-disable-user
        ecs update-service --desired-count=0 --force-new-deployment
        backup stop-backup-job
"
);

/// Operations that begin with a deleting verb and delete nothing worth a word.
const TRIVIAL: &str = "\
    delete-tags delete-object-tagging delete-bucket-tagging delete-message delete-message-batch \
    delete-public-key remove-tags remove-tags-from-resource remove-tags-from-certificate \
    remove-tags-from-stream remove-tags-from-on-premises-instances remove-targets \
    delete-pull-request-comment deregister-targets deregister-instances-from-load-balancer \
    deregister-task-definition";

pub(super) static CHANGES: Table = calls!(
    "
    aws:
        s3 rm
        ecs update-service --desired-count=0
        lambda update-function-code !--dry-run
        autoscaling set-desired-capacity --desired-capacity=0
        autoscaling update-auto-scaling-group --max-size|--desired-capacity=0
        application-autoscaling register-scalable-target --max-capacity=0
        # Machines that cost thousands a month.
        ec2 run-instances --instance-type=p*.*|trn*|inf*|*.metal|*12xlarge|*16xlarge|*24xlarge|*32xlarge|*48xlarge
        sns publish ~customers
        sns publish ~subscribers
        sns publish @production
        ec2 stop-instances|reboot-instances
        ecs stop-task
        lightsail stop-instance|reboot-instance
        s3api put-bucket-policy
        iam detach-role-policy|detach-user-policy|detach-group-policy
        route53 change-resource-record-sets
        configservice stop-configuration-recorder
        cloudformation update-termination-protection --no-enable-termination-protection
        s3api put-public-access-block
        s3api put-bucket-versioning --versioning-configuration=Status=Suspended
        iam create-access-key|put-user-policy|put-role-policy|create-login-profile
        ec2 modify-instance-attribute --no-disable-api-termination
        ec2 authorize-security-group-ingress --cidr=0.0.0.0/0
        ec2 revoke-security-group-ingress|revoke-security-group-egress
        ec2 replace-network-acl-entry|disassociate-address|release-address|detach-volume
        rds modify-db-instance|modify-db-cluster --no-deletion-protection
        rds reboot-db-instance|failover-db-cluster|stop-db-instance|stop-db-cluster
        rds restore-db-instance-to-point-in-time
        dynamodb update-table --no-deletion-protection-enabled
        s3api put-bucket-lifecycle-configuration|put-bucket-policy-status
        lambda put-function-concurrency --reserved-concurrent-executions=0
        iam update-account-password-policy|update-access-key|deactivate-mfa-device
        iam update-assume-role-policy
        * stop-*|reboot-*|disable-*|suspend-*|failover-*|detach-*|disassociate-*|release-* !stop-query* !stop-task !stop-build*
        * put-*-policy|update-distribution|update-user-pool
        cloudformation execute-change-set|update-stack|rollback-stack|cancel-update-stack
        organizations create-account|invite-account-to-organization|attach-policy|move-account
        ssm send-command
        ssm put-parameter --overwrite
        secretsmanager put-secret-value|update-secret
        * update-*|modify-* --no-deletion-protection|--no-enable-deletion-protection
        codedeploy create-deployment
        ecs update-service --task-definition
        apprunner pause-service
        s3api put-bucket-acl|put-object-acl
        rds promote-read-replica
        eks update-cluster-version
        cloudformation deploy|create-stack @production !--no-execute-changeset
        ecs update-service @production
        lambda update-function-configuration|publish-version|update-alias @production
        apprunner|elasticbeanstalk|amplify start-deployment|update-environment|start-job @production
        * decrease-*|transfer-*|admin-reset-*|update-domain-config|update-elasticsearch-domain-config
        ec2 modify-security-group-rules|associate-iam-instance-profile|replace-iam-instance-profile-association
        rds modify-db-instance|modify-db-cluster --master-user-password|--backup-retention-period
        iam update-role|update-user|update-login-profile
        ec2 modify-instance-attribute --user-data|--groups|--instance-type
    aws:
        ses|sesv2 send-bulk*|send-custom*
        pinpoint|pinpoint-sms-voice-v2 send-*
        cognito-idp admin-set-user-password|admin-add-user-to-group|admin-reset-user-password
        elbv2 modify-listener|modify-rule|set-*
        secretsmanager put-secret-value|update-secret @production
    aws:
        iam attach-user-policy|attach-group-policy
        iam attach-role-policy ~FullAccess
        iam add-user-to-group
        deploy create-deployment
        amplify start-deployment|start-job --branch-name=main|master|production
        ec2 authorize-security-group-ingress ~0.0.0.0/0
        ec2 create-route|replace-route|modify-vpc-attribute
        rds modify-db-instance|modify-db-cluster --apply-immediately
        eks update-nodegroup-config|update-cluster-config
        guardduty update-detector --no-enable
        dynamodb put-item|update-item|batch-write-item|transact-write-items @production
        s3 mv|cp|sync * s3://* @production !--dryrun
        sqs send-message|send-message-batch @production
    aws:
        codepipeline start-pipeline-execution
        ecs run-task @production
        sagemaker update-endpoint|delete-endpoint @production
    aws:
        ses|sesv2 send-email|send-raw-email|send-templated-email
"
);

pub(super) const DELETE: Rule = Rule {
    id: "cloud.aws-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        deletes(command) || !is_emulated(command) && !publishes(command) && fits(command, &OTHERS)
    }),
    reason: "It deletes or stops something in an AWS account, usually with its data.",
    instead: "Check with the matching `describe-` or `list-` operation, and try it with `--dry-run` where there is one.",
    matches: "
        aws ec2 terminate-instances --instance-ids i-1
        aws --profile prod --region us-east-1 rds delete-db-instance --db-instance-identifier x
        aws s3 rm s3://bucket --recursive
        aws s3 rb s3://bucket --force
        aws s3 sync . s3://bucket --delete
        aws dynamodb delete-table --table-name t
        aws kms schedule-key-deletion --key-id k
        aws ecr batch-delete-image --repository-name r --image-ids imageTag=a
        aws organizations leave-organization
        aws route53 change-resource-record-sets --change-batch '{\"Changes\":[{\"Action\":\"DELETE\"}]}'
    ",
    spares: "
        aws ec2 describe-instances
        aws ec2 terminate-instances --instance-ids i-1 --dry-run
        aws s3 sync dist s3://bucket
        aws s3 sync dist/ s3://site --delete
        aws s3 sync . s3://bucket --delete --dryrun
        aws s3 ls s3://delete-bucket
        aws --endpoint-url http://localhost:4566 s3 rb s3://test
        aws ec2 delete-tags --resources i-1
        aws rds delete-db-instance help
    ",
};

pub(super) const RIGHTS: Rule = Rule {
    id: "cloud.aws-rights",
    severity: Severity::Destructive,
    when: When::Command(gives_all_rights),
    reason: "It gives someone all rights in an AWS account.",
    instead: "Attach a policy with only the actions that are needed, and let a person review it.",
    matches: "
        aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess
        aws iam attach-role-policy --role-name r --policy-arn=arn:aws:iam::aws:policy/IAMFullAccess
        aws iam put-user-policy --user-name x --policy-name p --policy-document '{\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"*\",\"Resource\":\"*\"}]}'
    ",
    spares: "
        aws iam attach-role-policy --role-name r --policy-arn arn:aws:iam::aws:policy/ReadOnlyAccess
        aws iam list-attached-user-policies --user-name AdministratorAccess
    ",
};

pub(super) const CHANGE: Rule = Rule {
    id: "cloud.aws-change",
    severity: Severity::Risky,
    when: When::calls(&CHANGES).only(|command| !is_emulated(command)),
    reason: "It takes something in an AWS account out of service, or removes a protection.",
    instead: "Check with the matching `describe-` operation, and let a person make the change.",
    matches: "
        aws s3 rm s3://bucket/key
        aws ecs update-service --service web --desired-count 0
        aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 0.0.0.0/0
    ",
    spares: "
        aws ecs update-service --service web --desired-count 2
        aws s3 cp a s3://bucket/key
        aws s3 rm s3://bucket/key --dryrun
    ",
};

/// Whether the operation's name says that it deletes.
fn deletes(command: &Command<'_>) -> bool {
    if command.name != "aws" || is_harmless(command) || is_emulated(command) {
        return false;
    }
    let operands = command.operands();
    let (Some(service), Some(operation)) = (operands.first(), operands.get(1)) else { return false };
    let operation = operation.without_unset();
    if has(TRIVIAL, &operation) {
        return false;
    }
    // One operation creates and deletes; the batch says which.
    if service.text == "route53" && operation == "change-resource-record-sets" {
        return command.value(&["--change-batch"]).is_some_and(|batch| batch.contains("\"DELETE\""));
    }
    // Prefixes that come before the verb: `batch-delete-image`.
    let verb =
        ["batch-", "bulk-", "admin-", "global-"].iter().find_map(|start| operation.strip_prefix(start));
    let verb = verb.unwrap_or(&operation);
    [
        "delete-",
        "terminate-",
        "remove-",
        "purge-",
        "destroy-",
        "deregister-",
        "empty-",
        "wipe-",
        "revoke-grant",
        "reset-db",
    ]
    .iter()
    .any(|start| verb.starts_with(start))
}

/// Whether it brings a site up to date with a folder that a build has made: what is deleted there is what is no longer
/// built.
fn publishes(command: &Command<'_>) -> bool {
    command.sub(&["s3", "sync"])
        && command.operands().get(2).is_some_and(|from| {
            !from.text.contains("://") && command.target(&from.text).zone == Zone::Generated
        })
}

fn gives_all_rights(command: &Command<'_>) -> bool {
    if command.name != "aws" || is_harmless(command) {
        return false;
    }
    if command.sub(&["iam", "attach-user-policy|attach-role-policy|attach-group-policy"]) {
        return command.value(&["--policy-arn"]).is_some_and(|arn| {
            ["AdministratorAccess", "IAMFullAccess", "PowerUserAccess"].iter().any(|end| arn.ends_with(end))
        });
    }
    if command
        .sub(&["iam", "put-user-policy|put-role-policy|put-group-policy|create-policy|create-policy-version"])
    {
        return command.value(&["--policy-document"]).is_some_and(|policy| {
            // JSON may have blanks anywhere.
            let policy: String = policy.chars().filter(|c| !c.is_whitespace()).collect();
            policy.contains("\"Allow\"")
                && (policy.contains("\"Action\":\"*\"") || policy.contains("\"Action\":[\"*\"]"))
        });
    }
    false
}
