//! Tools of database servers and queues.

use super::sql::is_for_tests;
use crate::calls::{Table, calls, is_harmless};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(super) static DROPS: Table = calls!(
    "
    dropdb dropuser droplang:
        * !-i !--interactive
    pg_dropcluster:
        *
    pg_restore:
        -c|--clean
    pg_resetwal pg_resetxlog:
        -f|--force
    mysqladmin mariadb-admin:
        ... drop
    mongorestore:
        --drop
    influx:
        delete
        bucket|org|user|auth|task|dashboards|remote|replication delete
    influxd:
        restore --full
        restore -full
    etcdctl:
        del --prefix|--from-key
        rm|rmdir -r|--recursive
        member remove
        auth disable
        user|role delete
    zkCli.sh zkCli:
        ... deleteall|rmr|delete
    nodetool:
        ... clearsnapshot|decommission|removenode|assassinate|truncatehints|stopdaemon
    cockroach:
        node decommission|drain
        debug reset-quorum|recover
        userfile delete
    clickhouse-backup:
        delete
        clean
    rabbitmqctl:
        reset|force_reset|delete_*|purge_queue|forget_cluster_node|clear_*
    rabbitmqadmin:
        ... delete|purge
    curator_cli:
        delete-indices|delete_indices|delete-snapshots
    vtctlclient vtctldclient:
        DeleteKeyspace|DeleteShard|DeleteTablets|DeleteTablet
    neo4j-admin:
        database load --overwrite-destination
        database delete
    arangorestore:
        --overwrite
    couchbase-cli:
        bucket-delete|bucket-flush
        user-manage --delete
    memcached-tool:
        * flush
    wp:
        db drop|reset|clean
        site empty|delete
        plugin|theme delete --all
    drush:
        sql:drop|sql-drop|site:install|si|site-install
    airflow:
        db reset|clean
        dags delete
        resetdb
    mongoimport:
        --drop
    drush:
        ... sql:drop|sql-drop|sql:sync|sql-sync
        ... site:install|si|entity:delete|user:cancel
    wp:
        post|comment|term|user|option|media|menu|widget delete --force|--yes
        user|site delete --yes
        search-replace !--dry-run
        db import|query ~drop
    airflow:
        tasks clear -y|--yes
        users|pools|connections|variables delete
        db shell ~drop
    influx:
        v1 auth|dbrp delete
    mongodump:
        --drop
    dolt:
        reset --hard
        branch -D
        branch -d -f|--force
        table rm
        push -f|--force
        clean
        checkout *.
    xata:
        branch|database delete
    fdbcli:
        ~clearrange
    asinfo:
        ~truncate
    aql:
        ~truncate
    immuadmin:
        ... delete|unload
    influxd:
        inspect delete-tsm
    memcflush:
        *
        --servers
    surreal:
        ~REMOVE
"
);

pub(super) static QUEUE_TOOLS: Table = calls!(
    "
    kafka-topics kafka-topics.sh:
        --delete
    kafka-delete-records kafka-delete-records.sh:
        --offset-json-file
    kafka-consumer-groups kafka-consumer-groups.sh:
        --delete|--delete-offsets
        --reset-offsets --execute
    kafka-configs kafka-configs.sh:
        --delete-config
    kafka-acls kafka-acls.sh:
        --remove
    kafka-storage kafka-storage.sh:
        format
    rpk:
        topic delete|trim-prefix
        group delete
        cluster ... delete
    kaf:
        topic|group delete
    nats:
        stream|str|s|consumer|con|kv|object|obj rm|del|purge|delete
    pulsar-admin:
        ... delete|delete-partitioned-topic|terminate|clear-backlog
    celery:
        ... purge
        purge
    rq:
        empty
    rpk:
        cluster storage ... wipe
    nats:
        account purge
    pulsar-admin:
        ... skip-all|reset-cursor
"
);

