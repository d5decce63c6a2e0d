//! Stores of objects, and backups.

use crate::calls::{Table, calls};
use crate::rule::{Rule, Severity, When};

pub(super) static STORES: Table = calls!(
    "
    rclone:
        delete|purge|rmdirs|cleanup !-n !-i !--interactive
    mc mcli:
        rm|rb -r|--recursive|--force|--versions
        rb
        mirror --remove
        admin ... remove|rm
        replicate|ilm ... rm|remove --all
    s3cmd:
        del|rm -r|--recursive
        rb
        sync --delete-removed|--delete
        expire
        del|rm ?
    s5cmd s4cmd:
        rb
        rm ?
        rm **
        sync --delete
        del -r|--recursive
    b2:
        delete-bucket|delete-key|clear-account
        bucket|key delete
        delete-file-version|rm -r|--recursive
        rm -r|--recursive
        sync --delete
    swift:
        delete
    lakectl:
        repo|branch|tag delete
        branch reset
        fs rm -r|--recursive
    dvc:
        destroy
        gc -f|--force
        remote remove
    hdfs hadoop:
        dfs|fs -rm -r|-R|-skipTrash
        dfs|fs -rmr
        dfs|fs -expunge
        namenode -format
"
);

/// Backups: what is left when everything else is gone.
pub(super) static COPIES: Table = calls!(
    "
    borg:
        delete !-n
        recreate !-n
    restic:
        forget --prune !-n
        key remove
        repair snapshots --forget
    kopia:
        snapshot delete
        repository disconnect|reset
        content delete
    tarsnap:
        -d
        --nuke
    duplicity:
        remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup --force
    rdiff-backup:
        --remove-older-than
        ... remove
    velero:
        backup|schedule|restore|backup-location|bl delete
        delete
        uninstall
    wal-g wal-e:
        delete
    barman:
        delete
    pgbackrest:
        stanza-delete
        expire
    proxmox-backup-client:
        forget
        snapshot forget
        prune
    duplicacy:
        prune
    zrepl:
        zfs-abstraction release-all
    restic:
        restore --delete
        restore --target=/|~
        restore -t=/
    pgbackrest:
        restore --delta|--force
"
);

pub(super) static ONE: Table = calls!(
    "
    rclone:
        deletefile|rmdir|dedupe !-n
        sync|move|bisync --delete-excluded|--delete-before
    mc mcli s5cmd s3cmd b2:
        rm|del
    borg:
        prune !-n
        compact
        break-lock
    restic:
        forget !-n
        prune !-n
        unlock --remove-all
"
);

pub(super) const DELETE: Rule = Rule {
    id: "cloud.store-delete",
    severity: Severity::Destructive,
    when: When::calls(&STORES),
    reason: "It deletes a bucket, or everything below a path of a store.",
    instead: "List what is there first, and try it with `--dry-run` where there is one.",
    matches: "
        rclone delete remote:path
        rclone -v purge remote:path
        mc rm --recursive --force store/bucket
        mc rb --force store/bucket
        s3cmd del -r s3://bucket
        s5cmd rm 's3://bucket/*'
        b2 bucket delete bucket
    ",
    spares: "
        rclone ls remote:path
        rclone delete remote:path --dry-run
        rclone copy a remote:path
        mc ls store
        s3cmd put a s3://bucket
        s5cmd ls
        dvc gc --dry
    ",
};

pub(super) const BACKUPS: Rule = Rule {
    id: "cloud.backup-delete",
    severity: Severity::Destructive,
    when: When::calls(&COPIES),
    reason: "It deletes backups, the last resort after a loss.",
    instead: "List them first, and try it with `--dry-run`.",
    matches: "
        borg delete repo::monday
        restic -r repo forget --keep-last 1 --prune
        velero backup delete nightly --confirm
        wal-g delete everything FORCE
        kopia snapshot delete k1 --delete
    ",
    spares: "
        borg list repo
        borg delete --dry-run repo::monday
        restic snapshots
        restic forget --prune --dry-run
        velero backup get
    ",
};

pub(super) const SINGLE: Rule = Rule {
    id: "cloud.store-remove",
    severity: Severity::Risky,
    when: When::calls(&ONE),
    reason: "It deletes an object, or old backups by a rule.",
    instead: "List what is there first, and try it with `--dry-run` where there is one.",
    matches: "
        rclone deletefile remote:path/file
        mc rm store/bucket/key
        borg prune --keep-daily 7 repo
        restic forget --keep-daily 7
    ",
    spares: "
        rclone copy a remote:path
        borg prune -n --keep-daily 7 repo
        restic check
    ",
};
