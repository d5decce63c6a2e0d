//! What makes data or a service reachable for everyone.

use crate::calls::{Table, calls};
use crate::command::Command;
use crate::places::is_emulated;
use crate::rule::{Rule, Severity, When};

pub(super) static OPENED: Table = calls!(
    "
    aws:
        s3 cp|mv|sync --acl=public-read|public-read-write|authenticated-read !--dryrun
        s3api put-object|create-bucket|copy-object --acl=public-read|public-read-write|authenticated-read
        ec2 modify-snapshot-attribute --group-names=all
        ec2 modify-image-attribute|modify-fpga-image-attribute --user-groups=all
        rds modify-db-snapshot-attribute|modify-db-cluster-snapshot-attribute --values-to-add=all
        rds create-db-instance|modify-db-instance|create-db-cluster|modify-db-cluster --publicly-accessible
        redshift create-cluster|modify-cluster --publicly-accessible
        lambda add-permission|add-layer-version-permission --principal=*
        lambda create-function-url-config|update-function-url-config --auth-type=NONE
        sns add-permission --aws-account-id=*
        sqs add-permission --aws-account-ids=*
        ecr set-repository-policy
        ssm modify-document-permission --account-ids-to-add=all|All
        iam create-policy-version --set-as-default
    gcloud:
        run|functions deploy --allow-unauthenticated
        sql instances create|patch --authorized-networks=0.0.0.0/0
    az:
        storage container create|set-permission --public-access=blob|container
        storage account create|update --default-action=Allow
        vm open-port --port=*|22|3389
        acr update --anonymous-pull-enabled
        sql server update --enable-public-network=true
    mc:
        anonymous|policy set public|download|upload
    s3cmd:
        setacl|put|sync|cp|modify --acl-public
    rclone:
        link
    gsutil:
        ... signurl
    wrangler:
        r2 bucket dev-url enable
    mc mcli:
        share download|upload
"
);

pub(super) const OPEN: Rule = Rule {
    id: "cloud.make-public",
    severity: Severity::Risky,
    when: When::calls(&OPENED).also(shares_an_image).only(|command| !is_emulated(command)),
    reason: "It makes data or a service reachable for everyone, or changes who may use it.",
    instead: "Name the accounts or addresses that need it, and let a person review it.",
    matches: "
        aws s3 cp site s3://bucket --recursive --acl public-read
        aws ec2 modify-image-attribute --image-id i --launch-permission 'Add=[{Group=all}]'
        aws lambda add-permission --function-name f --statement-id s --action lambda:InvokeFunction --principal '*'
        aws rds modify-db-instance --db-instance-identifier d --publicly-accessible
        gcloud run deploy web --image i --allow-unauthenticated
        az storage container set-permission --name c --public-access blob
        mc anonymous set public store/bucket
        s3cmd setacl s3://bucket --acl-public
    ",
    spares: "
        aws s3 cp site s3://bucket --recursive
        aws s3 cp site s3://bucket --acl private
        aws ec2 modify-image-attribute --image-id i --launch-permission 'Add=[{UserId=123456789012}]'
        aws lambda add-permission --function-name f --statement-id s --action lambda:InvokeFunction --principal s3.amazonaws.com
        aws rds modify-db-instance --db-instance-identifier d --no-publicly-accessible
        aws --endpoint-url http://localhost:4566 s3 cp a s3://b --acl public-read
        gcloud run deploy web --image i --no-allow-unauthenticated
        az storage container create --name c
        mc anonymous get store/bucket
    ",
};

/// `--launch-permission Add=[{Group=all}]`, in short or as JSON.
fn shares_an_image(command: &Command<'_>) -> bool {
    let permission = ["--launch-permission", "--create-volume-permission"];
    command.name == "aws"
        && command.value(&permission).is_some_and(|value| {
            let plain: String = value.chars().filter(|c| !matches!(c, '"' | ' ')).collect();
            plain.contains("Add") && (plain.contains("Group=all") || plain.contains("Group:all"))
        })
}