pub(super) static CHANGES: Table = calls!(
    "
    etcdctl:
        del
        snapshot restore
    mysqladmin mariadb-admin:
        ... shutdown|flush-privileges|kill
    pg_ctl:
        stop -m=immediate
        promote|kill
        stop -m=i
    pg_ctlcluster:
        * * stop
    rabbitmqctl:
        stop_app|stop|change_password
        stop_app|stop|change_password|set_permissions|set_user_tags|close_connection|close_all_connections
    airflow:
        db downgrade
    atlas:
        schema apply --auto-approve
    createuser:
        --superuser
    nats:
        server|srv ... step-down|purge
    nodetool:
        ... drain|disablegossip|disablebinary
    kafka-leader-election kafka-leader-election.sh:
        --all-topic-partitions
    kafka-reassign-partitions kafka-reassign-partitions.sh:
        --execute
    kafka-server-stop kafka-server-stop.sh:
        !--help
    influxd:
        restore
    neo4j-admin:
        database|dbms restore|load
    clickhouse-backup:
        restore
    patronictl:
        restart|switchover|failover|pause
    vtctldclient vtctlclient:
        EmergencyReparentShard|PlannedReparentShard
    influx:
        bucket update -r|--retention
    kafka-configs kafka-configs.sh:
        --alter
    influx:
        ... auth create --all-access|--operator
    kafka-acls kafka-acls.sh:
        --add --operation=All|all
        --add --allow-principal=User:*
    celery:
        ... control shutdown|cancel_consumer|revoke|pool_shrink|rate_limit|terminate
    airflow:
        users create --role=Admin|Op
        users create -r=Admin|Op
        dags trigger|pause|unpause|backfill @production
        variables|connections set|import|add @production
    drush:
        ... updatedb|updb|config:import|cim|pm:uninstall|pmu|deploy @production
        ... updatedb|updb|pm:uninstall|user:role:add -y|--yes
    wp:
        user create --role=administrator
        user add-role|set-role * administrator
        ... super-admin add
        core|plugin|theme update|delete @production
    cockroach:
        quit
    rabbitmqctl:
        add_user
    redis-cli valkey-cli:
        ACL|acl SETUSER|setuser
    influx:
        user create|password
    mysqladmin mariadb-admin:
        ... password
    kafka-topics kafka-topics.sh:
        --alter
    hasura:
        migrate|metadata apply @production
    xata:
        branch merge
    etcdctl:
        put @production
    kcat kafkacat:
        -P @production
    kafka-console-producer kafka-console-producer.sh:
        @production
    nats:
        pub|publish @production
    rpk:
        topic produce @production
    rabbitmqadmin:
        publish @production
    dbt:
        run|build|seed|snapshot @production
    airflow:
        dags|tasks backfill|run|clear @production
    wp:
        maintenance-mode activate
    drush:
        sset|state:set system.maintenance_mode 1
        user:create|user:password|user:role:add
    mongoimport mongorestore:
        @production
    rabbitmqadmin:
        ... publish @production
    rabbitmqctl:
        set_policy|clear_policy *
    wp:
        user update --user_pass
"
);

pub(super) const DROP: Rule = Rule {
    id: "databases.drop",
    severity: Severity::Destructive,
    when: When::calls(&DROPS).only(|command| !drops_test_database(command)),
    reason: "It drops a database, a user or a range of keys, with the data.",
    instead: "Make a dump first, for example with `pg_dump -Fc app > app.dump`, and let a person drop it.",
    matches: "
        dropdb prod
        dropdb -h db --if-exists prod
        dropuser alice
        pg_restore --clean -d prod x.dump
        mysqladmin -u root drop prod
        mongorestore --drop dump/
        etcdctl del '' --prefix
        influx delete --bucket b --start 1970-01-01T00:00:00Z --stop 2030-01-01T00:00:00Z
        wp db reset --yes
    ",
    spares: "
        dropdb --help
        createdb app
        pg_restore -d app x.dump
        mysqladmin status
        mongorestore dump/
        etcdctl get '' --prefix
        influx bucket list
        wp db export
    ",
};

pub(super) const QUEUES: Rule = Rule {
    id: "databases.queue-delete",
    severity: Severity::Destructive,
    when: When::calls(&QUEUE_TOOLS),
    reason: "It deletes topics, queues or messages.",
    instead: "Check with the `--describe` or `--list` option first, and let a person delete it.",
    matches: "
        kafka-topics.sh --bootstrap-server b --delete --topic t
        /opt/kafka/bin/kafka-topics.sh --topic t --delete --bootstrap-server b
        rpk topic delete orders
        nats stream rm ORDERS -f
        nats -s nats://nats.prod.example.com:4222 stream rm ORDERS -f
        celery -A app purge -f
    ",
    spares: "
        kafka-topics.sh --bootstrap-server b --list
        kafka-topics.sh --describe --topic delete
        rpk topic list
        celery -A app worker
    ",
};

pub(super) const CHANGE: Rule = Rule {
    id: "databases.change",
    severity: Severity::Risky,
    when: When::calls(&CHANGES).also(|command| {
        drops_test_database(command) && !makes_again(command) || super::clients::makes_root(command)
    }),
    reason: "It deletes a key, or stops a server.",
    instead: "Check first, for example with `etcdctl get key`.",
    matches: "
        etcdctl del app/key
        mysqladmin shutdown
        dropdb app_test
    ",
    spares: "
        etcdctl get app/key
        mysqladmin ping
        dropdb --if-exists app_test && createdb app_test
    ",
};

/// `dropdb app_test`
fn drops_test_database(command: &Command<'_>) -> bool {
    command.name == "dropdb"
        && !is_harmless(command)
        && command.operands().first().is_some_and(|name| is_for_tests(&name.text))
}

/// Whether the same text makes the database that it drops, or need not find one.
fn makes_again(command: &Command<'_>) -> bool {
    command.has(&["--if-exists"]) || command.analysis.atoms.iter().any(|atom| atom.program() == "createdb")
}
