//! Migrations and the tasks of web frameworks.

use super::super::has;
use super::orm::{STAGE_VARIABLES, is_in_test, is_test_stage};
use super::sql::is_for_tests as is_for_tests_by_name;
use crate::calls::{Table, calls, fits};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(super) static RESETS: Table = calls!(
    "
    rails rake:
        ... db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:migrate:reset|db:truncate_all|db:schema:load|db:structure:load|db:seed:replant
    prisma:
        migrate reset
        db push --force-reset|--accept-data-loss
    knex:
        migrate:rollback --all
        migrate:rollback all
    sequelize sequelize-cli:
        db:drop
        db:migrate:undo:all
        db:seed:undo:all
    typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm:
        schema:drop
    mikro-orm:
        schema:drop|schema:fresh|migration:fresh
    mix:
        ecto.drop|ecto.reset
        ecto.rollback --all
    alembic:
        downgrade base !--sql
        stamp --purge
    flask:
        db downgrade base
    drizzle-kit:
        drop
        push --force
    flyway:
        ... clean !-?
    liquibase:
        ... drop-all|dropAll
    mvn mvnw:
        ... flyway:clean|liquibase:dropAll|*:flyway-maven-plugin:clean
    gradle gradlew:
        ... flywayClean|dropAll|*:flywayClean
    sqitch:
        revert -y
    dbmate:
        ... drop
    goose:
        ... reset
        ... down-to 0
    migrate golang-migrate:
        ... drop
        ... down -all|--all
    sqlx:
        database|db drop|reset
    diesel:
        database reset
        migration revert -a|--all
        migration redo -a|--all
    sea-orm-cli:
        migrate fresh|reset|refresh
    sea:
        migrate fresh|reset|refresh
    atlas:
        schema clean
    dotnet-ef:
        database drop
        database update 0
    dotnet:
        ef database drop
        ef database update 0
    hasura:
        metadata clear
        migrate apply --down=all
        migrate delete --all
    django-admin manage.py:
        flush|reset_db|sqlreset|clear_index|delete_all
        ... migrate * zero
    sail:
        artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe|tenants:migrate-fresh
    artisan:
        migrate:fresh|migrate:refresh|migrate:reset|db:wipe|tenants:migrate-fresh
    yii:
        migrate/fresh
    symfony:
        console doctrine:database:drop --force|-f
        console doctrine:schema:drop --force|-f|--full-database
    console:
        doctrine:database:drop|doctrine:schema:drop --force|-f
    ace:
        db:wipe|migration:fresh|migration:reset|migration:refresh|db:truncate
    payload:
        migrate:fresh|migrate:reset|migrate:refresh
        migrate:down --all
    phinx:
        rollback --target=0
        rollback -t=0
    migrate-mongo:
        down --block
    strapi:
        ... import --force
    medusa:
        db:rollback
    kysely:
        migrate:rollback --all
        migrate rollback --all
    edgedb gel:
        ... drop|wipe
        instance|project destroy|unlink
        branch drop|wipe|delete
    surreal:
        ... remove|delete
    graphile-migrate:
        reset --erase
    node-pg-migrate:
        down --count=99|999|9999|Infinity
        down 99|999|9999|Infinity
    umzug:
        down --to=0
        down --all
    mikro-orm mikro-orm-esm:
        schema:drop|schema:fresh|migration:fresh
        schema:update|schema:create --run --drop-tables
    wasp:
        db reset
    shuttle:
        resource delete
    convex:
        import --replace-all
    rails:
        runner|r ~delete_all @production
        runner|r ~destroy_all @production
"
);

/// Tasks that a script of another name runs: `php artisan …`, `python manage.py …`, `node ace …`.
pub(in crate::builtin) static BY_SCRIPT: Table = calls!(
    "
    php:
        *artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe|tenants:migrate-fresh
        *console doctrine:database:drop|doctrine:schema:drop --force|-f
        *yii migrate/fresh
        *drush sql:drop|sql-drop
    python python3 py pypy3:
        *manage.py flush|reset_db|sqlreset|clear_index
        *manage.py migrate * zero
        alembic downgrade base
        flask db downgrade base
    node:
        ace db:wipe|migration:fresh|migration:reset|migration:refresh
    bun deno tsx:
        ... ace db:wipe|migration:fresh|migration:reset
    yarn pnpm npm:
        prisma migrate reset
        prisma db push --force-reset|--accept-data-loss
        sequelize|sequelize-cli db:drop|db:migrate:undo:all
        typeorm schema:drop
        drizzle-kit drop
        knex migrate:rollback --all
        mikro-orm schema:drop|schema:fresh|migration:fresh
"
);

