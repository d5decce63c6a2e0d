//! Google Cloud and Microsoft Azure.

use crate::calls::{Table, calls};
use crate::rule::{Rule, Severity, When};

pub(super) static DELETES: Table = calls!(
    "
    gcloud:
        ... delete|destroy|purge|delete-iam-policy|bulk-delete !config !components !emulators
        storage rm -r|-R|--recursive
        alpha|beta storage rm -r|-R|--recursive
        alpha|beta storage rm ?
        storage rm ?
        storage rm **
        storage rsync --delete-unmatched-destination-objects
        ... clusters|node-pools|instance-groups ... resize --num-nodes=0
        sql backups restore
        sql instances restore-backup
        ... billing projects unlink
    gsutil:
        ... rb
        ... rm -r|-R|-a
        ... rm ?
        ... rm **
        ... rsync -d !-n
    bq:
        ... rm -r|-f|-d
        ... rm -t|--table
    az:
        backup protection disable --delete-backup-data=true
        ... delete|purge|destroy|delete-batch|remove-all|delete-container|remove-immutability-policy !config !extension !cache
        storage remove --recursive
        storage blob sync --delete-destination=true
        deployment ... create --mode=Complete|complete
        rest --method=delete|DELETE
        rest -m=delete|DELETE
    azcopy:
        remove|rm --recursive
        sync --delete-destination
"
);

pub(super) static RIGHTS_GIVEN: Table = calls!(
    "
    gcloud:
        ... add-iam-policy-binding --role=roles/owner|roles/editor|roles/iam.securityAdmin
        projects|organizations|storage ... add-iam-policy-binding --member=allUsers|allAuthenticatedUsers
        organizations|projects set-iam-policy
    gsutil:
        ... iam ch ?
        ... acl ch -u
        ... iam ch allUsers:*
        ... acl set public-read|public-read-write
    az:
        role assignment create --role=Owner|Contributor|owner
        ad app|sp credential reset
"
);

pub(super) static CHANGES: Table = calls!(
    "
    gcloud:
        auth revoke
        compute instances stop|reset|suspend
        compute instance-groups managed resize --size=0
        compute instances set-machine-type
        compute tpus ... create
        compute instances create --accelerator
        compute firewall-rules create --source-ranges=0.0.0.0/0 --allow=all
        iam service-accounts keys create
        pubsub subscriptions seek
        ... services disable
        ... remove-iam-policy-binding
        run services update-traffic --to-revisions
        storage rm
        sql instances patch --no-deletion-protection
        sql instances restart|failover
        sql instances patch --no-backup|--assign-ip
        sql instances patch --activation-policy=NEVER|never
        compute firewall-rules create|update --allow|--rules
        functions|run ... add-iam-policy-binding --member=allUsers
        compute firewall-rules create|update --source-ranges=0.0.0.0/0
        secrets versions disable
        app|functions|run ... deploy -q|--quiet
        app versions stop|migrate
        app services set-traffic
        run services update-traffic
        container clusters|node-pools upgrade|rollback
        sql users set-password
        iam service-accounts disable
        kms keys versions disable
        storage buckets update --no-versioning|--clear-soft-delete|--no-soft-delete|--lifecycle-file
        deploy releases promote|rollback
        deploy rollouts approve
        run|app|functions deploy @production
        run services update|replace @production
        sql instances patch @production
        dns record-sets update|create
        dns record-sets transaction execute
        iam roles update --add-permissions|--permissions
    gsutil:
        ... rm
        ... lifecycle set
        ... versioning set off
    bq:
        ... rm
    az:
        account clear
        ... failover
        vm redeploy|reimage|stop|resize
        vmss scale --new-capacity=0
        webapp|functionapp restart
        aks get-credentials -a|--admin
        ad sp create-for-rbac
        keyvault update --enable-purge-protection=false
        ... stop|power-off|regenerate|reset|revoke-access !config
        storage account|cosmosdb|redis keys renew|regenerate
        ... keys renew|regenerate
        network nsg rule create|update --source-address-prefixes=*|0.0.0.0/0|Internet|Any
        network nsg rule create|update --source-address-prefix=*|0.0.0.0/0|Internet|Any
        webapp deployment slot swap
        functionapp deployment slot swap
        storage account update --allow-blob-public-access=true
        sql server firewall-rule create --end-ip-address=255.255.255.255
        lock delete
        keyvault update --enable-soft-delete=false
        aks upgrade|rotate-certs|nodepool -y|--yes
        webapp|functionapp|containerapp|staticwebapp ... deploy|up|update|restart|config-zip|set @production
        sql|postgres|mysql ... update|restart @production
        network dns|private-dns record-set ... add-record|remove-record|update|set-record
        sql db restore
        role definition update
    azcopy:
        remove|rm
    az:
        ad user|group|app|sp update|create
        ad group member add
        keyvault secret|key|certificate set|import|set-attributes @production
        aks nodepool scale|upgrade
        webapp|functionapp config ... set @production
        network dns record-set ... add-record|remove-record|set-record
    gcloud:
        compute ssh ~restart @production
        compute ssh ~stop @production
        compute ssh ~deploy @production
    az:
        network vnet update
        aks scale --node-count=0
        aks update --disable-local-accounts|--disable-rbac
    gcloud:
        sql import @production
        firestore import
    bq:
        load --replace
        cp|mk -f|--force
    gsutil:
        ... cp|mv|rsync * gs://* @production !-n
    az:
        sql db import @production
    az:
        pipelines run @production
        pipelines run ~deploy
    gcloud:
        builds submit @production
    az:
        deployment ... create @production
    bq:
        load|cp @production
"
);

pub(super) const DELETE: Rule = Rule {
    id: "cloud.google-azure-delete",
    severity: Severity::Destructive,
    when: When::calls(&DELETES),
    reason: "It deletes something in a cloud project or subscription, usually with its data.",
    instead: "Check with the matching `list`, `describe` or `show` command, and let a person delete it.",
    matches: "
        gcloud compute instances delete vm -q
        gcloud --project prod sql instances delete db
        gcloud -q projects delete prod
        gcloud storage rm --recursive gs://bucket
        gsutil -m rm -r gs://bucket
        gsutil rb gs://bucket
        bq rm -r -f dataset
        az group delete -n rg --yes
        az storage blob delete-batch -s c
        az keyvault purge --name kv
        az deployment group create -g rg --mode Complete -f main.bicep
    ",
    spares: "
        gcloud compute instances list
        gcloud config configurations delete old
        gcloud components remove kubectl
        gsutil ls gs://bucket
        gcloud compute ssh vm --command delete
        az group list
        az extension remove --name x
        az group show --name delete
        bq ls
    ",
};

pub(super) const RIGHTS: Rule = Rule {
    id: "cloud.google-azure-rights",
    severity: Severity::Destructive,
    when: When::calls(&RIGHTS_GIVEN),
    reason: "It gives someone all rights, or everyone some.",
    instead: "Give one role that is only as wide as needed, and let a person review it.",
    matches: "
        gcloud projects add-iam-policy-binding p --member=user:x@example.org --role=roles/owner
        gcloud storage buckets add-iam-policy-binding gs://b --member allUsers --role roles/storage.objectViewer
        az role assignment create --assignee x --role Owner --scope /subscriptions/1
    ",
    spares: "
        gcloud projects get-iam-policy p
        gcloud projects add-iam-policy-binding p --member=user:x@example.org --role=roles/viewer
        az role assignment list
    ",
};

pub(super) const CHANGE: Rule = Rule {
    id: "cloud.google-azure-change",
    severity: Severity::Risky,
    when: When::calls(&CHANGES),
    reason: "It deletes one object, or takes something out of service.",
    instead: "Check with the matching `list` or `describe` command first.",
    matches: "
        gsutil rm gs://bucket/key
        gcloud compute instances reset vm
        az account clear
    ",
    spares: "
        gsutil cp a gs://bucket/key
        gcloud compute instances start vm
        az account show
    ",
};