pub(super) static ROLL_BACKS: Table = calls!(
    "
    rails rake:
        ... db:rollback !STEP=1
        ... db:migrate:down|db:environment:set
    # With `--sql` it prints what it would send.
    alembic:
        downgrade|stamp !--sql
    flask:
        db downgrade
        db stamp
    knex:
        migrate:rollback|migrate:down
    sequelize sequelize-cli:
        db:migrate:undo
    typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm:
        migration:revert
    mix:
        ecto.rollback
    php:
        *artisan migrate:rollback
        *console doctrine:fixtures:load
        *console doctrine:schema:update --force|-f
    sail artisan:
        artisan migrate:rollback
        migrate:rollback
    flyway:
        ... undo
        ... undo|repair|baseline
    liquibase:
        ... rollback*
        ... rollback*|clear-checksums|clearCheckSums|release-locks
        ... changelog-sync|drop-all
    dbmate goose migrate:
        ... down|rollback
    diesel:
        migration revert
        migration redo
    sqlx:
        migrate revert
    sea-orm-cli:
        migrate down
    prisma:
        migrate resolve
    manage.py django-admin:
        migrate --fake
    python python3 py:
        *manage.py migrate --fake|--fake-initial
    mikro-orm mikro-orm-esm:
        migration:down
    node-pg-migrate:
        down|redo
    graphile-migrate:
        reset|uncommit
    umzug aerich:
        down|downgrade
    migrate golang-migrate:
        ... force|goto
    atlas:
        migrate down
        migrate set
    dbmate goose migrate golang-migrate:
        ... down|rollback|redo
    sqitch:
        revert|rebase|checkout
    dbt:
        run|build|seed|snapshot --full-refresh|-f
    sea-orm-cli sea:
        migrate down
    kysely:
        migrate:down|migrate:rollback
        migrate down|rollback
    payload:
        migrate:down
    yii:
        migrate/down|migrate/redo|migrate/to
    symfony console:
        console doctrine:migrations:migrate prev|first
        doctrine:migrations:migrate prev|first
        console doctrine:migrations:execute --down
        doctrine:migrations:execute --down
        doctrine:schema:update --force|-f
        console doctrine:schema:update --force|-f
    phinx:
        rollback
    migrate-mongo:
        down
    wasp:
        db migrate-deploy
    strapi:
        transfer|import
    hasura:
        migrate apply --down
        migrate delete
"
);

/// What changes the tables of a database, and does so where others work.
pub(super) static IN_PRODUCTION: Table = calls!(
    "
    prisma drizzle-kit knex sequelize sequelize-cli alembic flask typeorm flyway liquibase dbmate goose migrate golang-migrate atlas sqitch sqlx diesel:
        ... migrate|deploy|push|up|upgrade|apply|run|latest|db:migrate|migrate:latest|migration:run|update @production !status !diff !info !list !show !validate !lint
    rails rake:
        ... db:migrate|db:migrate:up|db:seed|db:schema:load|db:structure:load @production
    mix:
        ecto.migrate @production
    rails:
        runner|r * @production
    rake:
        ... *backfill*|*:import|*:fix* @production
    artisan:
        migrate|db:seed @production
    php:
        *artisan migrate|db:seed @production
        *console doctrine:migrations:migrate @production
    python python3 py:
        *manage.py migrate|loaddata @production
    django-admin:
        migrate|loaddata @production
    typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm:
        ... migration:run|schema:sync @production
    artisan:
        queue:clear|queue:flush|horizon:clear|horizon:terminate
    php:
        *artisan queue:clear|queue:flush|horizon:clear|horizon:terminate
        *artisan down|up|queue:restart @production
        *occ user:delete|group:delete|files:cleanup|trashbin:cleanup|versions:cleanup|app:remove|db:*
        *magento setup:uninstall|setup:rollback|module:uninstall|admin:user:*
        *console doctrine:query:sql|doctrine:migrations:migrate @production
    dotnet:
        ef database update @production
    dotnet-ef:
        database update @production
    rails:
        runner|r|console|c @production ~update_all
    python python3 py:
        *manage.py createsuperuser --noinput|--no-input
        *manage.py shell|dbshell|changepassword @production
    manage.py:
        migrate|loaddata @production
"
);

pub(super) const RESET: Rule = Rule {
    id: "databases.migrate-reset",
    severity: Severity::Destructive,
    when: When::calls(&RESETS)
        .also(|command| fits(command, &BY_SCRIPT))
        .only(|command| !is_for_tests(command) && !describes(command)),
    reason: "It drops the tables of a database and all rows in them.",
    instead: "Write a new migration that changes what is wrong, or use a database for tests: `RAILS_ENV=test rails db:reset`.",
    matches: "
        rails db:drop
        bundle exec rake db:reset
        bin/rails db:migrate:reset
        npx prisma migrate reset --force
        npx prisma db push --force-reset
        php artisan migrate:fresh --seed
        ./artisan db:wipe
        python manage.py flush --no-input
        alembic -c prod.ini downgrade base
        mix ecto.drop
        npx sequelize-cli db:migrate:undo:all
        dotnet ef database drop -f
        flyway -configFiles=prod.conf clean
        migrate -path db -database $URL drop -f
        yarn prisma migrate reset
    ",
    spares: "
        rails db:migrate
        RAILS_ENV=test rails db:reset
        DATABASE_URL=postgres://me@localhost/app_test npx prisma migrate reset --force
        rails db:drop RAILS_ENV=test
        rails db:reset -e test
        MIX_ENV=test mix ecto.reset
        npx prisma migrate dev
        php artisan migrate
        php artisan migrate:fresh --env=testing
        python manage.py migrate
        alembic upgrade head
        dotnet ef database update
        rake -D db:drop
        goose -dir db/migrations sqlite3 ./test.db reset
        goose -dir db postgres postgres://localhost/app_test reset
        dbmate --url sqlite:/tmp/x.db drop
        alembic downgrade head:base --sql
    ",
};

pub(super) const MIGRATE: Rule = Rule {
    id: "databases.migrate-production",
    severity: Severity::Risky,
    when: When::calls(&IN_PRODUCTION).only(|command| !is_for_tests(command)),
    reason: "It changes the tables of a database that is in production.",
    instead: "Try it on a copy, show what it would do (`--sql`, `--dry-run`, `sqlmigrate`), and let a person run it.",
    matches: "
        RAILS_ENV=production rails db:migrate
        rake db:migrate RAILS_ENV=production
        npx knex migrate:latest --env production
        python manage.py migrate --settings=app.settings.prod
        php artisan migrate --env=production
    ",
    spares: "
        rails db:migrate
        npx prisma migrate deploy
        NODE_ENV=production npm run build
        python manage.py migrate
        python manage.py migrate products
    ",
};

pub(super) const ROLL_BACK: Rule = Rule {
    id: "databases.migrate-back",
    severity: Severity::Risky,
    when: When::calls(&ROLL_BACKS).only(|command| !is_for_tests(command) && !describes(command)),
    reason: "It reverts a migration, which may drop columns or tables with their rows.",
    instead: "Write a new migration that changes what is wrong.",
    matches: "
        rails db:rollback STEP=3
        alembic downgrade -1
        php artisan migrate:rollback
        goose -dir db down
    ",
    spares: "
        rails db:migrate:status
        RAILS_ENV=test rails db:rollback
        alembic history
        php artisan migrate:status
    ",
};

/// Whether rake only tells about its tasks, or what they would run: `rake -D db:drop`, `rake -T`.
fn describes(command: &Command<'_>) -> bool {
    let tells = ["-D", "-T", "-P", "-W", "-n", "--describe", "--tasks", "--prereqs", "--where", "--dry-run"];
    command.name == "rake" && command.args().iter().any(|arg| tells.contains(&&*arg.text))
}

/// Whether it works on a database that only tests use.
fn is_for_tests(command: &Command<'_>) -> bool {
    let assigned = |(name, value): (&str, &str)| name.ends_with("_URL") && is_for_tests_by_address(value);
    is_in_test(command)
        || command.variables().any(assigned)
        || command
            .value(&["-e", "--env", "--environment"])
            .is_some_and(|value| matches!(value, "test" | "testing"))
        || command.value(&["--settings"]).is_some_and(is_test_stage)
        || command.args().iter().any(|arg| is_for_tests_by_address(&arg.text))
        || command.args().iter().any(|arg| {
            let set = arg.text.split_once('=');
            set.is_some_and(|(name, value)| has(STAGE_VARIABLES, name) && is_test_stage(value))
        })
}

/// Whether an address, or the path of a database in a file, is that of a database for tests on this machine.
fn is_for_tests_by_address(address: &str) -> bool {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let path = rest.split('?').next().unwrap_or("");
    let (server, database) = path.rsplit_once('/').unwrap_or(("", path));
    let path = path.trim_start_matches("sqlite:").trim_start_matches("file:");
    if scheme.starts_with("sqlite") || has("db sqlite sqlite3", path.rsplit('.').next().unwrap_or("")) {
        let is_passing = path.starts_with("/tmp/") || path.trim_start_matches("../").starts_with("tmp/");
        return is_for_tests_by_name(database) || is_passing || path == ":memory:";
    }
    let host = server.rsplit('@').next().unwrap_or("").split([':', '/']).next().unwrap_or("");
    // The last three are what Compose files call the database beside the program.
    let is_here = matches!(host, "localhost" | "127.0.0.1" | "db" | "postgres" | "mysql");
    !scheme.is_empty() && is_here && is_for_tests_by_name(database)
}
